import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { MopError } from '../../errors.ts';
import { localError } from '../../local-error.ts';
import { CHUNK_BYTES } from './byte-stages.ts';

/**
 * The size of the file at `path`; undefined when there is none.
 *
 * @throws {MopError} `io` for a directory, a symbolic link or anything else that is not a file.
 */
export async function storedSize(path: string): Promise<number | undefined> {
  const stats = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw localError(error, `cannot look at ${path}`);
  });
  if (stats === undefined || stats.isFile()) return stats?.size;
  throw new MopError('io', `${path} is in the way: it is not a regular file`, {
    hint: 'remove it, or choose another place with -o',
  });
}

/**
 * The digest of a stored bill's original content.
 *
 * @param gzipped Whether the file is kept compressed. A damaged one has no digest: undefined.
 * @throws {MopError} `io`
 */
export async function hashStored(
  path: string,
  algorithm: string,
  gzipped: boolean,
): Promise<Buffer | undefined> {
  const hash = createHash(algorithm);
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  try {
    if (gzipped) await pipeline(file, createGunzip({ chunkSize: CHUNK_BYTES }), hash);
    else await pipeline(file, hash);
  } catch (error) {
    if (/^Z_/.test((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw localError(error, `cannot read ${path}`);
  }
  return hash.digest();
}
