import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** The program `mop`, as an argument of Node. */
export const BIN = fileURLToPath(new URL('../../bin/mop.js', import.meta.url));

export type MopProcess = ChildProcessByStdio<null, Readable, Readable>;

export interface Ended {
  /** Null when a signal ended the process. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: MopProcess;
  readonly ended: Promise<Ended>;
}

export interface StartOptions {
  readonly cwd?: string | undefined;
  /** Options of Node itself. */
  readonly node?: readonly string[] | undefined;
  /** User and group of the process, instead of those of the tests. */
  readonly id?: number | undefined;
}

/** Starts `mop` in a separate process, without the environment of the tests. Does not read its output. */
export function spawnMop(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { cwd, node = [], id }: StartOptions = {},
): MopProcess {
  return spawn(process.execPath, [...node, BIN, ...args], {
    cwd,
    env: { PATH: process.env.PATH, NODE_DISABLE_COMPILE_CACHE: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(id !== undefined && { uid: id, gid: id }),
  });
}

/** Starts `mop` in a separate process, without the environment of the tests. Kills it when the test ends. */
export function startMop(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  options?: StartOptions,
): Running {
  const child = spawnMop(args, env, options);
  killAfterTest(child);
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]).then(
    ([[code], stdout, stderr]): Ended => ({ code, stdout, stderr }),
  );
  // Only a test that awaits the promise fails with it.
  ended.catch(() => {});
  return { child, ended };
}

/** Kills a process when the test ends. */
export function killAfterTest(child: MopProcess): void {
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
}
