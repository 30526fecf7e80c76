import { createServer } from 'node:http';
import { createHandler as createHttpHandler } from 'graphql-http/lib/use/http';
import { createHandler as createSseHandler } from 'graphql-sse/lib/use/http';
import { useServer } from 'graphql-ws/use/ws';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';
import { listen } from '../../../support/server.ts';
import { expectFailure } from '../../support.ts';
import { executableSchema, gqlAt, jsonLines, served, withResolvers } from './support.ts';

const SUBSCRIPTION = 'subscription { count }';

describe('the server of graphql-http', () => {
  const graphqlHttp = async () => {
    const handler = createHttpHandler({ schema: executableSchema() });
    const seen: (string | undefined)[] = [];
    const url = await served((request, response) => {
      seen.push(request.method);
      response.once('finish', () => seen.push(`${response.statusCode}`));
      return handler(request, response);
    });
    return { gql: gqlAt(url), seen };
  };

  it.each([
    ['a query', ['{ hello numbers }'], '{"hello":"hello world","numbers":[1,2,3]}', 'POST'],
    ['GET', ['{ hello }', '--get'], '{"hello":"hello world"}', 'GET'],
    [
      'variables',
      ['query A($n: String) { hi: hello(name: $n) }', '-F', 'n=5 杭州'],
      '{"hi":"hello 5 杭州"}',
      'POST',
    ],
    [
      'variables in the address',
      [
        'query A($n: String) { hi: hello(name: $n) } query B { hello }',
        '--operation',
        'A',
        '-f',
        'n=a+b&c',
        '--get',
      ],
      '{"hi":"hello a+b&c"}',
      'GET',
    ],
    ['a mutation', ['mutation ($by: Int!) { add(by: $by) }', '-F', 'by=3'], '{"add":3}', 'POST'],
  ])('executes %s', async (_, args, data, method) => {
    const { gql, seen } = await graphqlHttp();
    const { code, stdout, stderr } = await gql(args);
    expect([code, stdout, stderr]).toEqual([0, `{"data":${data}}\n`, '']);
    expect(seen).toEqual([method, '200']);
  });

  it.each([
    ['POST', []],
    ['GET', ['--get']],
  ])('answers an invalid document with HTTP 400: %s', async (method, args) => {
    const { gql, seen } = await graphqlHttp();
    const { code, stdout, stderr } = await gql(['{ hello nothing }', ...args]);
    expect(code).toBe(14);
    expect(JSON.parse(stdout).errors[0].message).toContain('Cannot query field "nothing"');
    expect(stderr).toMatch(
      /^mop: the response has an error: Cannot query field "nothing" on type "Query"\. \(document:1:9\)\nhint: .+\n$/,
    );
    expect(seen).toEqual([method, '400']);
  });

  it('answers with data and errors', async () => {
    const { gql, seen } = await graphqlHttp();
    const partial = await gql(['{\n  hello\n  bad: broken\n}']);
    expect(partial.code).toBe(14);
    expect(JSON.parse(partial.stdout).data).toEqual({ hello: 'hello world', bad: null });
    expect(partial.stderr).toContain('the response has an error: bad: it broke (document:3:3)\n');
    const allowed = await gql(['{ hello broken }', '--allow-partial', '--raw']);
    expect([allowed.code, allowed.stdout]).toEqual([0, '{"hello":"hello world","broken":null}\n']);
    const failed = await gql(['mutation { fail }']);
    expect([failed.code, JSON.parse(failed.stdout).data]).toEqual([14, { fail: null }]);
    expect(seen).toEqual(['POST', '200', 'POST', '200', 'POST', '200']);
  });

  it('refuses a subscription', async () => {
    const { gql, seen } = await graphqlHttp();
    const subscription = await gql(['subscription { count(to: 1) }']);
    expect(subscription.code).not.toBe(0);
    expect(seen).toHaveLength(2);
  });
});

describe('the server of graphql-sse', () => {
  async function graphqlSse() {
    const { promise: ended, resolve } = withResolvers();
    const handler = createSseHandler({ schema: executableSchema({ onEnd: () => resolve() }) });
    let count = 0;
    const endpoint = await served((request, response) => {
      count++;
      handler(request, response).catch(() => response.destroy());
    });
    return { gql: gqlAt(endpoint), ended, count: () => count };
  }

  it.each([
    ['POST', []],
    ['GET', ['--get']],
  ])('streams with %s', async (_, args) => {
    const { gql, count } = await graphqlSse();
    const document = 'subscription Up($to: Int!) { n: count(to: $to) }';
    const { code, stdout, stderr } = await gql([document, '-F', 'to=3', ...args]);
    expect([code, stderr, count()]).toEqual([0, '', 1]);
    expect(jsonLines(stdout)).toEqual([1, 2, 3].map((n) => ({ data: { n } })));
  });

  it('ends the subscription when --count is reached', async () => {
    const { gql, ended } = await graphqlSse();
    const { code, stdout } = await gql(['subscription { endless }', '--count', '2']);
    expect([code, jsonLines(stdout).length]).toEqual([0, 2]);
    await ended;
  });

  it('sends errors among its events', async () => {
    const { gql } = await graphqlSse();
    const { code, stdout, stderr } = await gql(['subscription { shaky }']);
    expect(code).toBe(14);
    expect(jsonLines(stdout).map(({ data }) => data)).toEqual([
      { shaky: 1 },
      { shaky: null },
      { shaky: 3 },
    ]);
    expect(stderr).toContain('shaky: the second broke (document:1:16)\n');
  });

  it.each([
    ['subscription { nothing }', 'Cannot query field "nothing"'],
    ['subscription { refused }', 'not for you'],
    ['subscription { count }', 'argument "to"'],
  ])('refuses %s', async (document, message) => {
    const { gql, count } = await graphqlSse();
    const { code, stderr } = await gql([document]);
    expect([code, count()]).toEqual([14, 1]);
    expect(stderr).toContain(message);
  });

  it('executes a query and a mutation', async () => {
    const { gql } = await graphqlSse();
    const sse = ['--transport', 'sse'];
    expect((await gql(['{ hello }', ...sse])).stdout).toBe('{"data":{"hello":"hello world"}}\n');
    expect((await gql(['mutation { add(by: 2) }', ...sse])).stdout).toBe('{"data":{"add":2}}\n');
    expect((await gql(['{ broken }', ...sse])).code).toBe(14);
  });
});

describe('the server of graphql-ws', () => {
  async function graphqlWs(allowed = true) {
    const { promise: ended, resolve } = withResolvers();
    const server = createServer();
    const webSockets = new WebSocketServer({ server });
    const params: unknown[] = [];
    const { promise: closed, resolve: close } = withResolvers<number>();
    const disposable = useServer(
      {
        schema: executableSchema({ onEnd: () => resolve() }),
        onConnect: ({ connectionParams }) => {
          params.push(connectionParams);
          return allowed;
        },
        onClose: (_, code) => {
          if (code !== undefined) close(code);
        },
      },
      webSockets,
    );
    onTestFinished(() => void disposable.dispose());
    const gql = gqlAt(`ws://127.0.0.1:${await listen(server)}/graphql`);
    return { gql, ended, params, closed };
  }

  it('streams', async () => {
    const { gql, closed } = await graphqlWs();
    const document = 'subscription Up($to: Int!) { n: count(to: $to) }';
    const { code, stdout, stderr } = await gql([document, '-F', 'to=3']);
    expect([code, stderr]).toEqual([0, '']);
    expect(jsonLines(stdout)).toEqual([1, 2, 3].map((n) => ({ data: { n } })));
    expect(await closed).toBe(1000);
  });

  it('ends the subscription when --count is reached', async () => {
    const { gql, ended, closed } = await graphqlWs();
    const { code, stdout } = await gql(['subscription { endless }', '--count', '2']);
    expect([code, jsonLines(stdout).length]).toEqual([0, 2]);
    await ended;
    expect(await closed).toBe(1000);
  });

  it('executes a query and a mutation', async () => {
    const { gql } = await graphqlWs();
    expect((await gql(['{ hello }'])).stdout).toBe('{"data":{"hello":"hello world"}}\n');
    expect((await gql(['mutation { add(by: 2) }'])).stdout).toBe('{"data":{"add":2}}\n');
    const partial = await gql(['{ hello broken }', '--allow-partial', '--raw']);
    expect([partial.code, partial.stdout]).toEqual([0, '{"hello":"hello world","broken":null}\n']);
  });

  it.each([
    ['subscription { nothing }', 'Cannot query field "nothing"'],
    ['subscription { refused }', 'not for you'],
  ])('refuses %s', async (document, message) => {
    const { gql } = await graphqlWs();
    const { code, stdout, stderr } = await gql([document]);
    expect([code, Object.keys(JSON.parse(stdout))]).toEqual([14, ['errors']]);
    expect(stderr).toContain(message);
  });

  it('sends errors among its results', async () => {
    const { gql } = await graphqlWs();
    const { code, stdout } = await gql(['subscription { shaky }']);
    expect([code, jsonLines(stdout).map(({ data }) => data.shaky)]).toEqual([14, [1, null, 3]]);
  });

  it('receives the connection parameters, and may refuse them', async () => {
    const { gql, params } = await graphqlWs(false);
    const result = await gql([SUBSCRIPTION, '--connection-params', '{"token":"t"}']);
    expectFailure(result, 5, '4403: Forbidden', '--connection-params');
    expect(params).toEqual([{ token: 't' }]);
  });
});
