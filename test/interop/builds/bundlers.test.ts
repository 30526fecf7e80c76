/** Tests the library in bundles, which run outside the project and without its packages. */
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../package/support.ts';
import { createProject, EXPECTED, type Project, SIGNATURE } from './support.ts';

let project: Project;
let elsewhere: string;

beforeAll(async () => {
  project = await createProject();
  elsewhere = mkdtempSync(join(tmpdir(), 'mop-bundles-'));
});

afterAll(() => {
  project?.remove();
  rmSync(elsewhere, { recursive: true, force: true });
});

/** Bundles an entry, and returns the path of the output's main file. */
async function bundle(tool: string, entry: string, form: string, ...options: string[]) {
  const output = mkdtempSync(join(project.directory, 'out-'));
  await project.node(`${tool}.js`, entry, form, output, ...options);
  const directory = mkdtempSync(join(elsewhere, `${tool}-`));
  renameSync(output, directory);
  const main = readdirSync(directory).find((name) => name.startsWith('main.'));
  return join(directory, main ?? 'main is missing');
}

const runBundle = async (main: string) => (await run(process.execPath, [main])).stdout;

/** The size of a bundle with all its chunks. */
function bundleBytes(main: string): number {
  const directory = dirname(main);
  const sizes = readdirSync(directory).map((name) => statSync(join(directory, name)).size);
  return sizes.reduce((sum, size) => sum + size);
}

/** Part of the code of SQLite, a module of 0.5 MB that only accounts need. */
function sqliteExcerpt(): string {
  const data = join(project.directory, 'node_modules/mop-cli/dist/data/sqlite-wasm.cjs');
  return readFileSync(data, 'utf8').slice(20, 80);
}

it.each([
  ['esbuild', 'main.ts', 'esm', 'split', '--split'],
  ['esbuild', 'main.ts', 'esm', 'whole'],
  ['esbuild', 'main.ts', 'cjs', 'whole'],
  ['esbuild', 'cjs/main.js', 'cjs', 'whole'],
  ['vite', 'main.ts', 'server', 'split'],
  ['webpack', 'esm/main.js', 'module', 'split'],
  ['webpack', 'esm/main.js', 'commonjs2', 'split'],
  ['webpack', 'cjs/main.js', 'commonjs2', 'whole'],
])('%s bundles %s as %s (%s)', async (tool, entry, form, division, ...options) => {
  const main = await bundle(tool, entry, form, ...options);
  expect(JSON.parse(await runBundle(main))).toEqual(EXPECTED);
  expect(readFileSync(main, 'utf8').includes(sqliteExcerpt())).toBe(division === 'whole');
});

describe.each(['sign-from-index.js', 'sign-from-signing.js'])('signBody alone, %s', (entry) => {
  it.each([
    ['esbuild', 'esm'],
    ['vite', 'server'],
    ['webpack', 'module', '--minify'],
  ])('takes less than 60 KB in %s', async (tool, form, ...options) => {
    const main = await bundle(tool, entry, form, ...options);
    expect(await runBundle(main)).toBe(`${SIGNATURE}\n`);
    expect(bundleBytes(main)).toBeLessThan(60_000);
  });

  it('takes less than 60 KB in vite for a browser, without being run', async () => {
    const main = await bundle('vite', entry, 'browser');
    expect(bundleBytes(main)).toBeLessThan(60_000);
  });
});
