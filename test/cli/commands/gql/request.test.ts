import { describe, expect, it } from 'vitest';
import { VERSION } from '../../../../src/version.ts';
import { proxyServer } from '../../../http/support.ts';
import { mop } from '../../../support/cli.ts';
import { checkRows } from '../../../support/rows.ts';
import type { Handler } from '../../../support/server.ts';
import { expectFailure } from '../../support.ts';
import { answer, gqlAt, service } from './support.ts';

const ACCEPT = 'application/graphql-response+json, application/json;q=0.9';

describe('a request', () => {
  it('has the parameters of an operation and no others', async () => {
    const { gql, requests } = await service();
    await gql(['{ a }']);
    await gql(['query A($n: Float) { a }', '-F', 'n=1.0']);
    await gql(['query ($n: Float) { a }', '--variables', '{}']);
    expect(requests.map(({ body }) => body)).toEqual([
      '{"query":"{ a }"}',
      '{"query":"query A($n: Float) { a }","operationName":"A","variables":{"n":1.0}}',
      '{"query":"query ($n: Float) { a }"}',
    ]);
  });

  it('is a POST of JSON with an Accept header', async () => {
    const { gql, requests } = await service();
    await gql(['{ a }']);
    const [{ method, path, headers } = {}] = requests as readonly Partial<(typeof requests)[0]>[];
    expect({ method, path }).toEqual({ method: 'POST', path: '/graphql' });
    expect(headers).toEqual({
      host: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      connection: expect.any(String),
      'content-type': 'application/json',
      'content-length': '17',
      accept: ACCEPT,
      'accept-encoding': 'identity',
      'user-agent': `mop/${VERSION}`,
    });
  });

  it('carries the headers of -H', () =>
    checkRows(
      [
        [['X-Trace: 1', 'X-Trace: 2'], 'x-trace', ['1', '2']],
        [['ACCEPT: application/json'], 'accept', ['application/json']],
        [
          ['content-TYPE: application/json; charset=utf-8'],
          'content-type',
          ['application/json; charset=utf-8'],
        ],
        [['User-Agent: me'], 'user-agent', ['me']],
        [['Authorization: Bearer a b'], 'authorization', ['Bearer a b']],
        [['X-Empty;'], 'x-empty', ['']],
      ],
      async ([lines, name, values]) => {
        const { gql, requests } = await service();
        const { code } = await gql(['{ a }', ...lines.flatMap((line) => ['-H', line])]);
        const raw = requests[0]?.rawHeaders ?? [];
        const sent = raw.flatMap((each, at) =>
          at % 2 === 0 && each.toLowerCase() === name ? [raw[at + 1]] : [],
        );
        expect([code, sent]).toEqual([0, values]);
      },
    ));

  it('with an invalid header is not sent', () =>
    checkRows(
      [
        ['no colon canary', "-H takes 'Name: value'"],
        ['Content-Length: 3', 'is set by mop'],
        ['Transfer-Encoding: chunked', 'is set by mop'],
        ['X-A: canary\r\nX-B: 1', 'cannot be sent'],
        ['X-A: 杭州', 'cannot be sent'],
        ['X(A): 1', 'cannot be sent'],
      ],
      async ([line, message]) => {
        const { gql, requests } = await service();
        const result = await gql(['{ a }', '-H', line]);
        expectFailure(result, 2, message);
        expect(result.stderr).not.toContain('canary');
        expect(requests).toEqual([]);
      },
    ));

  it('with --get has its parameters in the URL, after the existing query', async () => {
    const { gql, url, requests } = await service();
    const query = 'query A($n: Float, $s: String) { a(n: $n) }';
    const args = [query, '--get', '-F', 'n=1e2', '-f', 's=a+b&c=%20 杭'];
    const env = { MOP_GQL_URL: `${url}/graphql?tenant=a%20b&debug=1` };
    expect((await gql(args, { env })).code).toBe(0);
    const [{ method, path, headers, body }] = requests as [(typeof requests)[0]];
    const sent = new URL(path, url);
    expect({ method, body, path: sent.pathname }).toEqual({
      method: 'GET',
      body: '',
      path: '/graphql',
    });
    expect([...sent.searchParams]).toEqual([
      ['tenant', 'a b'],
      ['debug', '1'],
      ['query', query],
      ['operationName', 'A'],
      ['variables', '{"n":1e2,"s":"a+b&c=%20 杭"}'],
    ]);
    expect(headers).toMatchObject({ accept: ACCEPT });
    expect(headers).not.toHaveProperty('content-type');
    expect(headers).not.toHaveProperty('content-length');
  });

  it('keeps the query of the endpoint as a POST too', async () => {
    const { gql, url, requests } = await service();
    await gql(['{ a }', '--endpoint', `${url}/v1/graphql/?tenant=a%20b`]);
    expect(requests[0]?.path).toBe('/v1/graphql/?tenant=a%20b');
  });

  it('carries all digits of the variables and of the document', async () => {
    const { gql, requests } = await service();
    const variables = '{"big":12345678901234567890,"one":1.0,"e":1e2,"zero":-0}';
    const document = 'query ($big: Big, $one: Float, $e: Float, $zero: Float) { a }';
    await gql([document, '--variables', variables]);
    expect(requests[0]?.body).toBe(`{"query":"${document}","variables":${variables}}`);
  });
});

describe('credentials', () => {
  const LINES = [
    'Authorization: Bearer canary-1',
    'X-Api-Key: canary-2',
    'Cookie: session=canary-3; theme=dark',
    'X-Custom: Basic canary-4',
    'X-Trace: 7',
  ].flatMap((line) => ['-H', line]);

  /** A server that echoes its requests. */
  const echo =
    (status: number, body: (text: string) => string): Handler =>
    ({ headers }, response) => {
      const text = ['authorization', 'x-api-key', 'cookie', 'x-custom']
        .map((name) => headers[name])
        .join(' and ');
      response.writeHead(status, { 'X-Echo': text }).end(body(text));
    };

  it('are not shown by --verbose, even when the server echoes them', async () => {
    const { gql, url } = await service(echo(200, (text) => JSON.stringify({ data: { text } })));
    const env = { MOP_GQL_URL: `${url}/graphql?key=canary-5` };
    const { code, stderr } = await gql(['{ a }', '--verbose', ...LINES], { env });
    expect(code).toBe(0);
    expect(stderr).not.toContain('canary');
    expect(stderr).toContain(`> POST ${url}/graphql?<redacted>\n`);
    expect(stderr).toContain('> Authorization: <redacted>\n');
    expect(stderr).toContain('> X-Api-Key: <redacted>\n');
    expect(stderr).toContain('> X-Trace: 7\n');
    expect(stderr).toContain(`> Accept: ${ACCEPT}\n`);
    expect(stderr).toContain('> {"query":"{ a }"}\n');
    expect(stderr).toContain('< 200 OK\n');
    expect(stderr).toContain('< {"data":{"text":"');
  });

  it('are not shown in errors, traces and dry runs', () =>
    checkRows(
      [
        ['an error', ['--debug']],
        ['the trace of a failure', ['--debug', '--verbose', '--retries', '0']],
        ['an error in JSON', ['--json']],
        ['--dry-run', ['--dry-run']],
        ['--dry-run --json', ['--dry-run', '--json']],
      ],
      async ([_, args]) => {
        const { gql } = await service(echo(403, (text) => `not for ${text}`));
        const { stdout, stderr } = await gql(['{ a }', ...LINES, ...args]);
        expect(stdout + stderr).not.toContain('canary');
        expect(stdout + stderr).toContain('<redacted>');
      },
    ));

  it('are not shown when errors of the response echo them', async () => {
    const message = 'the token canary-1 has expired';
    const { gql } = await service(answer({ errors: [{ message }] }));
    const { stderr } = await gql(['{ a }', ...LINES]);
    expect(stderr).not.toContain('canary');
  });

  it('are not sent over plain http or ws to another machine', () =>
    checkRows(
      ['Authorization: canary', 'X-API-Key:canary', 'cookie: canary', 'X-Foo: Bearer canary'],
      async (line) => {
        const proxy = await proxyServer(503);
        for (const endpoint of ['http://h.example/graphql', 'ws://h.example/graphql']) {
          const args = ['{ a }', '-H', line, '--proxy', `http://${proxy.host}`];
          for (const result of [
            await mop(['gql', ...args, '--endpoint', endpoint]),
            await gqlAt(endpoint)(args),
          ]) {
            expectFailure(result, 2, 'looks like a credential');
            expect(result.stderr).not.toContain('canary');
          }
        }
        expect(proxy.received).toEqual([]);
      },
    ));

  it('do not include other headers, which are sent over plain http', async () => {
    const proxy = await proxyServer(418);
    const args = ['{ a }', '-H', 'X-Trace: 1', '--proxy', `http://${proxy.host}`];
    await gqlAt('http://h.example/graphql')(args);
    expect(proxy.received).toEqual(['POST http://h.example/graphql']);
  });
});
