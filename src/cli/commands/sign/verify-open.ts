import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import open from 'open';
import { MopError, quoted } from '../../../errors.ts';
import { debuggerFile } from '../../../server/debugger/file.ts';
import { lastRefusal } from '../../clients/last-refusal.ts';
import { cacheDirectory, writeCacheFile } from '../../context/cache.ts';
import { assertTrusted } from '../../context/config-file.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import type { Context } from '../../context/context.ts';
import { argumentBytes } from '../../context/input.ts';
import type { Io } from '../../context/io.ts';
import { CAPTURE_LIMIT, type VerifyCommandOptions } from './verify-capture.ts';

/** An older page is removed: it contains a request, and its browser has read it. */
const MAX_AGE_MS = 3600_000;

/**
 * Writes the debugger page with a request to the cache, readable by the user only, and opens it in
 * a browser. Needs no secret: the user types it into the page.
 */
export async function openDebugger(
  request: string | undefined,
  { effort, entry, header, maxSkew, now, reading, theirs }: VerifyCommandOptions,
  { io, output }: Context,
): Promise<void> {
  assertNoConflict([
    [
      header,
      '--open takes no --header',
      'put the headers before the body, with an empty line between',
    ],
    [theirs, '--open takes no --theirs', 'paste the string into the page'],
    [reading, '--open takes no --reading', 'the page tries every reading'],
    [maxSkew, '--open takes no --max-skew', 'leave it out'],
  ]);
  const last = request === undefined ? await lastRefusal(io) : undefined;
  const bytes = last
    ? Buffer.from(last.har)
    : await argumentBytes(request ?? '', io, CAPTURE_LIMIT);
  const sentAt = now ?? last?.refusal.clock;
  const fields = {
    ...(entry !== undefined && { entry: `${entry}` }),
    ...(sentAt !== undefined && { 'sent-at': `${sentAt}` }),
    ...(effort && { effort }),
  };
  const directory = cacheDirectory(io);
  // Another user could replace the page before the browser reads it.
  for (const each of [directory, dirname(directory)]) {
    if (existsSync(each)) assertTrusted(each, (warning) => output.warn(warning));
  }
  const name = `debugger-${randomUUID()}.html`;
  await writeCacheFile(name, await debuggerFile(output.language, { bytes, fields }), io);
  await removeOldPages(directory, io.now());
  const path = join(directory, name);
  await openInBrowser(path, io);
  output.note(`${path} is open in a browser: enter the secret there`);
}

async function removeOldPages(directory: string, now: number): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    if (!/^debugger-[\da-f-]{36}\.html$/.test(name)) continue;
    const path = join(directory, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats && now - stats.mtimeMs > MAX_AGE_MS) await rm(path, { force: true }).catch(() => {});
  }
}

/** Opens a file in the browser of `BROWSER`, or in the default browser of the user. */
async function openInBrowser(path: string, { env }: Pick<Io, 'env'>): Promise<void> {
  const url = pathToFileURL(path).href;
  const { BROWSER: name } = env;
  try {
    const child = await open(url, name ? { app: { name } } : {});
    await new Promise<void>((resolve, reject) => {
      // A browser keeps running; a launcher that fails ends at once.
      const launched = setTimeout(resolve, LAUNCH_MS);
      const end = (error?: Error): void => {
        clearTimeout(launched);
        if (error) reject(error);
        else resolve();
      };
      child.once('error', end);
      child.once('exit', (code) => end(code ? new Error(`exit code ${code}`) : undefined));
    });
  } catch (error) {
    throw new MopError('failure', 'no browser can be started', {
      hint: quoted`open this file in a browser: ${path}`,
      cause: error,
    });
  }
}

const LAUNCH_MS = 1000;
