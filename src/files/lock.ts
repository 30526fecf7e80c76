import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MopError } from '../errors.ts';
import { isMarkedRunning, processMark, processSpace } from './process-identity.ts';

/** A live holder is waited for so long. */
const PATIENCE_MS = 30_000;
const POLL_MS = 10;
/** Whether a process elsewhere lives nobody here can say: its claim counts for so long. */
const FOREIGN_CLAIM_MS = 20_000;

export interface LockOptions {
  /** Milliseconds that a live holder is waited for. Default 30,000. */
  readonly patienceMs?: number | undefined;
  /** Permissions of the directory that is the lock. Default 0o700: for one user alone. */
  readonly mode?: number | undefined;
  /** Ends the wait; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `work` while no other process, and no other call in this one, runs work under the same
 * lock. What a killed process left behind does not count. Not to be nested.
 *
 * The lock is a directory with one empty file, a claim, for each process that holds it or is about
 * to. A process makes its claim, looks whether there is another, and holds the lock if there is
 * none; otherwise it withdraws and tries again. Two can never hold it: one of them made its claim
 * first and keeps it until it is done, so the other, which looked after making its own, saw it.
 * Taking over is no step of its own: a claim carries its owner's identity in a name that is used
 * only once, so it is complete as soon as it is there, and to delete a dead one, however many see
 * it at once, can never delete a live one. Whether a process of another machine or container lives
 * cannot be seen: its claim counts for 20 seconds, and work that may be shared with such has to be
 * shorter.
 *
 * @param path The directory, made and removed here; the one that contains it must exist.
 * @throws {MopError} `io`, naming the holder, when a live process holds it for too long. Failures
 *   of the file system as they come, the signal's reason, and what `work` throws.
 */
export async function withFileLock<T>(
  path: string,
  work: () => T | Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const claim = await acquire(path, options);
  try {
    return await work();
  } finally {
    withdraw(path, claim);
  }
}

/** Removes what killed processes left of the lock at `path`, as far as that can be. */
export function sweepLock(path: string): void {
  try {
    if (liveClaims(path).length === 0) removeEmpty(path);
  } catch {
    // Whoever needs the lock will say what is wrong there.
  }
}

/** Returns the name of the claim that holds the lock. */
async function acquire(
  path: string,
  { patienceMs = PATIENCE_MS, mode = 0o700, signal }: LockOptions,
): Promise<string> {
  const claim = claimName();
  const deadline = performance.now() + patienceMs;
  for (;;) {
    signal?.throwIfAborted();
    // Who only waits makes no claim, so as not to be in the way of others.
    let claims = liveClaims(path);
    if (claims.length === 0 && makeClaim(path, claim, mode)) {
      claims = liveClaims(path);
      if (claims.length === 1 && claims[0] === claim) return claim;
      withdraw(path, claim);
    }
    const holder = claims.find((other) => other !== claim);
    if (performance.now() > deadline) throw heldBy(holder, path);
    // At random, so that two who withdrew for each other do not meet again.
    await sleep(POLL_MS * (0.5 + Math.random()));
  }
}

/** False when the holder before removed the directory in that moment. */
function makeClaim(path: string, claim: string, mode: number): boolean {
  makeDirectory(path, mode);
  try {
    writeFileSync(join(path, claim), '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function makeDirectory(path: string, mode: number): void {
  try {
    mkdirSync(path, mode);
    // Whatever the umask: who may write beside it must be able to claim it.
    chmodSync(path, mode);
  } catch (error) {
    // It is there, or the holder before has just removed it: the claim will tell.
    const { code = '', syscall } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST' && !(code === 'ENOENT' && syscall === 'chmod')) throw error;
  }
}

function withdraw(path: string, claim: string): void {
  rmSync(join(path, claim), { force: true });
  removeEmpty(path);
}

function removeEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Somebody else has claimed it, or there was none.
  }
}

/** The claims of living processes; those of dead ones are deleted. */
function liveClaims(path: string): string[] {
  return claimsIn(path).filter((claim) => {
    const live = isLive(claim, join(path, claim));
    if (!live) rmSync(join(path, claim), { force: true });
    return live;
  });
}

function claimsIn(path: string): string[] {
  try {
    return readdirSync(path).filter((name) => CLAIM.test(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** `PID.START.UNIQUE@SPACE` */
const CLAIM = /^(?<mark>\d+\.\d+)\.[0-9a-f-]+@(?<space>.+)$/;

function claimName(): string {
  return `${processMark()}.${randomUUID()}@${thisSpace()}`;
}

function ownerOf(claim: string): { mark: string; space: string } {
  const { mark = '', space = '' } = CLAIM.exec(claim)?.groups ?? {};
  return { mark, space };
}

function isLive(claim: string, path: string): boolean {
  const { mark, space } = ownerOf(claim);
  if (space === thisSpace()) return isMarkedRunning(mark);
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs < FOREIGN_CLAIM_MS;
}

function thisSpace(): string {
  return encodeURIComponent(processSpace());
}

function heldBy(claim: string | undefined, path: string): MopError {
  const holder = claim === undefined ? 'another process' : nameOf(claim);
  return new MopError('io', `${holder} holds the lock ${path}`, {
    hint: 'try again when it is done',
  });
}

function nameOf(claim: string): string {
  const { mark, space } = ownerOf(claim);
  const [machine] = decodeURIComponent(space).split(' ');
  return `process ${mark.split('.')[0]}${space === thisSpace() ? '' : ` of ${machine}`}`;
}
