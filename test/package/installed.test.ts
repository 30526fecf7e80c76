import { copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { signBody } from '../../src/signing/body-mode.ts';
import { VERSION } from '../../src/version.ts';
import { npm, ROOT, run } from './support.ts';

const project = inject('project');
const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mop-installed-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

it.each([
  ['npx', ['mop', '--version']],
  ['node_modules/.bin/mop', ['--version']],
])('%s runs mop', async (command, args) => {
  expect((await run(command, args, { cwd: project })).stdout).toBe(`${VERSION}\n`);
});

it('can be installed globally', async () => {
  const prefix = join(directory, 'global');
  await npm(['install', '--global', '--offline', '--prefix', prefix, inject('tarball')], directory);
  const env = { PATH: [join(prefix, 'bin'), dirname(process.execPath)].join(delimiter) };
  expect((await run('mop', ['--version'], { env })).stdout).toBe(`${VERSION}\n`);
  // `man` finds pages here.
  const pages = ['man1/mop.1', 'man1/mop-bill-fetch.1', 'man7/mop-scheduling.7'];
  for (const page of pages) expect(existsSync(join(prefix, 'share/man', page))).toBe(true);
});

it.each([
  ['a text', ['detect', 'Hello!']],
  ['a query', ['gql', '{ a }']],
])('a command that sends %s loads no code for bills or types', async (_, args) => {
  const list = join(directory, 'loaded.cjs');
  writeFileSync(
    list,
    `process.on('exit', () => console.log(Object.keys(require.cache).join('\\n')));`,
  );
  const nowhere = 'http://127.0.0.1:9';
  const env = { HOME: directory, MOP_DETECT_URL: nowhere, MOP_GQL_URL: `${nowhere}/graphql` };
  const mop = ['--require', list, join(ROOT, 'bin/mop.js'), '--retries', '0'];
  const failure = await run(process.execPath, [...mop, ...args], { env }).catch((error) => error);
  const loaded: string[] = failure.stdout.match(/[\w.-]+(?=-[\w-]{8}\.cjs$)/gm);
  expect(loaded).toContain('transport');
  expect(loaded.filter((name) => /^bills$|schema|^values$/i.test(name))).toEqual([]);
});

describe('a strict project in TypeScript', () => {
  const node = { types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] };

  it.each([
    ["Node's types", { lib: ['es2023'], ...node }],
    ['browser types', { lib: ['es2023', 'dom'], types: [] }],
    ['both', { lib: ['es2023', 'dom', 'dom.iterable'], ...node }],
  ])('compiles with %s, and runs with both', async (name, options) => {
    const userProject = join(directory, name.replaceAll(/\W/g, '-'));
    mkdirSync(userProject);
    symlinkSync(join(project, 'node_modules'), join(userProject, 'node_modules'));
    copyFileSync(join(ROOT, 'test/package/consumer.ts'), join(userProject, 'consumer.ts'));
    writeFileSync(join(userProject, 'package.json'), '{ "type": "module" }');
    const compilerOptions = { target: 'es2023', module: 'nodenext', strict: true, ...options };
    writeFileSync(
      join(userProject, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...compilerOptions, skipLibCheck: false } }),
    );
    await run(process.execPath, [tsc], { cwd: userProject });
    if (name !== 'both') return;
    const { stdout, stderr } = await run(process.execPath, ['consumer.js'], { cwd: userProject });
    expect(stderr).toBe('');
    const fields = { timestamp: 1795000000, nonce: 'abcdefghij', seqId: 'seq-1' };
    const { sign } = signBody(
      '{"lat":30.10}',
      { apiKey: 'sandbox', secret: 'sandbox-secret' },
      fields,
    );
    expect(JSON.parse(stdout)).toEqual({
      sign,
      headers: 6,
      valid: true,
      refused: 'not-ready',
      data: 'object',
      health: 'ok',
      bytes: true,
      openId: 'o-1',
      level: 'none',
    });
  });
});
