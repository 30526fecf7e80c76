import { addressSetting } from '../../platform/address.ts';
import { type Operation, operationMode } from '../../platform/operation.ts';
import { OperationClient, type PlatformClientOptions } from '../../platform/operation-client.ts';
import type { SignatureMode } from '../../protocol/operations.ts';
import { freshFields } from '../../signing/request-fields.ts';
import type { Context } from '../context/context.ts';
import { printDryRun } from '../context/dry-run.ts';
import { loadCredentials } from '../context/secret.ts';
import { addressHint, preferredMode, type Settings } from '../context/settings.ts';
import { type Caller, callerOf } from './caller.ts';
import { openConnection, retryNotes } from './connection.ts';
import { sandboxStarter } from './embedded-sandbox.ts';

/** A client for the platform of one profile. Close it when done. */
export interface Platform {
  readonly client: OperationClient;
  readonly close: () => Promise<void>;
}

/** Opens a client for the current environment. */
export async function openPlatform(context: Context, settings: Settings): Promise<Platform> {
  const credentials = await loadCredentials(settings, context);
  const { transport, sandboxUrl, close } = await openConnection(
    context,
    sandboxStarter(context, settings),
  );
  try {
    const test = settings.environment === 'test';
    const client = new OperationClient({
      credentials,
      transport,
      baseUrl: sandboxUrl ?? settings.get(addressSetting('body', test)),
      openBaseUrl: sandboxUrl ?? settings.get(addressSetting('header', test)),
      mode: preferredMode(settings),
      addressHint: (mode) => addressHint(settings, mode),
      testEnvironment: test,
      retries: context.globals.retries,
      onWarning: (message) => context.output.warn(message),
      onNotice: (message) => context.output.note(message),
      onRetry: retryNotes(context),
      onRefusal: refusalRecorder(callerOf(settings), context),
      source: { ...freshFields, now: context.io.now },
      sleep: context.sleep,
    });
    return { client, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Explains each refused call. Stores only the first for `mop sign verify --last`: a batch may have many. */
export function refusalRecorder(
  caller: Caller,
  { io }: Context,
): NonNullable<PlatformClientOptions['onRefusal']> {
  let isStored = false;
  return async (exchange) => {
    const isFirst = !isStored;
    isStored = true;
    const { recordRefusal } = await import('./last-refusal.ts');
    return recordRefusal(exchange, caller, io, isFirst);
  };
}

/** The signature mode of an operation: `--mode`, then the setting, then D1 section 4. */
export function currentMode(operation: Pick<Operation, 'path'>, settings: Settings): SignatureMode {
  return operationMode(operation, preferredMode(settings));
}

/**
 * Runs `use` with a client for the current environment, and ends its connections. With `--dry-run`
 * it prints the requests of `operations` instead, and returns undefined.
 */
export async function withPlatform<T>(
  context: Context,
  settings: Settings,
  operations: readonly Operation[],
  use: (client: OperationClient) => Promise<T>,
): Promise<T | undefined> {
  const { client, close } = await openPlatform(context, settings);
  try {
    if (!context.globals.dryRun) return await use(client);
    const requests = operations.map((operation) => client.sign(operation));
    await printDryRun(requests, context.output);
    return undefined;
  } finally {
    await close();
  }
}
