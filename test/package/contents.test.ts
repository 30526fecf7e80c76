import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { expect, inject, it } from 'vitest';
import { ROOT, run } from './support.ts';

const tarball = inject('tarball');
const installed = join(inject('project'), 'node_modules/mop-cli');
const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));

it('contains only the files that users need', () => {
  const licences = readFileSync(join(installed, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
  expect(licences).toContain('undici 7');
  expect(readdirSync(installed).sort()).toEqual([
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
    'README.zh-CN.md',
    'SECURITY.md',
    'bin',
    'completions',
    'dist',
    'docs',
    'man',
    'package.json',
  ]);
});

it.each(['README.md', 'README.zh-CN.md'])('contains every file that %s links to', (name) => {
  const text = readFileSync(join(installed, name), 'utf8');
  const links = [...text.matchAll(/\]\((?!https?:|\.\.\/)([^)#]+)/g)].map(([, path = '']) => path);
  expect(links).toContain('docs/recording.svg');
  expect(links.filter((path) => !existsSync(join(installed, path)))).toEqual([]);
});

it('installs no other package, and runs no script at installation', () => {
  expect(readdirSync(join(inject('project'), 'node_modules')).sort()).toEqual([
    '.bin',
    '.package-lock.json',
    'mop-cli',
  ]);
  const { dependencies, optionalDependencies, peerDependencies, scripts } = manifest;
  expect([dependencies, optionalDependencies, peerDependencies]).toEqual(Array(3).fill(undefined));
  // npm warns about prepare in a tarball, although it never runs it.
  const { preinstall, install, postinstall, prepare } = scripts;
  expect([preinstall, install, postinstall, prepare]).toEqual(Array(4).fill(undefined));
});

it('is built before it is packed', () => {
  expect(manifest.scripts.prepack).toBe('npm run build');
});

it('does not contain the path of the repository', () => {
  const files = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  expect(files.filter((file) => readFileSync(file).includes(ROOT))).toEqual([]);
});

it('passes publint', async () => {
  const { buffer } = new Uint8Array(readFileSync(tarball));
  const { messages, pkg } = await publint({
    pack: { tarball: buffer },
    strict: true,
  });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

it('passes Are The Types Wrong', async () => {
  const require = createRequire(import.meta.url);
  const folder = dirname(require.resolve('@arethetypeswrong/cli/package.json'));
  await run(process.execPath, [join(folder, 'dist/index.js'), tarball]);
});

it('the library does not contain the command line or imports that need Node 22', () => {
  for (const form of ['esm', 'cjs']) {
    const directory = join(installed, 'dist', form);
    const modules = readdirSync(directory).map((name) => readFileSync(join(directory, name)));
    const code = Buffer.concat(modules).toString('utf8');
    // Error messages of acorn mention import.meta.
    expect(code).not.toMatch(
      /commander|node:sea|node:sqlite|import\.meta\.|__dirname|createRequire/,
    );
  }
});
