import type { RetryPolicy } from '../../http/retry.ts';
import type { Transport, TransportOptions } from '../../http/transport.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import type { Context } from '../context/context.ts';
import type { Settings } from '../context/settings.ts';
import { openTransport, proxySettings, transportOptions } from './open-transport.ts';

/** The connection that the clients of one profile share. Close it when done. */
export interface Connection {
  readonly transport: Transport;
  /** The options of the transport, for WebSockets. */
  readonly options: TransportOptions;
  /** The address of the embedded sandbox, if the environment is `sandbox`. */
  readonly sandboxUrl: string | undefined;
  readonly close: () => Promise<void>;
}

/**
 * Opens a transport for the current environment. For `sandbox`, starts the sandbox in this process;
 * requests to it use HTTP without a proxy.
 *
 * @throws {MopError} `config` for an invalid model.
 */
export async function openConnection(
  context: Context,
  settings: Settings,
  services: SandboxServices = {},
): Promise<Connection> {
  const sandboxed = settings.environment === 'sandbox';
  const sandbox = sandboxed ? await startEmbeddedSandbox(context, settings, services) : undefined;
  try {
    const options = await transportOptions(context, sandboxed ? {} : proxySettings(context));
    const transport = await openTransport(options);
    return {
      transport,
      options,
      sandboxUrl: sandbox?.url,
      close: async () => {
        await transport.close();
        await sandbox?.close();
      },
    };
  } catch (error) {
    await sandbox?.close();
    throw error;
  }
}

/** Prints a note on a terminal before each wait for another attempt: the command seems to hang. */
export function retryNotes({ io, output }: Context): NonNullable<RetryPolicy['onRetry']> {
  return ({ message }, waitMs) => {
    // No attempt follows an interruption.
    if (io.signal.aborted || !io.stderr.isTTY) return;
    output.note(`${message}; trying again in ${(waitMs / 1000).toFixed(1)} s`);
  };
}

/** The services of the embedded sandbox besides the platform. */
interface SandboxServices {
  /** Whether the model of the `MOP_AI_…` variables is used to detect risks. */
  readonly model?: boolean;
}

/**
 * Starts the sandbox in this process, on a free port of loopback. Close it when done.
 *
 * @throws {MopError} `config` for an invalid model.
 */
export async function startEmbeddedSandbox(
  context: Context,
  settings: Settings,
  services: SandboxServices = {},
): Promise<Sandbox> {
  if (context.output.reveal) {
    context.output.note(
      'the printed address works only while this command runs; for a lasting one, start mop sandbox',
    );
  }
  const model = services.model ? (await import('./model-level.ts')).modelLevel(context) : undefined;
  const { startSandbox } = await import('../../sandbox/server.ts');
  const sandbox = await startSandbox({
    timeZone: settings.get('timezone'),
    now: context.io.now,
    model: model?.options,
  });
  return {
    ...sandbox,
    close: async () => {
      await sandbox.close();
      await model?.close();
    },
  };
}
