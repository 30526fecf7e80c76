import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { MopError } from '../../errors.ts';
import { AtomicFile } from '../../files/atomic-file.ts';
import { fileError } from '../../files/file-error.ts';
import type { LineRange } from '../../files/lines.ts';
import { openLedger, repairEnd } from './append-ledger.ts';
import { LEDGER_NAME } from './ledger.ts';
import { withLedgerLock } from './ledger-lock.ts';
import { Ledger } from './read-ledger.ts';
import { statsOf } from './stored-file.ts';

const CHUNK_BYTES = 256 * 1024;

export interface CompactLedgerOptions {
  /** Only count: change nothing. */
  readonly dryRun?: boolean | undefined;
  /** Ends the work; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/** The lines of a ledger before and after a compaction. */
export interface CompactedLedger {
  readonly before: number;
  readonly after: number;
}

/**
 * Rewrites the ledger of a directory without the lines that a newer one supersedes. Lines that are not
 * entries stay. Whatever reads the ledger finds the same in it.
 *
 * @throws {MopError} `usage` without a ledger, `io`.
 * @throws The signal's reason.
 */
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
  const ledger = new Ledger(directory);
  // Before the lock is taken: others then wait only while the newest lines are read.
  await ledger.refresh();
  const { lines, kept } = ledger.condensed();
  if (dryRun || lines === kept) return { before: lines, after: kept };
  const mode = stats.mode & 0o777;
  try {
    return await withLedgerLock(directory, () => rewrite(directory, ledger, mode, signal), {
      mode,
      signal,
    });
  } catch (error) {
    throw fileError(error, `cannot rewrite the ledger ${path}`);
  }
}

/** The caller holds the lock. */
async function rewrite(
  directory: string,
  ledger: Ledger,
  mode: number,
  signal: AbortSignal | undefined,
): Promise<CompactedLedger> {
  const path = join(directory, LEDGER_NAME);
  const file = await openLedger(path);
  try {
    await repairEnd(file, (await file.stat()).size);
    await ledger.refresh();
    const { ranges, lines, kept } = ledger.condensed();
    await copyTo(path, file, ranges, mode, signal);
    return { before: lines, after: kept };
  } finally {
    await file.close();
  }
}

/** Replaces the file at `path` with ranges of an open file. */
async function copyTo(
  path: string,
  file: FileHandle,
  ranges: readonly LineRange[],
  mode: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const part = await AtomicFile.open(dirname(path), mode);
  try {
    for (const { start, end } of ranges) {
      for (let offset = start; offset < end; ) {
        signal?.throwIfAborted();
        const length = Math.min(end - offset, CHUNK_BYTES);
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
        if (bytesRead === 0) throw cutShort(path);
        await part.write(buffer.subarray(0, bytesRead));
        offset += bytesRead;
      }
    }
    await part.place(path);
  } finally {
    await part.discard();
  }
}

function cutShort(path: string): MopError {
  return new MopError('io', `the ledger ${path} was cut while it was read; it was not replaced`, {
    hint: 'run it again when no other program changes it',
  });
}
