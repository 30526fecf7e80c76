/**
 * Builds dist-sea/mop, or the file given as an argument: an executable for machines without Node.
 * It contains the running Node and the bundle in dist. The licences are written beside it.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'postject';

const { execPath, platform, version } = process;
const root = fileURLToPath(new URL('..', import.meta.url));
const suffix = platform === 'win32' ? '.exe' : '';
const output = resolve(process.argv[2] ?? join(root, 'dist-sea', `mop${suffix}`));
/** Directories of dist that the command line loads. */
const DIRECTORIES = ['.', 'chunks', 'data'];
const work = mkdtempSync(join(tmpdir(), 'mop-sea-'));
try {
  copyModules();
  compileModules();
  const program = await withBlob(blob());
  mkdirSync(dirname(output), { recursive: true });
  // Do not overwrite an executable that may be running.
  rmSync(output, { force: true });
  copyFileSync(program, output);
} finally {
  rmSync(work, { recursive: true, force: true });
}
writeFileSync(`${output}.LICENSES.txt`, licenses());

/**
 * Wraps the modules in functions for main.cjs. V8 accepts compiled code only for identical text.
 */
function copyModules() {
  for (const directory of DIRECTORIES) {
    mkdirSync(join(work, directory), { recursive: true });
    for (const name of modulesIn(join(root, 'dist', directory))) {
      const content = readFileSync(join(root, 'dist', directory, name));
      const whole = `(function (exports, require, module) {${content}\n})`;
      writeFileSync(join(work, directory, name), whole);
    }
  }
}

function modulesIn(directory) {
  return readdirSync(directory).filter((name) => name.endsWith('.cjs'));
}

function compileModules() {
  const env = { MOP_CONFIG_DIR: join(work, 'config') };
  run(execPath, [join(root, 'scripts/sea/compile.cjs'), work], env);
}

function blob() {
  const files = DIRECTORIES.flatMap((directory) =>
    modulesIn(join(work, directory)).flatMap((name) =>
      [name, `${name}.code`].map((each) => [each, join(work, directory, each)]),
    ),
  );
  const path = join(work, 'blob');
  const config = {
    main: join(root, 'scripts/sea/main.cjs'),
    output: path,
    disableExperimentalSEAWarning: true,
    assets: Object.fromEntries(files),
  };
  writeFileSync(join(work, 'sea.json'), JSON.stringify(config));
  run(execPath, ['--experimental-sea-config', join(work, 'sea.json')]);
  return path;
}

/** Follows Node's documentation of single executable applications; macOS runs only signed code. */
async function withBlob(path) {
  const program = join(work, `mop${suffix}`);
  copyFileSync(execPath, program);
  chmodSync(program, 0o755);
  const isMac = platform === 'darwin';
  if (isMac) run('codesign', ['--remove-signature', program]);
  await inject(program, 'NODE_SEA_BLOB', readFileSync(path), {
    sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
    machoSegmentName: 'NODE_SEA',
  });
  if (isMac) run('codesign', ['--sign', '-', program]);
  return program;
}

/** Prints the output of a program only if it fails. */
function run(command, args, env = process.env) {
  execFileSync(command, args, { env, stdio: 'pipe' });
}

/** The licences of mop, of Node, and of the packages in the bundle. */
function licenses() {
  const own = readFileSync(join(root, 'LICENSE'), 'utf8');
  const packages = readFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
  const line = `\n${'-'.repeat(72)}\n\n`;
  return [`mop\n\n${own}`, `Node.js ${version}\n\n${nodeLicense()}`, packages].join(line);
}

/**
 * Archives of Node have the licence in their root directory. Linux packages install it with the
 * documentation.
 */
function nodeLicense() {
  const installed = dirname(dirname(execPath));
  const found = [
    join(installed, 'LICENSE'),
    join(dirname(execPath), 'LICENSE'),
    join(installed, 'share/doc/nodejs/LICENSE'),
    join(installed, 'share/doc/nodejs/copyright'),
  ].find((path) => existsSync(path));
  if (found) return readFileSync(found, 'utf8');
  const address = `https://github.com/nodejs/node/blob/${version}/LICENSE`;
  console.warn(`cannot find the licence of Node: publish ${address} with the executable`);
  return `${address}\n`;
}
