import { createHash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { MopError } from '../../errors.ts';
import { localError } from '../../files/file-error.ts';
import { CHUNK_BYTES, INFLATING } from './byte-stages.ts';
import { type BillDigest, DIGEST_ALGORITHMS, digestMatches, findAlgorithm } from './digest.ts';

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
 * @throws The signal's reason.
 */
export async function hashStored(
  path: string,
  algorithm: string,
  gzipped: boolean,
  signal?: AbortSignal,
): Promise<Buffer | undefined> {
  const hash = createHash(algorithm);
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  try {
    const stages = gzipped ? [createGunzip(INFLATING), hash] : [hash];
    await pipeline([file, ...stages], { signal });
  } catch (error) {
    signal?.throwIfAborted();
    if (/^Z_/.test((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw localError(error, `cannot read ${path}`);
  }
  return hash.digest();
}

/** How many files are read at once, from what is likely one disk. */
export const FILES_IN_FLIGHT = 2;

/** What a stored file has to be. */
export interface StoredContent extends BillDigest {
  /** Its size, where that is known: a bill that was compressed afterwards is another file. */
  readonly bytes?: number | null | undefined;
}

/**
 * Whether the file at `path` has the content that a digest was made of, as it is or kept compressed.
 * A link stands for what it leads to; what is no file at all has another content.
 *
 * @throws {MopError} `integrity` for a digest that is not known here, `io`.
 * @throws The signal's reason.
 */
export async function checkStored(
  path: string,
  { type, value, bytes }: StoredContent,
  signal?: AbortSignal,
): Promise<'ok' | 'changed' | 'missing'> {
  const stats = await statsOf(path);
  if (stats === undefined) return 'missing';
  const algorithm = findAlgorithm(type);
  if (algorithm === undefined) {
    throw new MopError('integrity', `${path} has an unknown digest: ${JSON.stringify(type)}`, {
      hint: `known are ${DIGEST_ALGORITHMS.join(', ')}`,
      transient: false,
    });
  }
  if (!stats.isFile()) return 'changed';
  // The name tells which is likely, no more: names are the user's to choose.
  const isGzip = path.endsWith('.gz');
  // A compressed bill may have been compressed better since.
  if (!isGzip && bytes !== stats.size && typeof bytes === 'number') return 'changed';
  for (const gzipped of [isGzip, !isGzip]) {
    const actual = await hashStored(path, algorithm, gzipped, signal);
    if (actual && digestMatches(value, actual)) return 'ok';
  }
  return 'changed';
}

/**
 * What is at `path`; undefined when there is nothing.
 *
 * @param look `lstat` for a link itself; else links are followed.
 * @throws {MopError} `io`
 */
export async function statsOf(path: string, look = stat): Promise<Stats | undefined> {
  return look(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw localError(error, `cannot look at ${path}`);
  });
}
