import type { Context } from '../context/context.ts';
import type { Settings } from '../context/settings.ts';
import type { StartSandbox } from './connection.ts';

/**
 * The starter of the sandbox; undefined unless the environment is `sandbox`. `hasModel`: the model of
 * the `MOP_AI_…` variables detects risks.
 */
export function sandboxStarter(
  context: Context,
  settings: Settings,
  hasModel = false,
): StartSandbox | undefined {
  // Other environments do not validate the time zone.
  if (settings.environment !== 'sandbox') return undefined;
  const timeZone = settings.get('timezone');
  return () => startSandbox(context, timeZone, hasModel);
}

/** @throws {MopError} `config` for an invalid model. */
export async function startSandbox(
  context: Context,
  timeZone: string,
  hasModel = false,
): ReturnType<StartSandbox> {
  if (context.output.reveal) {
    context.output.note(
      'the printed address works only while this command runs; for a lasting one, start mop sandbox',
    );
  }
  const model = hasModel ? (await import('./model-level.ts')).modelLevel(context) : undefined;
  const server = await import('../../sandbox/server.ts');
  const now = context.io.now;
  const sandbox = await server.startSandbox({ timeZone, now, model: model?.options });
  return {
    url: sandbox.url,
    close: async () => {
      await sandbox.close();
      await model?.close();
    },
  };
}
