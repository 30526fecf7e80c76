import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { signBody } from '../../../src/signing/body-mode.ts';
import { ROOT, run } from '../../package/support.ts';

const HERE = join(ROOT, 'test/interop/builds');
/** The directory with the installed bundlers and runtimes. */
export const TOOLS = join(HERE, 'node_modules');

/** The result of consumers/exercise.ts. */
export const EXPECTED = {
  valid: true,
  bill: ['downloaded', true, 5],
  refused: 'usage',
  errors: 0,
  page: [200, 200],
  account: 'linked',
  level: 'high',
};

/** The output of consumers/sign-from-*.js. */
export const SIGNATURE = signBody(
  '{"lat":30.10}',
  { apiKey: 'k', secret: 's' },
  { timestamp: 1795000000, nonce: 'abcdefghij', seqId: 'seq-1' },
).sign;

export interface Project {
  readonly directory: string;
  /** Runs a script of the project or of an installed tool. Returns its stdout. */
  node(script: string, ...args: string[]): Promise<string>;
  remove(): void;
}

/**
 * Makes a project like a user's. `node_modules` has the packed library and the tools. Beside the
 * consumers, `esm` and `cjs` have `exercise.ts` and `main.ts` as ES modules and CommonJS.
 */
export async function createProject(): Promise<Project> {
  const directory = mkdtempSync(join(tmpdir(), 'mop-builds-'));
  const modules = join(directory, 'node_modules');
  cpSync(join(HERE, 'consumers'), directory, { recursive: true });
  mkdirSync(modules);
  for (const name of readdirSync(TOOLS)) symlinkSync(join(TOOLS, name), join(modules, name));
  mkdirSync(join(modules, 'mop-cli'));
  const unpack = ['-xzf', inject('tarball'), '-C', join(modules, 'mop-cli')];
  await run('tar', [...unpack, '--strip-components', '1']);

  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  for (const [format, type] of [
    ['esm', 'module'],
    ['cjs', 'commonjs'],
  ] as const) {
    const options = [`--format=${format}`, `--outdir=${format}`];
    const sources = ['exercise.ts', 'main.ts'];
    await run(join(TOOLS, '.bin/esbuild'), [...sources, ...options], { cwd: directory });
    writeFileSync(join(directory, format, 'package.json'), JSON.stringify({ type }));
  }
  return {
    directory,
    async node(script, ...args) {
      const { stdout } = await run(process.execPath, [script, ...args], { cwd: directory });
      return stdout;
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
