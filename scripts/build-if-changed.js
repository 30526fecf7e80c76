/**
 * Runs `npm run build` unless the last build is newer than its inputs. `npm ci` builds too, so the
 * first `npm test` of a clone does not repeat it.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const INPUTS = ['package.json', 'node_modules/.package-lock.json', 'patches', 'scripts', 'src'];
const OUTPUTS = ['dist/cli.cjs', 'man'];

/** The newest change of a file or directory, in milliseconds; 0 if it is missing. */
function changedAt(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats?.mtimeMs ?? 0;
  // Removing a file changes the time of its directory.
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}

const newest = Math.max(...INPUTS.map((path) => changedAt(join(root, path))));
const oldest = Math.min(...OUTPUTS.map((path) => changedAt(join(root, path))));
if (newest >= oldest) {
  execFileSync('npm', ['run', 'build'], {
    cwd: root,
    stdio: 'inherit',
    // npm is a script of the shell on Windows.
    shell: process.platform === 'win32',
  });
}
