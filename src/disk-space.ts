import { type StatsFs, statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { MopError } from './errors.ts';

/** A full disk stops others as well: a hundredth of it stays free, and no more than this. */
const LEFT_BYTES = 256 * 1024 ** 2;

type FileSystemFacts = Pick<StatsFs, 'bsize' | 'blocks' | 'bavail'>;

const FULL_BELOW_BYTES = 64 * 1024;

/** How many bytes may be written below `directory`; infinite where the system does not say. */
export async function usableSpace(directory: string): Promise<number> {
  const facts = await statfs(directory).catch(() => undefined);
  return facts?.blocks ? usableBytes(facts) : Number.POSITIVE_INFINITY;
}

/** How much of the free space of a file system may be used. */
export function usableBytes({ bsize, blocks, bavail }: FileSystemFacts): number {
  return Math.max(0, bavail * bsize - Math.min((blocks * bsize) / 100, LEFT_BYTES));
}

/** The failure of what would not fit. */
export function tooLittleSpace(directory: string, usable: number): MopError {
  const mib = (usable / 1024 ** 2).toFixed(1);
  return new MopError('io', `there is not enough space in ${directory}: ${mib} MiB can be used`, {
    hint: 'free some space, or choose another place, and run it again; nothing was replaced',
  });
}

/** Whether there is hardly any room below `directory`, for a writer that is told no reason. */
export function isFull(directory: string): boolean {
  const { bsize, blocks, bavail } = statfsSync(directory);
  return blocks > 0 && bavail * bsize < FULL_BELOW_BYTES;
}
