import { DetectionClient } from '../../detection/client.ts';
import { MopError, quoted } from '../../errors.ts';
import type { Context } from '../context/context.ts';
import { withoutSecrets } from '../context/json-document.ts';
import { acceptedLanguage } from '../context/language.ts';
import { readHeaders } from '../context/request-content.ts';
import type { Settings } from '../context/settings.ts';
import { openConnection, retryNotes } from './connection.ts';
import { sandboxStarter } from './embedded-sandbox.ts';

/**
 * Runs `use` with a client for the detection service of the current environment, then closes its
 * connections. Its answers do not contain the secrets of this run.
 */
export async function withDetection<T>(
  context: Context,
  settings: Settings,
  headerLines: readonly string[] | undefined,
  use: (client: DetectionClient) => Promise<T>,
): Promise<T> {
  const given = readHeaders(headerLines, context);
  const language = acceptedLanguage(context.globals, context.io);
  const headers = [
    ...(language === undefined || given.some(([name]) => /^accept-language$/i.test(name))
      ? []
      : [['Accept-Language', language] as const]),
    ...given,
  ];
  const { transport, sandboxUrl, close } = await openConnection(
    context,
    sandboxStarter(context, settings, true),
  );
  try {
    const client = new DetectionClient({
      baseUrl: sandboxUrl ?? detectUrl(settings),
      transport,
      headers,
      retries: context.globals.retries,
      sleep: context.sleep,
      onRetry: retryNotes(context),
      now: context.io.now,
      clean: (answer) => withoutSecrets(answer, context.output.cleanData),
    });
    return await use(client);
  } finally {
    await close();
  }
}

function detectUrl(settings: Settings): string {
  const address = settings.get('detect_url');
  if (address !== undefined) return address;
  throw new MopError('config', 'no address of the detection service: detect_url is not set', {
    hint: quoted`set MOP_DETECT_URL, add --env sandbox, or run: mop config set detect_url https://HOST -p ${settings.profile}`,
  });
}
