/** Tests the library in other runtimes, in Jest, and in the module systems of TypeScript. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../../package/support.ts';
import { createProject, EXPECTED, type Project, TOOLS } from './support.ts';

let project: Project;

beforeAll(async () => {
  project = await createProject();
});

afterAll(() => project?.remove());

it.each(['esm/main.js', 'cjs/main.js'])('Node runs %s', async (script) => {
  expect(JSON.parse(await project.node(script))).toEqual(EXPECTED);
});

it('tsx runs TypeScript', async () => {
  const stdout = await project.node('node_modules/tsx/dist/cli.mjs', 'main.ts');
  expect(JSON.parse(stdout)).toEqual(EXPECTED);
});

for (const [name, path, ...args] of [
  ['Bun', '@oven/bun-linux-x64/bin/bun', 'main.ts'],
  ['Bun', '@oven/bun-linux-x64/bin/bun', 'cjs/main.js'],
  ['Deno', '@deno/linux-x64-glibc/deno', 'run', '--allow-all', '--no-lock', 'esm/main.js'],
  ['Deno', '@deno/linux-x64-glibc/deno', 'run', '--allow-all', '--no-lock', 'cjs/main.js'],
] as const) {
  const command = join(TOOLS, path);
  // The packages are for Linux on x64.
  it.skipIf(!existsSync(command))(`${name} runs ${args.at(-1)}`, async () => {
    const { stdout } = await run(command, args, { cwd: project.directory });
    expect(JSON.parse(stdout)).toEqual(EXPECTED);
  });
}

it('Jest runs the library as CommonJS', async () => {
  const env = { ...process.env, EXPECTED: JSON.stringify(EXPECTED) };
  const jest = ['node_modules/jest/bin/jest.js', '--testMatch', '**/jest/*.cjs'];
  await run(process.execPath, jest, { cwd: project.directory, env });
});

it('exchanges values with a second copy, but its errors match only by name', async () => {
  const result = JSON.parse(await project.node('two-copies.js'));
  expect(result).toEqual([false, 'MopError', 'usage', '{"lat":30.10}']);
});

it.each([
  '--module node16 exercise.ts',
  '--module node16 common.cts',
  '--module commonjs --moduleResolution node10 exercise.ts',
  // The default target of TypeScript up to 5.9.
  '--module commonjs --moduleResolution node10 --target es5 exercise.ts',
  '--module esnext --moduleResolution bundler exercise.ts',
])('TypeScript compiles with %s', async (args) => {
  const strict = ['--strict', '--target', 'es2023', '--types', 'node', '--noEmit'];
  await project.node('node_modules/typescript/lib/tsc.js', ...strict, ...args.split(' '));
});
