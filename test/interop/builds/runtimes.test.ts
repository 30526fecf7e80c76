/** The library in other runtimes, in Jest, and in the module systems of TypeScript. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../../package/support.ts';
import { createProject, EXPECTED, type Project, program } from './support.ts';

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

const bun = program('@oven/bun-linux-x64/bin/bun');
const deno = program('@deno/linux-x64-glibc/deno');

it.each([
  [bun, ['main.ts']],
  [bun, ['cjs/main.js']],
  [deno, ['run', '--allow-all', '--no-lock', 'esm/main.js']],
  [deno, ['run', '--allow-all', '--no-lock', 'cjs/main.js']],
])('%s %j', async (command, args) => {
  if (!command) return;
  const { stdout } = await run(command, args, { cwd: project.directory });
  expect(JSON.parse(stdout)).toEqual(EXPECTED);
});

it('Jest runs it as CommonJS', async () => {
  const env = { ...process.env, EXPECTED: JSON.stringify(EXPECTED) };
  const jest = ['node_modules/jest/bin/jest.js', '--testMatch', '**/jest/*.cjs'];
  await run(process.execPath, jest, { cwd: project.directory, env });
});

it('exchanges values with a second copy, whose errors are recognised by their name', async () => {
  const result = JSON.parse(await project.node('two-copies.js'));
  expect(result).toEqual([false, 'MopError', 'usage', '{"lat":30.10}']);
});

it.each([
  ['exercise.ts', '--module', 'node16'],
  ['exercise.ts', '--module', 'commonjs', '--moduleResolution', 'node10'],
  ['exercise.ts', '--module', 'esnext', '--moduleResolution', 'bundler'],
  ['common.cts', '--module', 'node16'],
])('TypeScript compiles %s %s %s %s %s', async (...args) => {
  const strict = ['--strict', '--target', 'es2023', '--types', 'node', '--noEmit'];
  await project.node('node_modules/typescript/lib/tsc.js', ...strict, ...args);
});
