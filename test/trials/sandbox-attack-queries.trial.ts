import { once } from 'node:events';
import { getIntrospectionQuery } from 'graphql';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { send } from '../sandbox/support.ts';
import { expectServing, type SandboxProcess, startSandboxProcess } from './sandbox-process.ts';
import { times } from './scale.ts';

// With a small heap, Node would crash if memory were not limited.
const SMALL_HEAP = '--max-old-space-size=160';
const sandbox = await startSandboxProcess([], SMALL_HEAP);
// Each attack is answered, so the sandbox survived the one before.
afterAll(async () => {
  await expectServing(sandbox);
  await sandbox.end();
});

const JSON_TYPE = { 'Content-Type': 'application/json' };
/** A little less than the body limit, so that other limits apply. */
const MAX = 1024 ** 2 - 1000;
const filled = (text: string, bytes = MAX): string =>
  text.repeat(Math.floor(bytes / Buffer.byteLength(text)));

async function post(path: string, body: string): Promise<{ status: number; body: string }> {
  const reply = await send(sandbox.url + path, { method: 'POST', headers: JSON_TYPE, body });
  return { status: reply.status, body: reply.body.toString() };
}

describe('JSON', () => {
  const bombs: readonly (readonly [string, string])[] = [
    ['1 MiB of brackets', filled('[')],
    ['1 MiB of nested objects', filled('{"a":')],
    ['500,000 nested lists', `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`],
    ['a number of 1 MiB', `{"a":${filled('9')}}`],
    ['an exponent of 1 MiB', `{"a":1e${filled('9')}}`],
    ['a fraction of 1 MiB', `{"a":0.${filled('9')}}`],
    ['an unterminated string', `"${filled('\\')}`],
    ['1 MiB of escapes', `{"a":"${filled('\\u0041')}"}`],
    ['one name 170,000 times', `{${filled('"a":1,')}"a":1}`],
    [
      '60,000 names',
      JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`k${n}`, 1]))),
    ],
    ['1 MiB of spaces', filled(' ')],
    ['1 MiB of commas', filled(',')],
    ['names of Object.prototype', '{"__proto__":{"a":1},"constructor":{"prototype":1}}'],
  ];
  it.each(bombs)('%s is refused by every service', async (_, json) => {
    const platform = { status: 200, body: expect.stringMatching(/^{"code":100[12],/) };
    expect(await post('/open/v1/user/sync', json)).toMatchObject(platform);
    expect(await post('/api/open/user/sync', json)).toMatchObject(platform);
    expect(await post('/api/detect', json)).toMatchObject({
      status: 400,
      body: expect.stringMatching(/^{"error":{"code":"(bad_json|bad_body|missing_text)",/),
    });
    expect(await post('/graphql', json)).toMatchObject({
      status: 400,
      body: expect.stringMatching(/^{"errors":/),
    });
  });
});

const list = (length: number, make: (index: number) => string): string =>
  Array.from({ length }, (_, index) => make(index)).join(' ');

/** Fragments that each spread the next eight, in a cycle. */
const ring = (size: number): string =>
  `{ ${list(size, (n) => `...F${n}`)} } ${list(
    size,
    (n) =>
      `fragment F${n} on Query { bill { id } ${list(8, (next) => `...F${(n + next + 1) % size}`)} }`,
  )}`;

describe('a GraphQL document is refused or runs within limits:', () => {
  const bombs: readonly (readonly [string, string])[] = [
    ['3,000 nested fields', `${'{ node(id: 1) '.repeat(3000)}{ id }${'}'.repeat(3000)}`],
    ['900,000 braces', '{'.repeat(900_000)],
    ['400,000 brackets in an argument', `{ bills(last: ${'['.repeat(400_000)}) { id } }`],
    ['10,000 aliases', `{ ${list(10_000, (n) => `a${n}: bill { id }`)} }`],
    ['a fragment that spreads itself', '{ ...A } fragment A on Query { ...A }'],
    ['fragments in a cycle', '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }'],
    ['1 MiB of tokens', filled('a ')],
    ['a string of 1 MiB', `"${filled('x')}`],
    ['a comment of 1 MiB', `#${filled('x')}`],
    ['a number of 1 MiB', `{ bills(last: ${'9'.repeat(MAX - 1000)}) { id } }`],
    ['4,000 unknown fields', `{ ${list(4000, (n) => `x${n}`)} }`],
    ['2,400 variables', `query (${list(2400, (n) => `$v${n}: ID`)}) { bill { id } }`],
    ['1,500 fields that merge', `{ ${'bill { id } '.repeat(1500)}}`],
    ['fields that conflict', `{ ${list(1200, (n) => `bill { a${n % 2}: id }`)} }`],
    [
      '900 fragments that each spread the next twice',
      `{ ...F0 } ${list(900, (n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`)} fragment F900 on Query { __typename }`,
    ],
    [
      'nested types',
      `{ __schema { types ${'{ fields { type '.repeat(12)}{ name }${'} }'.repeat(12)} } }`,
    ],
  ];
  it.each(bombs)('refuses %s', async (_, query) => {
    const { status, body } = await post('/graphql', JSON.stringify({ query }));
    expect(status).toBe(200);
    expect(body).toMatch(/^{"errors":\[/);
  });

  it.each([
    ['1,000 aliases', `{ ${list(1000, (n) => `a${n}: bill { id }`)} }`],
    ['the whole schema', getIntrospectionQuery()],
    [
      'the types 200 times',
      `{ ${list(200, (n) => `a${n}: __schema { types { fields { type { name } } } }`)} }`,
    ],
  ])('executes %s', async (_, query) => {
    const { status, body } = await post('/graphql', JSON.stringify({ query }));
    expect(status).toBe(200);
    expect(body).toMatch(/^{"data":/);
  });

  it('answers 300 fragments in cycles', async () => {
    const { status } = await post('/graphql', JSON.stringify({ query: ring(300) }));
    expect(status).toBe(200);
  });

  it('refuses a deeply nested variable', async () => {
    const query = 'query ($t: String!) { search(text: $t) { __typename } }';
    const nested = `${'['.repeat(400_000)}${']'.repeat(400_000)}`;
    const body = `{"query":${JSON.stringify(query)},"variables":{"t":${nested}}}`;
    expect((await post('/graphql', body)).body).toContain('got invalid value');
  });
});

it('concurrent operations of the allowed size use limited memory', async () => {
  const small = await newSandbox(SMALL_HEAP);
  const address = `${small.url.replace('http', 'ws')}/graphql`;
  const socket = new WebSocket(address, 'graphql-transport-ws').on('error', () => {});
  await once(socket, 'open');
  socket.send('{"type":"connection_init"}');
  await once(socket, 'message');
  const count = times(3, 30);
  for (let id = 0; id < count; id++) {
    const payload = { query: ridesWith('id city amount') };
    socket.send(JSON.stringify({ type: 'subscribe', id: `${id}`, payload }));
  }
  const outcome = new Promise((resolve) => {
    let completed = 0;
    socket.on('message', (message) => {
      if (String(message).includes('"complete"') && ++completed === count) resolve('all answered');
    });
    socket.on('close', (code) => resolve(`closed with ${code}`));
  });
  expect(await outcome).toBe('all answered');
});

/** Reads `fields` of up to 100 rides of each of 92 bills. */
function ridesWith(fields: string): string {
  return `{ bills(last: 92) { rides(first: 100) { nodes { ${fields} } } } }`;
}

/** A sandbox that ends with the test. */
async function newSandbox(nodeOptions?: string): Promise<SandboxProcess> {
  const created = await startSandboxProcess([], nodeOptions);
  onTestFinished(created.end);
  return created;
}

describe('the detection service answers', () => {
  const full = (part: string): string =>
    part.repeat(Math.ceil(100_000 / [...part].length)).slice(0, 100_000);
  it.each([
    'a',
    'you only ',
    ' a',
    '\u0301',
    '\u200d',
    "I don't say you only need me and ",
    '"',
    '我',
    '你只需要我',
    '.',
    'a\n',
    '\u202e',
    '\0',
    '\\',
    '(a+)+$',
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaa!',
  ])('100,000 characters of %j', async (part) => {
    const text = full(part);
    const { status, body } = await post('/api/detect', JSON.stringify({ text }));
    expect([status, JSON.parse(body).text === text]).toEqual([200, true]);
  });

  it('100,000 characters of four bytes, and unpaired surrogates', async () => {
    const text = '😀'.repeat(100_000);
    expect((await post('/api/detect', JSON.stringify({ text }))).status).toBe(200);
    const halves = `{"text":"${'\\ud800'.repeat(100_000)}"}`;
    expect((await post('/api/detect', halves)).status).toBe(200);
  });
});
