/** Tests `mop gql` with third-party GraphQL servers. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CliResult, mop, temporaryDirectory } from '../../support/cli.ts';
import { startMop } from '../../support/process.ts';
import { checkTogether } from '../../support/rows.ts';
import { serverStarter } from './programs.ts';

const serverOf = serverStarter();

interface Result {
  readonly code: number;
  /** The JSON documents on standard output, one for each line. */
  readonly lines: readonly unknown[];
  readonly stderr: string;
}

/** Runs `mop gql` against a server. */
async function gql(server: string, ...args: string[]): Promise<Result> {
  return resultOf(await mop(['gql', ...args, '--endpoint', await serverOf(server)]));
}

function resultOf({ code, stdout, stderr }: CliResult): Result {
  const lines = stdout === '' ? [] : stdout.trimEnd().split('\n');
  return { code, lines: lines.map((line) => JSON.parse(line) as unknown), stderr };
}

/** The result of a command that printed only these data, one line each. */
function success(...data: readonly object[]): Result {
  return { code: 0, lines: data.map((each) => ({ data: each })), stderr: '' };
}

async function writeTemporary(name: string, content: string): Promise<string> {
  const file = join(await temporaryDirectory(), name);
  await writeFile(file, content);
  return file;
}

/** The servers with the schema of `servers/schema.js`. */
const SERVERS = [
  'apollo-server',
  'apollo-server-17',
  'graphql-http',
  'graphql-yoga',
  'mercurius',
] as const;

describe.each(SERVERS)('%s', (server) => {
  it.each([
    {
      title: 'a query',
      args: ['{ hello book { title pages } }'],
      data: { hello: 'Hello, world', book: { title: 'Rides', pages: [1, 2, 3] } },
    },
    {
      title: 'one of two operations, with variables',
      args: ['query A($n: String!) { hello(name: $n) } query B { fail }', '--operation', 'A'],
      fields: ['n=5 杭州'],
      data: { hello: 'Hello, 5 杭州' },
    },
    {
      title: 'GET',
      args: ['query ($n: String!) { hello(name: $n) }', '--get'],
      fields: ['n=a+b&c'],
      data: { hello: 'Hello, a+b&c' },
    },
    {
      title: 'a mutation',
      args: ['mutation ($title: String!) { rename(title: $title) { title } }'],
      fields: ['title=Fares'],
      data: { rename: { title: 'Fares' } },
    },
  ])('answers $title', async ({ args, fields = [], data }) => {
    const result = await gql(server, ...args, ...fields.flatMap((field) => ['-F', field]));
    expect(result).toEqual(success(data));
  });

  it('answers with pages whose cursors are numbers', async () => {
    const document = `query ($endCursor: Int) {
      rides(first: 2, after: $endCursor) { nodes pageInfo { hasNextPage endCursor } }
    }`;
    const page = (endCursor: number, ...nodes: string[]) => ({
      rides: { nodes, pageInfo: { hasNextPage: endCursor < 4, endCursor } },
    });
    const last = [page(3, 'harbour', 'museum'), page(4, 'stadium')];
    expect(await gql(server, document, '--paginate')).toEqual(
      success(page(1, 'airport', 'station'), ...last),
    );
    expect(await gql(server, document, '--paginate', '-F', 'endCursor=1')).toEqual(
      success(...last),
    );
  });

  it('answers with data and errors', async () => {
    const document = '{ hello fail }';
    const data = { hello: 'Hello, world', fail: null };
    expect(await gql(server, document)).toEqual({
      code: 14,
      lines: [expect.objectContaining({ data, errors: [expect.anything()] })],
      stderr: expect.stringContaining('fail: it failed'),
    });
    const partial = await gql(server, document, '--allow-partial', '--raw');
    expect(partial).toMatchObject({ code: 0, lines: [data] });
  });

  it('refuses an invalid document', async () => {
    expect(await gql(server, '{ nothing }')).toMatchObject({
      code: 14,
      lines: [{ errors: [{ message: expect.stringContaining('"nothing"') }] }],
      stderr: expect.stringContaining('"nothing"'),
    });
  });

  it('prints a schema that validates documents', async () => {
    await expectUsableSchema(await serverOf(server), '{ hello }', 'type Book {');
  });
});

/** Checks that the schema of an endpoint, as SDL and as JSON, can be compared and can validate. */
async function expectUsableSchema(url: string, valid: string, text: string): Promise<void> {
  const sdl = await mop(['gql', 'schema', url]);
  expect(sdl).toMatchObject({ code: 0, stdout: expect.stringContaining(text), stderr: '' });
  const schema = await writeTemporary('schema.graphql', sdl.stdout);
  const json = await mop(['gql', 'schema', url, '--as', 'json']);
  const introspection = await writeTemporary('schema.json', json.stdout);

  for (const older of [schema, introspection]) {
    const diff = await mop(['gql', 'diff', older, url, '--json']);
    expect(JSON.parse(diff.stdout)).toMatchObject({
      breaking: [],
      deprecated_removals: [],
      dangerous: [],
    });
  }
  const document = await writeTemporary('document.graphql', valid);
  expect(await mop(['gql', 'validate', document, '--schema', url])).toMatchObject({ code: 0 });
  const checked = await mop(['gql', '{ nothing }', '--endpoint', url, '--schema', schema]);
  expect(checked).toMatchObject({ code: 14, stdout: '' });
}

describe('PostGraphile', () => {
  it.each([
    {
      title: 'numbers of any length as text',
      args: ['{ allBooks { nodes { rowId price } } }'],
      results: [
        {
          allBooks: {
            nodes: [
              { rowId: '1', price: '1.10' },
              { rowId: '2', price: '20.00' },
              { rowId: '9007199254740993', price: `1${'0'.repeat(30)}` },
            ],
          },
        },
      ],
    },
    {
      title: 'variables',
      args: ['query ($id: BigInt!) { bookByRowId(rowId: $id) { title } }'],
      fields: ['id=9007199254740993'],
      results: [{ bookByRowId: { title: 'Three' } }],
    },
    {
      title: 'a mutation',
      args: [
        `mutation ($title: String!) {
          updateBookByRowId(input: { rowId: "1", bookPatch: { title: $title } }) { book { title } }
        }`,
      ],
      fields: ['title=One'],
      results: [{ updateBookByRowId: { book: { title: 'One' } } }],
    },
    {
      title: 'pages',
      args: [
        `query ($endCursor: Cursor) {
          allBooks(first: 2, after: $endCursor) {
            nodes { title }
            pageInfo { hasNextPage endCursor }
          }
        }`,
        '--paginate',
      ],
      results: [
        {
          allBooks: {
            nodes: [{ title: 'One' }, { title: 'Two' }],
            pageInfo: { hasNextPage: true, endCursor: expect.any(String) },
          },
        },
        {
          allBooks: {
            nodes: [{ title: 'Three' }],
            pageInfo: { hasNextPage: false, endCursor: expect.any(String) },
          },
        },
      ],
    },
  ])('answers $title', async ({ args, fields = [], results }) => {
    const result = await gql('postgraphile', ...args, ...fields.flatMap((field) => ['-f', field]));
    expect(result).toEqual(success(...results));
  });

  it.each([
    ['an invalid document', ['{ nothing }'], '"nothing"'],
    ['a GET request', ['{ allBooks { totalCount } }', '--get'], 'POST'],
  ])('refuses %s', async (_, args, reason) => {
    expect(await gql('postgraphile', ...args)).toMatchObject({
      code: 14,
      stderr: expect.stringContaining(reason),
    });
  });

  it('prints a schema that validates documents', async () => {
    await expectUsableSchema(
      await serverOf('postgraphile'),
      '{ allBooks { totalCount } }',
      'type Book ',
    );
  });
});

describe('a subscription', () => {
  const DOCUMENT = 'subscription { ticks(to: 2) }';

  it.each([
    { title: 'server-sent events of graphql-yoga', server: 'graphql-yoga', args: [] },
    { title: 'server-sent events by GET', server: 'graphql-yoga', args: ['--get'] },
    {
      title: 'the WebSocket of mercurius',
      server: 'mercurius',
      args: ['--transport', 'ws', '--connection-params', '{"open":true}'],
    },
  ])('prints the results of $title', async ({ server, args }) => {
    const all = await gql(server, DOCUMENT, ...args);
    expect(all).toEqual(success({ ticks: 1 }, { ticks: 2 }));
    const first = await gql(server, DOCUMENT, ...args, '--count', '1');
    expect(first).toEqual(success({ ticks: 1 }));
  });

  it('reports why a WebSocket refuses the connection', async () => {
    const { code, lines, stderr } = await gql('mercurius', DOCUMENT, '--transport', 'ws');
    expect({ code, lines }).toEqual({ code: expect.not.toBeOneOf([0, 1]), lines: [] });
    expect(stderr).toContain('Forbidden');
    // The message contains only the reason, not the protocol message around it.
    expect(stderr).not.toContain('payload');
  });

  it.each(['graphql-http', 'mercurius'])(
    'suggests a WebSocket, because %s does not stream events',
    async (server) => {
      const { code, stderr } = await gql(server, DOCUMENT);
      expect(code).not.toBe(0);
      expect(stderr).toMatch(/--transport .*ws/);
    },
  );

  it.each(['apollo-server', 'postgraphile'])(
    'reports the refusal of %s, which does not stream events',
    async (server) => {
      const { code, stderr } = await gql(server, DOCUMENT);
      expect(code).not.toBeOneOf([0, 1]);
      expect(stderr).toMatch(/accept/i);
    },
  );
});

describe('@defer and @stream', () => {
  const DOCUMENT = '{ hello book { title ... @defer { review } pages @stream(initialCount: 1) } }';
  const BOOK = { title: 'Rides', review: 'Worth reading', pages: [1, 2, 3] };
  const COMPLETE = { hello: 'Hello, world', book: BOOK };

  const DELIVERIES = [
    { title: 'graphql-yoga, multipart', server: 'graphql-yoga', args: [] },
    {
      title: 'graphql-yoga, server-sent events',
      server: 'graphql-yoga',
      args: ['--transport', 'sse'],
    },
    {
      title: 'Apollo Server, parts with paths',
      server: 'apollo-server',
      args: ['-H', 'Accept: multipart/mixed; deferSpec=20220824, application/json'],
    },
    {
      title: 'Apollo Server, parts with ids',
      server: 'apollo-server-17',
      args: ['-H', 'Accept: multipart/mixed; incrementalSpec=v0.2, application/json'],
    },
  ];

  it.each([
    ...DELIVERIES,
    { title: 'Apollo Server without increments', server: 'apollo-server', args: [] },
    { title: 'Apollo Server with graphql 17', server: 'apollo-server-17', args: [] },
  ])('are merged: $title', async ({ server, args }) => {
    const { code, lines, stderr } = await gql(server, DOCUMENT, ...args);
    expect({ code, lines, stderr }).toMatchObject({
      code: 0,
      lines: [{ data: COMPLETE }],
      stderr: '',
    });
    expect(lines).not.toMatchObject([{ hasNext: true }]);
  });

  it.each(DELIVERIES)('are printed part by part: $title', async ({ server, args }) => {
    const { code, lines, stderr } = await gql(server, DOCUMENT, '--stream', ...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(lines.length).toBeGreaterThan(1);
    expect(lines[0]).toMatchObject({ data: { hello: 'Hello, world' }, hasNext: true });
    expect(lines.at(-1)).toMatchObject({ hasNext: false });
  });

  it.each(DELIVERIES)('report an error of a later part: $title', async ({ server, args }) => {
    const result = await gql(server, '{ book { title ... @defer { price } } }', ...args);
    expect(result).toMatchObject({
      code: 14,
      lines: [{ data: { book: { title: 'Rides', price: null } } }],
      stderr: expect.stringContaining('sold out'),
    });
  });

  it.each(['apollo-server-17', 'graphql-yoga'])(
    'are refused by %s without the required Accept header',
    async (server) => {
      const { code, stderr } = await gql(server, DOCUMENT, '-H', 'Accept: application/json');
      expect(code).not.toBe(0);
      expect(stderr).toContain('no type that the request accepts');
    },
  );
});

it.each(['apollo-server', 'graphql-yoga'])('uploads a file to %s', async (server) => {
  const file = await writeTemporary('ride.txt', 'A to B');
  const document = 'mutation ($file: Upload!) { receive(file: $file) { name type text } }';
  expect(await gql(server, document, '--upload', `file=@${file}`)).toEqual(
    success({ receive: { name: 'ride.txt', type: 'text/plain', text: 'A to B' } }),
  );
});

describe('a subgraph of Apollo Federation', () => {
  /** The SDL that the subgraph gives its gateway. */
  async function sdl(): Promise<string> {
    const { lines } = await gql('apollo-subgraph', '{ _service { sdl } }', '--raw');
    return (lines[0] as { _service: { sdl: string } })._service.sdl;
  }

  it('is a schema to validate against', async () => {
    const schema = await writeTemporary('subgraph.graphql', await sdl());
    const url = await serverOf('apollo-subgraph');
    const good = await writeTemporary('good.graphql', '{ driver(id: 1) { name } }');
    const bad = await writeTemporary('bad.graphql', '{ driver(id: 1) { fare } }');
    for (const source of [schema, url]) {
      expect((await mop(['gql', 'validate', good, '--schema', source])).code).toBe(0);
      expect((await mop(['gql', 'validate', bad, '--schema', source])).code).toBe(14);
    }
  });

  it('is compared with its next version', async () => {
    const before = await sdl();
    const old = await writeTemporary('old.graphql', before);
    const next = await writeTemporary('next.graphql', before.replace(/ +rating: .+\n/, ''));
    expect((await mop(['gql', 'diff', old, old])).code).toBe(0);
    expect(await mop(['gql', 'diff', old, next])).toMatchObject({
      code: 14,
      stdout: 'breaking   Driver.rating was removed.\n',
    });
    expect((await mop(['gql', 'diff', old, await serverOf('apollo-subgraph')])).code).toBe(0);
  });
});

it.each(['identity', 'gzip', 'br', 'deflate'])(
  'reads answers that Express compresses regardless of Accept-Encoding: %s',
  async (encoding) => {
    const url = (await serverOf('apollo-server')).replace(/graphql$/, `${encoding}/graphql`);
    const result = resultOf(await mop(['gql', '{ hello }', '--endpoint', url]));
    expect(result).toEqual(success({ hello: 'Hello, world' }));
    const schema = await mop(['gql', 'schema', url]);
    expect(schema).toMatchObject({ code: 0, stdout: expect.stringContaining('type Book {') });
  },
);

describe('a process', () => {
  /** Runs `mop`. `exitDelay` is the time from its last output to its end, in milliseconds. */
  async function runProcess(...args: string[]) {
    const { child, ended } = startMop(args, { MOP_CONFIG_DIR: await temporaryDirectory() });
    let last = 0;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', () => {
        last = performance.now();
      });
    }
    return { ...(await ended), exitDelay: performance.now() - last };
  }

  /** Less than the 5 seconds after which servers close idle connections, with time for a busy machine. */
  const MAX_EXIT_DELAY_MS = 3000;

  it('ends once it has printed the result', () =>
    checkTogether(
      Object.fromEntries(
        [...SERVERS, 'postgraphile'].map((server) => [
          server,
          async () => {
            const url = await serverOf(server);
            const { code, exitDelay } = await runProcess(
              'gql',
              '{ __typename }',
              '--endpoint',
              url,
            );
            expect(code).toBe(0);
            expect(exitDelay).toBeLessThan(MAX_EXIT_DELAY_MS);
          },
        ]),
      ),
    ));

  // mercurius is missing, because it accepts WebSockets.
  it('ends once it has reported that the upgrade was refused', () =>
    checkTogether(
      Object.fromEntries(
        ['apollo-server', 'graphql-http', 'graphql-yoga', 'postgraphile'].map((server) => [
          server,
          async () => {
            const args = ['subscription { ticks(to: 2) }', '--transport', 'ws'];
            const url = await serverOf(server);
            const result = await runProcess('gql', ...args, '--endpoint', url);
            expect(result.code).not.toBeOneOf([0, 1, null]);
            expect(result.stderr).toMatch(/^mop: .+\nhint: /);
            expect(result.exitDelay).toBeLessThan(MAX_EXIT_DELAY_MS);
          },
        ]),
      ),
    ));
});
