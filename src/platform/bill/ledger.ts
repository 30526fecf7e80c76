import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { MopError, withDetails } from '../../errors.ts';
import { sweepLock, withFileLock } from '../../file-lock.ts';
import { setMode } from '../../file-mode.ts';
import { localError } from '../../local-error.ts';
import { makeDirectory } from '../../make-directory.ts';
import { sweepParts } from '../../part-file.ts';
import type { BillType } from '../../protocol/operations.ts';
import { statsOf } from './stored-file.ts';

export const LEDGER_NAME = 'bills.jsonl';

/** How every line that is written here begins, and how long the longest is by far. */
const LINE_START = '{"date":"';
const LONGEST_LINE = 64 * 1024;

/** As `a+`, but not through a link: what is entered stays in the directory. */
const APPEND =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

/** A line of the ledger: a bill that was placed, or a day that turned out to have none. */
export interface LedgerEntry {
  readonly date: string;
  readonly type: BillType;
  readonly profile: string;
  readonly environment: string;
  readonly status: 'stored' | 'no-bill';
  /** Relative to the ledger's directory; null for a day without a bill. */
  readonly file: string | null;
  readonly bytes: number | null;
  /** Of the original, decompressed content. */
  readonly hash_type: string | null;
  readonly hash_value: string | null;
  readonly verified: boolean;
  readonly seq_id: string;
  /** ISO 8601, UTC. */
  readonly time: string;
}

/** A line about a bill that was placed, with what it needs to be found and checked. */
export interface StoredEntry extends LedgerEntry {
  readonly status: 'stored';
  readonly file: string;
  readonly hash_type: string;
  readonly hash_value: string;
}

/** Whether an entry is about a bill that was placed. */
export function isStored(entry: LedgerEntry): entry is StoredEntry {
  const { status, file, hash_type, hash_value } = entry;
  return status === 'stored' && [file, hash_type, hash_value].every(isText);
}

/** Whose bills a directory holds. */
export interface BillOwner {
  readonly profile: string;
  readonly environment: string;
}

/** Whether an entry is about bills of this owner. */
export function isOwnedBy(entry: LedgerEntry, { profile, environment }: BillOwner): boolean {
  return entry.profile === profile && entry.environment === environment;
}

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

/**
 * The entries of a directory's ledger, oldest first; none without a ledger. Lines that are not
 * whole, or of a kind not known here, are passed over: the bills they stood for are asked for again.
 *
 * @throws {MopError} `io`
 */
export async function readLedger(directory: string): Promise<LedgerEntry[]> {
  const path = join(directory, LEDGER_NAME);
  const stats = await statsOf(path, lstat);
  if (stats === undefined) return [];
  if (!stats.isFile()) throw notRegular(path);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw localError(error, `cannot read the ledger ${path}`);
  });
  return text.split('\n').flatMap((line) => {
    try {
      const entry = JSON.parse(line);
      return isEntry(entry) ? [entry] : [];
    } catch {
      return [];
    }
  });
}

function isEntry(value: unknown): value is LedgerEntry {
  const entry = value as LedgerEntry | null;
  return (
    [entry?.date, entry?.type].every(isText) &&
    ['stored', 'no-bill'].includes(entry?.status ?? '') &&
    isFile(entry?.file)
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** A ledger knows the files beside it: what would lead elsewhere is not followed. */
function isFile(file: unknown): boolean {
  if (!isText(file)) return file === null;
  return file === basename(file) && !/^\.{0,2}$|\0/.test(file);
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

function notRegular(path: string): MopError {
  return new MopError('io', `the ledger ${path} is not a regular file`, {
    hint: 'move it away; files that are there are entered into a new one as they are fetched again',
  });
}
