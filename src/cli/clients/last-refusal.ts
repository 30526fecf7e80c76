import { lstat, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MopError } from '../../errors.ts';
import { fileError } from '../../files/file-error.ts';
import type { Exchange } from '../../platform/operation-client.ts';
import { cacheDirectory, writeCacheFile } from '../context/cache.ts';
import type { Io } from '../context/io.ts';
import type { Settings } from '../context/settings.ts';
import { MAX_CONTENT_BYTES, type Refusal, refusalHar, refusalIn } from './refusal-har.ts';

/** A refusal with the HAR file that contains its request. */
interface KeptRefusal {
  readonly refusal: Refusal;
  readonly har: string;
}

/** How long a refused call can be examined. */
const KEPT_SECONDS = 600;

const NAME = 'refused-request.har';
/** Quoting in JSON makes a byte up to six; the rest is for names. */
const MAX_FILE_BYTES = 8 * MAX_CONTENT_BYTES;

/**
 * Keeps a refused call for `mop sign verify --last` in a private file, without the secret. It
 * replaces the call before. A failure is ignored: it must not change the outcome of the command.
 */
export async function keepRefusal(exchange: Exchange, settings: Settings, io: Io): Promise<void> {
  try {
    await writeCacheFile(NAME, refusalHar(exchange, settings), io);
  } catch {}
}

/**
 * The last refused call.
 *
 * @throws {MopError} `usage` when none was kept within the last ten minutes, or not its request;
 *   `io` when it cannot be read. A call that is too old is removed.
 */
export async function lastRefusal(io: Io): Promise<KeptRefusal> {
  const path = join(cacheDirectory(io), NAME);
  const har = await readKept(path);
  if (har === undefined) throw nothingKept('no refused call is kept', path);
  const refusal = refusalIn(har);
  if (refusal === undefined) {
    throw new MopError('usage', `${path} is damaged`, {
      hint: 'remove it, run the call again, then mop sign verify --last',
    });
  }
  const age = Math.floor(io.now() / 1000) - refusal.sent_at;
  if (Math.abs(age) > KEPT_SECONDS) {
    await rm(path, { force: true }).catch(() => {});
    throw nothingKept(`the last refused call is older than ${KEPT_SECONDS / 60} minutes`, path);
  }
  if (refusal.not_kept === undefined) return { refusal, har };
  throw new MopError('usage', `the last refused call was not kept: ${refusal.not_kept}`, {
    hint: 'run the call with --dry-run --reveal and pass the printed request to mop sign verify',
  });
}

function nothingKept(subject: string, path: string): MopError {
  return new MopError('usage', subject, {
    hint: `run the call again, then mop sign verify --last; refused calls are kept in ${path}`,
  });
}

/** The text of the file; undefined when it is missing. */
async function readKept(path: string): Promise<string | undefined> {
  try {
    const stats = await lstat(path);
    // A symbolic link or a pipe was not written by mop.
    return stats.isFile() && stats.size <= MAX_FILE_BYTES ? await readFile(path, 'utf8') : '';
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR'].includes(code)) return undefined;
    throw fileError(error, `cannot read ${path}`);
  }
}
