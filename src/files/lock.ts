import { randomUUID } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
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
import { isStillRunning, processIdentity, processNamespace } from './abandoned.ts';
import { fileError } from './file-error.ts';

/** Maximum wait for a live holder. */
const MAX_WAIT_MS = 30_000;
const POLL_MS = 10;
/** Liveness on another host cannot be known: a claim from there expires after this time. */
const FOREIGN_CLAIM_MS = 20_000;

export interface LockOptions {
  /** Maximum wait for a live holder, in milliseconds. Default 30,000. */
  readonly maxWaitMs?: number | undefined;
  /** Permissions of the lock directory. Default 0o700: one user. */
  readonly mode?: number | undefined;
  /** Ends the wait and throws its reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `work` while no other process, and no other call in this process, runs work under the same
 * lock. Calls must not be nested. Throws `io`, naming the holder, after the maximum wait.
 *
 * The lock is a directory with one empty file, a claim, for each call that holds the lock or is
 * taking it. A call creates a claim when it sees no other, then lists the claims. It holds the lock
 * if there is still no other; otherwise it withdraws and tries again. Two calls can never both hold
 * it: the first keeps its claim until it is done, and the second lists the claims after creating
 * its own. The name of a claim contains the owner's identity and is unique to a call. So deleting
 * the claim of a killed process cannot delete a live one. Liveness on another machine cannot be
 * known: its claim expires after 20 seconds, so work that machines share must be shorter.
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

/** Removes the claims of killed processes from the lock at `path`, and an empty lock, if possible. */
export function sweepLock(path: string): void {
  try {
    if (liveClaims(path).length === 0) removeEmpty(path);
  } catch {
    // The next user of the lock reports the error.
  }
}

/** Throws `io` for a link, which could lead out of the directory, and without the permission. */
export function assertLock(path: string): void {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (stats.isDirectory()) {
      accessSync(path, constants.W_OK | constants.X_OK);
      return;
    }
  } catch (error) {
    // The holder has just removed it.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw fileError(error, `cannot use the lock ${path}`);
  }
  throw new MopError('io', `the lock ${path} is a link or a file, not a directory`, {
    hint: 'remove it: mop makes a directory of this name while it writes',
  });
}

/** Returns the name of the claim that holds the lock. */
async function acquire(
  path: string,
  { maxWaitMs = MAX_WAIT_MS, mode = 0o700, signal }: LockOptions,
): Promise<string> {
  const claim = claimName();
  const deadline = performance.now() + maxWaitMs;
  assertLock(path);
  for (;;) {
    signal?.throwIfAborted();
    // Do not create a claim while waiting: it would block others.
    let claims = liveClaims(path);
    if (claims.length === 0 && makeClaim(path, claim, mode)) {
      claims = liveClaims(path);
      if (claims.length === 1 && claims[0] === claim) return claim;
      withdraw(path, claim);
    }
    const holder = claims.find((other) => other !== claim);
    if (performance.now() > deadline) throw lockHeldError(holder, path);
    // A random time: two processes that withdrew must not collide again.
    await sleep(POLL_MS * (0.5 + Math.random()));
  }
}

/** Returns false if the previous holder has just removed the directory. */
function makeClaim(path: string, claim: string, mode: number): boolean {
  makeLockDirectory(path, mode);
  try {
    writeFileSync(join(path, claim), '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function makeLockDirectory(path: string, mode: number): void {
  try {
    mkdirSync(path, mode);
    // Regardless of the umask: users who share the directory must be able to claim the lock.
    chmodSync(path, mode);
  } catch (error) {
    // The directory exists, or the previous holder just removed it: creating the claim
    // distinguishes the two.
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
    // Another process has claimed the lock, or there was no directory.
  }
}

/** The claims of living processes. Deletes the claims of dead ones. */
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

/** `PID.START.UNIQUE@NAMESPACE` */
const CLAIM = /^(?<identity>\d+\.\d+)\.[0-9a-f-]+@(?<namespace>.+)$/;

function claimName(): string {
  return `${processIdentity()}.${randomUUID()}@${thisNamespace()}`;
}

function ownerOf(claim: string): { identity: string; namespace: string } {
  const { identity = '', namespace = '' } = CLAIM.exec(claim)?.groups ?? {};
  return { identity, namespace };
}

function isLive(claim: string, path: string): boolean {
  const { identity, namespace } = ownerOf(claim);
  if (namespace === thisNamespace()) return isStillRunning(identity);
  const stats = statSync(path, { throwIfNoEntry: false });
  // The clock of the other machine may be ahead.
  return stats !== undefined && Math.abs(Date.now() - stats.mtimeMs) < FOREIGN_CLAIM_MS;
}

function thisNamespace(): string {
  return encodeURIComponent(processNamespace());
}

function lockHeldError(claim: string | undefined, path: string): MopError {
  const holder = claim === undefined ? 'another process' : holderName(claim);
  return new MopError('io', `${holder} holds the lock ${path}`, {
    hint: 'try again when it has finished',
    systematic: 'directory',
  });
}

function holderName(claim: string): string {
  const { identity, namespace } = ownerOf(claim);
  const [machine] = decodeURIComponent(namespace).split(' ');
  return `process ${identity.split('.')[0]}${namespace === thisNamespace() ? '' : ` of ${machine}`}`;
}
