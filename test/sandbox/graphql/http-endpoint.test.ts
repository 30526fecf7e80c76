import { getIntrospectionQuery, specifiedDirectives } from 'graphql';
import { serverAudits } from 'graphql-http';
import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/server.ts';
import type { LogEntry } from '../../../src/server/log-entry.ts';
import { type Reply, send, start } from '../support.ts';
import { multiplied, post, resultOf } from './support.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const QUERY = '{ bill { id } }';
const RESULT = { data: { bill: { id: '2026-11-19:ALL' } } };

function get({ url }: Sandbox, query: string, headers = {}): Promise<Reply> {
  return send(`${url}/graphql?query=${encodeURIComponent(query)}`, { headers });
}

function messageOf(reply: Reply): string | undefined {
  return resultOf(reply).errors?.[0]?.message;
}

test.each([
  ['*/*', JSON_TYPE],
  ['application/json', JSON_TYPE],
  ['application/graphql-response+json', 'application/graphql-response+json; charset=utf-8'],
  [
    'application/graphql-response+json, application/json;q=0.9',
    'application/graphql-response+json; charset=utf-8',
  ],
])('an answer to %s is %s', async (accept, type) => {
  const sandbox = await start();
  for (const reply of [
    await post(sandbox, QUERY, {}, { Accept: accept }),
    await get(sandbox, QUERY, { Accept: accept }),
  ]) {
    expect([reply.status, reply.headers['content-type']]).toEqual([200, type]);
    expect(resultOf(reply)).toEqual(RESULT);
  }
});

test('the audits of GraphQL over HTTP pass', async () => {
  const { url } = await start();
  const audits = serverAudits({ url: `${url}/graphql`, fetchFn: fetch });
  const results = await Promise.all(audits.map(({ fn }) => fn()));
  expect(results.length).toBeGreaterThan(50);
  expect(results.filter(({ status }) => status !== 'ok')).toEqual([]);
});

test('operations have names and variables', async () => {
  const { url } = await start();
  const query =
    'query A($t: BillType! = ALL) { bill(type: $t) { id } } query B { detections { id } }';
  const parameters = { query, operationName: 'A', variables: '{"t":"PAID"}' };
  const reply = await send(`${url}/graphql?${new URLSearchParams(parameters)}`);
  expect(resultOf(reply)).toEqual({ data: { bill: { id: '2026-11-19:PAID' } } });
});

test('a client can request the schema', async () => {
  const { data } = resultOf(await post(await start(), getIntrospectionQuery()));
  const names = data.__schema.types.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['Ride', 'SearchResult', 'BookingInput', 'Upload']));
});

/** Section 3.13 of the specification of September 2025. */
const LOCATIONS = [
  'QUERY',
  'MUTATION',
  'SUBSCRIPTION',
  'FIELD',
  'FRAGMENT_DEFINITION',
  'FRAGMENT_SPREAD',
  'INLINE_FRAGMENT',
  'VARIABLE_DEFINITION',
  'SCHEMA',
  'SCALAR',
  'OBJECT',
  'FIELD_DEFINITION',
  'ARGUMENT_DEFINITION',
  'INTERFACE',
  'UNION',
  'ENUM',
  'ENUM_VALUE',
  'INPUT_OBJECT',
  'INPUT_FIELD_DEFINITION',
];

test('the schema has only the directive locations of the specification', async () => {
  const query = `{
    __schema { directives { name locations } }
    __type(name: "__DirectiveLocation") { enumValues { name } }
  }`;
  const { data } = resultOf(await post(await start(), query));
  const { directives } = data.__schema;
  for (const { locations } of directives)
    expect(LOCATIONS).toEqual(expect.arrayContaining(locations));
  expect(directives.map(({ name }: { name: string }) => name).sort()).toEqual(
    specifiedDirectives.map(({ name }) => name).sort(),
  );
  expect(data.__type.enumValues).toEqual(LOCATIONS.map((name) => ({ name })));
});

describe('a document', () => {
  test.each([
    ['{', 'Syntax Error: Expected Name, found <EOF>.'],
    ['{ bill { nothing } }', 'Cannot query field "nothing" on type "Bill".'],
    ['{ bill(type: null) { id } }', 'Expected value of type "BillType!", found null.'],
    [`{ ${'bill { id } '.repeat(5000)} }`, expect.stringContaining('10000 tokens')],
    [`{ bills(last: ${'['.repeat(4900)}${']'.repeat(4900)}) { id } }`, expect.any(String)],
  ])('of the kind %# is an error', async (query, message) => {
    const sandbox = await start();
    const strict = { Accept: 'application/graphql-response+json' };
    const reply = await post(sandbox, query, {}, strict);
    expect([reply.status, messageOf(reply)]).toEqual([400, message]);
    expect(messageOf(await post(sandbox, query))).toEqual(message);
  });
});

describe('an invalid request', () => {
  test.each([
    ['not JSON', '{"query"', 400, 'Unparsable JSON body'],
    ['a number', '1', 400, 'JSON body must be an object'],
    ['nothing', '', 400, 'Missing body'],
    ['no query', '{}', 400, 'Missing query'],
    [
      'GBK',
      Buffer.from([0x22, 0xba, 0xbc, 0x22]),
      400,
      'the body is not UTF-8 text; it looks like GBK',
    ],
    ['more than 1 MiB', Buffer.alloc(1024 * 1024 + 1, 0x20), 413, 'the body has more than 1 MiB'],
  ])('such as %s is refused', async (_, body, status, message) => {
    const { url } = await start();
    for (const accept of ['*/*', 'text/event-stream']) {
      const headers = { 'Content-Type': 'application/json', Accept: accept };
      const reply = await send(`${url}/graphql`, { method: 'POST', headers, body });
      expect(reply.status).toBe(status);
      expect(reply.headers['content-type']).toBe(JSON_TYPE);
      expect(resultOf(reply)).toEqual({ errors: [{ message: expect.any(String) }] });
      if (accept === '*/*') expect(messageOf(reply)).toBe(message);
    }
  });

  test('has the documented status', async () => {
    const sandbox = await start();
    const { url } = sandbox;
    const statusOf = async (method: string, headers = {}): Promise<number> =>
      (await send(`${url}/graphql`, { method, headers })).status;
    expect(await statusOf('GET')).toBe(400);
    expect(await statusOf('OPTIONS')).toBe(405);
    expect(await statusOf('PUT')).toBe(405);
    expect(await statusOf('HEAD')).toBe(405);
    expect(await statusOf('POST', { 'Content-Type': 'text/plain' })).toBe(415);
    const mutation = await get(sandbox, 'mutation { detect(text: "a") { id } }');
    expect([mutation.status, mutation.headers.allow]).toEqual([405, 'POST']);
  });
});

describe('a protocol that is not supported', () => {
  const BATCH = 'batching is not supported: send one operation per request';
  const SINGLE_CONNECTION =
    'the single-connection mode of GraphQL over SSE is not supported: open a connection per operation';
  const TOKEN = { 'X-GraphQL-Event-Stream-Token': 'a' };
  const ONE = { query: QUERY };

  test.each<[string, string, object | undefined, Record<string, string>, number, string]>([
    ['a batch', 'POST', [ONE, ONE], {}, 400, BATCH],
    ['a batch of one', 'POST', [ONE], {}, 400, BATCH],
    ['an empty batch', 'POST', [], {}, 400, BATCH],
    ['a token', 'PUT', undefined, { Accept: 'text/plain' }, 405, SINGLE_CONNECTION],
    ['the end of an operation', 'DELETE', undefined, TOKEN, 405, SINGLE_CONNECTION],
    ['an operation of a token', 'POST', ONE, TOKEN, 400, SINGLE_CONNECTION],
    ['a stream of a token', 'GET', undefined, TOKEN, 400, SINGLE_CONNECTION],
  ])('is refused: %s', async (_, method, body, headers, status, message) => {
    const { url } = await start();
    const type = body && { 'Content-Type': 'application/json' };
    const text = body && JSON.stringify(body);
    const options = { method, headers: { ...type, ...headers }, ...(text && { body: text }) };
    const reply = await send(`${url}/graphql`, options);
    expect([reply.status, resultOf(reply)]).toEqual([status, { errors: [{ message }] }]);
    expect(reply.headers.allow).toBe(status === 405 ? 'GET, POST' : undefined);
  });

  test('persisted queries: clients then send the document', async () => {
    const { url } = await start();
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } };
    const json = (body: object) => ({
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const parameters = new URLSearchParams({ extensions: JSON.stringify(extensions) });
    const errors = [
      {
        message: 'PersistedQueryNotSupported',
        extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' },
      },
    ];
    for (const reply of [
      await send(`${url}/graphql`, json({ extensions })),
      await send(`${url}/graphql?${parameters}`),
    ]) {
      expect([reply.status, resultOf(reply)]).toEqual([200, { errors }]);
    }
    const whole = await send(`${url}/graphql`, json({ query: QUERY, extensions }));
    expect(resultOf(whole)).toEqual(RESULT);
  });
});

describe('a client that accepts no available type gets the list of types', () => {
  test.each([
    [
      QUERY,
      'text/html',
      'a result is sent as application/json, application/graphql-response+json, text/event-stream; Accept includes none of them',
    ],
    [
      'subscription { detected { id } }',
      'application/json, multipart/mixed',
      'a subscription is sent as text/event-stream, which Accept does not include; WebSockets (graphql-transport-ws) work as well',
    ],
  ])('%s', async (query, accept, message) => {
    const reply = await post(await start(), query, {}, { Accept: accept });
    expect([reply.status, reply.headers['content-type']]).toEqual([406, JSON_TYPE]);
    expect(resultOf(reply)).toEqual({ errors: [{ message }] });
  });
});

describe('a page of another site', () => {
  test.each([
    ['on another host', { Origin: 'https://evil.example' }],
    ['at another port', { Origin: 'http://127.0.0.1:1' }],
    ['in a sandboxed frame', { Origin: 'null' }],
    ['with Sec-Fetch-Site', { 'Sec-Fetch-Site': 'cross-site' }],
    [
      'with another host name (DNS rebinding)',
      { Host: 'evil.example', Origin: 'http://evil.example' },
    ],
  ])('%s is refused', async (_, headers) => {
    const sandbox = await start();
    const errors = [{ message: 'requests from other web sites are refused' }];
    for (const reply of [
      await post(sandbox, QUERY, {}, headers),
      await get(sandbox, QUERY, headers),
    ]) {
      expect([reply.status, resultOf(reply)]).toEqual([403, { errors }]);
    }
  });

  test('cannot read by DNS rebinding, without an Origin header', async () => {
    const sandbox = await start();
    expect((await get(sandbox, QUERY, { Host: 'evil.example' })).status).toBe(403);
  });

  test('gets no CORS permission', async () => {
    const { url } = await start();
    const headers = { Origin: 'http://localhost:3000', 'Access-Control-Request-Method': 'POST' };
    const reply = await send(`${url}/graphql`, { method: 'OPTIONS', headers });
    expect(reply.status).toBe(403);
    expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('does not include a page of the sandbox', async () => {
    const sandbox = await start();
    const own = { Origin: sandbox.url, 'Sec-Fetch-Site': 'same-origin' };
    expect(resultOf(await post(sandbox, QUERY, {}, own))).toEqual(RESULT);
    const { port } = new URL(sandbox.url);
    expect(resultOf(await get(sandbox, QUERY, { Host: `localhost:${port}` }))).toEqual(RESULT);
  });
});

test('the fault http applies', async () => {
  const sandbox = await start({ faults: [{ name: 'http', value: 503, count: 1 }] });
  const reply = await post(sandbox, QUERY);
  expect([reply.status, reply.headers['retry-after']]).toEqual([503, '1']);
  expect(resultOf(await post(sandbox, QUERY))).toEqual(RESULT);
});

test('the log contains GraphQL requests', async () => {
  const entries: LogEntry[] = [];
  const sandbox = await start({ log: (entry) => entries.push(entry) });
  await get(sandbox, QUERY);
  await post(sandbox, QUERY, {}, { Origin: 'null' });
  expect(entries).toMatchObject([
    { method: 'GET', path: '/graphql', status: 200, error: undefined },
    { method: 'POST', path: '/graphql', status: 403, error: undefined },
  ]);
});

test('refuses fields that fragments multiply', async () => {
  const sandbox = await start({ rows: 150 });
  const answer = resultOf(await post(sandbox, multiplied('nodes { ...F }')));
  expect(answer.errors?.[0]?.message).toBe('the operation selects too many fields: split it');
});
