/** Tests the library in other runtimes, in Jest, and in the module systems of TypeScript. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../../package/support.ts';
import { EXPECTED, MODULES, node, PROJECT } from './support.ts';

it('tsx runs TypeScript', async () => {
  expect(JSON.parse(await node('node_modules/tsx/dist/cli.mjs', 'main.ts'))).toEqual(EXPECTED);
});

for (const [name, path, ...args] of [
  ['Bun', '@oven/bun-linux-x64/bin/bun', 'main.ts'],
  ['Bun', '@oven/bun-linux-x64/bin/bun', 'cjs/main.js'],
  ['Deno', '@deno/linux-x64-glibc/deno', 'run', '--allow-all', '--no-lock', 'esm/main.js'],
  ['Deno', '@deno/linux-x64-glibc/deno', 'run', '--allow-all', '--no-lock', 'cjs/main.js'],
] as const) {
  const command = join(MODULES, path);
  // The packages are for Linux on x64.
  it.skipIf(!existsSync(command))(`${name} runs ${args.at(-1)}`, async () => {
    const { stdout } = await run(command, args, { cwd: PROJECT });
    expect(JSON.parse(stdout)).toEqual(EXPECTED);
  });
}

it('Jest runs the library as CommonJS', async () => {
  const env = { ...process.env, EXPECTED: JSON.stringify(EXPECTED) };
  const jest = ['node_modules/jest/bin/jest.js', '--roots', 'jest', '--testMatch', '**/*.cjs'];
  await run(process.execPath, jest, { cwd: PROJECT, env });
});

it('exchanges values with a second copy, but its errors match only by name', async () => {
  const result = JSON.parse(await node('two-copies.js'));
  expect(result).toEqual([false, 'MopError', 'usage', '{"lat":30.10}']);
});

it('TypeScript compiles the library in each module system', async () => {
  const checked = await node(
    'typescript.js',
    '--module node16 exercise.ts common.cts',
    '--module commonjs --moduleResolution node10 exercise.ts',
    // The default target of TypeScript up to 5.9.
    '--module commonjs --moduleResolution node10 --target es5 exercise.ts',
    '--module esnext --moduleResolution bundler exercise.ts',
  );
  expect(checked.match(/mop-cli.* exercise\.ts/g)).toHaveLength(4);
});
