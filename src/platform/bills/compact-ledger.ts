import type { Stats } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MopError } from '../../errors.ts';
import { AtomicFile } from '../../files/atomic-file.ts';
import { fileError } from '../../files/file-error.ts';
import { LEDGER_NAME } from './ledger.ts';
import { type Ledger, readLedger } from './read-ledger.ts';
import { statsOf } from './stored-file.ts';
import { openLedger, repairEnd, sweepDirectory, withLedgerLock } from './write-ledger.ts';

export interface CompactLedgerOptions {
  /** Only count the lines; do not write. */
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface CompactedLedger {
  readonly before: number;
  readonly after: number;
  /** The numbers of damaged lines before it. They are kept. */
  readonly damaged: readonly number[];
}

/** Rewrites a ledger without superseded lines; other readers find the same entries as before. */
export async function compactLedger(
  directory: string,
  { dryRun = false, signal }: CompactLedgerOptions = {},
): Promise<CompactedLedger> {
  const path = join(directory, LEDGER_NAME);
  const stats = await statsOf(path);
  if (stats === undefined) {
    throw new MopError('usage', `${directory} has no ledger (${LEDGER_NAME})`, {
      hint: 'name the directory that mop bill fetch writes to',
    });
  }
  if (dryRun) return countsOf(await readLedger(directory, signal));
  await sweepDirectory(directory, Date.now());
  const mode = stats.mode & 0o777;
  try {
    const work = () => rewrite(directory, mode, signal);
    return countsOf(await withLedgerLock(directory, work, { mode, signal }));
  } catch (error) {
    throw fileError(error, `cannot rewrite the ledger ${path}`);
  }
}

function countsOf(ledger: Ledger): CompactedLedger {
  const { before, after } = ledger.condensed();
  return { before, after, damaged: ledger.damaged };
}

/** The caller holds the lock. */
async function rewrite(
  directory: string,
  mode: number,
  signal: AbortSignal | undefined,
): Promise<Ledger> {
  const path = join(directory, LEDGER_NAME);
  const file = await openLedger(path);
  try {
    await repairEnd(file, (await file.stat()).size);
    const before = await file.stat();
    const ledger = await readLedger(directory, signal);
    const condensed = ledger.condensed();
    if (condensed.after === condensed.before) return ledger;
    const part = await AtomicFile.open(directory, mode);
    try {
      // The same users must be able to write the ledger.
      await part.setOwner(before);
      const lines = await readFile(path, { signal });
      for (const { start, end } of condensed.ranges) await part.write(lines.subarray(start, end));
      await part.place(path, () => assertUnchanged(path, before));
    } finally {
      await part.discard();
    }
    return ledger;
  } finally {
    await file.close();
  }
}

async function assertUnchanged(path: string, before: Stats): Promise<void> {
  const { ino, size } = await lstat(path);
  if (ino === before.ino && size === before.size) return;
  throw new MopError('io', `another program changed the ledger ${path}: it was not rewritten`, {
    hint: 'run it again when no other program writes the file',
  });
}
