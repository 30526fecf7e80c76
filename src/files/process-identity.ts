import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { kill, pid } from 'node:process';

/**
 * Where a process number means something: this machine, and on Linux the container in it. Two that
 * differ know nothing of each other's processes.
 */
export function processSpace(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** Whether there is a process of this number, now. */
function isRunning(process: number): boolean {
  try {
    kill(process, 0);
    return true;
  } catch (error) {
    // Not permitted to signal it: it runs, as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Stands for the start of a process where the system does not say. */
const UNKNOWN = '0';

/** This process, as another one can find out whether it still runs: `PID.START`. */
export function processMark(): string {
  return `${pid}.${processStart(pid) ?? UNKNOWN}`;
}

/** Whether the process of a {@link processMark}, made in this {@link processSpace}, runs. */
export function isMarkedRunning(mark: string): boolean {
  const [number, start = UNKNOWN] = mark.split('.');
  const process = Number(number);
  if (!isRunning(process)) return false;
  const now = processStart(process);
  return start === UNKNOWN || now === undefined || now === start;
}

const ENDED = 'ended';

/**
 * When a process started, in units of the system: its number alone may be that of an earlier one,
 * and in a container it usually is. Undefined where the system does not say (all but Linux).
 */
export function processStart(process: number): string | undefined {
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
