import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { GraphqlClient } from '../../src/graphql/client.ts';
import { Transport } from '../../src/http/transport.ts';
import { printJson } from '../../src/json/print.ts';
import { closedPort } from '../http/support.ts';
import { answering, endpoint, failureOf, parseObject, printed, QUERY } from './support.ts';

const DATA = '{"data":{"a":1}}';
const MUTATION = { kind: 'mutation', query: 'mutation { a }' } as const;
const variables = parseObject('{"v":1.0,"name":"名字"}');

describe('send', () => {
  it('posts JSON, with all digits', async () => {
    const { client, requests } = await endpoint(answering(200, DATA));
    await client.send({ ...QUERY, operationName: 'A', variables });
    const [request] = requests;
    expect(request?.headers).not.toHaveProperty('apollo-require-preflight');
    expect(request).toMatchObject({
      method: 'POST',
      path: '/graphql',
      body: '{"query":"{ a }","operationName":"A","variables":{"v":1.0,"name":"名字"}}',
      headers: {
        'content-type': 'application/json',
        accept: expect.stringMatching(/^application\/graphql-response\+json, application\/json/),
      },
    });
  });

  it('sends a GET request on demand', async () => {
    const { client, requests } = await endpoint(answering(200, DATA));
    await client.send({ ...QUERY, variables }, { get: true });
    const [request] = requests;
    expect([request?.method, request?.body]).toEqual(['GET', '']);
    expect(request?.headers['content-type']).toBeUndefined();
    expect(request?.headers['apollo-require-preflight']).toBe('true');
    const { searchParams } = new URL(request?.path ?? '', 'http://x');
    expect(Object.fromEntries(searchParams)).toEqual({
      query: '{ a }',
      variables: '{"v":1.0,"name":"名字"}',
    });
  });

  it('prefers the headers of the caller', async () => {
    const headers = [
      ['aCCEPT', 'application/json'],
      ['X-Trace', '1'],
    ] as const;
    const { client, requests } = await endpoint(answering(200, DATA), { headers });
    await client.send(QUERY);
    const raw = requests[0]?.rawHeaders ?? [];
    const names = raw.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
    expect(names.filter((name) => name === 'accept')).toHaveLength(1);
    expect(raw).toEqual(expect.arrayContaining(['aCCEPT', 'X-Trace', 'Content-Type']));
  });

  it('describes a request without sending it', async () => {
    const { client, url } = await endpoint(answering(200, DATA));
    const { body, ...post } = client.httpRequest(QUERY);
    expect([post.method, post.url.href, body]).toEqual([
      'POST',
      `${url}/graphql`,
      '{"query":"{ a }"}',
    ]);
    const get = client.httpRequest(QUERY, { get: true, isStream: true });
    expect([get.method, get.url.search, 'body' in get]).toEqual(['GET', '?query=%7B+a+%7D', false]);
    expect(get.headers).toEqual([
      ['Apollo-Require-Preflight', 'true'],
      ['Accept', 'text/event-stream'],
    ]);
  });
});

describe('@defer and @stream', () => {
  const DEFERRED = { kind: 'query', query: '{ a ... @defer { b } }' } as const;
  const FIRST = '{"data":{"a":1.0},"hasNext":true}';
  const LAST = '{"incremental":[{"path":[],"data":{"b":1e2}}],"hasNext":false}';
  const WHOLE = '{"data":{"a":1.0,"b":1e2}}';
  const MULTIPART = { 'Content-Type': 'multipart/mixed; boundary="-"; deferSpec=20220824' };
  const multipart = (...parts: readonly string[]): string =>
    `\r\n---${parts.map((part) => `\r\ncontent-type: application/json\r\n\r\n${part}\r\n---`).join('')}--\r\n`;

  it.each([
    ['a multipart response', MULTIPART, multipart(FIRST, LAST)],
    [
      'events',
      { 'Content-Type': 'text/event-stream' },
      `:\n\nevent: next\ndata: ${FIRST}\n\ndata: ${LAST}\n\nevent: complete\ndata:\n\n`,
    ],
  ])('are requested and read as %s', async (_, headers, body) => {
    const { client, requests, trace } = await endpoint(answering(200, body, headers));
    expect(printJson((await client.send(DEFERRED)).json)).toBe(WHOLE);
    expect(await printed(client.parts(DEFERRED))).toEqual([FIRST, LAST]);
    expect(await printed(client.events(DEFERRED))).toEqual([WHOLE]);
    expect(requests.map((request) => request.headers.accept)).toEqual([
      expect.stringMatching(
        /^multipart\/mixed; incrementalSpec=v0.2, .+, application\/json;q=0.6$/,
      ),
      requests[0]?.headers.accept,
      'text/event-stream',
    ]);
    expect(trace.join('\n')).toContain(LAST);
  });

  it('may be ignored by the server', async () => {
    const { client } = await endpoint(answering(200, WHOLE));
    expect(printJson((await client.send(DEFERRED)).json)).toBe(WHOLE);
    expect(await printed(client.parts(DEFERRED))).toEqual([WHOLE]);
  });

  it('that end early are retried', async () => {
    const { client, requests } = await endpoint((request, response, index) => {
      const body = multipart(FIRST, LAST);
      return answering(200, index === 0 ? body.slice(0, 90) : body, MULTIPART)(
        request,
        response,
        index,
      );
    });
    expect(printJson((await client.send(DEFERRED)).json)).toBe(WHOLE);
    expect(requests).toHaveLength(2);
  });
});

describe('an answer of a server that compresses without being asked', () => {
  const JSON_BODY = '{"data":{"a":1}}';
  const STREAM = 'Text/Event-Stream; x="a;b"; charset="utf-8"';
  const PARTS = 'multipart/mixed; charset="utf-8"; Boundary="a b"; deferSpec=20220824';

  it.each<[type: string, body: string, status?: number]>([
    ['application/json; charset="utf-8"', JSON_BODY],
    ['application/json', JSON_BODY, 400],
    [STREAM, `data: ${JSON_BODY}\n\nevent: complete\n\n`],
    [PARTS, `--a b\r\n\r\n${JSON_BODY}\r\n--a b--`],
  ])('is decoded with and without Content-Encoding: %s', async (type, body, status = 200) => {
    for (const headers of [{ 'Content-Encoding': 'gzip' }, { 'Content-Encoding': '' }, {}]) {
      const handler = answering(status, gzipSync(body), { 'Content-Type': type, ...headers });
      const { client } = await endpoint(handler);
      expect(printJson((await client.send(QUERY)).json)).toBe(JSON_BODY);
    }
  });
});

describe('a network error', () => {
  const busy = answering(503, 'busy', { 'Retry-After': '2' });

  it.each([
    ['a query', QUERY, undefined, 5],
    ['a query with a limit', QUERY, 1, 2],
    ['a mutation that may have arrived', MUTATION, undefined, 1],
    ['a mutation with explicit retries', MUTATION, 2, 3],
  ])('limits the attempts of %s', async (_, request, retries, count) => {
    const { client, requests, waits } = await endpoint(busy, { retries });
    const error = await failureOf(() => client.send(request));
    expect([error.code, error.details.httpStatus]).toEqual(['network', 503]);
    expect(requests).toHaveLength(count);
    expect(waits).toHaveLength(count - 1);
    for (const wait of waits) expect(wait).toBeGreaterThanOrEqual(2000);
  });

  it('is HTTP 503 with a body of any type', async () => {
    for (const type of ['text/event-stream', 'multipart/mixed']) {
      const headers = { 'Content-Type': type };
      const { client } = await endpoint(answering(503, 'busy', headers), { retries: 0 });
      const { code, details } = await failureOf(() => client.send(QUERY));
      expect([code, details.httpStatus]).toEqual(['network', 503]);
    }
  });

  it('is not reported after a successful retry', async () => {
    const { client } = await endpoint((request, response, index) =>
      (index === 0 ? busy : answering(200, DATA))(request, response, index),
    );
    expect(printJson((await client.send(QUERY)).json)).toBe(DATA);
  });

  it('retries a mutation that was not sent', async () => {
    const address = { endpoint: `http://127.0.0.1:${await closedPort()}` };
    const { client, waits } = await endpoint(answering(200), address);
    const error = await failureOf(() => client.send(MUTATION));
    expect([error.code, error.details.sent, waits.length]).toEqual(['network', false, 4]);
  });

  it.each([400, 401, 404])('is not HTTP %d', async (status) => {
    const { client, requests } = await endpoint(answering(status, 'no'));
    expect((await failureOf(() => client.send(QUERY))).code).toBe('api');
    expect(requests).toHaveLength(1);
  });
});

describe('events', () => {
  it('accept the single response of a server without streams', async () => {
    const { client, requests } = await endpoint(answering(200, DATA));
    expect(await printed(client.events({ ...QUERY, variables }))).toEqual([DATA]);
    expect(requests[0]?.headers.accept).toBe('text/event-stream');
  });

  it.each([
    [404, 'api'],
    [503, 'network'],
  ])('are not retried after HTTP %d', async (status, code) => {
    const { client, requests } = await endpoint(answering(status, 'no'));
    expect((await failureOf(() => printed(client.events(QUERY)))).code).toBe(code);
    expect(requests).toHaveLength(1);
  });

  it('end the exchange when the reader stops', async () => {
    let closed: Promise<unknown> | undefined;
    const { client } = await endpoint((_, response) => {
      closed = once(response, 'close');
      response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
      response.write(`event: next\ndata: ${DATA}\n\n`);
    });
    for await (const { json } of client.events(QUERY)) {
      expect(printJson(json)).toBe(DATA);
      break;
    }
    await closed;
  });

  it('may pause longer than other exchanges', async () => {
    // The pause is longer than the time-out.
    const { client } = await endpoint(
      (_, response) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write(': hello\n\n');
        setTimeout(() => response.end(`data: ${DATA}\n\nevent: complete\ndata:\n\n`), 1200);
      },
      {},
      { timeoutSeconds: 0.5 },
    );
    expect(await printed(client.events(QUERY))).toEqual([DATA]);
  });
});

describe('a client', () => {
  it.each(['', 'h.example', 'ftp://h.example', 'https://u:p@h.example', 'https://h.example/#a'])(
    'rejects the endpoint %j',
    async (endpoint) => {
      const make = () => new GraphqlClient({ endpoint, transport: new Transport() });
      const { code, details } = await failureOf(make);
      expect([code, details.hint]).toEqual([
        'config',
        expect.stringContaining('https://HOST/graphql'),
      ]);
    },
  );

  it.each(['http://h.example/graphql', 'ws://h.example/graphql'])(
    'sends no credential to %s',
    async (endpoint) => {
      const headers = [['Authorization', 'canary']] as const;
      const make = () => new GraphqlClient({ endpoint, transport: new Transport(), headers });
      const { code, message } = await failureOf(make);
      expect([code, message]).toEqual(['usage', expect.not.stringContaining('canary')]);
    },
  );

  it.each([
    'https://h.example/',
    'wss://h.example',
    'http://127.0.0.1:1',
    'ws://localhost:1/a?b=c',
  ])('sends a credential to %s', (endpoint) => {
    const headers = [['Authorization', 'canary']] as const;
    const client = new GraphqlClient({ endpoint, transport: new Transport(), headers });
    expect(client.endpoint.href).toBe(new URL(endpoint).href);
  });
});
