import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { MopError } from '../errors.ts';
import { formatBytes } from './format-bytes.ts';

/** One hundredth of the disk stays free for other programs, up to this limit. */
const RESERVED_BYTES = 256 * 1024 ** 2;

type FileSystemFacts = Pick<StatsFs, 'bsize' | 'blocks' | 'bavail'>;

/** Bytes that may be written below `directory`; infinite if the system does not report it. */
export async function usableSpace(directory: string): Promise<number> {
  const facts = await statfs(directory).catch(() => undefined);
  return facts?.blocks ? usableBytes(facts) : Number.POSITIVE_INFINITY;
}

export function usableBytes({ bsize, blocks, bavail }: FileSystemFacts): number {
  return Math.max(0, bavail * bsize - Math.min((blocks * bsize) / 100, RESERVED_BYTES));
}

/** The error when `bytes` exceeds `usable`. */
export function tooLittleSpace(directory: string, bytes: number, usable: number): MopError {
  const message = `not enough space in ${directory}: ${formatBytes(usable)} usable, at least ${formatBytes(bytes)} needed`;
  return new MopError('io', message, {
    hint: 'free some space or choose another directory, then run it again; no file was replaced',
  });
}
