import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a program to its end. The error of a failure contains its output. */
export const run = promisify(execFile);

/** Runs npm in a directory. */
export function npm(args: readonly string[], cwd: string): Promise<{ stdout: string }> {
  return run('npm', [...args, '--no-audit', '--no-fund'], { cwd });
}

/** Packs `dist/` as `npm publish` would, but does not build it again. Returns the tarball. */
export async function pack(directory: string): Promise<string> {
  if (!existsSync(join(ROOT, 'dist/cli.cjs'))) {
    throw new Error('dist/ is missing: run npm run build');
  }
  const options = ['--ignore-scripts', '--json', '--pack-destination', directory];
  const [{ filename }] = JSON.parse((await npm(['pack', ROOT, ...options], directory)).stdout);
  return join(directory, filename);
}
