/** Makes a project like a user's, once for all tests of builds. */
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
import type { TestProject } from 'vitest/node';
import { pack, ROOT, run } from '../package/support.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The project. `node_modules` has the packed library and the tools. Beside the consumers, `esm`
     * and `cjs` have `exercise.ts` and `main.ts` as ES modules and CommonJS.
     */
    userProject: string;
  }
}

const HERE = join(ROOT, 'test/interop');
const TOOLS = join(HERE, 'node_modules');
/** Packages that mop itself is tested and compiled with. */
const OWN = ['@types', 'vite'];

export default async function setup({ provide }: TestProject): Promise<() => void> {
  const directory = mkdtempSync(join(tmpdir(), 'mop-interop-'));
  const project = join(directory, 'project');
  const modules = join(project, 'node_modules');
  cpSync(join(HERE, 'builds/consumers'), project, { recursive: true });
  mkdirSync(join(modules, 'mop-cli'), { recursive: true });
  const unpack = ['-xzf', await pack(directory), '-C', join(modules, 'mop-cli')];
  await run('tar', [...unpack, '--strip-components', '1']);
  for (const name of OWN) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  for (const name of readdirSync(TOOLS)) {
    if (!OWN.includes(name)) symlinkSync(join(TOOLS, name), join(modules, name));
  }

  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  for (const [format, type] of [
    ['esm', 'module'],
    ['cjs', 'commonjs'],
  ] as const) {
    const args = ['exercise.ts', 'main.ts', `--format=${format}`, `--outdir=${format}`];
    await run(join(TOOLS, '.bin/esbuild'), args, { cwd: project });
    writeFileSync(join(project, format, 'package.json'), JSON.stringify({ type }));
  }
  provide('userProject', project);
  return () => rmSync(directory, { recursive: true, force: true });
}
