import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { expect, inject, it } from 'vitest';
import { ROOT, run } from './support.ts';

const tarball = inject('tarball');
const installed = join(inject('project'), 'node_modules/mop-cli');
const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));

it('carries what is needed to run it, and nothing else', () => {
  const licences = readFileSync(join(installed, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
  expect(licences).toContain('undici 7');
  expect(readdirSync(installed).sort()).toEqual([
    'LICENSE',
    'README.md',
    'bin',
    'completions',
    'dist',
    'man',
    'package.json',
  ]);
});

it('installs nothing besides, and runs nothing as it is installed', () => {
  expect(readdirSync(join(inject('project'), 'node_modules')).sort()).toEqual([
    '.bin',
    '.package-lock.json',
    'mop-cli',
  ]);
  const { dependencies, optionalDependencies, peerDependencies, scripts } = manifest;
  expect([dependencies, optionalDependencies, peerDependencies]).toEqual(Array(3).fill(undefined));
  // npm warns of a tarball that has prepare, too, although it never runs it.
  const { preinstall, install, postinstall, prepare } = scripts;
  expect([preinstall, install, postinstall, prepare]).toEqual(Array(4).fill(undefined));
});

it('says nothing of the machine that packed it', () => {
  const files = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  expect(files.filter((file) => readFileSync(file).includes(ROOT))).toEqual([]);
});

it('is as publint wants it', async () => {
  const { buffer } = new Uint8Array(readFileSync(tarball));
  const { messages, pkg } = await publint({
    pack: { tarball: buffer },
    strict: true,
  });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

it('has types that all kinds of resolution find', async () => {
  const require = createRequire(import.meta.url);
  const folder = dirname(require.resolve('@arethetypeswrong/cli/package.json'));
  await run(process.execPath, [join(folder, 'dist/index.js'), tarball]);
});

it('keeps the command line out of the library, and Node 22 out of its imports', () => {
  for (const form of ['esm', 'cjs']) {
    const directory = join(installed, 'dist', form);
    const modules = readdirSync(directory).map((name) => readFileSync(join(directory, name)));
    const code = Buffer.concat(modules).toString('utf8');
    expect(code).not.toMatch(/commander|node:sea|node:sqlite|import\.meta|__dirname|createRequire/);
  }
});
