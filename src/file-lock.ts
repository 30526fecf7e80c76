import { randomUUID } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { kill, pid } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { MopError } from './errors.ts';

/** A live holder is waited for so long. */
const PATIENCE_MS = 10_000;
const POLL_MS = 10;
/** Whether a process of another machine lives nobody here can say: its claim counts for so long. */
const FOREIGN_CLAIM_MS = 60_000;

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
 * it at once, can never delete a live one.
 *
 * @param path The directory, made and removed here; the one that contains it must exist.
 * @throws {MopError} `io`, naming the holder, when a live process holds it for too long. Failures
 *   of the file system as they come, and what `work` throws.
 */
export async function withFileLock<T>(
  path: string,
  work: () => T | Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const claim = await acquire(path, patienceMs);
  try {
    return await work();
  } finally {
    withdraw(path, claim);
  }
}

/** Returns the name of the claim that holds the lock. */
async function acquire(path: string, patienceMs: number): Promise<string> {
  const claim = claimName();
  const deadline = performance.now() + patienceMs;
  for (;;) {
    // Who only waits makes no claim, so as not to be in the way of others.
    let claims = liveClaims(path);
    if (claims.length === 0 && makeClaim(path, claim)) {
      claims = liveClaims(path);
      if (claims.length === 1 && claims[0] === claim) return claim;
      withdraw(path, claim);
    }
    const holder = claims.find((other) => other !== claim);
    if (holder !== undefined && performance.now() > deadline) throw heldBy(holder, path);
    // At random, so that two who withdrew for each other do not meet again.
    await sleep(POLL_MS * (0.5 + Math.random()));
  }
}

/** False when the holder before removed the directory in that moment. */
function makeClaim(path: string, claim: string): boolean {
  makeDirectory(path);
  try {
    writeFileSync(join(path, claim), '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function makeDirectory(path: string): void {
  try {
    mkdirSync(path, 0o700);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function withdraw(path: string, claim: string): void {
  rmSync(join(path, claim), { force: true });
  try {
    rmdirSync(path);
  } catch {
    // Somebody else has claimed it.
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

/** `PID.START.UNIQUE@HOST` */
const CLAIM = /^(?<owner>\d+)\.(?<start>\d+)\.[0-9a-f-]+@(?<host>.+)$/;

function claimName(): string {
  return `${pid}.${processStart(pid) ?? UNKNOWN}.${randomUUID()}@${thisHost()}`;
}

function ownerOf(claim: string): { owner: number; start: string; host: string } {
  const { owner, start = UNKNOWN, host = '' } = CLAIM.exec(claim)?.groups ?? {};
  return { owner: Number(owner), start, host };
}

function isLive(claim: string, path: string): boolean {
  const { owner, start, host } = ownerOf(claim);
  if (host !== thisHost()) {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats !== undefined && Date.now() - stats.mtimeMs < FOREIGN_CLAIM_MS;
  }
  if (!isRunning(owner)) return false;
  const now = processStart(owner);
  return start === UNKNOWN || now === undefined || now === start;
}

/** Whether there is a process of this number on this machine, now. */
export function isRunning(process: number): boolean {
  try {
    kill(process, 0);
    return true;
  } catch (error) {
    // Not permitted to signal it: it runs, as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const UNKNOWN = '0';
const ENDED = 'ended';

/**
 * When a process started, in units of the system: its number alone may be that of an earlier one,
 * and in a container it usually is. Undefined where the system does not say (all but Linux).
 */
function processStart(process: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${process}/stat`, 'utf8');
    // The name of the program, in brackets, may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, start] = [fields[0], fields[19]];
    // A killed process whose parent has not asked for it yet.
    return state === 'Z' || state === 'X' ? ENDED : start;
  } catch {
    return undefined;
  }
}

function thisHost(): string {
  return encodeURIComponent(hostname());
}

function heldBy(claim: string, path: string): MopError {
  const { owner, host } = ownerOf(claim);
  const where = host === thisHost() ? '' : ` of ${decodeURIComponent(host)}`;
  return new MopError('io', `process ${owner}${where} holds the lock ${path}`, {
    hint: `try again when it has ended; if it is no mop, remove ${path}`,
  });
}
