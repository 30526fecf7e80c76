import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { withDetails } from '../../errors.ts';
import { sweepAtomicFiles } from '../../files/atomic-file.ts';
import { makeDirectory } from '../../files/directory.ts';
import { fileError } from '../../files/file-error.ts';
import { setMode } from '../../files/file-mode.ts';
import { sweepLock, withFileLock } from '../../files/lock.ts';
import { LEDGER_NAME, type LedgerEntry, notRegular } from './ledger.ts';

/** The beginning of every line that is written here. */
const LINE_START = '{"date":"';
/** Far above the length of any line. */
const LONGEST_LINE = 64 * 1024;

/** As `a+`, but never through a symbolic link, which could lead out of the directory. */
const APPEND =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

export interface AppendOptions {
  /** The permissions of a new ledger. */
  readonly mode: number;
  /** Ends the wait for another process; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Adds a line to the ledger of `directory`, which is created as needed. Concurrent processes wait for
 * each other.
 *
 * @throws {MopError} `io`
 */
export async function appendLedger(
  directory: string,
  entry: LedgerEntry,
  { mode, signal }: AppendOptions,
): Promise<void> {
  const path = join(directory, LEDGER_NAME);
  try {
    await makeDirectory(directory);
    const file = await open(path, APPEND, mode);
    try {
      await inTurn(path, () =>
        withFileLock(
          lockPath(directory),
          () => appendLine(file, path, JSON.stringify(entry), mode),
          { mode: searchable(mode), signal },
        ),
      );
      // After the lock is released: syncing takes longest, and others need not wait for it.
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    const hint =
      'the bill itself is in its place: see that the ledger can be written, and run it again';
    throw withDetails(fileError(error, `cannot write the ledger ${path}`), { hint });
  }
}

/** Removes the files that killed runs left in a directory of bills, and none that is in use. */
export async function sweepDirectory(directory: string, now: number): Promise<void> {
  await sweepAtomicFiles(directory, now);
  sweepLock(lockPath(directory));
}

/** The mode of a directory for the people who may use a file of `mode`. */
function searchable(mode: number): number {
  return mode | 0o300 | ((mode & 0o444) >> 2);
}

function lockPath(directory: string): string {
  return join(directory, '.mop-ledger.lock');
}

/** For each ledger, the newest line that this process is adding. */
const newest = new Map<string, Promise<void>>();

/** Adds the lines of this process one at a time: waiting for the lock would mean polling. */
async function inTurn(path: string, append: () => Promise<void>): Promise<void> {
  const before = newest.get(path) ?? Promise.resolve();
  const line = before.catch(() => {}).then(append);
  newest.set(path, line);
  try {
    await line;
  } finally {
    if (newest.get(path) === line) newest.delete(path);
  }
}

/** Adds a line whole or not at all. The caller holds the lock. */
async function appendLine(
  file: FileHandle,
  path: string,
  line: string,
  mode: number,
): Promise<void> {
  const stats = await file.stat();
  if (!stats.isFile()) throw notRegular(path);
  // Every user who may write bills must be able to append lines.
  if (stats.size === 0) await setMode(file, mode | 0o200);
  const start = await repairEnd(file, stats.size);
  try {
    await file.appendFile(`${line}\n`);
  } catch (error) {
    // A full disk may have taken part of the line.
    await file.truncate(start).catch(() => {});
    throw error;
  }
}

/**
 * Removes a line that a killed run left incomplete; adds a line break to any other last line that
 * lacks one.
 *
 * @returns The offset of the next line.
 */
async function repairEnd(file: FileHandle, size: number): Promise<number> {
  const length = Math.min(size, LONGEST_LINE);
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
  const rest = buffer.subarray(buffer.lastIndexOf(0x0a) + 1);
  if (rest.length === 0) return size;
  if (isTorn(rest.toString('utf8'))) {
    await file.truncate(size - rest.length);
    return size - rest.length;
  }
  await file.appendFile('\n');
  return size + 1;
}

/** Whether `line` is an incomplete line of ours. A complete one stays, whatever follows it. */
function isTorn(line: string): boolean {
  return (LINE_START.startsWith(line) || line.startsWith(LINE_START)) && !line.includes('}');
}
