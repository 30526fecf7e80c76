import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** What `mop` is as a program, for those that Node starts. */
export const BIN = fileURLToPath(new URL('../../bin/mop.js', import.meta.url));

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

/** Starts `mop` as a process of its own, with nothing of our environment; it ends with the test. */
export function startMop(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd?: string,
): Running {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd,
    env: { PATH: process.env.PATH, NODE_DISABLE_COMPILE_CACHE: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]).then(
    ([[code], stdout, stderr]) => ({ code, stdout, stderr }),
  );
  // Whoever awaits it meets the failure; a test that does not must not fail for it.
  ended.catch(() => {});
  return { child, ended };
}
