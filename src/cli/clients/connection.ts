import type { RetryPolicy } from '../../http/retry.ts';
import type { Transport, TransportOptions } from '../../http/transport.ts';
import type { Context } from '../context/context.ts';
import { openTransport, proxySettings, transportOptions } from './open-transport.ts';

/** Starts the sandbox in this process, on a free port of loopback. */
export type StartSandbox = () => Promise<{
  readonly url: string;
  readonly close: () => Promise<void>;
}>;

/** The connection that the clients of one profile share. Close it when done. */
export interface Connection {
  readonly transport: Transport;
  /** The options of the transport, for WebSockets. */
  readonly options: TransportOptions;
  /** The address of the embedded sandbox, if the environment is `sandbox`. */
  readonly sandboxUrl: string | undefined;
  readonly close: () => Promise<void>;
}

/** Opens a transport, and starts the sandbox if there is one. Requests to it use no proxy. */
export async function openConnection(
  context: Context,
  startSandbox: StartSandbox | undefined,
): Promise<Connection> {
  const sandbox = await startSandbox?.();
  try {
    const options = await transportOptions(context, sandbox ? {} : proxySettings(context));
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
