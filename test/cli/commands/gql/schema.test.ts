import { buildSchema } from 'graphql';
import { createHandler } from 'graphql-http/lib/use/http';
import { describe, expect, it } from 'vitest';
import { errorOf } from '../../../support/cli.ts';
import { checkRows } from '../../../support/rows.ts';
import type { Handler } from '../../../support/server.ts';
import { expectFailure, file } from '../../support.ts';
import { answer, executing, gql, SDL, sentTo, served, service } from './support.ts';

describe('mop gql schema', () => {
  it('prints the SDL of a file', async () => {
    const path = await file(SDL);
    expect(await gql('schema', path)).toMatchObject({ code: 0, stdout: SDL, stderr: '' });
    expect((await gql('schema', path, '--as', 'sdl')).stdout).toBe(SDL);
  });

  it('keeps the directives of the file', async () => {
    const sdl =
      'directive @key(fields: String!) on OBJECT\n\ntype Query @key(fields: "a") {\n  a: Int\n}\n';
    expect((await gql('schema', await file(sdl))).stdout).toBe(sdl);
  });

  it('prints introspection JSON, which is the same schema', async () => {
    const path = await file(SDL);
    for (const args of [['--as', 'json'], ['--json'], ['--as', 'json', '--json']]) {
      const { code, stdout, stderr } = await gql('schema', path, ...args);
      expect([code, stderr]).toEqual([0, '']);
      expect(Object.keys(JSON.parse(stdout))).toEqual(['__schema']);
      expect((await gql('schema', await file(stdout))).stdout).toBe(SDL);
      expect((await gql('diff', path, await file(stdout), '--json')).stdout).toBe(
        '{"breaking":[],"deprecated_removals":[],"dangerous":[],"informational":[],"not_compared":["directives"]}\n',
      );
    }
    const sdl = await gql('schema', path, '--as', 'sdl', '--json');
    expect(JSON.parse(sdl.stdout).trim()).toBe(SDL.trim());
  });

  it('keeps descriptions, deprecated arguments, @oneOf and @specifiedBy', async () => {
    const sdl = `"""All of it."""
schema {
  query: Root
}

directive @many(a: Int = 1 @deprecated(reason: "old")) repeatable on FIELD

type Root {
  a(by: By!, old: Int @deprecated(reason: "no")): Day
}

input By @oneOf {
  id: ID
  name: String
}

scalar Day @specifiedBy(url: "https://day.example")
`;
    const path = await file(sdl);
    const json = await gql('schema', path, '--as', 'json');
    expect((await gql('schema', await file(json.stdout))).stdout).toBe(sdl);
  });

  it('reads from an endpoint', async () => {
    const { gql: asked, endpoint, requests } = await service(executing(buildSchema(SDL)));
    for (const args of [['schema', endpoint], ['schema'], ['schema', '--endpoint', endpoint]]) {
      const world = args.length === 1 ? {} : { env: { MOP_GQL_URL: '' } };
      expect(await asked(args, world)).toMatchObject({ code: 0, stdout: SDL, stderr: '' });
    }
    expect(sentTo({ requests })).toEqual(
      Array(3).fill({
        query: expect.stringContaining('query IntrospectionQuery'),
        operationName: 'IntrospectionQuery',
      }),
    );
    expect(requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST']);
  });

  it('reads from the server of graphql-http', async () => {
    const endpoint = await served(createHandler({ schema: buildSchema(SDL) }));
    expect((await gql('schema', endpoint)).stdout).toBe(SDL);
    expect(JSON.parse((await gql('schema', endpoint, '--json')).stdout)).toHaveProperty('__schema');
  });

  it('reads from the sandbox', async () => {
    const { code, stdout } = await gql('schema', '--env', 'sandbox');
    expect(code).toBe(0);
    expect((await gql('schema', await file(stdout))).code).toBe(0);
  });

  it('sends headers', async () => {
    const { endpoint, requests } = await service(executing(buildSchema(SDL)));
    await gql(
      'schema',
      endpoint,
      '-H',
      'Authorization: Bearer x',
      '-H',
      'Accept: application/json',
    );
    expect(requests[0]?.headers).toMatchObject({
      authorization: 'Bearer x',
      accept: 'application/json',
    });
  });

  it('retries', async () => {
    const { endpoint, requests } = await service((request, response, index) =>
      index === 0
        ? response.writeHead(503).end()
        : executing(buildSchema(SDL))(request, response, index),
    );
    const { code, waits } = await gql('schema', endpoint);
    expect([code, waits.length, requests.length]).toEqual([0, 1, 2]);
  });

  /** Later features of introspection, and the errors of servers without them. */
  const NEWER: readonly (readonly [asked: RegExp, message: string])[] = [
    [/isOneOf/, 'Cannot query field "isOneOf" on type "__Type".'],
    [
      /(?:args|inputFields)\(includeDeprecated/,
      'Unknown argument "includeDeprecated" on field "__Type.inputFields".',
    ],
    [/specifiedByURL/, 'Cannot query field "specifiedByURL" on type "__Type".'],
    [/isRepeatable/, 'Cannot query field "isRepeatable" on type "__Directive".'],
    [/__schema\s*\{\s*description/, 'Cannot query field "description" on type "__Schema".'],
  ];

  /** A server that does not know some of that, and says it in its own way. */
  const old =
    (newer: typeof NEWER, complain: (messages: readonly string[]) => readonly string[]): Handler =>
    (request, response, index) => {
      const { query } = JSON.parse(request.body);
      const unknown = newer.filter(([asked]) => asked.test(query)).map(([, message]) => message);
      if (unknown.length === 0) return executing(buildSchema(SDL))(request, response, index);
      const errors = complain(unknown).map((message) => ({ message }));
      return answer({ errors }, 400)(request, response, index);
    };

  it('reads from an old server', () =>
    checkRows<[name: string, handler: Handler, requests: number]>(
      [
        ['reports all unknown fields', old(NEWER, (messages) => messages), 2],
        ['reports one unknown field at a time', old(NEWER, (messages) => messages.slice(0, 1)), 6],
        ['reports no field', old(NEWER, () => ['Bad Request']), 2],
        ['supports everything except @oneOf', old(NEWER.slice(0, 1), (messages) => messages), 2],
        [
          'does not support the description of a schema',
          old(NEWER.slice(-1), (messages) => messages),
          2,
        ],
        ['supports everything', old([], (messages) => messages), 1],
      ],
      async ([_, handler, count]) => {
        const { endpoint, requests } = await service(handler);
        const { code, stdout, stderr } = await gql('schema', endpoint);
        expect([code, stdout, stderr]).toEqual([0, SDL, '']);
        expect(requests).toHaveLength(count);
      },
    ));

  it.each([
    ['GraphQL introspection is not allowed by Apollo Server', 400],
    ['introspection disabled', 200],
    ['Cannot query field "__schema" on type "Query".', 200],
  ])('ends with 14 when introspection is disabled: %s', async (message, status) => {
    const { endpoint, requests } = await service(answer({ errors: [{ message }] }, status));
    const result = await gql('schema', endpoint);
    expectFailure(result, 14, message, 'introspection');
    expect(requests.length).toBeLessThanOrEqual(2);
    const json = await gql('schema', endpoint, '--json');
    expect([json.stdout, errorOf(json).code]).toEqual(['', 'graphql']);
  });

  it('refuses invalid arguments', () =>
    checkRows(
      [
        [['x.graphql', 'y.graphql'], 'too many arguments'],
        [['--as', 'xml'], '--as'],
        [['--get'], 'schema takes no --get'],
        [['--raw'], 'schema takes no --raw'],
        [['--schema', 'x'], 'schema takes no --schema'],
        [['/does/not/exist'], 'there is no such file'],
        [['--endpoint', 'ftp://h.example/'], 'it is not an http, https, ws or wss address'],
      ],
      async ([args, message]) => {
        const { code, stdout, stderr } = await gql('schema', ...args);
        expect([code, stdout]).toEqual([2, '']);
        expect(stderr).toContain(message);
      },
    ));

  it('without a source or an endpoint fails', async () => {
    expectFailure(await gql('schema'), 3, 'gql_url is not set');
  });
});
