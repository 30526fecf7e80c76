import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { itRunsCommands } from './commands.ts';
import { ROOT, run } from './support.ts';

let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'mop-executable-'));
  const built = join(directory, 'built');
  await run(process.execPath, [join(ROOT, 'scripts/build-sea.js'), join(built, 'mop')]);
  // The executable needs no file beside it.
  mkdirSync(join(directory, 'alone'));
  renameSync(join(built, 'mop'), join(directory, 'alone/mop'));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

itRunsCommands(() => [join(directory, 'alone/mop')]);

it('is built with a file of the licences of its contents', () => {
  const text = readFileSync(join(directory, 'built/mop.LICENSES.txt'), 'utf8');
  for (const name of ['mop', `Node.js ${process.version}`, 'undici 7', 'node-sqlite3-wasm']) {
    expect(text).toContain(name);
  }
});
