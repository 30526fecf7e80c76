import { createHash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { MopError } from '../../errors.ts';
import { fileError } from '../../files/file-error.ts';
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
    throw fileError(error, `cannot look at ${path}`);
  });
  if (stats === undefined || stats.isFile()) return stats?.size;
  throw new MopError('io', `${path} is in the way: it is not a regular file`, {
    hint: 'remove it, or choose another place with -o',
  });
}

/**
 * The digest of a stored bill's original content.
 *
 * @param gzipped Whether the file is kept compressed.
 * @returns undefined for a damaged gzip file.
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
    throw fileError(error, `cannot read ${path}`);
  }
  return hash.digest();
}

/** Files read concurrently, from what is likely one disk. */
export const FILES_IN_FLIGHT = 2;

export interface StoredContent extends BillDigest {
  /** Its size, where that is known. */
  readonly bytes?: number | null | undefined;
}

/**
 * Compares the content of a file, plain or kept compressed, with a digest. Follows links; anything
 * that is not a file counts as changed.
 *
 * @throws {MopError} `integrity` for an unknown digest, `io`.
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
  // Try the likely form first: users choose the names.
  const isGzip = path.endsWith('.gz');
  // Users may have compressed the bill again, so the size of a gzip file proves nothing.
  if (!isGzip && bytes !== stats.size && typeof bytes === 'number') return 'changed';
  for (const gzipped of [isGzip, !isGzip]) {
    const actual = await hashStored(path, algorithm, gzipped, signal);
    if (actual && digestMatches(value, actual)) return 'ok';
  }
  return 'changed';
}

/**
 * The stats of `path`; undefined when nothing is there.
 *
 * @param look `lstat` not to follow links.
 * @throws {MopError} `io`
 */
export async function statsOf(path: string, look = stat): Promise<Stats | undefined> {
  return look(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw fileError(error, `cannot look at ${path}`);
  });
}
