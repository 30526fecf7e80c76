import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { kill, pid } from 'node:process';

/**
 * Cached, because every bill takes a lock that needs both: reading them took 8 % of a bill's time.
 */
let namespace: string | undefined;
let identity: string | undefined;

/** The namespace of process ids: this machine, and on Linux the container. */
export function processNamespace(): string {
  namespace ??= findNamespace();
  return namespace;
}

function findNamespace(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** Whether a process with this id exists now. */
function isRunning(process: number): boolean {
  try {
    kill(process, 0);
    return true;
  } catch (error) {
    // No permission to signal it: it runs as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Placeholder for an unknown start time. */
const UNKNOWN = '0';

/** Identifies this process, so that others can check whether it still runs: `PID.START`. */
export function processIdentity(): string {
  identity ??= `${pid}.${processStart(pid) ?? UNKNOWN}`;
  return identity;
}

/** Whether the process of a {@link processIdentity} of this {@link processNamespace} still runs. */
export function isStillRunning(other: string): boolean {
  if (other === identity) return true;
  const [number, start = UNKNOWN] = other.split('.');
  const process = Number(number);
  if (!isRunning(process)) return false;
  const now = processStart(process);
  return start === UNKNOWN || now === undefined || now === start;
}

const ENDED = 'ended';

/** The start time, in units of the system, since ids are reused. Linux only. */
export function processStart(process: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${process}/stat`, 'utf8');
    // The program's name, in brackets, may contain spaces and brackets.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, start] = [fields[0], fields[19]];
    // A zombie: killed, and not yet reaped by its parent.
    return state === 'Z' || state === 'X' ? ENDED : start;
  } catch {
    return undefined;
  }
}

/** Whether a process of another machine runs is unknown: its files count as abandoned at this age. */
const ABANDONED_MS = 24 * 3_600_000;

/** A new name for a temporary file or directory of this process. */
export function temporaryName(prefix: string): string {
  return `${prefix}${namespaceId()}-${processIdentity()}-${randomUUID().slice(0, 8)}`;
}

/** Removes the files of killed runs in `directory`, recognised by their {@link temporaryName}. */
export async function sweepAbandoned(
  directory: string,
  prefix: string,
  now: number,
): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names.filter((name) => name.startsWith(prefix))) {
    const path = join(directory, name);
    const [namespace, process = ''] = name.slice(prefix.length).split('-');
    const isAbandoned =
      namespace === namespaceId() ? !isStillRunning(process) : await isOld(path, now);
    if (!isAbandoned) continue;
    await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

async function isOld(path: string, now: number): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats !== undefined && now - stats.mtimeMs > ABANDONED_MS;
}

/** A short id of the namespace of this process: machines that share a directory reuse process ids. */
function namespaceId(): string {
  return createHash('sha256').update(processNamespace()).digest('hex').slice(0, 8);
}
