import { createServer } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { execute, parse, subscribe } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { printJson } from '../../src/json/print.ts';
import { listen } from '../support/server.ts';
import { asObject, failureOf, parseObject, printed, responsesOf, schemaOf } from './support.ts';

describe('graphql-ws', () => {
  const schema = schemaOf(
    'type Query { a(n: Float): Float fail: Int } type Subscription { count(to: Int!): Int forever: Int }',
  );

  /** A server of graphql-ws that records the end of its endless subscription. */
  async function serveGraphql(onConnect?: (params: unknown) => boolean) {
    const server = createServer();
    let returned = (): void => {};
    const ended = new Promise<void>((resolve) => {
      returned = resolve;
    });
    const roots = {
      a: ({ n }: { n: number }) => n,
      fail: () => {
        throw new Error('no');
      },
      async *count({ to }: { to: number }) {
        for (let count = 1; count <= to; count++) yield { count };
      },
      async *forever() {
        try {
          for (let forever = 0; ; forever++) {
            yield { forever };
            await nextTurn();
          }
        } finally {
          returned();
        }
      },
    };
    const sockets = new WebSocketServer({ server, path: '/graphql' });
    useServer(
      {
        schema,
        roots: { query: roots, subscription: roots },
        execute,
        subscribe,
        onConnect: ({ connectionParams }) => onConnect?.(connectionParams),
      },
      sockets,
    );
    const url = new URL(`ws://127.0.0.1:${await listen(server)}/graphql`);
    return { url, sockets, ended };
  }

  it.each([
    [
      'subscription ($to: Int!) { count(to: $to) }',
      '{"to":3}',
      ['{"data":{"count":1}}', '{"data":{"count":2}}', '{"data":{"count":3}}'],
    ],
    ['subscription { count(to: 0) }', '{}', []],
    ['query ($n: Float) { a(n: $n) }', '{"n":1.5}', ['{"data":{"a":1.5}}']],
    [
      '{ fail }',
      '{}',
      [
        expect.stringMatching(
          /"errors":\[\{"message":"no".*"data":\{"fail":null\}|"data":\{"fail":null\}.*"errors":\[\{"message":"no"/,
        ),
      ],
    ],
    ['{ b }', '{}', [expect.stringContaining('{"errors":[{"message":"Cannot query field')]],
    ['subscription { count(to: "x") }', '{}', [expect.stringContaining('Int cannot represent')]],
  ])('executes %s', async (query, variables, responses) => {
    const kind = (parse(query).definitions[0] as { operation: 'query' | 'subscription' }).operation;
    const request = { kind, query, variables: parseObject(variables) };
    expect(await printed(responsesOf((await serveGraphql()).url, {}, request))).toEqual(responses);
  });

  it('ends a subscription when the reader stops', async () => {
    const server = await serveGraphql();
    const query = 'subscription { forever }';
    const came: string[] = [];
    for await (const { json } of responsesOf(server.url, {}, { kind: 'subscription', query })) {
      came.push(printJson(json));
      if (came.length === 3) break;
    }
    expect(came).toEqual([0, 1, 2].map((count) => `{"data":{"forever":${count}}}`));
    await server.ended;
  });

  it('may require parameters', async () => {
    const server = await serveGraphql((params) => JSON.stringify(params) === '{"token":"canary"}');
    const request = { kind: 'query', query: '{ a(n: 1) }' } as const;
    const error = await failureOf(() => printed(responsesOf(server.url, {}, request)));
    expect([error.code, error.message]).toEqual(['api', expect.stringContaining('4403')]);
    const connectionParams = asObject({ token: 'canary' });
    expect(await printed(responsesOf(server.url, { connectionParams }, request))).toEqual([
      '{"data":{"a":1}}',
    ]);
  });

  it('fails with another subprotocol', async () => {
    const server = createServer();
    const sockets = new WebSocketServer({ server, handleProtocols: () => 'graphql-ws' });
    const url = new URL(`ws://127.0.0.1:${await listen(server)}`);
    const error = await failureOf(() => printed(responsesOf(url)));
    expect([error.code, error.message]).toEqual(['api', expect.stringContaining('subprotocol')]);
    sockets.close();
  });
});
