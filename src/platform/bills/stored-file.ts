import { createReadStream, type Stats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { MopError } from '../../errors.ts';
import { fileError } from '../../files/file-error.ts';
import { CHUNK_BYTES, inflating } from '../../http/chunks.ts';
import {
  type BillDigest,
  ContentHash,
  isKnownDigest,
  KNOWN_DIGESTS,
  matchingType,
} from './digest.ts';

/**
 * The size of the file at `path`; undefined if the file is missing.
 *
 * @throws {MopError} `io` for a directory, a symbolic link or anything else that is not a file.
 */
export async function storedSize(path: string): Promise<number | undefined> {
  const stats = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw fileError(error, `cannot access ${path}`);
  });
  if (stats === undefined || stats.isFile()) return stats?.size;
  throw new MopError('io', `${path} exists and is not a regular file`, {
    hint: 'remove it, or choose another path with -o',
  });
}

/**
 * Compares a stored bill's original content with a digest.
 *
 * @param gzipped Whether the file is kept compressed.
 * @returns The algorithm of the digest; undefined for different content or a damaged gzip file.
 * @throws {MopError} `io`
 * @throws The signal's reason.
 */
export async function matchStored(
  path: string,
  digest: BillDigest,
  gzipped: boolean,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const hash = new ContentHash(digest);
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  try {
    const update = async (content: AsyncIterable<Uint8Array>): Promise<void> => {
      for await (const chunk of content) hash.update(chunk);
    };
    await (gzipped
      ? pipeline(file, (await import('node:zlib')).createGunzip(inflating()), update, { signal })
      : pipeline(file, update, { signal }));
  } catch (error) {
    signal?.throwIfAborted();
    if (/^Z_/.test((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw fileError(error, `cannot read ${path}`);
  }
  return matchingType(digest, hash.digests());
}

/** Maximum number of files read concurrently: they are probably on one disk. */
export const FILES_IN_FLIGHT = 2;

export interface StoredContent extends BillDigest {
  /** The size of the stored file, if known. */
  readonly bytes?: number | null | undefined;
}

/**
 * Compares the content of a file, plain or compressed, with a digest. Follows links. Anything that is
 * not a file counts as changed.
 *
 * @throws {MopError} `integrity` for an unknown digest, `io`.
 * @throws The signal's reason.
 */
export async function checkStored(
  path: string,
  { bytes, ...digest }: StoredContent,
  signal?: AbortSignal,
): Promise<'ok' | 'changed' | 'missing'> {
  const stats = await statsOf(path);
  if (stats === undefined) return 'missing';
  if (!isKnownDigest(digest)) {
    throw new MopError(
      'integrity',
      `${path} has an unknown digest: ${JSON.stringify(digest.type)}`,
      {
        hint: KNOWN_DIGESTS,
        transient: false,
      },
    );
  }
  if (!stats.isFile()) return 'changed';
  // Try the likely form first: users choose the names.
  const isGzip = path.endsWith('.gz');
  // Ignore the size of a gzip file: users may have compressed the bill again.
  if (!isGzip && typeof bytes === 'number' && bytes !== stats.size) return 'changed';
  for (const gzipped of [isGzip, !isGzip]) {
    if ((await matchStored(path, digest, gzipped, signal)) !== undefined) return 'ok';
  }
  return 'changed';
}

/**
 * The stats of `path`; undefined for a missing file.
 *
 * @param readStats Default `stat`, which follows links; `lstat` does not.
 * @throws {MopError} `io`
 */
export async function statsOf(path: string, readStats = stat): Promise<Stats | undefined> {
  return readStats(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw fileError(error, `cannot access ${path}`);
  });
}
