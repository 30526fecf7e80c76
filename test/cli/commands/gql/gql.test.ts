import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { createHandler } from 'graphql-http/lib/use/http';
import { beforeAll, describe, expect, it } from 'vitest';
import { MopError } from '../../../../src/errors.ts';
import { VERSION } from '../../../../src/version.ts';
import {
  CA,
  type CertificateName,
  certificate,
  closedPort,
  proxyServer,
  silentServer,
  socketServer,
} from '../../../http/support.ts';
import { errorOf, mop, NOW, temporaryDirectory } from '../../../support/cli.ts';
import { type Handler, listen, serve } from '../../../support/server.ts';
import { configuration, expectFailure, file } from '../../support.ts';
import {
  answer,
  executableSchema,
  gqlAt,
  jsonLines,
  sentTo,
  served,
  service,
  warmUp,
  withResolvers,
} from './support.ts';

beforeAll(warmUp);

const ACCEPT = 'application/graphql-response+json, application/json;q=0.9';

const GRAPHQL_TYPE = 'application/graphql-response+json; charset=utf-8';

describe('a document', () => {
  const TEXT = '# städte 杭州\r\nquery Cities {\r\n\ta  (b: "x\\ny")\n}\n';

  it.each([
    ['the text itself', async () => ({ argument: TEXT })],
    ['@FILE', async () => ({ argument: `@${await file(TEXT)}` })],
    ['standard input', async () => ({ argument: '-', stdin: TEXT })],
    ['@-', async () => ({ argument: '@-', stdin: TEXT })],
    [
      'a file with a byte order mark',
      async () => ({ argument: `@${await file(`\ufeff${TEXT}`)}` }),
    ],
  ])('is sent as it is written: %s', async (_, given) => {
    const { gql, ...server } = await service();
    const { argument, stdin = '' } = (await given()) as { argument: string; stdin?: string };
    const result = await gql([argument], { stdin });
    expect(result).toMatchObject({ code: 0, stdout: '{"data":{"a":1}}\n', stderr: '' });
    expect(sentTo(server)).toEqual([{ query: TEXT, operationName: 'Cities' }]);
  });

  it.each<{ args: string[]; stdin?: string | Uint8Array; message: string; hint?: string }>([
    { args: [], message: 'nothing to run', hint: '@FILE' },
    { args: [''], message: 'document:1:1: Syntax Error: Unexpected <EOF>.' },
    { args: [' \n,\ufeff'], message: 'Syntax Error: Unexpected <EOF>.' },
    { args: ['# only a comment'], message: 'Syntax Error: Unexpected <EOF>.' },
    { args: ['-'], stdin: '', message: 'document:1:1: Syntax Error: Unexpected <EOF>.' },
    { args: ['-'], stdin: Buffer.from('{ 杭 }', 'utf16le'), message: '' },
    { args: ['-'], stdin: Buffer.from([0x7b, 0xff, 0x7d]), message: 'is not UTF-8', hint: 'iconv' },
    { args: ['@/does/not/exist'], message: 'cannot read "/does/not/exist" (ENOENT)' },
    { args: ['@/'], message: 'EISDIR' },
    { args: ['{a'.repeat(20_000)], message: 'nests too deeply' },
    { args: ['{ a }', '{ b }'], message: 'too many arguments' },
    { args: ['--operation', 'A'], message: 'nothing to run' },
  ])(
    'that is none sends nothing: $args.0 $message',
    async ({ args, stdin = '', message, hint }) => {
      const { gql, requests } = await service();
      const { code, stdout, stderr } = await gql(args, { stdin });
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^mop: .*\n(?:.*\n)*hint: .+\n$/);
      expect(stderr).toContain(message);
      expect(stderr).toContain(hint ?? '');
      expect(requests).toEqual([]);
    },
  );

  it('of other bytes than UTF-8 is told by its file', async () => {
    const path = await file(Buffer.from([0x7b, 0x20, 0xc0, 0x7d]), { name: 'latin.graphql' });
    const { gql } = await service();
    expectFailure(await gql([`@${path}`]), 2, 'latin.graphql is not UTF-8', 'iconv');
  });

  it('with a syntax error shows where', async () => {
    const { gql, requests } = await service();
    const hint = 'hint: mop gql help explains the language\n';
    expect(await gql(['{ a { } }'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `mop: document:1:7: Syntax Error: Expected Name, found "}".
1 | { a { } }
  |       ^
${hint}`,
    });
    const path = await file('query A {\n\ta\n\tb(c: )\n}\n', { name: 'broken.graphql' });
    expect(await gql([`@${path}`])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `mop: broken.graphql:3:7: Syntax Error: Unexpected ")".
2 |  a
3 |  b(c: )
  |       ^
4 | }
${hint}`,
    });
    const json = await gql(['{ a { } }', '--json']);
    expect(jsonLines(json.stderr)).toEqual([
      {
        error: {
          code: 'usage',
          message: 'document:1:7: Syntax Error: Expected Name, found "}".',
          hint: expect.any(String),
          exit_code: 2,
          retryable: false,
        },
      },
    ]);
    expect(json.stdout).toBe('');
    expect(requests).toEqual([]);
  });

  it('draws nothing on the terminal when it is broken', async () => {
    const { gql } = await service();
    const wild = '{ a(b: "\u001b[2J\u009b1m\u202e") \u001b[31m }';
    const { code, stderr } = await gql([wild], { stderrIsTerminal: true });
    expect(code).toBe(2);
    expect(stderr).not.toMatch(/[^\P{C}\n]/u);
  });

  const TWO = 'query A { a } mutation B { b }';

  it.each([
    [TWO, [], 'has 2 operations', 'A, B'],
    [`{ a } ${TWO}`, [], 'has 3 operations', '(without a name), A, B'],
    [TWO, ['--operation', 'C'], 'no operation "C"', 'A, B'],
    [TWO, ['--operation', ''], 'no operation ""', 'A, B'],
    ['{ a }', ['--operation', 'A'], 'no operation "A"', '(without a name)'],
    ['fragment F on T { a }', [], 'has no operation', ''],
    ['fragment F on T { a }', ['--operation', 'F'], 'has no operation', ''],
    ['type T { a: Int }', [], 'has no operation', ''],
  ])('%j with %j leaves open what is to be run', async (document, args, message, hint) => {
    const { gql, requests } = await service();
    expectFailure(await gql([document, ...args]), 2, message, hint);
    expect(requests).toEqual([]);
  });

  it('with several operations is sent whole, with the name of one', async () => {
    const { gql, ...server } = await service();
    for (const name of ['A', 'B']) {
      expect((await gql([TWO, '--operation', name])).code).toBe(0);
    }
    expect(sentTo(server)).toEqual([
      { query: TWO, operationName: 'A' },
      { query: TWO, operationName: 'B' },
    ]);
  });

  it('and its variables cannot both be standard input', async () => {
    const { gql, requests } = await service();
    const args = ['-', '--variables', '-'];
    expectFailure(await gql(args, { stdin: 'query ($a: Int) { a }' }), 2, 'asked for twice');
    expect(requests).toEqual([]);
  });
});

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

  it('is a POST of JSON that says what it takes', async () => {
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

  it.each([
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
  ])('carries the headers %j', async (lines, name, values) => {
    const { gql, requests } = await service();
    const { code } = await gql(['{ a }', ...lines.flatMap((line) => ['-H', line])]);
    const raw = requests[0]?.rawHeaders ?? [];
    const sent = raw.flatMap((each, at) =>
      at % 2 === 0 && each.toLowerCase() === name ? [raw[at + 1]] : [],
    );
    expect([code, sent]).toEqual([0, values]);
  });

  it.each([
    ['no colon canary', "-H takes 'Name: value'"],
    ['Content-Length: 3', 'is written by mop'],
    ['Transfer-Encoding: chunked', 'is written by mop'],
    ['X-A: canary\r\nX-B: 1', 'cannot be sent'],
    ['X-A: 杭州', 'cannot be sent'],
    ['X(A): 1', 'cannot be sent'],
  ])('with the header %j is not sent', async (line, message) => {
    const { gql, requests } = await service();
    const result = await gql(['{ a }', '-H', line]);
    expectFailure(result, 2, message);
    expect(result.stderr).not.toContain('canary');
    expect(requests).toEqual([]);
  });

  it('of --get has its parameters in the address, behind what stands there', async () => {
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

  it('keeps the query of its address also as a POST', async () => {
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

describe('--dry-run', () => {
  it('prints a curl command and sends nothing', async () => {
    const { gql, endpoint, requests } = await service();
    const args = ["query A($s: String) { a(b: 'c') }".replaceAll("'", '"'), '--dry-run'];
    const { code, stdout, stderr } = await gql([...args, '-f', "s=it's"]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`curl -X POST ${endpoint} \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: ${ACCEPT}' \\
  --data-raw '{"query":"query A($s: String) { a(b: \\"c\\") }","operationName":"A","variables":{"s":"it'\\''s"}}'
`);
    expect((await gql(['{ a }', '--dry-run', '--get'])).stdout).toBe(
      `curl -X GET '${endpoint}?query=%7B+a+%7D' \\\n  -H 'Accept: ${ACCEPT}'\n`,
    );
    expect(requests).toEqual([]);
  });

  it('prints the request as JSON', async () => {
    const { gql, endpoint, requests } = await service();
    const post = await gql(['mutation { a }', '--dry-run', '--json']);
    expect(JSON.parse(post.stdout)).toEqual({
      method: 'POST',
      url: endpoint,
      headers: { 'Content-Type': 'application/json', Accept: ACCEPT },
      body: '{"query":"mutation { a }"}',
    });
    const get = await gql(['{ a }', '--dry-run', '--json', '--get']);
    expect(JSON.parse(get.stdout)).toEqual({
      method: 'GET',
      url: `${endpoint}?query=%7B+a+%7D`,
      headers: { Accept: ACCEPT },
      body: null,
    });
    expect(requests).toEqual([]);
  });

  it('prints a form with its files', async () => {
    const { gql, endpoint, requests } = await service();
    const path = await file('x', { name: 'a b.txt' });
    const args = ['mutation ($f: Upload!) { a(f: $f) }', '--upload', `f=@${path}`, '--dry-run'];
    expect((await gql(args)).stdout).toBe(`curl -X POST ${endpoint} \\
  -H 'Accept: ${ACCEPT}' \\
  --form-string 'operations={"query":"mutation ($f: Upload!) { a(f: $f) }","variables":{"f":null}}' \\
  --form-string 'map={"0":["variables.f"]}' \\
  -F '0=@"${path}"'
`);
    expect(requests).toEqual([]);
  });

  it('checks what it would send', async () => {
    const { gql } = await service();
    expectFailure(await gql(['query ($n: Int!) { a }', '--dry-run']), 2, '$n');
    expectFailure(await gql(['mutation { a }', '--dry-run', '--get']), 2, '--get');
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

  /** A server that repeats what it was sent. */
  const echo =
    (status: number, body: (text: string) => string): Handler =>
    ({ headers }, response) => {
      const text = ['authorization', 'x-api-key', 'cookie', 'x-custom']
        .map((name) => headers[name])
        .join(' and ');
      response.writeHead(status, { 'X-Echo': text }).end(body(text));
    };

  it('are not shown by --verbose, whoever repeats them', async () => {
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

  it.each([
    ['an error', ['--debug']],
    ['the trace of a failure', ['--debug', '--verbose', '--retries', '0']],
    ['an error in JSON', ['--json']],
    ['--dry-run', ['--dry-run']],
    ['--dry-run --json', ['--dry-run', '--json']],
  ])('are not shown in %s', async (_, args) => {
    const { gql } = await service(echo(403, (text) => `not for ${text}`));
    const { stdout, stderr } = await gql(['{ a }', ...LINES, ...args]);
    expect(stdout + stderr).not.toContain('canary');
    expect(stdout + stderr).toContain('<redacted>');
  });

  // The summary of `errors` is not cleaned, unlike that of an answer which is no response.
  it('are not shown where errors of the response repeat them', async () => {
    const message = 'the token canary-1 has expired';
    const { gql } = await service(answer({ errors: [{ message }] }));
    const { stderr } = await gql(['{ a }', ...LINES]);
    expect(stderr).not.toContain('canary');
  });

  it.each(['Authorization: canary', 'X-API-Key:canary', 'cookie: canary', 'X-Foo: Bearer canary'])(
    '%s does not go over plain http to another machine',
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
      expect(proxy.asked).toEqual([]);
    },
  );

  it('others go there', async () => {
    const proxy = await proxyServer(418);
    const args = ['{ a }', '-H', 'X-Trace: 1', '--proxy', `http://${proxy.host}`];
    await gqlAt('http://h.example/graphql')(args);
    expect(proxy.asked).toEqual(['POST http://h.example/graphql']);
  });
});

describe('variables', () => {
  it.each<[types: string, args: string[], expected: string]>([
    ['$n: Int', ['-F', 'n=5'], '{"n":5}'],
    ['$n: Int!', ['-F', 'n=-2147483648'], '{"n":-2147483648}'],
    ['$n: Float', ['-F', 'n=1.0'], '{"n":1.0}'],
    ['$n: Float', ['-F', 'n=1e2'], '{"n":1e2}'],
    ['$n: Float', ['-F', 'n=-0'], '{"n":-0}'],
    ['$n: Float', ['-F', 'n=3'], '{"n":3}'],
    ['$n: Int', ['-f', 'n=5'], '{"n":5}'],
    ['$b: Boolean', ['-F', 'b=true'], '{"b":true}'],
    ['$s: String', ['-F', 's=5'], '{"s":"5"}'],
    ['$s: String', ['-F', 's=007'], '{"s":"007"}'],
    ['$s: String', ['-F', 's=true'], '{"s":"true"}'],
    ['$s: String', ['-F', 's=1.0'], '{"s":"1.0"}'],
    ['$s: String', ['-F', 's='], '{"s":""}'],
    ['$s: String', ['-F', 's=a=b'], '{"s":"a=b"}'],
    ['$s: String', ['-F', 's={"a":1}'], '{"s":"{\\"a\\":1}"}'],
    ['$s: String', ['-F', 's="quoted"'], '{"s":"quoted"}'],
    ['$s: String', ['-f', 's="quoted"'], '{"s":"\\"quoted\\""}'],
    ['$s: String', ['-f', 's=@file'], '{"s":"@file"}'],
    ['$s: String', ['-F', 's=null'], '{"s":null}'],
    ['$s: String', ['-f', 's=null'], '{"s":"null"}'],
    ['$s: String!', ['-F', 's=null'], '{"s":"null"}'],
    ['$n: Int', ['-F', 'n=null'], '{"n":null}'],
    ['$i: ID!', ['-F', 'i=1234567890123456789'], '{"i":"1234567890123456789"}'],
    ['$i: ID!', ['-F', 'i=0x1F'], '{"i":"0x1F"}'],
    ['$l: [Int!]!', ['-F', 'l=[1,2]'], '{"l":[1,2]}'],
    ['$l: [Int!]!', ['-F', 'l=1'], '{"l":[1]}'],
    ['$l: [Int!]!', ['-F', 'l[]=1', '-F', 'l[]=2'], '{"l":[1,2]}'],
    [
      '$l: [String]',
      ['-F', 'l[]=1', '-F', 'l[]=null', '-f', 'l[]=null'],
      '{"l":["1",null,"null"]}',
    ],
    ['$l: [String]', ['-F', 'l=null'], '{"l":null}'],
    ['$l: [[Int]]', ['-F', 'l=[[1],[2,3]]'], '{"l":[[1],[2,3]]}'],
    ['$i: In', ['-F', 'i[a]=1', '-F', 'i[b]=x', '-f', 'i[c]=1'], '{"i":{"a":1,"b":"x","c":"1"}}'],
    ['$i: In', ['-F', 'i[t][]=1.0', '-F', 'i[t][]=x'], '{"i":{"t":[1.0,"x"]}}'],
    [
      '$l: [In!]',
      ['-F', 'l[][a]=1', '-F', 'l[][b]=2', '-F', 'l[][a]=3'],
      '{"l":[{"a":1,"b":2},{"a":3}]}',
    ],
    ['$c: Color', ['-F', 'c=RED'], '{"c":"RED"}'],
    [
      '$j: JSON',
      ['-F', 'j={"a":[1.0,12345678901234567890]}'],
      '{"j":{"a":[1.0,12345678901234567890]}}',
    ],
    ['$j: Long', ['-F', 'j=12345678901234567890'], '{"j":12345678901234567890}'],
    ['$a: Int = 1, $b: Int! = 2', [], ''],
    ['$a: Int, $b: Int', ['-F', 'b=2'], '{"b":2}'],
    ['$a: Int', ['--variables', '{"a":1}'], '{"a":1}'],
    ['$a: Int', ['--variables', ' {\n"a" : 1 } '], '{"a":1}'],
    ['$a: String', ['--variables', '{"a":"5"}'], '{"a":"5"}'],
    ['$a: Float, $b: Int', ['--variables', '{"a":1.0}', '-F', 'b=2'], '{"a":1.0,"b":2}'],
    ['$i: In', ['--variables', '{"i":{"a":1.0}}', '-F', 'i[b]=2'], '{"i":{"a":1.0,"b":2}}'],
  ])('%s from %j are %s', async (types, args, expected) => {
    const { gql, requests } = await service();
    const document = `query (${types}) { a }`;
    const { code, stderr } = await gql([document, ...args]);
    expect([code, stderr]).toEqual([0, '']);
    const variables = expected === '' ? '' : `,"variables":${expected}`;
    expect(requests[0]?.body).toBe(`{"query":"${document}"${variables}}`);
  });

  it('come from files and standard input', async () => {
    const { gql, ...server } = await service();
    const variables = await file('\ufeff{"a": 1, "b": [1]}');
    const text = await file('two\nlines\n');
    const block = await file('{"deep": [1]}\n');
    const document = 'query ($a: Int, $b: [Int], $s: String, $j: JSON, $n: Int) { a }';
    await gql([document, '--variables', `@${variables}`]);
    await gql([document, '--variables', '-'], { stdin: '{"a":2}' });
    await gql([document, '-F', `s=@${text}`, '-F', `j=@${block}`]);
    await gql([document, '-F', 's=@-'], { stdin: 'in' });
    await gql([document, '-F', `n=@${await file('7')}`]);
    expect(sentTo(server).map(({ variables }) => variables)).toEqual([
      { a: 1, b: [1] },
      { a: 2 },
      { s: 'two\nlines\n', j: { deep: [1] } },
      { s: 'in' },
      { n: 7 },
    ]);
  });

  it.each<[types: string, args: string[], message: string]>([
    ['($n: Int!)', [], '"$n"'],
    ['($n: Int!)', ['-F', 'n=null'], '"$n"'],
    ['($n: Int)', ['-F', 'n=x'], '"$n"'],
    ['($n: Int)', ['-F', 'n=1.5'], '"$n"'],
    ['($n: Int)', ['-F', 'n=2147483648'], '"$n"'],
    ['($n: Int)', ['-F', 'n='], '"$n"'],
    ['($n: Int)', ['-F', 'n={"a":1}'], '"$n"'],
    ['($n: Float)', ['-F', 'n=x'], '"$n"'],
    ['($b: Boolean)', ['-F', 'b=1'], '"$b"'],
    ['($b: Boolean)', ['-F', 'b=True'], '"$b"'],
    ['($l: [Int!])', ['-F', 'l=[1,null]'], '"$l"'],
    ['($l: [Int!])', ['-F', 'l[]=x'], '"$l"'],
    ['($s: String)', ['--variables', '{"s":5}'], '"$s"'],
    ['($a: Int!, $b: Int!)', [], '(and 1 more)'],
    ['($a: Int)', ['-F', 'b=1'], 'declares no variable $b'],
    ['', ['-F', 'b=1'], 'declares no variable $b'],
    ['', ['--variables', '{"b":null}'], 'declares no variable $b'],
    ['($a: Int)', ['-F', 'a=1', '-F', 'a=2'], 'a is given twice'],
    ['($a: Int)', ['-F', 'a=1', '-f', 'a=2'], 'a is given twice'],
    ['($a: In)', ['-F', 'a[x]=1', '-F', 'a[]=2'], 'a is given as a list, and'],
    ['($a: In)', ['-F', 'a[]=1', '-F', 'a[x]=2'], 'a is given as an object, and'],
    ['($a: Int)', ['-F', 'a'], '-F takes key=value'],
    ['($a: Int)', ['-f', '=1'], '-f takes key=value'],
    ['($a: Int)', ['-F', '[a]=1'], 'is not the name of a variable'],
    ['($a: Int)', ['-F', 'a[=1'], 'is not the name of a variable'],
    ['($a: Int)', ['-F', 'a=@/does/not/exist'], 'ENOENT'],
    ['($a: Int)', ['--variables', '@/does/not/exist'], 'ENOENT'],
    ['($a: Int)', ['--variables', '{"a":'], 'the variables are not JSON'],
    ['($a: Int)', ['--variables', ''], 'the variables are not JSON'],
    ['($a: Int)', ['--variables', '[1]'], 'no JSON object'],
    ['($a: Int)', ['--variables', 'null'], 'no JSON object'],
  ])('%s from %j are refused, and nothing is sent', async (types, args, message) => {
    const { gql, requests } = await service();
    expectFailure(await gql([`query ${types} { a }`, ...args]), 2, message);
    expect(requests).toEqual([]);
  });

  // Both are sent, and only the last is checked.
  it('given twice in one JSON object are refused', async () => {
    const { gql, requests } = await service();
    const args = ['query ($a: Int) { a }', '--variables', '{"a":"no number","a":2}'];
    expect((await gql(args)).code).toBe(2);
    expect(requests).toEqual([]);
  });

  it('are those of the operation that is meant', async () => {
    const { gql, ...server } = await service();
    const document = 'query A($n: Int!) { a } query B($s: String) { b }';
    expect((await gql([document, '--operation', 'B', '-F', 's=1'])).code).toBe(0);
    expectFailure(
      await gql([document, '--operation', 'B', '-F', 'n=1']),
      2,
      'declares no variable $n',
      '$s: String',
    );
    expect(sentTo(server)).toEqual([
      { query: document, operationName: 'B', variables: { s: '1' } },
    ]);
  });
});

it('takes a word for the name of a file, and says how one is given', async () => {
  const { code, stderr } = await mop(['gql', 'query.graphql', '--env', 'sandbox']);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('hint: a file is given as @query.graphql'),
  ]);
});

describe('--schema', () => {
  const SDL = `
    type Query {
      echo(color: Color, in: Filter, all: [Filter!], list: [Int!], id: ID, day: Date): String
    }
    type Mutation { paint(color: Color!): Boolean }
    enum Color { RED GREEN }
    input Filter { name: String!, min: Int, ratio: Float, tags: [String!], color: Color, not: Filter }
    scalar Date
  `;

  const sending = async (document: string, args: readonly string[]) => {
    const schema = await file(SDL, { name: 'schema.graphql' });
    const { gql, requests } = await service();
    return { result: await gql([document, '--schema', schema, ...args]), requests };
  };

  it.each<[types: string, use: string, args: string[], expected: string]>([
    ['$c: Color', 'color: $c', ['-F', 'c=RED'], '{"c":"RED"}'],
    [
      '$i: Filter!',
      'in: $i',
      ['-F', 'i[name]=5', '-F', 'i[min]=5', '-F', 'i[ratio]=1.0', '-F', 'i[tags]=7'],
      '{"i":{"name":"5","min":5,"ratio":1.0,"tags":["7"]}}',
    ],
    [
      '$i: Filter!',
      'in: $i',
      ['-F', 'i[name]=a', '-F', 'i[not][name]=null', '-F', 'i[not][color]=GREEN'],
      '{"i":{"name":"a","not":{"name":"null","color":"GREEN"}}}',
    ],
    [
      '$a: [Filter!]',
      'all: $a',
      ['-F', 'a[][name]=1', '-F', 'a[][min]=1', '-F', 'a[][name]=2'],
      '{"a":[{"name":"1","min":1},{"name":"2"}]}',
    ],
    ['$d: Date', 'day: $d', ['-f', 'd=2026-11-20'], '{"d":"2026-11-20"}'],
    ['$d: Date', 'day: $d', ['-F', 'd=12345678901234567890'], '{"d":12345678901234567890}'],
  ])('types %s by its own types', async (types, use, args, expected) => {
    const document = `query (${types}) { echo(${use}) }`;
    const { result, requests } = await sending(document, args);
    expect([result.code, result.stderr]).toEqual([0, '']);
    expect(requests[0]?.body).toBe(`{"query":"${document}","variables":${expected}}`);
  });

  it.each<[types: string, use: string, args: string[], message: string]>([
    ['$c: Color', 'color: $c', ['-F', 'c=PINK'], 'Value "PINK" does not exist in "Color" enum.'],
    ['$c: Color', 'color: $c', ['-F', 'c=red'], 'Did you mean the enum value "RED"'],
    ['$i: Filter', 'in: $i', ['-F', 'i[min]=1'], 'Field "name" of required type "String!"'],
    ['$i: Filter', 'in: $i', ['-F', 'i[name]=a', '-F', 'i[min]=x'], 'at "i.min"'],
    ['$i: Filter', 'in: $i', ['-F', 'i[name]=a', '-F', 'i[mix]=1'], 'Field "mix" is not defined'],
    ['$i: Filter', 'in: $i', ['--variables', '{"i":{"name":5}}'], 'at "i.name"'],
    ['$i: Filter', 'in: $i', ['-F', 'i=x'], '"$i"'],
  ])('refuses %s (%s) from %j, and nothing is sent', async (types, use, args, message) => {
    const { result, requests } = await sending(`query (${types}) { echo(${use}) }`, args);
    expectFailure(result, 2, message);
    expect(requests).toEqual([]);
  });

  it('refuses a document that is not valid, shows where, and sends nothing', async () => {
    const schema = await file(SDL);
    const { gql, requests } = await service();
    const document = await file('query A {\n  echo\n  nothing\n  neither\n}\n', {
      name: 'cities.graphql',
    });
    const { code, stdout, stderr } = await gql([`@${document}`, '--schema', schema]);
    expect([code, stdout]).toEqual([14, '']);
    expect(stderr.replace(/^hint: .+\n$/m, 'hint\n')).toBe(
      `mop: cities.graphql:3:3: Cannot query field "nothing" on type "Query". (and 1 more)
2 |   echo
3 |   nothing
  |   ^
4 |   neither
hint
`,
    );
    expect(requests).toEqual([]);
  });

  it.each([
    'query ($x: Nope) { echo(id: $x) }',
    'query ($x: Int) { echo }',
    '{ echo(id: $x) }',
    '{ ...F }',
    'mutation { paint }',
    'mutation { paint(color: PINK) }',
  ])('refuses %s, which is not valid', async (document) => {
    const { result, requests } = await sending(document, ['--json']);
    expect([result.code, result.stdout]).toEqual([14, '']);
    expect(jsonLines(result.stderr)).toEqual([
      { error: expect.objectContaining({ code: 'graphql', exit_code: 14, retryable: false }) },
    ]);
    expect(requests).toEqual([]);
  });

  // graphql-js has no rule for it before version 17.
  it('refuses an operation of a kind that it does not have', async () => {
    const { result, requests } = await sending('subscription { a }', []);
    expect(result.code).toBe(14);
    expect(requests).toEqual([]);
  });

  it('with faults is taken with --assume-valid-schema', async () => {
    const schema = await file('interface I { a: Int }\ntype Query implements I { b: Int }');
    const { gql, requests } = await service();
    const args = ['{ b }', '--schema', schema];
    expect((await gql(args)).code).toBe(2);
    expect(requests).toEqual([]);
    expect((await gql([...args, '--assume-valid-schema'])).code).toBe(0);
    expect((await gql(['{ none }', ...args.slice(1), '--assume-valid-schema'])).code).toBe(14);
    expect(requests).toHaveLength(1);
  });

  it('that is missing or broken sends nothing', async () => {
    const { gql, requests } = await service();
    expectFailure(await gql(['{ a }', '--schema', '/does/not/exist']), 2, 'ENOENT');
    const broken = await file('type Query { a: Nope }', { name: 'broken.graphql' });
    const result = await gql(['{ a }', '--schema', broken]);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain('broken.graphql:1:17: Unknown type "Nope".');
    expect(requests).toEqual([]);
  });
});

describe('a result', () => {
  const ENVELOPE =
    '{"data":{"z":12345678901234567890,"a":1.0,"10":1e2,"2":-0,"城市":"杭州 \\u0007","list":[],"o":{}},"extensions":{"cost":1.50}}';

  it('is printed with all its digits and in its order', async () => {
    const { gql } = await service(answer(ENVELOPE));
    for (const args of [[], ['--json'], ['--quiet'], ['--get']]) {
      const { code, stdout, stderr } = await gql(['{ a }', ...args]);
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${ENVELOPE}\n`, stderr: '' });
    }
  });

  it('is one line in a pipe, however it came', async () => {
    const spread = '\ufeff {\n "data" : { "a" : [ 1.0 , 2 ] }\n}\n';
    const { gql } = await service(answer(spread));
    expect((await gql(['{ a }'])).stdout).toBe('{"data":{"a":[1.0,2]}}\n');
  });

  it('is laid out in a terminal, unless it is to be JSON', async () => {
    const { gql } = await service(answer('{"data":{"a":1.0,"list":[1e2,{"b":[]}]}}'));
    const world = { stdoutIsTerminal: true };
    expect((await gql(['{ a }'], world)).stdout).toBe(`{
  "data": {
    "a": 1.0,
    "list": [
      1e2,
      {
        "b": []
      }
    ]
  }
}
`);
    expect((await gql(['{ a }', '--raw'], world)).stdout).toBe(
      '{\n  "a": 1.0,\n  "list": [\n    1e2,\n    {\n      "b": []\n    }\n  ]\n}\n',
    );
    expect((await gql(['{ a }', '--json'], world)).stdout).toBe(
      '{"data":{"a":1.0,"list":[1e2,{"b":[]}]}}\n',
    );
  });

  it.each([
    ['{"data":{"a":1.0,"b":12345678901234567890}}', 0, '{"a":1.0,"b":12345678901234567890}\n'],
    ['{"data":{"a":null},"errors":[{"message":"m"}]}', 14, '{"a":null}\n'],
    ['{"data":null,"errors":[{"message":"m"}]}', 14, 'null\n'],
    ['{"errors":[{"message":"m"}]}', 14, ''],
  ])('%s is exit %d and %j with --raw', async (body, code, stdout) => {
    const { gql } = await service(answer(body));
    expect(await gql(['{ a }', '--raw'])).toMatchObject({ code, stdout });
  });

  it.each([
    '{"data":{"a":1},"errors":[]}',
    '{"data":{"a":1},"errors":null}',
    '{"data":{}}',
    '{"errors":null,"data":{"a":1},"extensions":null}',
  ])('%s has no errors', async (body) => {
    const { gql } = await service(answer(body));
    expect(await gql(['{ a }'])).toMatchObject({ code: 0, stdout: `${body}\n`, stderr: '' });
  });

  it.each([
    '{}',
    '[]',
    '"data"',
    'null',
    '{"data":5}',
    '{"data":[]}',
    '{"errors":{}}',
    '{"errors":[]}',
    '{"errors":"no"}',
    '{"message":"Not Found"}',
    '[{"data":{"a":1}}]',
    '{"data":{"a":1}} {"data":{"a":2}}',
    '{"data":{"a":NaN}}',
    "{'data':{}}",
  ])('%s is none', async (body) => {
    const { gql, requests } = await service(answer(body));
    expectFailure(await gql(['{ a }']), 5, 'something that is no GraphQL response');
    expect(requests).toHaveLength(1);
  });

  it('that is large arrives whole', async () => {
    const rows = Array.from({ length: 40_000 }, (_, at) => ({ id: at, name: `row ${at}` }));
    const body = JSON.stringify({ data: { rows } });
    const { gql } = await service(answer(body));
    const { code, stdout } = await gql(['{ rows { id name } }']);
    expect([code, stdout.length]).toEqual([0, body.length + 1]);
  });

  it('loses nothing of its exit code to a reader that went away', async () => {
    const { gql } = await service((request, response, index) =>
      answer(index === 0 ? { data: {} } : { data: {}, errors: [{ message: 'm' }] })(
        request,
        response,
        index,
      ),
    );
    const world = { stdoutError: 'EPIPE' };
    expect(await gql(['{ a }'], world)).toMatchObject({ code: 0, stderr: '' });
    expect(await gql(['{ a }'], world)).toMatchObject({ code: 14 });
    expect((await gql(['{ a }'], { stdoutError: 'ENOSPC' })).code).not.toBe(0);
  });
});

describe('errors', () => {
  /** Everything but the wording of the hint. */
  const told = (stderr: string) => stderr.replace(/^hint: .+\n$/m, 'hint\n');

  const ERRORS = [
    { message: 'no total', path: ['bills', 2, 'total'], locations: [{ line: 3, column: 5 }] },
    {
      message: 'two places',
      locations: [
        { line: 1, column: 2 },
        { line: 30, column: 4 },
      ],
      extensions: { code: 'X' },
    },
    { message: 'nowhere' },
  ];

  it('are told with their path and place, and the envelope is printed', async () => {
    const body = JSON.stringify({ errors: ERRORS.slice(0, 1), data: { bills: [] } });
    const { gql } = await service(answer(body));
    const result = await gql(['{ a }']);
    expect([result.code, result.stdout]).toEqual([14, `${body}\n`]);
    expect(told(result.stderr)).toBe(
      'mop: the response has an error: bills.2.total: no total (document:3:5)\nhint\n',
    );
    const path = await file('{ a }', { name: 'file.graphql' });
    expect(told((await gql([`@${path}`])).stderr)).toBe(
      'mop: the response has an error: bills.2.total: no total (file.graphql:3:5)\nhint\n',
    );
    expect((await gql(['-'], { stdin: '{ a }' })).stderr).toContain('(document:3:5)\n');
  });

  it('are told one by one when there are several', async () => {
    const body = JSON.stringify({ data: { a: 1 }, errors: ERRORS });
    const { gql } = await service(answer(body));
    const { code, stdout, stderr } = await gql(['{ a }']);
    expect([code, stdout]).toEqual([14, `${body}\n`]);
    expect(told(stderr)).toBe(`mop: bills.2.total: no total (document:3:5)
mop: two places (document:1:2, document:30:4)
mop: nowhere
mop: the response has 3 errors, first: bills.2.total: no total (document:3:5)
hint
`);
  });

  it.each([1, 3])('are one line of JSON on stderr with --json: %d of them', async (count) => {
    const body = JSON.stringify({ data: { a: 1 }, errors: ERRORS.slice(0, count) });
    const { gql } = await service(answer(body));
    const result = await gql(['{ a }', '--json']);
    expect([result.code, result.stdout]).toEqual([14, `${body}\n`]);
    expect(jsonLines(result.stderr)).toEqual([
      {
        error: {
          code: 'graphql',
          message: expect.stringContaining('bills.2.total: no total (document:3:5)'),
          hint: expect.stringContaining('--allow-partial'),
          exit_code: 14,
          retryable: false,
        },
      },
    ]);
  });

  it('are warnings with --allow-partial, where there is data', async () => {
    const body = JSON.stringify({ data: { a: null }, errors: ERRORS });
    const { gql } = await service(answer(body));
    expect(await gql(['{ a }', '--allow-partial'])).toMatchObject({
      code: 0,
      stdout: `${body}\n`,
      stderr: `mop: warning: bills.2.total: no total (document:3:5)
mop: warning: two places (document:1:2, document:30:4)
mop: warning: nowhere
`,
    });
    const json = await gql(['{ a }', '--allow-partial', '--json', '--raw']);
    expect([json.code, json.stdout]).toEqual([0, '{"a":null}\n']);
    expect(jsonLines(json.stderr).map(({ warning }) => warning.message)).toHaveLength(3);
  });

  it.each(['{"errors":[{"message":"m"}]}', '{"data":null,"errors":[{"message":"m"}]}'])(
    'are not allowed where there is no data: %s',
    async (body) => {
      const { gql } = await service(answer(body));
      expect(await gql(['{ a }', '--allow-partial'])).toMatchObject({
        code: 14,
        stdout: `${body}\n`,
        stderr: expect.stringMatching(/^mop: the response has an error: m\nhint: .+\n$/),
      });
    },
  );

  it.each([
    ['{}', 'an error without a message'],
    ['"no"', 'an error: no'],
    ['null', 'an error without a message'],
    ['{"message":5}', 'an error without a message'],
    ['{"message":"m","path":null,"locations":null}', 'm\n'],
    ['{"message":"m","path":[],"locations":[]}', 'm\n'],
    ['{"message":"m","path":["a",null,{}]}', 'm\n'],
    ['{"message":"m","locations":[{"line":0,"column":0}]}', 'm\n'],
    ['{"message":"m","locations":[{"line":"1"},5,null]}', 'm\n'],
    ['{"message":""}', 'the response has an error'],
  ])('that are odd are errors: %s', async (error, said) => {
    const { gql } = await service(answer(`{"data":{},"errors":[${error}]}`));
    const { code, stderr } = await gql(['{ a }']);
    expect(code).toBe(14);
    expect(stderr).toMatch(/^mop: .+\nhint: .+\n$/);
    expect(stderr).toContain(said);
  });

  const wild = 'a\u001b[2J\u009b1m\r\n\u202eb\u0000\u2028mop: done';
  const error = { message: wild, path: [wild, 1], locations: [{ line: 1, column: 1 }] };
  const WILD = answer({ data: { [wild]: wild }, errors: [error, error] });
  const terminals = { stdoutIsTerminal: true, stderrIsTerminal: true };
  const DRAWS = /[^\P{C}\n]|[\p{Zl}\p{Zp}]/u;

  it.each([[[]], [['--raw']], [['--allow-partial']], [['--verbose']]])(
    'draw nothing on the terminal with %j',
    async (args) => {
      const { gql } = await service(WILD);
      const { stdout, stderr } = await gql(['{ a }', '--no-color', ...args], terminals);
      expect(stdout).not.toMatch(DRAWS);
      expect(stderr).not.toMatch(DRAWS);
      expect(stderr).not.toMatch(/^mop: done/m);
      expect(stdout).toContain('\\u202e');
    },
  );

  it('draw nothing on the terminal with --json on stdout', async () => {
    const { gql } = await service(WILD);
    const { stdout } = await gql(['{ a }', '--json'], terminals);
    expect(stdout).not.toMatch(DRAWS);
    expect(JSON.parse(stdout).data).toEqual({ [wild]: wild });
  });

  // JSON.stringify leaves C1, bidirectional controls and line separators as they are.
  it('draw nothing on the terminal with --json on stderr', async () => {
    const { gql } = await service(WILD);
    const { stderr } = await gql(['{ a }', '--json'], terminals);
    expect(stderr).not.toMatch(DRAWS);
  });
});

describe('the server of graphql-http', () => {
  const graphqlHttp = async () => {
    const handler = createHandler({ schema: executableSchema() });
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
  ])('carries out %s', async (_, args, data, method) => {
    const { gql, seen } = await graphqlHttp();
    const { code, stdout, stderr } = await gql(args);
    expect([code, stdout, stderr]).toEqual([0, `{"data":${data}}\n`, '']);
    expect(seen).toEqual([method, '200']);
  });

  it.each([
    ['POST', []],
    ['GET', ['--get']],
  ])('answers what is not valid with HTTP 400: %s', async (method, args) => {
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

  it('refuses what it does not carry out', async () => {
    const { gql, seen } = await graphqlHttp();
    const subscription = await gql(['subscription { count(to: 1) }']);
    expect(subscription.code).not.toBe(0);
    expect(seen).toHaveLength(2);
  });
});

describe('a server that answers badly', () => {
  const HTML = '<!doctype html>\n<html><head><title>canary-title</title></head>';

  it.each<{ name: string; handler: Handler; code: number; says: string[]; hint?: string }>([
    {
      name: 'HTML with HTTP 200',
      handler: answer(HTML, 200, 'text/html; charset=utf-8'),
      code: 5,
      says: [
        'HTTP 200 (text/html; charset=utf-8)',
        '<!doctype html> <html><head><title>canary-title',
      ],
      hint: 'is that the address of a GraphQL endpoint?',
    },
    {
      name: 'a truncated document with the right length',
      handler: answer('{"data":{"a":1'),
      code: 5,
      says: ['HTTP 200 (application/json)', '{\\"data\\":{\\"a\\":1'],
    },
    { name: 'nothing', handler: answer(''), code: 5, says: ['an empty body'] },
    {
      name: 'nothing and no type',
      handler: (_, response) => response.end(),
      code: 5,
      says: ['HTTP 200 (no content type)', 'an empty body'],
    },
    {
      name: 'HTTP 204',
      handler: (_, response) => response.writeHead(204).end(),
      code: 5,
      says: ['HTTP 204', 'an empty body'],
    },
    {
      name: 'bytes that are not UTF-8',
      handler: (_, response) =>
        response.end(
          Buffer.concat([Buffer.from('{"data":{"a":"'), Buffer.from([0xff, 0x22, 0x7d, 0x7d])]),
        ),
      code: 5,
      says: ['no GraphQL response'],
    },
    {
      name: 'gzip that nobody asked for',
      handler: (_, response) =>
        response
          .writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
          .end(gzipSync('{"data":{"a":1}}')),
      code: 5,
      says: ['answered with the Content-Encoding "gzip"'],
    },
    {
      name: 'HTTP 400',
      handler: answer('bad', 400, 'text/plain'),
      code: 5,
      says: ['HTTP 400 (text/plain)', '"bad"'],
    },
    {
      name: 'HTTP 401',
      handler: answer('who?', 401),
      code: 5,
      says: ['HTTP 401'],
      hint: "-H 'Authorization",
    },
    {
      name: 'HTTP 403',
      handler: answer('no', 403),
      code: 5,
      says: ['HTTP 403'],
      hint: "-H 'Authorization",
    },
    {
      name: 'HTTP 404',
      handler: answer(HTML, 404, 'text/html'),
      code: 5,
      says: ['HTTP 404'],
      hint: '/graphql',
    },
    { name: 'HTTP 405', handler: answer('', 405), code: 5, says: ['HTTP 405'], hint: '--get' },
    {
      name: 'HTTP 415',
      handler: answer('{"error":"type"}', 415),
      code: 5,
      says: ['HTTP 415', 'type'],
    },
    { name: 'HTTP 422', handler: answer('{"message":"m"}', 422), code: 5, says: ['HTTP 422'] },
  ])('$name', async ({ handler, code, says, hint = '' }) => {
    const { gql, url, requests } = await service(handler);
    const result = await gql(['{ a }']);
    expectFailure(result, code, `${new URL(url).host} answered`, hint);
    for (const said of says) expect(result.stderr).toContain(said);
    expect([requests.length, result.waits]).toEqual([1, []]);
  });

  it('is told with its status, also to programs', async () => {
    const { gql } = await service(answer(HTML, 503, 'text/html'));
    const result = await gql(['{ a }', '--json', '--retries', '0']);
    expect([result.code, result.stdout, jsonLines(result.stderr)]).toEqual([
      6,
      '',
      [
        {
          error: {
            code: 'network',
            message: expect.stringContaining('HTTP 503 (text/html)'),
            hint: expect.any(String),
            exit_code: 6,
            retryable: true,
            http_status: 503,
          },
        },
      ],
    ]);
  });

  it.each([
    [[], 4],
    [['--retries', '2'], 2],
    [['--retries', '0'], 0],
  ])('HTML with HTTP 500 is tried again with %j', async (args, retries) => {
    const { gql, requests } = await service(answer(HTML, 500, 'text/html'));
    const result = await gql(['{ a }', ...args]);
    expectFailure(result, 6, 'HTTP 500 (text/html) with something that is no GraphQL response');
    expect(result.stderr).toContain('"<!doctype html> <html>');
    expect([requests.length, result.waits.length]).toEqual([retries + 1, retries]);
    expect(result.waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(20_000);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
  });

  it.each([500, 502, 503, 504, 429])('HTTP %d once does no harm', async (status) => {
    const { gql, requests } = await service((request, response, index) =>
      answer(index === 0 ? 'busy' : { data: {} }, index === 0 ? status : 200)(
        request,
        response,
        index,
      ),
    );
    const { code, stdout, stderr } = await gql(['{ a }']);
    expect([code, stdout, stderr, requests.length]).toEqual([0, '{"data":{}}\n', '', 2]);
  });

  it.each<[after: string, waits: (waits: readonly number[]) => boolean, requests: number]>([
    ['3', (waits) => waits.length === 4 && waits.every((wait) => wait >= 3000), 5],
    [
      new Date(NOW + 7000).toUTCString(),
      (waits) => waits.length === 2 && waits.every((wait) => wait >= 7000),
      3,
    ],
    ['60', (waits) => waits.length === 0, 1],
    ['soon', (waits) => waits.length === 4, 5],
  ])('HTTP 429 with Retry-After: %s', async (after, isRight, count) => {
    const { gql, requests } = await service((_, response) =>
      response.writeHead(429, { 'Retry-After': after }).end('slow down'),
    );
    const result = await gql(['{ a }']);
    expectFailure(result, 6, 'HTTP 429');
    expect(result.waits).toSatisfy(isRight);
    expect(requests).toHaveLength(count);
  });

  it.each([400, 403, 500, 503])('a response with HTTP %d is a response', async (status) => {
    const body = { errors: [{ message: 'no such field' }] };
    const { gql, requests } = await service(answer(body, status, GRAPHQL_TYPE));
    const result = await gql(['{ a }']);
    expect([result.code, JSON.parse(result.stdout)]).toEqual([14, body]);
    expect(result.stderr).toContain('the response has an error: no such field\n');
    expect(requests).toHaveLength(1);
  });

  it.each([
    [
      301,
      'https://other.example/graphql?token=canary#canary',
      'https://other.example/graphql?<redacted>',
    ],
    [302, '/v2/graphql?token=canary', '/v2/graphql?<redacted>'],
    [303, '/login', 'it points to /login'],
    [307, 'https://user:canary@other.example/graphql', 'https://other.example/graphql'],
    [308, '//other.example/graphql', '//other.example/graphql'],
  ])(
    'a redirect by HTTP %d is not followed, and told without secrets',
    async (status, to, shown) => {
      const { gql, requests } = await service((_, response) =>
        response.writeHead(status, { Location: to }).end(),
      );
      for (const args of [['{ a }'], ['mutation { a }'], ['{ a }', '--get', '--verbose']]) {
        const { code, stdout, stderr } = await gql(args);
        expect([code, stdout]).toEqual([5, '']);
        expect(stderr).toContain(`HTTP ${status}`);
        expect(stderr).toContain(shown);
        expect(stderr).toContain('--endpoint');
        expect(stderr).not.toContain('canary');
      }
      expect(requests).toHaveLength(3);
    },
  );

  it('a body that draws on the terminal is told in one line', async () => {
    const { gql } = await service(answer('a\u001b[2J\u009b1m\n\u202e', 400, 'text/plain\u00a0x'));
    const { stderr } = await gql(['{ a }']);
    expect(stderr).toMatch(/^mop: [^\p{C}]+\nhint: [^\p{C}]+\n$/u);
  });

  it.each<[name: string, handler: Handler]>([
    [
      'in the middle of the body',
      (_, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
        response.write('{"data":{', () => response.destroy());
      },
    ],
    [
      'in the middle of a chunked body',
      (_, response) => void response.write('{"data":{"a":1}}', () => response.destroy()),
    ],
    ['before the answer', (_, response) => response.destroy()],
  ])('a connection that is cut %s is tried again', async (_, handler) => {
    const { gql, requests } = await service((request, response, index) =>
      index < 2
        ? handler(request, response, index)
        : answer({ data: {} })(request, response, index),
    );
    expect((await gql(['{ a }'])).code).toBe(0);
    expect(requests).toHaveLength(3);
    const broken = await service(handler);
    const result = await broken.gql(['{ a }', '--retries', '1']);
    expectFailure(result, 6, 'the connection to 127.0.0.1:');
    expect([broken.requests.length, result.waits.length]).toEqual([2, 1]);
  });

  it('what is no HTTP is a broken connection', async () => {
    const host = await socketServer((socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    const result = await gqlAt(`http://${host}/graphql`)(['{ a }', '--retries', '0']);
    expectFailure(result, 6, `the connection to ${host} broke`);
  });

  it('a connection that is refused is tried again', async () => {
    const port = await closedPort();
    const result = await gqlAt(`http://127.0.0.1:${port}/graphql`)(['{ a }']);
    expectFailure(result, 6, `127.0.0.1:${port} refused the connection`);
    expect(result.waits).toHaveLength(4);
  });

  it('a host without an address is tried again', async () => {
    // Too long for a name: no resolver is asked.
    const host = `${'x'.repeat(64)}.invalid`;
    const result = await gqlAt(`https://${host}/graphql`)(['{ a }', '--retries', '1']);
    expectFailure(result, 6, `cannot find the host ${host} (DNS`);
    expect(result.waits).toHaveLength(1);
  });

  it.each<[CertificateName, trusted: boolean, why: string]>([
    ['good', false, 'an authority that is not trusted here'],
    ['self-signed', true, 'the certificate is self-signed'],
    ['wrong-host', true, 'the certificate is for another host'],
    ['expired', true, 'the certificate has expired'],
  ])('a certificate that is %s (authority trusted: %s)', async (name, trusted, why) => {
    const server = await serve(answer({ data: {} }), certificate(name));
    const trust = trusted ? ['--ca-file', await file(CA)] : [];
    const args = ['{ a }', '--retries', '0', '-H', 'Authorization: Bearer x', ...trust];
    const result = await gqlAt(`${server.url}/graphql`)(args);
    expectFailure(result, 6, why);
    expect(server.requests).toEqual([]);
  });

  it('a certificate that is trusted carries a credential', async () => {
    const server = await serve(answer({ data: {} }), certificate('good'));
    const args = ['{ a }', '--ca-file', await file(CA), '-H', 'Authorization: Bearer x'];
    expect((await gqlAt(`${server.url}/graphql`)(args)).code).toBe(0);
    expect(server.requests[0]?.headers.authorization).toBe('Bearer x');
  });

  it('keeps silent longer than --timeout', async () => {
    const host = await silentServer();
    const args = ['{ a }', '--timeout', '0.05'];
    const result = await gqlAt(`http://${host}/graphql`)([...args, '--retries', '1']);
    expectFailure(result, 6, 'within 0.05 s (time-out)', '--timeout');
    expect(result.waits).toHaveLength(1);
  });

  it('stops in the middle for longer than --timeout', async () => {
    const { gql } = await service((_, response) => void response.write('{"data":'));
    const result = await gql(['{ a }', '--timeout', '0.5', '--retries', '0']);
    expectFailure(result, 6, 'stopped sending for 0.5 s (time-out)');
  });

  it('is left after --max-time', async () => {
    const { promise: left, resolve } = withResolvers();
    const host = await socketServer((socket) => void socket.on('close', () => resolve()).resume());
    const result = await gqlAt(`http://${host}/graphql`)(['{ a }', '--max-time', '0.5']);
    expectFailure(result, 6, 'not done within 0.5 s (--max-time)');
    await left;
  });

  it('sends without end', async () => {
    const block = Buffer.alloc(1 << 20, ' ');
    const { promise: left, resolve } = withResolvers();
    const { gql, requests } = await service((_, response) => {
      const endless = Readable.from(
        (function* () {
          for (;;) yield block;
        })(),
      );
      endless.pipe(response.on('close', () => resolve()));
    });
    expectFailure(await gql(['{ a }']), 5, 'more than 64 MiB');
    expect(requests).toHaveLength(1);
    await left;
  });
});

describe('a mutation', () => {
  const busy = answer('busy', 503);
  const cut: Handler = (_, response) => response.destroy();

  it.each<[name: string, document: string, args: string[], handler: Handler, requests: number]>([
    ['a busy server', 'mutation { a }', [], busy, 1],
    ['a busy server, with --retries', 'mutation { a }', ['--retries', '2'], busy, 3],
    ['a cut connection', 'mutation { a }', [], cut, 1],
    ['a cut connection, with --retries', 'mutation { a }', ['--retries', '1'], cut, 2],
    ['a query', '{ a }', [], busy, 5],
    ['a query and a cut connection', '{ a }', [], cut, 5],
    ['the mutation of several', 'query Q { a } mutation M { a }', ['--operation', 'M'], busy, 1],
    ['the query of several', 'query Q { a } mutation M { a }', ['--operation', 'Q'], busy, 5],
  ])('is repeated only where that is harmless: %s', async (_, document, args, handler, count) => {
    const { gql, requests } = await service(handler);
    const { code, stdout, waits } = await gql([document, ...args]);
    expect([code, stdout]).toEqual([6, '']);
    expect([requests.length, waits.length]).toEqual([count, count - 1]);
  });

  it('is repeated when nothing reached the server', async () => {
    const endpoint = `http://127.0.0.1:${await closedPort()}/graphql`;
    const mutation = await gqlAt(endpoint)(['mutation { a }']);
    expectFailure(mutation, 6, 'refused the connection');
    expect(mutation.waits).toHaveLength(4);
    const once = await gqlAt(endpoint)(['mutation { a }', '--retries', '0']);
    expect([once.code, once.waits]).toEqual([6, []]);
  });

  it('that came to time-out is not repeated', async () => {
    const args = ['mutation { a }', '--timeout', '0.05'];
    const result = await gqlAt(`http://${await silentServer()}/graphql`)(args);
    expectFailure(result, 6, 'time-out');
    expect(result.waits).toEqual([]);
  });
});

describe('--paginate', () => {
  const DOCUMENT = `query Rides($first: Float, $endCursor: String) {
    rides(first: $first, after: $endCursor) { nodes { id } pageInfo { hasNextPage endCursor } }
  }`;

  const page = (id: number, endCursor: string | null, hasNextPage = endCursor !== null) => ({
    data: { rides: { nodes: [{ id }], pageInfo: { hasNextPage, endCursor } } },
  });

  /** Gives its pages by the cursor that it is asked with. */
  const paged = (pages: Record<string, unknown>) =>
    service((request, response, index) => {
      const { endCursor = '' } = JSON.parse(request.body).variables ?? {};
      return answer(pages[endCursor] ?? 'no such page')(request, response, index);
    });

  const PAGES = { '': page(1, 'c1'), c1: page(2, 'c"2'), 'c"2': page(3, 'c3', false) };

  it('prints a line for each page, up to the last', async () => {
    const { gql, requests } = await paged(PAGES);
    const { code, stdout, stderr } = await gql([DOCUMENT, '--paginate', '-F', 'first=1.0']);
    expect([code, stderr]).toEqual([0, '']);
    expect(jsonLines(stdout)).toEqual([PAGES[''], PAGES.c1, PAGES['c"2']]);
    expect(sentTo({ requests }).map(({ variables }) => variables)).toEqual([
      { first: 1 },
      { first: 1, endCursor: 'c1' },
      { first: 1, endCursor: 'c"2' },
    ]);
    for (const { body } of requests) {
      expect(body).toContain('"first":1.0');
      expect(JSON.parse(body)).toMatchObject({ query: DOCUMENT, operationName: 'Rides' });
    }
  });

  it('prints data alone with --raw', async () => {
    const { gql } = await paged(PAGES);
    const { stdout } = await gql([DOCUMENT, '--paginate', '--raw']);
    expect(jsonLines(stdout)).toEqual(Object.values(PAGES).map(({ data }) => data));
  });

  it('writes lines to a terminal too', async () => {
    const { gql } = await paged(PAGES);
    const { stdout } = await gql([DOCUMENT, '--paginate'], { stdoutIsTerminal: true });
    expect(jsonLines(stdout)).toHaveLength(3);
  });

  it('begins where it is told', async () => {
    const { gql, requests } = await paged(PAGES);
    expect(jsonLines((await gql([DOCUMENT, '--paginate', '-f', 'endCursor=c1'])).stdout)).toEqual([
      PAGES.c1,
      PAGES['c"2'],
    ]);
    expect(requests).toHaveLength(2);
  });

  it('goes through GET too', async () => {
    const { gql, url, requests } = await service((request, response, index) => {
      const given = new URL(request.path, 'http://x').searchParams.get('variables') ?? '{}';
      const { endCursor = '' } = JSON.parse(given);
      return answer((PAGES as Record<string, unknown>)[endCursor])(request, response, index);
    });
    expect(jsonLines((await gql([DOCUMENT, '--paginate', '--get'])).stdout)).toHaveLength(3);
    expect(requests.map(({ path }) => new URL(path, url).searchParams.get('variables'))).toEqual([
      null,
      '{"endCursor":"c1"}',
      '{"endCursor":"c\\"2"}',
    ]);
  });

  it.each([
    [
      'an alias',
      'query ($endCursor: String) { all: rides(after: $endCursor) { pageInfo { hasNextPage endCursor } } }',
      (info: unknown) => ({ all: { pageInfo: info } }),
    ],
    [
      'fields below others',
      'query ($endCursor: String) { me { rides(after: $endCursor) { pageInfo { ...P } } } } fragment P on PageInfo { hasNextPage endCursor }',
      (info: unknown) => ({ me: { rides: { pageInfo: info } } }),
    ],
    [
      'other connections beside it',
      'query ($endCursor: String) { cities { pageInfo { hasNextPage endCursor } } rides(after: $endCursor) { pageInfo { hasNextPage endCursor } } }',
      (info: unknown) => ({
        cities: { pageInfo: { hasNextPage: true, endCursor: 'of-another' } },
        rides: { pageInfo: info },
      }),
    ],
  ])('finds the cursor of %s', async (_, document, data) => {
    const { gql, ...server } = await service((request, response, index) =>
      answer({ data: data({ hasNextPage: index === 0, endCursor: 'c1' }) })(
        request,
        response,
        index,
      ),
    );
    expect((await gql([document, '--paginate'])).code).toBe(0);
    expect(sentTo(server).map(({ variables }) => variables)).toEqual([
      undefined,
      { endCursor: 'c1' },
    ]);
  });

  it('stops at the first page with errors', async () => {
    const failed = { ...page(2, 'c2'), errors: [{ message: 'half a page', path: ['rides'] }] };
    const { gql, requests } = await paged({ ...PAGES, c1: failed });
    const result = await gql([DOCUMENT, '--paginate']);
    expect(result.code).toBe(14);
    expect(jsonLines(result.stdout)).toEqual([PAGES[''], failed]);
    expect(result.stderr).toMatch(
      /^mop: the response has an error: rides: half a page\nhint: .+\n$/,
    );
    expect(requests).toHaveLength(2);
  });

  it('goes on with --allow-partial', async () => {
    const failed = { ...page(2, 'c"2'), errors: [{ message: 'half a page' }] };
    const { gql } = await paged({ ...PAGES, c1: failed });
    const result = await gql([DOCUMENT, '--paginate', '--allow-partial']);
    expect([result.code, result.stderr]).toEqual([0, 'mop: warning: half a page\n']);
    expect(jsonLines(result.stdout)).toEqual([PAGES[''], failed, PAGES['c"2']]);
  });

  it('keeps what came before a page that failed', async () => {
    const { gql } = await paged({ ...PAGES, c1: '<html>' });
    const result = await gql([DOCUMENT, '--paginate', '--json']);
    expect([result.code, jsonLines(result.stdout)]).toEqual([5, [PAGES['']]]);
    expect(errorOf(result)).toMatchObject({ code: 'api' });
  });

  it('tries a page again', async () => {
    const { gql, requests } = await service((request, response, index) => {
      if (index === 1) return response.writeHead(503).end();
      return answer(index === 0 ? PAGES[''] : page(2, null))(request, response, index);
    });
    const { code, stdout, waits } = await gql([DOCUMENT, '--paginate']);
    expect([code, jsonLines(stdout).length, waits.length, requests.length]).toEqual([0, 2, 1, 3]);
  });

  it('does not go round in circles', async () => {
    const { gql, requests } = await paged({
      '': page(1, 'c1'),
      c1: page(2, 'c2'),
      c2: page(3, 'c1'),
    });
    const result = await gql([DOCUMENT, '--paginate']);
    expect(result.code).toBe(5);
    expect(jsonLines(result.stdout)).toHaveLength(3);
    expect(result.stderr).toMatch(/^mop: .*the same endCursor twice: c1\nhint: .+\n$/);
    expect(requests).toHaveLength(3);
    const stuck = await service(answer(page(1, 'c1')));
    expect((await stuck.gql([DOCUMENT, '--paginate'])).code).toBe(5);
    expect(stuck.requests).toHaveLength(2);
  });

  it('asks for no more when the reader went away', async () => {
    const { gql, requests } = await paged(PAGES);
    const { code, stderr } = await gql([DOCUMENT, '--paginate'], { stdoutError: 'EPIPE' });
    expect([code, stderr, requests.length]).toEqual([0, '', 1]);
  });

  it.each([
    '{ rides { pageInfo { hasNextPage endCursor } } }',
    'query ($after: String) { rides(after: $after) { pageInfo { hasNextPage endCursor } } }',
    'query ($endCursor: String) { rides { pageInfo { hasNextPage endCursor } } }',
    'query ($endCursor: String) { rides(after: $endCursor) { nodes { id } } }',
    'query ($endCursor: String) { rides(after: $endCursor) { pageInfo { endCursor } } }',
    'query ($endCursor: String) { rides(after: $endCursor) { hasNextPage endCursor } }',
    'mutation ($endCursor: String) { rides(after: $endCursor) { pageInfo { hasNextPage endCursor } } }',
  ])('cannot go through %s', async (document) => {
    const { gql, requests } = await paged(PAGES);
    const result = await gql([document, '--paginate']);
    expectFailure(result, 2, '--paginate needs a query', 'pageInfo { hasNextPage endCursor }');
    expect(requests).toEqual([]);
  });

  // The fields of all operations are looked at, and not those of the one that is meant.
  it('cannot go through an operation beside another that could', async () => {
    const { gql, requests } = await paged(PAGES);
    const document = `query A($endCursor: String) { rides(after: $endCursor) { nodes { id } } }
      query B { cities { pageInfo { hasNextPage endCursor } } }`;
    expect((await gql([document, '--paginate', '--operation', 'A'])).code).toBe(2);
    expect(requests).toEqual([]);
  });
});

describe('--upload', () => {
  interface Form {
    readonly type: string;
    readonly length: string | undefined;
    readonly size: number;
    /** Names and texts, or the names, sizes and contents of files. */
    readonly parts: readonly (readonly [string, unknown])[];
  }

  /** A server that takes multipart requests apart, with a reader that is not ours. */
  async function uploads(statuses: readonly number[] = []) {
    const forms: Form[] = [];
    const endpoint = await served(async (request, response) => {
      const body = await buffer(request);
      const type = request.headers['content-type'] ?? '';
      const form = await new Response(body, { headers: { 'Content-Type': type } }).formData();
      const parts = await Promise.all(
        [...form].map(async ([name, value]) =>
          typeof value === 'string'
            ? ([name, JSON.parse(value)] as const)
            : ([name, [value.name, Buffer.from(await value.arrayBuffer())]] as const),
        ),
      );
      const length = request.headers['content-length'];
      forms.push({ type, length, size: body.length, parts });
      const status = statuses[forms.length - 1] ?? 200;
      response.writeHead(status).end(status === 200 ? '{"data":{"ok":true}}' : 'busy');
    });
    return { gql: gqlAt(endpoint), forms };
  }

  const BYTES = Buffer.from([0, 255, 13, 10, 45, 45, 128]);

  it('sends a file in the place of a variable', async () => {
    const { gql, forms } = await uploads();
    const path = await file(BYTES, { name: '账单 1.bin' });
    const query = 'mutation Put($f: Upload!, $n: Float) { put(f: $f) { id } }';
    const result = await gql([query, '--upload', `f=@${path}`, '-F', 'n=1.0']);
    expect([result.code, result.stdout, result.stderr]).toEqual([0, '{"data":{"ok":true}}\n', '']);
    const [{ type, length, size, parts } = {} as Form] = forms;
    expect(type).toMatch(/^multipart\/form-data; boundary=\S+$/);
    expect(length).toBe(`${size}`);
    expect(parts).toEqual([
      ['operations', { query, operationName: 'Put', variables: { n: 1, f: null } }],
      ['map', { 0: ['variables.f'] }],
      ['0', ['账单 1.bin', BYTES]],
    ]);
  });

  it('sends several, into lists and below objects', async () => {
    const { gql, forms } = await uploads();
    const [a, b] = [await file('a', { name: 'a.txt' }), await file('', { name: 'b.txt' })];
    const many = 'mutation ($l: [Upload!]!, $i: In!) { put(l: $l, i: $i) }';
    const args = [
      '--upload',
      `l[]=@${a}`,
      '--upload',
      `l[]=@${b}`,
      '--upload',
      `i[doc][file]=@${a}`,
    ];
    const result = await gql([many, ...args, '-f', 'i[doc][name]=x']);
    expect([result.code, result.stderr]).toEqual([0, '']);
    const [{ parts } = {} as Form] = forms;
    expect(parts).toEqual([
      [
        'operations',
        {
          query: many,
          variables: { l: [null, null], i: { doc: { name: 'x', file: null } } },
        },
      ],
      ['map', { 0: ['variables.l.0'], 1: ['variables.l.1'], 2: ['variables.i.doc.file'] }],
      ['0', ['a.txt', Buffer.from('a')]],
      ['1', ['b.txt', Buffer.alloc(0)]],
      ['2', ['a.txt', Buffer.from('a')]],
    ]);
  });

  it('keeps what JSON gives around it', async () => {
    const { gql, forms } = await uploads();
    const a = await file('a', { name: 'a' });
    const query = 'mutation ($i: In!) { put(i: $i) }';
    await gql([query, '--variables', '{"i":{"n":1,"all":[null]}}', '--upload', `i[all][]=@${a}`]);
    expect(forms[0]?.parts.slice(0, 2)).toEqual([
      ['operations', { query, variables: { i: { n: 1, all: [null, null] } } }],
      ['map', { 0: ['variables.i.all.1'] }],
    ]);
  });

  it('takes a custom header, and writes the type of the form itself', async () => {
    const { gql, forms } = await uploads();
    const path = await file('a');
    const lines = ['-H', 'Content-Type: application/json', '-H', 'Apollo-Require-Preflight: 1'];
    const args = ['mutation ($f: Upload!) { put(f: $f) }', '--upload', `f=@${path}`, ...lines];
    expect((await gql(args)).code).toBe(0);
    expect(forms[0]?.type).toMatch(/^multipart\/form-data; boundary=/);
  });

  it('sends the whole form again', async () => {
    const { gql, forms } = await uploads([503]);
    const path = await file(BYTES);
    const args = ['mutation ($f: Upload!) { put(f: $f) }', '--upload', `f=@${path}`];
    expect((await gql([...args, '--retries', '1'])).code).toBe(0);
    expect(forms).toHaveLength(2);
    expect(forms[1]?.parts).toEqual(forms[0]?.parts);
    expect(forms[1]?.parts.at(-1)).toEqual(['0', ['file', BYTES]]);
  });

  it.each<[message: string, args: (path: string, directory: string) => string[]]>([
    ['/does/not/exist (ENOENT)', () => ['--upload', 'f=@/does/not/exist']],
    ['not a regular file', (_, directory) => ['--upload', `f=@${directory}`]],
    ['--upload takes key=@path', (path) => ['--upload', `f=${path}`]],
    ['--upload takes key=value', () => ['--upload', 'f']],
    ['declares no variable $g', (path) => ['--upload', `g=@${path}`]],
    ['f is given twice', (path) => ['--upload', `f=@${path}`, '--upload', `f=@${path}`]],
    ['f is given twice', (path) => ['--upload', `f=@${path}`, '-F', 'f=1']],
    ['--get', (path) => ['--upload', `f=@${path}`, '--get']],
    ['--upload belongs to', (path) => ['--upload', `f=@${path}`, '--paginate']],
    ['--upload belongs to', (path) => ['--upload', `f=@${path}`, '--transport', 'sse']],
    ['--upload belongs to', (path) => ['--upload', `f=@${path}`, '--transport', 'ws']],
  ])('is refused, and nothing is sent: %s', async (message, args) => {
    const { gql, requests } = await service();
    const path = await file('x');
    const given = args(path, await temporaryDirectory());
    expectFailure(await gql(['query ($f: Upload) { put(f: $f) }', ...given]), 2, message);
    expect(requests).toEqual([]);
  });

  // The file is left out, and null is sent in its place.
  it('does not go over a WebSocket address', async () => {
    const path = await file('x');
    const { endpoint, requests } = await service();
    const args = ['query ($f: Upload) { put(f: $f) }', '--upload', `f=@${path}`];
    expectFailure(await gqlAt(endpoint.replace('http', 'ws'))(args), 2, '--upload');
    expect(requests).toEqual([]);
  });
});

describe('options that do not go together', () => {
  const PAGED =
    'query ($endCursor: String) { a(after: $endCursor) { pageInfo { hasNextPage endCursor } } }';

  it.each<[args: string[], message: string]>([
    [['mutation { a }', '--get'], '--get is never for mutations'],
    [['query Q { a } mutation M { a }', '--operation', 'M', '--get'], '--get'],
    [['{ a }', '--get', '--transport', 'ws'], '--get'],
    [['mutation { a }', '--get', '--transport', 'sse'], '--get'],
    [['subscription { a }', '--paginate'], '--paginate'],
    [[PAGED, '--paginate', '--transport', 'sse'], '--paginate'],
    [[PAGED, '--paginate', '--transport', 'ws'], '--paginate'],
    [['{ a }', '--count', '2'], '--count belongs to a subscription'],
    [['mutation { a }', '--count', '2'], '--count belongs to a subscription'],
    [['subscription { a }', '--count', '0'], '--count'],
    [['subscription { a }', '--count', 'x'], '--count'],
    [['{ a }', '--refresh'], '--refresh belongs to --schema'],
    [['{ a }', '--assume-valid-schema'], '--assume-valid-schema belongs to --schema'],
    [['{ a }', '--connection-params', '{}'], '--connection-params belongs to WebSockets'],
    [['{ a }', '--connection-params', '{}', '--transport', 'sse'], '--connection-params'],
    [['subscription { a }', '--connection-params', '{}'], '--connection-params'],
    [['{ a }', '--transport', 'http'], '--transport'],
    [['{ a }', '--transport', 'ws', '--dry-run'], '--dry-run'],
    [['{ a }', '--dry-run', '--paginate'], '--paginate'],
    [['{ a }', '--retries', '-1'], '--retries'],
    [['{ a }', '--timeout', '0'], '--timeout'],
    [['{ a }', '--vars', '{}'], "unknown option '--vars'"],
    [['{ a }', '--data', 'x.json'], "unknown option '--data'"],
    [['{ a }', '--endpoint'], 'argument missing'],
  ])('%j', async (args, message) => {
    const { gql, requests } = await service();
    const result = await gql(args);
    expectFailure(result, 2, message);
    expect([requests, result.waits]).toEqual([[], []]);
  });

  // Found out when it is sent, which a dry run is not.
  it('are refused by --dry-run too', async () => {
    const { gql } = await service();
    expect((await gql(['{ a }', '--connection-params', '{}', '--dry-run'])).code).toBe(2);
  });

  it('--dry-run with a WebSocket address', async () => {
    const { endpoint, requests } = await service();
    const result = await gqlAt(endpoint.replace('http', 'ws'))(['{ a }', '--dry-run']);
    expectFailure(result, 2, '--dry-run');
    expect(requests).toEqual([]);
  });

  // They are ignored: one page is asked for, and nothing is a GET.
  it.each<[args: string[], message: string]>([
    [[PAGED, '--paginate'], '--paginate'],
    [['{ a }', '--get'], '--get'],
  ])('%j with a WebSocket address', async (args, message) => {
    const { endpoint, requests } = await service();
    expectFailure(await gqlAt(endpoint.replace('http', 'ws'))(args), 2, message);
    expect(requests).toEqual([]);
  });
});

describe('the endpoint', () => {
  it('is that of --endpoint, or MOP_GQL_URL, or the profile', async () => {
    const servers = await Promise.all(['flag', 'env', 'profile'].map(() => service()));
    const [flag = '', variable = '', stored = ''] = servers.map(({ endpoint }) => endpoint);
    const profiles = { default: {}, live: { gql_url: stored } };
    const { env } = await configuration({ current: 'live', profiles });
    const all = { ...env, MOP_GQL_URL: variable };
    const counts = () => servers.map(({ requests }) => requests.length);
    await mop(['gql', '{ a }', '--endpoint', flag], { env: all });
    expect(counts()).toEqual([1, 0, 0]);
    await mop(['gql', '{ a }'], { env: all });
    expect(counts()).toEqual([1, 1, 0]);
    await mop(['gql', '{ a }'], { env: { ...env, MOP_GQL_URL: '' } });
    expect(counts()).toEqual([1, 1, 1]);
    await mop(['gql', '{ a }', '--endpoint', flag, '-p', 'default'], { env });
    expect(counts()).toEqual([2, 1, 1]);
    expectFailure(await mop(['gql', '{ a }', '-p', 'default'], { env }), 3, 'gql_url is not set');
  });

  it('that is missing is configuration', async () => {
    const result = await mop(['gql', '{ a }']);
    expectFailure(result, 3, 'gql_url is not set', 'mop config set gql_url');
    expect(result.stderr).toContain('--endpoint URL');
  });

  const FAULTS: readonly (readonly [url: string, message: string])[] = [
    ['h.example/graphql', 'it is not a URL'],
    ['', ''],
    ['localhost:4000/graphql', 'it is not an http, https, ws or wss address'],
    ['ftp://h.example/graphql', 'it is not an http, https, ws or wss address'],
    ['https://user:canary@h.example/graphql', 'it carries a user or password'],
    ['https://h.example/graphql#canary', 'it has a fragment'],
  ];

  it.each(FAULTS)('%j of --endpoint is bad usage', async (url, message) => {
    const result = await mop(['gql', '{ a }', '--endpoint', url]);
    expectFailure(result, 2, message);
    expect(result.stderr).not.toContain('canary');
  });

  it.each(FAULTS.filter(([url]) => url !== ''))(
    '%j elsewhere is bad configuration',
    async (url, message) => {
      const { env } = await configuration({ profiles: { default: { gql_url: url } } });
      for (const world of [{ env: { MOP_GQL_URL: url } }, { env }]) {
        const result = await mop(['gql', '{ a }'], world);
        expectFailure(result, 3, message);
        expect(result.stderr).not.toContain('canary');
      }
    },
  );

  it('may be any path, with /api/open in it too', async () => {
    const { url, requests } = await service();
    await gqlAt(`${url}/api/open/graphql`)(['{ a }']);
    await gqlAt(url)(['{ a }']);
    expect(requests.map(({ path }) => path)).toEqual(['/api/open/graphql', '/']);
  });

  it('may be that of the sandbox', async () => {
    const result = await mop(['gql', '{ __typename }', '--env', 'sandbox']);
    expect([result.code, result.stdout]).toEqual([0, '{"data":{"__typename":"Query"}}\n']);
    const broken = await mop(['gql', '{ nothing }', '--env', 'sandbox']);
    expect(broken.code).toBe(14);
  });

  it('is reached through a proxy', async () => {
    const { endpoint, requests } = await service();
    const proxy = await proxyServer();
    const env = { MOP_GQL_URL: endpoint, HTTP_PROXY: `http://${proxy.host}` };
    expect((await mop(['gql', '{ a }'], { env })).code).toBe(0);
    expect((await mop(['gql', '{ a }', '--endpoint', endpoint], { env })).code).toBe(0);
    expect([proxy.asked.length, requests.length]).toEqual([2, 2]);
  });

  it('needs no configuration, and leaves none', async () => {
    const { endpoint } = await service();
    const directory = await temporaryDirectory();
    const env = { MOP_CONFIG_DIR: join(directory, 'none') };
    expect((await mop(['gql', '{ a }', '--endpoint', endpoint], { env })).code).toBe(0);
    expect(await readdir(directory)).toEqual([]);
    const broken = await configuration('{ not JSON');
    expect((await mop(['gql', '{ a }', '--endpoint', endpoint], { env: broken.env })).code).toBe(0);
  });
});

it('a signal ends a request', async () => {
  const { promise: left, resolve } = withResolvers();
  const { promise: asked, resolve: ask } = withResolvers();
  const server = createServer((request) => {
    request.socket.on('close', () => resolve());
    ask();
  });
  const endpoint = `http://127.0.0.1:${await listen(server)}/graphql`;
  const controller = new AbortController();
  const running = gqlAt(endpoint)(['{ a }'], { signal: controller.signal });
  await asked;
  controller.abort(
    new MopError('interrupted', 'interrupted', { hint: 'nothing half-done was left' }),
  );
  expectFailure(await running, 130, 'interrupted');
  await left;
});
