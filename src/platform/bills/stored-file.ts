import { createReadStream, type Stats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { MopError } from '../../errors.ts';
import { CHUNK_BYTES, inflating } from '../../files/chunks.ts';
import { fileError } from '../../files/file-error.ts';
import {
  type BillDigest,
  ContentHash,
  isKnownDigest,
  KNOWN_DIGESTS,
  matchingType,
} from './digest.ts';

export interface FileVersion {
  readonly bytes: number;
  /** Differs whenever the file was replaced or changed. */
  readonly version: string;
}

/** The file at `path`, if any; throws `io` for a symbolic link or anything else but a file. */
export async function fileVersion(path: string): Promise<FileVersion | undefined> {
  const stats = await lstat(path, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw fileError(error, `cannot access ${path}`);
  });
  if (stats === undefined) return undefined;
  if (stats.isFile()) {
    const { ino, size, mtimeNs, ctimeNs } = stats;
    return { bytes: Number(size), version: [ino, size, mtimeNs, ctimeNs].join(' ') };
  }
  throw new MopError('io', `${path} exists and is not a regular file`, {
    hint: 'remove it, or choose another path',
  });
}

/** The paths at which a bill may be: users compress old bills. */
export function pathsOf(path: string): readonly string[] {
  const isTooLong = Buffer.byteLength(`${basename(path)}.gz`) > MAX_NAME_BYTES;
  return path.endsWith('.gz') || isTooLong ? [path] : [path, `${path}.gz`];
}

const MAX_NAME_BYTES = 255;

export async function findStored(path: string): Promise<string | undefined> {
  for (const each of pathsOf(path)) {
    if ((await statsOf(each)) !== undefined) return each;
  }
  return undefined;
}

/** The algorithm by which a bill's content matches; undefined for other or damaged content. */
export async function matchStored(
  path: string,
  digest: BillDigest,
  gzipped: boolean,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const hash = new ContentHash(digest);
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES, signal });
  try {
    const content = gzipped
      ? (await import('../../files/gunzip.ts')).gunzip(file, inflating())
      : file;
    for await (const chunk of content) hash.update(chunk);
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
  readonly bytes?: number | null | undefined;
}

/**
 * Compares a file, plain or compressed, or its `.gz` with a digest. Other kinds count as changed.
 */
export async function checkStored(
  recorded: string,
  { bytes, ...digest }: StoredContent,
  signal?: AbortSignal,
): Promise<'ok' | 'changed' | 'missing'> {
  const path = await findStored(recorded);
  const stats = path && (await statsOf(path));
  if (!stats) return 'missing';
  if (!isKnownDigest(digest)) {
    const message = `${path} has an unknown digest: ${JSON.stringify(digest.type)}`;
    throw new MopError('integrity', message, { hint: KNOWN_DIGESTS, transient: false });
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

export async function statsOf(path: string, readStats = stat): Promise<Stats | undefined> {
  return readStats(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw fileError(error, `cannot access ${path}`);
  });
}
