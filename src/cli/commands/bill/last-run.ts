import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeDirectory } from '../../../files/directory.ts';
import { cacheDirectory } from '../../context/cache.ts';
import { exitCodeOf, toMopError } from '../../context/error-json.ts';
import type { Io } from '../../context/io.ts';
import { OK } from '../../exit-codes.ts';

/** The last fetch into a directory, by this user. */
export interface LastRun {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly exitCode: number;
  /** The error that ended it; undefined after a success. */
  readonly message?: string | undefined;
  readonly hint?: string | undefined;
}

/**
 * Runs a fetch, and keeps its outcome for `mop bill status`. The directory of the bills contains
 * only bills and the ledger: so the outcome is in the cache directory.
 */
export async function recordingRun(
  directories: ReadonlyMap<string, string>,
  io: Io,
  fetch: () => Promise<void>,
): Promise<void> {
  let error: unknown;
  try {
    await fetch();
  } catch (thrown) {
    error = thrown;
  }
  const known = error === undefined ? undefined : toMopError(error);
  const run: LastRun = {
    time: io.now(),
    exitCode: known ? exitCodeOf(known) : OK,
    message: known?.message,
    hint: known?.details.hint,
  };
  // A failure to keep it must not change the outcome of the run.
  for (const [profile, directory] of directories) {
    await keep(run, nameOf(directory, profile), io).catch(() => {});
  }
  if (error !== undefined) throw error;
}

async function keep(run: LastRun, name: string, io: Io): Promise<void> {
  const cache = cacheDirectory(io);
  await makeDirectory(cache, 0o700);
  // Neither synced nor atomic, to save time: a damaged file counts as no run.
  await writeFile(join(cache, name), JSON.stringify(run), { mode: 0o600 });
}

/** The last fetch of a profile into a directory; undefined if this user has not run one. */
export function lastRun(directory: string, profile: string, io: Io): LastRun | undefined {
  try {
    const run = JSON.parse(
      readFileSync(join(cacheDirectory(io), nameOf(directory, profile)), 'utf8'),
    );
    return Number.isFinite(run.time) && Number.isInteger(run.exitCode) ? run : undefined;
  } catch {
    return undefined;
  }
}

function nameOf(directory: string, profile: string): string {
  let path = resolve(directory);
  try {
    path = realpathSync(directory);
  } catch {
    // The run failed before it created the directory.
  }
  return `bill-fetch-${createHash('sha256').update(`${profile}\0${path}`).digest('hex').slice(0, 16)}.json`;
}
