/** Checks that each command loads only the parts of the bundle that it needs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from './support/cli.ts';
import { startMop } from './support/process.ts';

/** A text in the bundled code of each package, and in the topics of `mop gql help`. */
const EXCERPTS = {
  topics: 'The root kinds of a schema',
  mime: 'application/andrew-inset',
  graphql: 'GraphQLObjectType',
  undici: 'UND_ERR_',
  ws: 'Invalid Sec-WebSocket-Accept',
  hono: 'Context is not finalized',
} as const;

type Package = keyof typeof EXCERPTS;

const SIGN = ['sign', '{"a":1}', '--api-key', 'k'];

const CASES: readonly (readonly [words: readonly string[], loaded: readonly Package[]])[] = [
  [['--version'], []],
  [['version'], []],
  [SIGN, []],
  [['--help'], []],
  [['gql', '--help'], []],
  [['gql', 'help', 'scalars'], ['topics']],
  [
    ['health', '--env', 'sandbox'],
    ['undici', 'hono'],
  ],
  [
    ['gql', '{ bill { date } }', '--env', 'sandbox'],
    ['graphql', 'undici', 'hono'],
  ],
  [
    ['gql', '{ bill { date } }', '--env', 'sandbox', '--transport', 'ws'],
    ['graphql', 'undici', 'ws', 'hono'],
  ],
];

/** The files and the modules of Node that a command has loaded when it ends. */
async function loadedBy(words: readonly string[]): Promise<{ files: string[]; builtin: string[] }> {
  const directory = await temporaryDirectory();
  const list = join(directory, 'loaded');
  const hook = join(directory, 'hook.cjs');
  writeFileSync(
    hook,
    `process.on('exit', () => {
       const loaded = { files: Object.keys(require.cache), builtin: process.moduleLoadList };
       require('node:fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify(loaded));
     });`,
  );
  const env = { MOP_CONFIG_DIR: join(directory, 'none'), MOP_API_SECRET: 'secret' };
  const { code, stderr } = await startMop(words, env, { node: ['--require', hook] }).ended;
  expect(code, stderr).toBe(0);
  return JSON.parse(readFileSync(list, 'utf8'));
}

it.each(CASES)('%j loads %j', async (words, loaded) => {
  const { files } = await loadedBy(words);
  const code = files
    .filter((file) => file.includes('/dist/'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const found = Object.entries(EXCERPTS).filter(([, excerpt]) => code.includes(excerpt));
  expect(found.map(([name]) => name)).toEqual(loaded);
});

/** Modules of Node that take at least a millisecond to load. */
const SLOW = ['child_process', 'fs/promises', 'http', 'http2', 'v8', 'zlib'];

it.each([
  [['--help'], [...SLOW, 'crypto']],
  [['bill', '--help'], SLOW],
  [SIGN, SLOW],
])('%j loads none of the Node modules %j', async (words, slow) => {
  const { builtin } = await loadedBy(words);
  expect(slow.filter((name) => builtin.includes(`NativeModule ${name}`))).toEqual([]);
});
