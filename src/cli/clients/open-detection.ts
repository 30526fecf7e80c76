import { DetectionClient } from '../../detection/client.ts';
import { MopError } from '../../errors.ts';
import type { Context } from '../context/context.ts';
import { withoutSecrets } from '../context/json-document.ts';
import { readHeaders } from '../context/request-content.ts';
import { type Settings, serviceAddressHint } from '../context/settings.ts';
import { openConnection, retryNotes } from './connection.ts';

/**
 * Runs `use` with a client for the detection service of the current environment, then closes
 * its connections. Its answers do not contain the secrets of this run.
 *
 * @param headerLines Additional headers, as `-H` takes them.
 * @throws {MopError} `config` without an address, `usage` for an invalid header.
 */
export async function withDetection<T>(
  context: Context,
  settings: Settings,
  headerLines: readonly string[] | undefined,
  use: (client: DetectionClient) => Promise<T>,
): Promise<T> {
  const headers = readHeaders(headerLines, context);
  const { transport, sandboxUrl, close } = await openConnection(context, settings, { model: true });
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
    hint: serviceAddressHint(settings.profile, 'detect_url https://HOST', 'MOP_DETECT_URL'),
  });
}
