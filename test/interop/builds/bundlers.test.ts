/** Tests the library in bundles, which run outside the project and without its packages. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../package/support.ts';
import { EXPECTED, MODULES, node, SIGNATURE } from './support.ts';

const SIGNERS = ['sign-from-index', 'sign-from-signing'];

/** Part of the code of SQLite, a module of 0.5 MB that only accounts need. */
const SQLITE_EXCERPT = readFileSync(
  join(MODULES, 'mop-cli/dist/data/sqlite-wasm.cjs'),
  'utf8',
).slice(20, 80);

describe.each(['esbuild', 'vite', 'webpack'])('%s', (tool) => {
  let directory: string;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), `mop-${tool}-`));
    await node(`${tool}.js`, directory);
  });

  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  function mainOf(bundle: string): string {
    const main = readdirSync(join(directory, bundle)).find((name) => name.startsWith('main.'));
    return join(directory, bundle, main ?? 'main is missing');
  }

  async function runBundle(bundle: string): Promise<string> {
    return (await run(process.execPath, [mainOf(bundle)])).stdout;
  }

  /** The chunks of a bundle. */
  function codesOf(bundle: string): string[] {
    const names = readdirSync(join(directory, bundle));
    return names.map((name) => readFileSync(join(directory, bundle, name), 'utf8'));
  }

  function bytesOf(bundle: string): number {
    return Buffer.byteLength(codesOf(bundle).join(''));
  }

  function compressedBytesOf(bundle: string): number {
    return gzipSync(codesOf(bundle).join('')).length;
  }

  it.each(['module', 'commonjs'])('bundles the library as %s', async (form) => {
    expect(JSON.parse(await runBundle(form))).toEqual(EXPECTED);
    // Only ES modules of the library are split; Vite also imports them for output as CommonJS.
    const isWhole = form === 'commonjs' && tool !== 'vite';
    expect(readFileSync(mainOf(form), 'utf8').includes(SQLITE_EXCERPT)).toBe(isWhole);
  });

  it.each(SIGNERS)('takes less than 60 KB for signBody, %s', async (bundle) => {
    expect(await runBundle(bundle)).toBe(`${SIGNATURE}\n`);
    expect(bytesOf(bundle)).toBeLessThan(60_000);
    if (tool === 'vite') expect(bytesOf(`${bundle}-in-browser`)).toBeLessThan(60_000);
  });

  it.runIf(tool === 'vite')('bundles signatures for browsers, without Node', async () => {
    expect(await runBundle('sign-from-signing-in-browser')).toBe(`${SIGNATURE}\n`);
    expect(compressedBytesOf('sign-from-signing-in-browser')).toBeLessThan(15_000);
    expect(await runBundle('verify-in-browser')).toBe('hex-lowercase\n');
    for (const bundle of ['sign-from-signing-in-browser', 'verify-in-browser']) {
      for (const code of codesOf(bundle))
        expect(code).not.toMatch(/["`']node:|__vite-browser-external/);
    }
  });
});
