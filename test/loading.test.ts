/** What each command loads of the bundle: nobody pays for what others need. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryDirectory } from './support/cli.ts';

const BIN = fileURLToPath(new URL('../bin/mop.js', import.meta.url));

/** A text that the bundle of each package holds. */
const MARKS = {
  graphql: 'GraphQLObjectType',
  undici: 'UND_ERR_',
  ws: 'Invalid Sec-WebSocket-Accept',
  hono: 'getRequestListener',
} as const;

type Package = keyof typeof MARKS;

const SIGN = ['sign', '{"a":1}', '--api-key', 'k'];

const CASES: readonly (readonly [words: readonly string[], loaded: readonly Package[]])[] = [
  [['--version'], []],
  [SIGN, []],
  [['--help'], []],
  [['gql', '--help'], []],
  [['gql', 'help', 'scalars'], []],
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

it.each(CASES)('%j loads %j', async (words, loaded) => {
  const directory = await temporaryDirectory();
  const list = join(directory, 'loaded');
  const hooks = join(directory, 'hooks.mjs');
  writeFileSync(
    hooks,
    `import { appendFileSync } from 'node:fs';
     import { isMainThread } from 'node:worker_threads';
     import { register } from 'node:module';
     if (isMainThread) register(import.meta.url);
     export function load(url, context, next) {
       appendFileSync(${JSON.stringify(list)}, url + '\\n');
       return next(url, context);
     }`,
  );
  await promisify(execFile)(
    process.execPath,
    ['--import', pathToFileURL(hooks).href, BIN, ...words],
    { env: { MOP_CONFIG_DIR: join(directory, 'none'), MOP_API_SECRET: 'secret' } },
  );
  const code = readFileSync(list, 'utf8')
    .split('\n')
    .filter((url) => url.includes('/dist/'))
    .map((url) => readFileSync(fileURLToPath(url), 'utf8'))
    .join('\n');
  const found = Object.entries(MARKS).filter(([, mark]) => code.includes(mark));
  expect(found.map(([name]) => name)).toEqual(loaded);
});
