import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { withDetails } from '../../errors.ts';
import { makeDirectory } from '../../files/directory.ts';
import { fileError } from '../../files/file-error.ts';
import { setMode } from '../../files/file-mode.ts';
import { LEDGER_NAME, type LedgerEntry, notRegular } from './ledger.ts';
import { type LedgerLockOptions, withLedgerLock } from './ledger-lock.ts';

/** The first characters of every line that mop writes. */
const LINE_START = '{"date":"';
/** Much longer than any line. */
const MAX_LINE_BYTES = 64 * 1024;
const LINE_BREAK = 0x0a;
/** Like `a+`, but never through a symbolic link, which could lead out of the directory. */
const APPEND =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

/**
 * Adds a line to the ledger of `directory`, which is created as needed. The time does not depend on
 * the length of the ledger. Concurrent processes wait for each other.
 *
 * @throws {MopError} `io`
 */
export async function appendLedger(
  directory: string,
  entry: LedgerEntry,
  options: LedgerLockOptions,
): Promise<void> {
  const path = join(directory, LEDGER_NAME);
  try {
    await makeDirectory(directory);
    const append = () => openAndAppend(path, JSON.stringify(entry), options.mode);
    const file = await withLedgerLock(directory, append, options);
    // Sync after the lock is released: syncing is the slowest step, and other processes need not
    // wait.
    await file.sync().finally(() => file.close());
  } catch (error) {
    const hint = 'the bill itself is stored: make the ledger writable, and run the command again';
    throw withDetails(fileError(error, `cannot write the ledger ${path}`), { hint });
  }
}

/** Returns the open file. The caller holds the lock. */
async function openAndAppend(path: string, line: string, mode: number): Promise<FileHandle> {
  const file = await openLedger(path, mode);
  try {
    await appendLine(file, path, line, mode);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Opens a ledger to read it and add to it. The caller holds the lock: a compaction replaces the file.
 */
export function openLedger(path: string, mode?: number): Promise<FileHandle> {
  return open(path, APPEND, mode);
}

/** Adds the whole line or nothing. */
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
    // A full disk may have stored a part of the line.
    await file.truncate(start).catch(() => {});
    throw error;
  }
}

/**
 * Removes a line that a killed run left incomplete; adds a line break to any other last line that
 * lacks one. The caller holds the lock.
 *
 * @returns The offset of the next line.
 */
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

/** Reads up to `bytes` bytes from the end. */
async function readEnd(file: FileHandle, size: number, bytes: number): Promise<Buffer> {
  const length = Math.min(size, bytes);
  return (await file.read(Buffer.alloc(length), 0, length, size - length)).buffer;
}

/** Whether `line` is an incomplete line of mop. A complete line is kept. */
function isIncomplete(line: string): boolean {
  return (LINE_START.startsWith(line) || line.startsWith(LINE_START)) && !line.includes('}');
}
