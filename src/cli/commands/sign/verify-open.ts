import { join } from 'node:path';
import { debuggerFile } from '../../../server/debugger/file.ts';
import { lastRefusal } from '../../clients/last-refusal.ts';
import { cacheDirectory, writeCacheFile } from '../../context/cache.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import type { Context } from '../../context/context.ts';
import { argumentBytes } from '../../context/input.ts';
import { localeLanguage } from '../../context/language.ts';
import { openInBrowser } from '../../context/open-browser.ts';
import type { VerifyCommandOptions } from './verify-capture.ts';
import { CAPTURE_LIMIT } from './verify-input.ts';

const NAME = 'debugger.html';

/**
 * Writes the debugger page with a request to the cache, readable by the user only, and opens it in a
 * browser. Needs no secret: the user types it into the page.
 *
 * @param request The capture as text, `@FILE`, or `-`; undefined for the last refused call.
 * @throws {MopError} `usage` for an option that the page cannot take, or when the request cannot be
 *   read; `io` when the file cannot be written; `failure` when no browser can be started.
 */
export async function openDebugger(
  request: string | undefined,
  { effort, entry, header, now, theirs }: VerifyCommandOptions,
  { io, output }: Context,
): Promise<void> {
  assertNoConflict([
    [
      header,
      '--open takes no --header',
      'put the headers before the body, with an empty line between',
    ],
    [theirs, '--open takes no --theirs', 'paste the string into the page'],
  ]);
  const bytes =
    request === undefined
      ? Buffer.from((await lastRefusal(io)).har)
      : await argumentBytes(request, io, CAPTURE_LIMIT);
  const fields = {
    ...(entry !== undefined && { entry: `${entry}` }),
    ...(now !== undefined && { 'sent-at': `${now}` }),
    ...(effort && { effort }),
  };
  await writeCacheFile(NAME, await debuggerFile(localeLanguage(io.env), { bytes, fields }), io);
  const path = join(cacheDirectory(io), NAME);
  await openInBrowser(path, io);
  output.note(`${path} is open in a browser: enter the secret there`);
}
