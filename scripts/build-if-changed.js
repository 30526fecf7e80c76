/**
 * Runs `npm run build` unless its inputs are older than the last build. `npm ci` builds too, so the
 * first `npm test` of a clone does not repeat it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const INPUTS = [
  'package.json',
  'node_modules/.package-lock.json',
  'patches',
  'scripts',
  'src',
  'locales',
];
/** Its time is the start of the build: a source may change while the build runs. */
const BUILT = 'dist/sbom.cdx.json';

/** The newest change of a file or directory, in milliseconds; 0 if it is missing. */
function changedAt(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats?.mtimeMs ?? 0;
  // Removing a file changes the time of its directory.
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}

const newest = Math.max(...INPUTS.map((path) => changedAt(join(root, path))));
if (newest >= changedAt(join(root, BUILT)) || !existsSync(join(root, 'man'))) {
  execFileSync('npm', ['run', 'build'], {
    cwd: root,
    stdio: 'inherit',
    // npm is a script of the shell on Windows.
    shell: process.platform === 'win32',
  });
}
