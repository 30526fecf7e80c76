import { join } from 'node:path';
import { sweepAtomicFiles } from '../../files/atomic-file.ts';
import { sweepLock, withFileLock } from '../../files/lock.ts';

export interface LedgerLockOptions {
  /** The permissions of a new ledger, and of its lock. */
  readonly mode: number;
  /** Ends the wait for another process; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `work` while no other process and no other call changes the ledger of `directory`. Open the
 * file in `work`: it may be replaced before.
 *
 * @throws {MopError} `io`
 */
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
