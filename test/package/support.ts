import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a program to its end. The error of a failure contains its output. */
export const run = promisify(execFile);

/** Runs npm in a directory. */
export function npm(args: readonly string[], cwd: string): Promise<{ stdout: string }> {
  return run('npm', [...args, '--no-audit', '--no-fund'], { cwd });
}
