import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { withDetails } from '../../errors.ts';
import { sweepParts } from '../../files/atomic-file.ts';
import { makeDirectory } from '../../files/directory.ts';
import { localError } from '../../files/file-error.ts';
import { setMode } from '../../files/file-mode.ts';
import { sweepLock, withFileLock } from '../../files/lock.ts';
import { LEDGER_NAME, type LedgerEntry, notRegular } from './ledger.ts';

/** How every line that is written here begins, and how long the longest is by far. */
const LINE_START = '{"date":"';
const LONGEST_LINE = 64 * 1024;

/** As `a+`, but not through a link: what is entered stays in the directory. */
const APPEND =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

export interface AppendOptions {
  /** The permissions of a new ledger. */
  readonly mode: number;
  /** Ends the wait for another process; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Adds a line to the ledger of `directory`, which is created as needed. Several processes may do
 * so at once: they wait for each other.
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
      // What takes longest others need not wait for.
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    const hint =
      'the bill itself is in its place: see that the ledger can be written, and run it again';
    throw withDetails(localError(error, `cannot write the ledger ${path}`), { hint });
  }
}

/** Removes what killed runs left in a directory of bills, and nothing that is in use. */
export async function sweepDirectory(directory: string, now: number): Promise<void> {
  await sweepParts(directory, now);
  sweepLock(lockPath(directory));
}

/** The permissions of a directory that the same people may use as a file. */
function searchable(mode: number): number {
  return mode | 0o300 | ((mode & 0o444) >> 2);
}

function lockPath(directory: string): string {
  return join(directory, '.mop-ledger.lock');
}

/** Of each ledger, the newest line that this process is adding. */
const newest = new Map<string, Promise<void>>();

/** Has this process add one line at a time: for the lock it would have to look again and again. */
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

/** Adds a line whole or not at all. Only one process at a time is here. */
async function appendLine(
  file: FileHandle,
  path: string,
  line: string,
  mode: number,
): Promise<void> {
  const stats = await file.stat();
  if (!stats.isFile()) throw notRegular(path);
  // Those who may write bills must be able to add their lines.
  if (stats.size === 0) await setMode(file, mode | 0o200);
  const start = await mendEnd(file, stats.size);
  try {
    await file.appendFile(`${line}\n`);
  } catch (error) {
    // A disk that is full takes a part of a line.
    await file.truncate(start).catch(() => {});
    throw error;
  }
}

/**
 * Takes away what a run that was killed wrote of its last line; another end, which somebody else
 * left without a line break, gets one.
 *
 * @returns Where the next line begins.
 */
async function mendEnd(file: FileHandle, size: number): Promise<number> {
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

/** Whether it is the beginning of a line of ours; what is whole stays, whatever follows it. */
function isTorn(line: string): boolean {
  return (LINE_START.startsWith(line) || line.startsWith(LINE_START)) && !line.includes('}');
}
