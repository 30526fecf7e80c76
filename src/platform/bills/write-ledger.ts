import { constants } from 'node:fs';
import { access, type FileHandle, lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { withDetails } from '../../errors.ts';
import { setMode, sweepAtomicFiles } from '../../files/atomic-file.ts';
import { makeDirectory } from '../../files/directory.ts';
import { fileError } from '../../files/file-error.ts';
import { assertLock, sweepLock, withFileLock } from '../../files/lock.ts';
import { LEDGER_NAME, type LedgerEntry, notRegular } from './ledger.ts';
import { statsOf } from './stored-file.ts';

/** The first characters of every line that mop writes. */
const LINE_START = '{"date":"';
const MAX_LINE_BYTES = 64 * 1024;
const LINE_BREAK = 0x0a;
/** Like `a+`, but never through a symbolic link, which could lead out of the directory. */
const APPEND =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

export interface LedgerLockOptions {
  /** The permissions of a new ledger, and of its lock. */
  readonly mode: number;
  readonly signal?: AbortSignal | undefined;
}

/** A change to a directory of bills in one step, which no other run can interrupt. */
export interface LedgerChange extends LedgerLockOptions {
  /** The line to add; undefined where no ledger is kept. */
  readonly entry: LedgerEntry | undefined;
  /** Whether the change still applies; asked first. */
  readonly isCurrent?: () => Promise<boolean>;
  /** Places the file that the line describes. If it throws, nothing is recorded. */
  readonly place?: (() => Promise<void>) | undefined;
}

/**
 * Checks, places and records a bill under the lock; false if it is not current any more. A killed
 * run leaves a file without its line, never a line without its file.
 */
export async function changeLedger(directory: string, change: LedgerChange): Promise<boolean> {
  const path = join(directory, LEDGER_NAME);
  const { entry, isCurrent, place, mode } = change;
  let ledger: FileHandle | undefined;
  try {
    await makeDirectory(directory);
    const isDone = await withLedgerLock(
      directory,
      async () => {
        if (isCurrent && !(await isCurrent())) return false;
        ledger = entry && (await openLedger(path, mode));
        const start = ledger && (await prepareLedger(ledger, path, mode));
        await place?.();
        if (ledger) await appendLine(ledger, start ?? 0, JSON.stringify(entry));
        return true;
      },
      change,
    );
    // Sync after the lock is released: syncing is the slowest step, and other processes need not
    // wait.
    await ledger?.sync();
    return isDone;
  } catch (error) {
    throw ledgerError(error, path);
  } finally {
    await ledger?.close();
  }
}

/** Checks the ledger before a download that would be lost otherwise. */
export async function assertWritableLedger(directory: string): Promise<void> {
  const path = join(directory, LEDGER_NAME);
  try {
    assertLock(lockPath(directory));
    const stats = await statsOf(path, lstat);
    if (stats && !stats.isFile()) throw notRegular(path);
    if (stats) await access(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw ledgerError(error, path);
  }
}

function ledgerError(error: unknown, path: string): unknown {
  const known = fileError(error, `cannot write the ledger ${path}`);
  const hint = 'make the ledger writable, and fetch again: a bill that is stored is then recorded';
  return known === error ? error : withDetails(known, { hint });
}

/** The caller holds the lock: a compaction replaces the file. */
export function openLedger(path: string, mode?: number): Promise<FileHandle> {
  return open(path, APPEND, mode);
}

async function prepareLedger(file: FileHandle, path: string, mode: number): Promise<number> {
  const stats = await file.stat();
  if (!stats.isFile()) throw notRegular(path);
  // Every user who may write bills must be able to append lines.
  if (stats.size === 0) await setMode(file, mode | 0o200);
  return repairEnd(file, stats.size);
}

/** Adds the whole line or nothing. */
async function appendLine(file: FileHandle, start: number, line: string): Promise<void> {
  try {
    await file.appendFile(`${line}\n`);
  } catch (error) {
    // A full disk may have stored a part of the line.
    await file.truncate(start).catch(() => {});
    throw error;
  }
}

/** Removes an incomplete line, or ends the last one; returns the offset of the next line. */
export async function repairEnd(file: FileHandle, size: number): Promise<number> {
  if (size === 0 || (await readEnd(file, size, 1))[0] === LINE_BREAK) return size;
  const end = await readEnd(file, size, MAX_LINE_BYTES);
  const rest = end.subarray(end.lastIndexOf(LINE_BREAK) + 1);
  if (isIncomplete(rest.toString('utf8'))) {
    await file.truncate(size - rest.length);
    return size - rest.length;
  }
  await file.appendFile('\n');
  return size + 1;
}

async function readEnd(file: FileHandle, size: number, bytes: number): Promise<Buffer> {
  const length = Math.min(size, bytes);
  return (await file.read(Buffer.alloc(length), 0, length, size - length)).buffer;
}

/** Whether `line` is an incomplete line of mop. A complete line is kept. */
function isIncomplete(line: string): boolean {
  return (LINE_START.startsWith(line) || line.startsWith(LINE_START)) && !line.includes('}');
}

/** The ledger changes only by `work`. Open the file in it: it may be replaced before. */
export async function withLedgerLock<T>(
  directory: string,
  work: () => Promise<T>,
  { mode, signal }: LedgerLockOptions,
): Promise<T> {
  const path = lockPath(directory);
  return inTurn(path, () => withFileLock(path, work, { mode: searchable(mode), signal }));
}

/** Removes the temporary files of killed runs from a directory of bills. Files in use stay. */
export async function sweepDirectory(directory: string, now: number): Promise<void> {
  await sweepAtomicFiles(directory, now);
  sweepLock(lockPath(directory));
}

/** The mode of a directory for the users of a file with `mode`. */
function searchable(mode: number): number {
  return mode | 0o300 | ((mode & 0o444) >> 2);
}

function lockPath(directory: string): string {
  return join(directory, '.mop-ledger.lock');
}

/** For each lock, the newest work of this process. */
const newest = new Map<string, Promise<unknown>>();

/** Queues the work of this process: waiting for the lock would mean polling. */
async function inTurn<T>(path: string, work: () => Promise<T>): Promise<T> {
  const before = newest.get(path) ?? Promise.resolve();
  const running = before.catch(() => {}).then(work);
  newest.set(path, running);
  try {
    return await running;
  } finally {
    if (newest.get(path) === running) newest.delete(path);
  }
}
