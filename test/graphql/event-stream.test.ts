import { createServer } from 'node:http';
import { buildSchema, parse } from 'graphql';
import { createHandler } from 'graphql-sse/lib/use/http';
import { describe, expect, it } from 'vitest';
import { eventStream } from '../../src/graphql/result-stream.ts';
import { listen } from '../support/server.ts';
import {
  endpoint,
  failureOf,
  parseObject,
  printed,
  QUERY,
  streamOf,
  untilFailure,
} from './support.ts';

const REQUEST = { method: 'POST', url: new URL('https://h.example/graphql'), headers: [] } as const;

function responsesIn(text: string, secrets: readonly string[] = []) {
  return eventStream(streamOf([Buffer.from(text)]), { ...REQUEST, secrets });
}

const COMPLETE = 'event: complete\ndata:\n\n';
const A = '{"data":{"a":1.0}}';
const B = '{"data":{"b":"名字 🚕"}}';
const ERRORS = '{"errors":[{"message":"no"}]}';

describe('an event', () => {
  it.each([
    ['with the name next', `event: next\ndata: ${A}\n\n`, [A]],
    ['without a name', `data: ${A}\n\n`, [A]],
    ['without a space', `event:next\ndata:${A}\n\n`, [A]],
    ['with its data first', `data: ${A}\nevent: next\n\n`, [A]],
    ['in several lines', 'event: next\ndata: {"data":\ndata: {"a":\ndata:1.0}}\n\n', [A]],
    ['with an id and more', `id: 7\nretry: 10\nfoo: bar\nevent: next\ndata: ${A}\n\n`, [A]],
    ['after a comment', `: hello\n\n:\n\nevent: next\n: data: no\ndata: ${A}\n\n`, [A]],
    ['after a byte order mark', `\ufeffdata: ${A}\n\n`, [A]],
    ['about the connection', `event: ping\ndata: x\n\nevent: connected\ndata: {}\n\n`, []],
    ['with the name message', `event: message\ndata: ${A}\n\n`, [A]],
    ['with another name', `event: data\ndata: ${A}\n\nevent: data\ndata:\n\n`, [A]],
    ['with errors at the end', `event: complete\ndata: ${ERRORS}\n\n`, [ERRORS]],
    ['with other data at the end', `data: ${A}\n\nevent: complete\ndata: {}\n\n`, [A]],
    ['with a result at the end', `data: ${A}\n\nevent: complete\ndata: ${B}\n\n`, [A, B]],
    [
      'between events with another name',
      `data: ${A}\n\nevent: ping\ndata:\n\ndata: ${B}\n\n`,
      [A, B],
    ],
    ['without data', 'event: next\n\n', []],
    ['with errors', `data: ${ERRORS}\n\n`, [ERRORS]],
    [
      'with all digits',
      'data: {"data":{"n":12345678901234567890,"e":1e2,"z":-0}}\n\n',
      ['{"data":{"n":12345678901234567890,"e":1e2,"z":-0}}'],
    ],
  ])('%s', async (_, text, responses) => {
    for (const end of ['\n', '\r\n', '\r']) {
      const stream = (text + COMPLETE).replaceAll('\n', end);
      expect(await printed(responsesIn(stream))).toEqual(responses);
    }
  });

  it.each(['garbage', '', '{', '[]', '{"errors":"no"}', '{}', 'null'])(
    'with %j is not a response',
    async (data) => {
      const text = `data: ${A}\n\nevent: next\ndata: ${data}\n\n${COMPLETE}`;
      const { came, error } = await untilFailure(responsesIn(text));
      expect(came).toEqual([A]);
      expect(error.code).toBe('api');
      expect(error.message).toMatch(/^h\.example sent an event that is not a GraphQL response: /);
    },
  );

  it.each(['error', 'NEXT', 'complete'])('called %s with other data is refused', async (name) => {
    const text = `data: ${A}\n\nevent: ${name}\ndata: [{"message":"boom"}]\n\n${COMPLETE}`;
    const { came, error } = await untilFailure(responsesIn(text));
    expect([came, error.code]).toEqual([[A], 'api']);
    expect(error.message).toContain(`an event "${name}" that is not a GraphQL response: "[`);
  });

  it('does not repeat a secret that is echoed', async () => {
    const text = 'data: who is canary-1?\n\n';
    const { message } = await failureOf(() => printed(responsesIn(text, ['canary-1'])));
    expect(message).toContain('who is <redacted>?');
  });
});

describe('a stream', () => {
  it.each(['\n', '\r\n'])('may be cut anywhere, with line ends %j', async (end) => {
    const text = `: hi\n\nevent: next\ndata: ${A}\n\ndata: {"data":\ndata: {"b":"名字 🚕"}}\n\n`;
    const bytes = Buffer.from((text + COMPLETE).replaceAll('\n', end));
    const wanted = [A, '{"data":{"b":"名字 🚕"}}'];
    for (let at = 0; at <= bytes.length; at++) {
      const halves = [bytes.subarray(0, at), bytes.subarray(at)];
      expect(await printed(eventStream(streamOf(halves), REQUEST))).toEqual(wanted);
    }
    const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    expect(await printed(eventStream(streamOf(single), REQUEST))).toEqual(wanted);
  });

  it('ends with the event complete and ignores later bytes', async () => {
    const stream = streamOf([Buffer.from(`data: ${A}\n\n${COMPLETE}data: ${B}\n\ngarbage`)]);
    expect(await printed(eventStream(stream, REQUEST))).toEqual([A]);
    expect(stream.discarded()).toBe(1);
  });

  // gqlgen and Hot Chocolate send it. The standard of event streams drops such an event.
  it('ends with the event complete without data', async () => {
    expect(await printed(responsesIn(`data: ${A}\n\nevent: complete\n\n`))).toEqual([A]);
  });

  it.each([
    ['immediately', '', []],
    ['between events', `data: ${A}\n\n`, [A]],
    ['in an event', `data: ${A}\n\ndata: ${B}`, [A]],
    ['in a line', `data: ${A}\n\neve`, [A]],
    ['in the last event', `data: ${A}\n\nevent: complete\ndata:`, [A]],
  ])('that ends too early is an error: %s', async (_, text, responses) => {
    const { came, error } = await untilFailure(responsesIn(text));
    expect(came).toEqual(responses);
    expect([error.code, error.message]).toEqual([
      'network',
      'h.example ended the stream before the operation completed',
    ]);
  });

  it('yields each event as it arrives', async () => {
    const parts: string[] = [];
    const chunks = (function* () {
      for (const part of [`data: ${A}\n\n`, `data: ${B}\n\n`, COMPLETE]) {
        parts.push(part);
        yield Buffer.from(part);
      }
    })();
    const responses = eventStream(streamOf(chunks), REQUEST);
    await responses.next();
    expect(parts).toHaveLength(1);
    await responses.next();
    expect(parts).toHaveLength(2);
    expect((await responses.next()).done).toBe(true);
  });

  it('is closed when the reader stops', async () => {
    const stream = streamOf([Buffer.from(`data: ${A}\n\n`), Buffer.from(`data: ${B}\n\n`)]);
    for await (const _ of eventStream(stream, REQUEST)) break;
    expect(stream.discarded()).toBe(1);
  });
});

describe('over HTTP', () => {
  const SSE = { 'Content-Type': 'text/event-stream' };

  it('speaks with graphql-sse', async () => {
    const schema = buildSchema(
      'type Query { a(n: Int): Int } type Subscription { count(to: Int!): Int }',
    );
    const handler = createHandler({
      schema,
      onSubscribe: (_, { variables, query }) => ({
        schema,
        document: parse(query),
        variableValues: variables,
        contextValue: undefined,
        rootValue: {
          a: ({ n }: { n: number }) => n,
          async *count({ to }: { to: number }) {
            for (let count = 1; count <= to; count++) yield { count };
          },
        },
      }),
    });
    const port = await listen(createServer((request, response) => void handler(request, response)));
    const { client } = await endpoint(() => {}, { endpoint: `http://127.0.0.1:${port}/graphql` });
    const query = 'subscription ($to: Int!) { count(to: $to) }';
    const variables = parseObject('{"to":3}');
    for (const get of [false, true]) {
      const request = { kind: 'subscription', query, variables } as const;
      expect(await printed(client.events(request, { get }))).toEqual(
        [1, 2, 3].map((count) => `{"data":{"count":${count}}}`),
      );
    }
    expect(await printed(client.events({ kind: 'query', query: '{ a(n: 7) }' }))).toEqual([
      '{"data":{"a":7}}',
    ]);
    expect(await printed(client.events({ kind: 'query', query: '{ b }' }))).toEqual([
      expect.stringContaining('Cannot query field'),
    ]);
  });

  it('distinguishes a broken connection from the end of the stream', async () => {
    const { client } = await endpoint((_, response) => {
      response.writeHead(200, SSE).write(`data: ${A}\n\n`, () => response.destroy());
    });
    const { came, error } = await untilFailure(client.events(QUERY));
    expect([came, error.code]).toEqual([[A], 'network']);
    expect(error.message).toContain('broke');
  });

  it('shows no credential that a server echoes', async () => {
    const headers = [['X-Api-Key', 'canary-1']] as const;
    const { client, trace } = await endpoint(
      ({ headers }, response) =>
        response.writeHead(200, SSE).end(`data: ${headers['x-api-key']}\n\n`),
      { headers },
    );
    const { message } = await failureOf(() => printed(client.events(QUERY)));
    expect([message, ...trace].join('\n')).not.toContain('canary');
  });
});
