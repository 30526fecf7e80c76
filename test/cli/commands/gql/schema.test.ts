import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSchema, getIntrospectionQuery, graphqlSync, introspectionFromSchema } from 'graphql';
import { createHandler } from 'graphql-http/lib/use/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { errorOf, mop, NOW, temporaryDirectory } from '../../../support/cli.ts';
import type { Handler } from '../../../support/server.ts';
import { expectFailure, file } from '../../support.ts';
import {
  answer,
  executableSchema,
  executing,
  jsonLines,
  sentTo,
  served,
  service,
} from './support.ts';

const HOUR = 3_600_000;

const gql = (...args: readonly string[]) => mop(['gql', ...args]);

/** Files of one directory. Returns their paths in the order of their names here. */
async function files(contents: Readonly<Record<string, string>>): Promise<string[]> {
  const directory = await temporaryDirectory();
  const paths = Object.keys(contents).map((name) => join(directory, name));
  await Promise.all(Object.values(contents).map((text, at) => writeFile(paths[at] ?? '', text)));
  return paths;
}

const SDL = `"""What there is."""
type Query {
  ride(id: ID!): Ride
  rides(city: String, state: State, tags: [String!]): [Ride!]!
  old: Int @deprecated(reason: "ask for ride")
  search(text: String): [Found]
}

type Ride {
  id: ID!
  city: String
  state: State
}

type City {
  name: String
}

union Found = Ride | City

enum State {
  OPEN
  ENDED
}
`;

describe('mop gql validate', () => {
  it('says that documents are valid', async () => {
    const [schema = '', a = '', b = ''] = await files({
      'schema.graphql': SDL,
      'a.graphql': 'query A { ride(id: 1) { ...Fields } }',
      'b.graphql': 'fragment Fields on Ride { id city }\nquery B { rides { ...Fields } }',
    });
    const args = ['validate', a, b, '--schema', schema];
    expect(await gql(...args)).toMatchObject({ code: 0, stdout: '', stderr: 'valid\n' });
    expect(await gql(...args, '-q')).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(await gql(...args, '--json')).toMatchObject({
      code: 0,
      stdout: '{"valid":true,"errors":[],"warnings":[]}\n',
      stderr: '',
    });
  });

  it('shows each error where it stands', async () => {
    const [schema = '', a = '', b = ''] = await files({
      'schema.graphql': SDL,
      'a.graphql': 'query A {\n\tride(id: 1) { name }\n}\n',
      'b.graphql': '{ rides(state: SHUT) { id } }',
    });
    const { code, stdout, stderr } = await gql('validate', a, b, '--schema', schema);
    expect(code).toBe(14);
    expect(stdout).toBe(`${a}:2:16: error: Cannot query field "name" on type "Ride".
  1 | query A {
  2 |  ride(id: 1) { name }
    |                ^
  3 | }

${b}:1:16: error: Value "SHUT" does not exist in "State" enum.
  1 | { rides(state: SHUT) { id } }
    |                ^
`);
    expect(stderr).toMatch(/^mop: 2 errors in 2 files\nhint: .+\n$/);
    const one = await gql('validate', a, '--schema', schema);
    expect(one.stderr).toMatch(/^mop: 1 error in .*a\.graphql\nhint: .+\n$/);
    const quiet = await gql('validate', a, b, '--schema', schema, '-q');
    expect([quiet.code, quiet.stdout]).toEqual([14, '']);
  });

  it('writes JSON of one shape', async () => {
    const [schema = '', a = '', broken = ''] = await files({
      'schema.graphql': SDL,
      'a.graphql': '{ old ride(id: 1) { name } }',
      'broken.graphql': 'query {\n  ride(id: }\n',
    });
    const result = await gql('validate', a, broken, '--schema', schema, '--json');
    expect([result.code, JSON.parse(result.stdout)]).toEqual([
      14,
      {
        valid: false,
        errors: expect.arrayContaining([
          {
            file: a,
            line: 1,
            column: 21,
            message: 'Cannot query field "name" on type "Ride".',
          },
          { file: broken, line: 2, column: 12, message: 'Syntax Error: Unexpected "}".' },
        ]),
        warnings: [
          {
            file: a,
            line: 1,
            column: 3,
            message: 'The field Query.old is deprecated. ask for ride',
          },
        ],
      },
    ]);
    expect(JSON.parse(result.stdout).errors).toHaveLength(2);
    expect(result.stdout).toMatch(/^[^\n]+\n$/);
    expect(jsonLines(result.stderr)).toEqual([
      { error: expect.objectContaining({ code: 'graphql', exit_code: 14, retryable: false }) },
    ]);
  });

  it.each([
    ['{ ride(id: }', 1, 12, 'Syntax Error: Unexpected "}".'],
    ['', 1, 1, 'Syntax Error: Unexpected <EOF>.'],
    ['# nothing\n', 2, 1, 'Syntax Error: Unexpected <EOF>.'],
    ['{ ride(id: "a) { id } }\n', 1, 24, 'Syntax Error: Unterminated string.'],
    ['{a'.repeat(20_000), 1, 1, 'it nests too deeply'],
  ])('takes a syntax error for one of the document: %s', async (text, line, column, message) => {
    const [schema = '', document = ''] = await files({ 'schema.graphql': SDL, 'a.graphql': text });
    const args = ['validate', document, '--schema', schema];
    const json = await gql(...args, '--json');
    expect([json.code, JSON.parse(json.stdout)]).toEqual([
      14,
      { valid: false, errors: [{ file: document, line, column, message }], warnings: [] },
    ]);
    const { code, stdout } = await gql(...args);
    expect(code).toBe(14);
    expect(stdout).toContain(`${document}:${line}:${column}: error: ${message}\n`);
  });

  it('is in colour on a terminal, and nowhere else', async () => {
    const [schema = '', document = ''] = await files({
      'schema.graphql': SDL,
      'a.graphql': '{ old none }',
    });
    const args = ['gql', 'validate', document, '--schema', schema];
    const shown = await mop(args, { stdoutIsTerminal: true });
    expect(shown.stdout).toContain('\u001b[31merror\u001b[39m: ');
    expect(shown.stdout).toContain('\u001b[33mwarning\u001b[39m: ');
    const plain = (await mop(args)).stdout;
    expect(plain).not.toContain('\u001b');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours are made of.
    expect(shown.stdout.replace(/\u001b\[\d+m/g, '')).toBe(plain);
    for (const [more, env] of [
      [['--no-color'], {}],
      [[], { NO_COLOR: '1' }],
    ] as const) {
      expect((await mop([...args, ...more], { stdoutIsTerminal: true, env })).stdout).toBe(plain);
    }
  });

  it('draws nothing of a document on the terminal', async () => {
    const wild = '\u001b[2J\u009b1m\u202e';
    const [schema = '', document = ''] = await files({
      'schema.graphql': SDL,
      'a\u001b[31m.graphql': `{ ride(id: "${wild}") { id } none # ${wild}\n  ${wild} }`,
      'b.graphql': '{ rides(city: "\u202e") { none } }',
    });
    const other = document.replace('a\u001b[31m.graphql', 'b.graphql');
    const args = ['gql', 'validate', document, other, '--schema', schema, '--no-color'];
    for (const more of [[], ['--json']]) {
      const { code, stdout } = await mop([...args, ...more], { stdoutIsTerminal: true });
      expect(code).toBe(14);
      expect(stdout).not.toMatch(/[^\P{C}\n]/u);
    }
  });

  it.each<[name: string, contents: Record<string, string>, errors: string[], warnings: string[]]>([
    [
      'what is deprecated is a warning',
      { 'a.graphql': '{ old }' },
      [],
      ['a.graphql:1:3 The field Query.old is deprecated. ask for ride'],
    ],
    [
      'fragments of other files',
      { 'a.graphql': '{ ride(id: 1) { ...F } }', 'b.graphql': 'fragment F on Ride { id }' },
      [],
      [],
    ],
    [
      'fragments of fragments of other files',
      {
        'a.graphql': '{ ride(id: 1) { ...F } }',
        'b.graphql': 'fragment F on Ride { ...G }',
        'c.graphql': 'fragment G on Ride { id }',
      },
      [],
      [],
    ],
    [
      'an error in a fragment is told once, in its own file',
      {
        'a.graphql': '{ ride(id: 1) { ...F } }',
        'b.graphql': 'query B { ride(id: 1) { ...F } }',
        'c.graphql': 'fragment F on Ride { none }',
      },
      ['c.graphql:1:22 Cannot query field "none" on type "Ride".'],
      [],
    ],
    [
      'a fragment that is nowhere',
      { 'a.graphql': '{ ride(id: 1) { ...F } }' },
      ['a.graphql:1:20 Unknown fragment "F".'],
      [],
    ],
    [
      'a fragment that nobody uses, beside an operation',
      { 'a.graphql': '{ ride(id: 1) { id } }\nfragment F on Ride { id }' },
      ['a.graphql:2:1 Fragment "F" is used nowhere.'],
      [],
    ],
    [
      'a fragment that nobody uses, by itself',
      { 'a.graphql': 'fragment F on Ride { id }' },
      [],
      ['a.graphql:1:1 Fragment "F" is used nowhere.'],
    ],
    [
      'operations of one name in one file',
      { 'a.graphql': 'query A { old }\nquery A { old }' },
      ['a.graphql:1:7 There can be only one operation named "A".'],
      [
        'a.graphql:1:11 The field Query.old is deprecated. ask for ride',
        'a.graphql:2:11 The field Query.old is deprecated. ask for ride',
      ],
    ],
    [
      'operations of one name in two files',
      {
        'a.graphql': 'query A { ride(id: 1) { id } }',
        'b.graphql': 'query A { ride(id: 2) { id } }',
      },
      [],
      [],
    ],
    [
      'a syntax error, which hides nothing of other files',
      { 'a.graphql': '{', 'b.graphql': '{ none }' },
      [
        'a.graphql:1:2 Syntax Error: Expected Name, found <EOF>.',
        'b.graphql:1:3 Cannot query field "none" on type "Query".',
      ],
      [],
    ],
    [
      'variables',
      { 'a.graphql': 'query ($i: Int, $j: ID!) { ride(id: $i) { id } }' },
      [
        'a.graphql:1:17 Variable "$j" is never used.',
        'a.graphql:1:8 Variable "$i" of type "Int" used in position expecting type "ID!".',
      ],
      [],
    ],
    [
      'a type definition',
      { 'a.graphql': 'type T { a: Int }' },
      ['a.graphql:1:1 The "T" definition is not executable.'],
      [],
    ],
  ])('%s', async (_, contents, errors, warnings) => {
    const [schema = '', ...documents] = await files({ 'schema.sdl': SDL, ...contents });
    const result = await gql('validate', ...documents, '--schema', schema, '--json');
    const { valid, ...found } = JSON.parse(result.stdout);
    const told = (list: { file: string; line: number; column: number; message: string }[]) =>
      list
        .map(
          ({ file, line, column, message }) =>
            `${file.replace(/^.*\//, '')}:${line}:${column} ${message}`,
        )
        .sort();
    expect([told(found.errors), told(found.warnings)]).toEqual([
      errors.toSorted(),
      warnings.toSorted(),
    ]);
    expect([result.code, valid]).toEqual(errors.length > 0 ? [14, false] : [0, true]);
  });

  it('tells of a fragment that several files define', async () => {
    const [schema = '', ...documents] = await files({
      'schema.sdl': SDL,
      'a.graphql': '{ ride(id: 1) { ...F } }',
      'b.graphql': 'fragment F on Ride { id }',
      'c.graphql': 'fragment F on Ride { city }',
    });
    const result = await gql('validate', ...documents, '--schema', schema, '--json');
    const { errors } = JSON.parse(result.stdout);
    expect([result.code, errors.length]).toEqual([14, 1]);
    expect(errors[0].message).toMatch(
      /^Fragment "F" is defined in .*b\.graphql and .*c\.graphql\.$/,
    );
  });

  // graphql-js has no rule for it before version 17.
  it.each(['mutation { a }', 'subscription { a }'])(
    'refuses %s where the schema has no such kind',
    async (document) => {
      const schema = await file(SDL);
      expect((await gql('validate', await file(document), '--schema', schema)).code).toBe(14);
    },
  );

  it('reads a document from standard input, and a file once', async () => {
    const schema = await file(SDL);
    const world = { stdin: '{ none }' };
    const args = ['gql', 'validate', '-', '-', '--schema', schema, '--json'];
    const { code, stdout } = await mop(args, world);
    expect([code, JSON.parse(stdout).errors]).toEqual([
      14,
      [{ file: 'stdin', line: 1, column: 3, message: expect.stringContaining('"none"') }],
    ]);
    const document = await file('{ none }');
    const twice = await gql('validate', document, document, '--schema', schema, '--json');
    expect(JSON.parse(twice.stdout).errors).toHaveLength(1);
  });

  it.each<[message: string, args: (good: string, schema: string) => string[]]>([
    [
      'cannot read "/does/not/exist" (ENOENT)',
      (_, schema) => ['/does/not/exist', '--schema', schema],
    ],
    ['"/does/not/also" (ENOENT)', (good, schema) => [good, '/does/not/also', '--schema', schema]],
    ['cannot read "/" (EISDIR)', (_, schema) => ['/', '--schema', schema]],
    ['cannot read "/no/schema" (ENOENT)', (good) => [good, '--schema', '/no/schema']],
    ['missing required argument', (_, schema) => ['--schema', schema]],
    ['validate takes no --paginate', (good, schema) => [good, '--schema', schema, '--paginate']],
    ['validate takes no --field', (good, schema) => [good, '--schema', schema, '-F', 'a=1']],
    ["unknown option '--as'", (good, schema) => [good, '--schema', schema, '--as', 'json']],
  ])('is refused: %s', async (message, args) => {
    const given = args(await file('{ old }'), await file(SDL));
    expectFailure(await gql('validate', ...given), 2, message);
  });

  it('refuses bytes that are not UTF-8', async () => {
    const document = await file(Buffer.from([0x7b, 0xff, 0x7d]), { name: 'latin.graphql' });
    const good = await file('{ old }');
    const schema = await file(SDL);
    expectFailure(
      await gql('validate', document, '--schema', schema),
      2,
      'latin.graphql is not UTF-8',
    );
    expectFailure(
      await gql('validate', good, '--schema', document),
      2,
      'latin.graphql is not UTF-8',
    );
  });

  it('keeps its exit code when its reader goes away', async () => {
    const args = ['gql', 'validate', await file('{ none }'), '--schema', await file(SDL)];
    expect((await mop(args, { stdoutError: 'EPIPE' })).code).toBe(14);
  });

  it('without a schema asks the endpoint, and without that fails', async () => {
    const { endpoint, requests } = await service(executing(executableSchema()));
    const args = ['gql', 'validate', await file('{ hello }')];
    const env = { MOP_CONFIG_DIR: await temporaryDirectory() };
    const set = { ...env, MOP_GQL_URL: endpoint };
    expect((await mop(args, { env: set })).stderr).toBe('valid\n');
    expect((await mop([...args, '--endpoint', `${endpoint}?b`], { env })).stderr).toBe('valid\n');
    expect(requests.map(({ path }) => path)).toEqual(['/graphql', '/graphql?b']);
    expectFailure(await mop(args, { env }), 3, 'gql_url is not set');
  });
});

describe('a schema', () => {
  const VALID = '{ ride(id: 1) { id city } search { ... on City { name } } }';

  const introspection = () => introspectionFromSchema(buildSchema(SDL));

  it.each<[name: string, text: () => string]>([
    ['SDL', () => SDL],
    ['SDL with a byte order mark', () => `\ufeff${SDL}`],
    ['introspection JSON', () => JSON.stringify(introspection())],
    ['introspection JSON with data', () => JSON.stringify({ data: introspection() }, undefined, 2)],
    [
      'the introspection of an old server',
      () => {
        const source = getIntrospectionQuery({ descriptions: false });
        return JSON.stringify(graphqlSync({ schema: buildSchema(SDL), source }));
      },
    ],
  ])('is %s', async (_, text) => {
    const schema = await file(text());
    expect((await gql('validate', await file(VALID), '--schema', schema)).code).toBe(0);
    const invalid = await file('{ ride(id: 1) { none } }');
    expect((await gql('validate', invalid, '--schema', schema)).code).toBe(14);
  });

  it.each([
    [
      'type Query {\n  a: Int\n  b(: Int\n}\n',
      '3:5',
      'Syntax Error: Expected Name, found ":".',
      'b(: Int',
    ],
    ['type Query {\n  a: Nope\n}\n', '2:6', 'Unknown type "Nope".', 'a: Nope'],
    [
      'type Query { a: Int }\ntype Query { b: Int }',
      '1:6',
      'There can be only one type named "Query".',
      '',
    ],
    ['type Query { a: Int a: Int }', '1:14', 'Field "Query.a" can only be defined once.', ''],
    [
      'type A implements I { b: Int }\ninterface I { a: Int }\ntype Query { a: A }',
      '2:15',
      'Interface field I.a expected but A does not provide it.',
      '',
    ],
    ['type Query {}', '1:13', 'Syntax Error: Expected Name, found "}".', ''],
    ['type Query { a: Int @nope }', '1:21', 'Unknown directive "@nope".', ''],
    ['{', '1:2', 'Syntax Error', ''],
  ])('that is broken is told with its place: %j', async (text, place, message, line) => {
    const schema = await file(text, { name: 'schema.graphql' });
    const document = await file('{ a }');
    for (const args of [
      ['validate', document, '--schema', schema],
      ['schema', schema],
      ['diff', schema, schema],
      ['run', '{ a }', '--schema', schema, '--data', await file('{}')],
      ['{ a }', '--schema', schema, '--endpoint', 'http://127.0.0.1:1/'],
    ]) {
      const { code, stdout, stderr } = await gql(...args);
      expect([code, stdout]).toEqual([2, '']);
      if (text !== '{') expect(stderr).toContain(`schema.graphql:${place}: ${message}`);
      expect(stderr).toMatch(/\nhint: .+\n$/);
      expect(stderr).toContain(line);
    }
  });

  it('that is broken shows the line with a caret', async () => {
    const schema = await file('type Query {\n  a: Nope\n  b: Neither\n}\n', { name: 's.graphql' });
    const { stderr } = await gql('schema', schema);
    expect(
      stderr.replace(/^hint: .+\n$/m, 'hint\n').replace(/^mop: .*?(?=s\.graphql:)/, 'mop: '),
    ).toBe(
      `mop: s.graphql:2:6: Unknown type "Nope". (and 1 more)
1 | type Query {
2 |   a: Nope
  |      ^
3 |   b: Neither
hint
`,
    );
  });

  it.each([
    '{}',
    '{"data":null}',
    '{"data":{}}',
    '{"errors":[{"message":"no"}]}',
    '{"__schema":{}}',
    '{"__schema":null}',
    '{"__schema":',
    '',
    ' \n',
    '<html>',
    'not a schema',
  ])('is not %j', async (text) => {
    const schema = await file(text, { name: 'schema' });
    const { code, stdout, stderr } = await gql('schema', schema);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^mop: .+\n(?:.+\n)*hint: .+\n$/);
    expect(stderr).not.toContain('this is a bug');
  });

  it.each([
    [
      'an interface that is not kept',
      'interface I { a: Int }\ntype Query implements I { b: Int }',
      '{ b }',
    ],
    ['a reserved name', 'type Query { __a: Int b: Int }', '{ b }'],
    ['no query', 'type Other { b: Int }', 'fragment F on Other { b }'],
    ['an empty union', 'union U\ntype Query { b: Int u: U }', '{ b }'],
  ])('with %s is taken with --assume-valid-schema', async (_, text, valid) => {
    const schema = await file(text);
    const document = await file(valid);
    const args = ['validate', document, '--schema', schema];
    expect((await gql(...args)).code).toBe(2);
    expect((await gql(...args, '--assume-valid-schema')).code).toBe(0);
    const invalid = await file('{ none }');
    const wrong = ['validate', invalid, '--schema', schema, '--assume-valid-schema', '--json'];
    // Where there is no query, nothing can be known of one.
    if (text.includes('Query')) expect((await gql(...wrong)).code).toBe(14);
  });

  it.each([
    'implements A, B',
    'implements A & B',
    'implements & A & B',
    'implements A,B',
    'implements A # first, of two\n  , B',
  ])('may have a type that %s', async (list) => {
    const schema = await file(`
      interface A { a: Int }
      interface B { b: String }
      type Query ${list} { a: Int, b: String }
    `);
    const document = await file('{ ... on A { a } ... on B { b } }');
    expect((await gql('validate', document, '--schema', schema)).stderr).toBe('valid\n');
    const { stdout } = await gql('schema', schema);
    expect(stdout).toContain('type Query implements A & B {');
  });

  it('comes from one place', async () => {
    const { endpoint, requests } = await service();
    const schema = await file(SDL);
    const args = ['validate', await file('{ old }'), '--schema', schema, '--endpoint', endpoint];
    expectFailure(await gql(...args), 2, 'from --schema or from --endpoint, not both');
    expectFailure(await gql('schema', schema, '--endpoint', endpoint), 2, 'not both');
    expect(requests).toEqual([]);
  });

  // It is taken apart before anybody looks at it: "Invalid URL" is told as a bug of mop, exit 1.
  it.each([
    ['schema', (source: string) => ['schema', source]],
    ['diff', (source: string) => ['diff', source, source]],
    ['validate', (source: string) => ['validate', '-', '--schema', source]],
    ['an operation', (source: string) => ['{ a }', '--schema', source]],
  ])('is no broken address: %s', async (_, args) => {
    const { gql: asked } = await service();
    for (const source of ['http://', 'https://[', 'http://a b/graphql']) {
      const { code, stdout } = await asked(args(source), { stdin: '{ a }' });
      expect([code, stdout]).toEqual([2, '']);
    }
  });
});

describe('a schema of an endpoint', () => {
  const schema = executableSchema();

  /** Validates against a URL, with a cache of its own. */
  async function caching(handler: Handler = executing(schema)) {
    const server = await service(handler);
    const directory = join(await temporaryDirectory(), 'config');
    const document = await file('{ hello }');
    const validate = (args: readonly string[] = [], now = NOW) =>
      mop(['gql', 'validate', document, '--schema', server.endpoint, ...args], {
        env: { MOP_CONFIG_DIR: directory },
        now: () => now,
      });
    const cache = join(directory, 'cache');
    return { ...server, directory, cache, validate };
  }

  it('is asked for once, and then kept for an hour', async () => {
    const { validate, requests } = await caching();
    for (const [now, count] of [
      [NOW, 1],
      [NOW, 1],
      [NOW + HOUR, 1],
      [NOW + HOUR + 1, 2],
      [NOW + HOUR + 2, 2],
      // A clock that was set back.
      [NOW - 1, 3],
    ] as const) {
      expect(await validate([], now)).toMatchObject({ code: 0, stdout: '', stderr: 'valid\n' });
      expect([now, requests.length]).toEqual([now, count]);
    }
  });

  it('is not kept when it is broken, and that is the fault of the endpoint', async () => {
    const broken = { __schema: { queryType: { name: 'Query' }, types: [], directives: [] } };
    const { validate, requests } = await caching((request, response, index) =>
      index === 0
        ? response.end(JSON.stringify({ data: broken }))
        : executing(schema)(request, response, index),
    );
    const { code, stderr } = await validate();
    expect([code, stderr]).toEqual([5, expect.stringMatching(/as SDL.*--assume-valid-schema/s)]);
    expect((await validate()).code).toBe(0);
    expect(requests).toHaveLength(2);
  });

  it('is asked for again with --refresh, and kept again', async () => {
    const { validate, requests } = await caching();
    await validate();
    expect((await validate(['--refresh'], NOW + HOUR)).code).toBe(0);
    expect(requests).toHaveLength(2);
    expect((await validate([], NOW + 2 * HOUR)).code).toBe(0);
    expect(requests).toHaveLength(2);
  });

  it('is kept for each who asks, in files that nobody else reads', async () => {
    const { validate, requests, cache, directory } = await caching();
    const tokens = ['Authorization: Bearer canary-1', 'Authorization: Bearer canary-2'];
    for (const line of [...tokens, ...tokens]) expect((await validate(['-H', line])).code).toBe(0);
    await validate();
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer canary-1',
      'Bearer canary-2',
      undefined,
    ]);
    const names = await readdir(cache);
    expect(names).toHaveLength(3);
    for (const name of names) {
      expect((await stat(join(cache, name))).mode & 0o777).toBe(0o600);
      expect(name + (await readFile(join(cache, name), 'utf8'))).not.toContain('canary');
    }
    expect(await readdir(directory)).toEqual(['cache']);
  });

  // It is made like any directory, before the configuration is written into it.
  it('makes no directory of the configuration that others can look into', async () => {
    const { validate, directory } = await caching();
    const before = process.umask(0o022);
    onTestFinished(() => void process.umask(before));
    await validate();
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
  });

  it('is kept for each address', async () => {
    const { validate, requests, endpoint } = await caching();
    await validate();
    await validate(['--schema', `${endpoint}?tenant=b`]);
    await validate(['--schema', `${endpoint}?tenant=b`]);
    expect(requests).toHaveLength(2);
  });

  it('is kept with --endpoint, MOP_GQL_URL and --schema of an operation', async () => {
    const { requests, endpoint, directory } = await caching();
    const document = await file('{ hello }');
    const env = { MOP_CONFIG_DIR: directory };
    for (const [args, more] of [
      [['validate', document, '--endpoint', endpoint], {}],
      [['validate', document], { MOP_GQL_URL: endpoint }],
      [['run', '{ hello }', '--schema', endpoint, '--data', await file('{"hello":"a"}')], {}],
    ] as const) {
      expect((await mop(['gql', ...args], { env: { ...env, ...more } })).code).toBe(0);
    }
    expect(requests).toHaveLength(1);
    const { stdout } = await mop(
      ['gql', '{ hello }', '--schema', endpoint, '--endpoint', endpoint],
      {
        env,
      },
    );
    expect([stdout, requests.length]).toEqual(['{"data":{"hello":"hello world"}}\n', 2]);
    const again = ['gql', '{ hello }', '--schema', endpoint, '--endpoint', endpoint, '--refresh'];
    expect((await mop(again, { env })).code).toBe(0);
    expect(requests).toHaveLength(4);
  });

  it('gets no header of another endpoint', async () => {
    const other = await service(executing(schema));
    const { requests, endpoint, directory } = await caching();
    const world = { env: { MOP_CONFIG_DIR: directory } };
    const args = ['{ hello }', '--schema', endpoint, '-H', 'Authorization: Bearer canary'];
    expect((await other.gql(args, world)).code).toBe(0);
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    expect(other.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer canary']);
    const own = ['{ hello }', '--schema', other.endpoint, '-H', 'Authorization: Bearer canary'];
    expect((await other.gql(own, world)).code).toBe(0);
    expect(other.requests.every(({ headers }) => headers.authorization)).toBe(true);
  });

  it.each(['diff', 'schema'])('is asked for each time by %s', async (command) => {
    const { requests, endpoint, validate, directory } = await caching();
    await validate();
    const args = command === 'diff' ? [endpoint, endpoint] : [endpoint];
    expect(
      (await mop(['gql', command, ...args], { env: { MOP_CONFIG_DIR: directory } })).code,
    ).toBe(0);
    expect(requests).toHaveLength(1 + args.length);
  });

  it.each([
    ['garbage', () => 'garbage'],
    ['nothing', () => ''],
    ['another time', () => '{"fetched_at":x,"data":{}}'],
  ])('that was kept as %s is asked for again', async (_, text) => {
    const { validate, requests, cache } = await caching();
    await validate();
    const [name = ''] = await readdir(cache);
    await writeFile(join(cache, name), text());
    expect((await validate()).code).toBe(0);
    expect(requests).toHaveLength(2);
  });

  // What it begins with is looked at, and not the rest.
  it.each([
    ['cut', (text: string) => text.slice(0, -100)],
    ['without its data', (text: string) => `${text.slice(0, text.indexOf(','))},"data":{}}`],
  ])('that was kept %s is asked for again', async (_, damage) => {
    const { validate, requests, cache } = await caching();
    await validate();
    const [name = ''] = await readdir(cache);
    const path = join(cache, name);
    await writeFile(path, damage(await readFile(path, 'utf8')));
    expect((await validate()).code).toBe(0);
    expect(requests).toHaveLength(2);
  });

  it('that cannot be kept is used all the same', async () => {
    const { endpoint } = await service(executing(schema));
    const blocked = await file('a file, and no directory');
    const args = ['gql', 'validate', await file('{ hello }'), '--schema', endpoint];
    const env = { MOP_CONFIG_DIR: blocked };
    const result = await mop([...args], { env });
    expect([result.code, result.stdout]).toEqual([0, '']);
    expect(result.stderr).toMatch(/^mop: warning: the schema is not cached: .+\nvalid\n$/);
    const json = await mop([...args, '--json'], { env });
    expect([json.code, JSON.parse(json.stdout).valid]).toEqual([0, true]);
    expect(jsonLines(json.stderr)).toEqual([
      { warning: { message: expect.stringContaining('not cached') } },
    ]);
  });

  it.each<[name: string, handler: Handler, code: number, message: string]>([
    [
      'introspection is off',
      answer({ errors: [{ message: 'introspection is off' }] }, 400),
      14,
      'introspection is off',
    ],
    ['it has no schema', answer({ data: { __schema: null } }), 14, 'no data'],
    ['HTML', answer('<html>', 200, 'text/html'), 5, 'HTTP 200 (text/html)'],
    ['HTTP 401', answer('who?', 401), 5, 'HTTP 401'],
    ['HTTP 503', answer('busy', 503), 6, 'HTTP 503'],
  ])(
    'that does not come is an error, and nothing is kept: %s',
    async (_, handler, code, message) => {
      const { validate, cache } = await caching(handler);
      expectFailure(await validate(['--retries', '1']), code, message);
      await expect(readdir(cache)).rejects.toThrow('ENOENT');
    },
  );

  it('that does not come leaves the one that was kept', async () => {
    let isUp = true;
    const { validate, requests } = await caching((request, response, index) =>
      isUp ? executing(schema)(request, response, index) : response.writeHead(404).end(),
    );
    await validate();
    isUp = false;
    expect((await validate(['--refresh'])).code).toBe(5);
    expect((await validate()).code).toBe(0);
    expect(requests).toHaveLength(2);
  });

  // Every other command keeps that promise.
  it.each([
    ['schema', (source: string) => ['schema', source]],
    ['diff', (source: string) => ['diff', source, source]],
    ['validate', (source: string) => ['validate', '-', '--schema', source]],
    ['an operation', (source: string) => ['{ hello }', '--schema', source]],
  ])('is not asked for with --dry-run: %s', async (_, args) => {
    const { gql: asked, endpoint, requests } = await service(executing(schema));
    const env = { MOP_CONFIG_DIR: await temporaryDirectory() };
    await asked([...args(endpoint), '--dry-run'], { env, stdin: '{ hello }' });
    expect(requests).toEqual([]);
  });

  it('does not take a credential over plain http to another machine', async () => {
    const document = await file('{ hello }');
    const lines = ['-H', 'Authorization: canary'];
    for (const args of [
      ['validate', document, '--schema', 'http://h.example/graphql', ...lines],
      ['schema', 'http://h.example/graphql', ...lines],
      ['diff', 'http://h.example/graphql', document, ...lines],
    ]) {
      const result = await gql(...args);
      expectFailure(result, 2, 'looks like a credential');
      expect(result.stderr).not.toContain('canary');
    }
  });
});

describe('mop gql schema', () => {
  it('prints the SDL of a file', async () => {
    const path = await file(SDL);
    expect(await gql('schema', path)).toMatchObject({ code: 0, stdout: SDL, stderr: '' });
    expect((await gql('schema', path, '--as', 'sdl')).stdout).toBe(SDL);
  });

  it('keeps directives that only the file knows', async () => {
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
        '{"breaking":[],"dangerous":[]}\n',
      );
    }
    const sdl = await gql('schema', path, '--as', 'sdl', '--json');
    expect(JSON.parse(sdl.stdout).trim()).toBe(SDL.trim());
  });

  it('keeps what newer schemas say', async () => {
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

  it('asks an endpoint', async () => {
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

  it('asks the server of graphql-http', async () => {
    const endpoint = await served(createHandler({ schema: buildSchema(SDL) }));
    expect((await gql('schema', endpoint)).stdout).toBe(SDL);
    expect(JSON.parse((await gql('schema', endpoint, '--json')).stdout)).toHaveProperty('__schema');
  });

  it('asks the sandbox', async () => {
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

  it('tries again', async () => {
    const { endpoint, requests } = await service((request, response, index) =>
      index === 0
        ? response.writeHead(503).end()
        : executing(buildSchema(SDL))(request, response, index),
    );
    const { code, waits } = await gql('schema', endpoint);
    expect([code, waits.length, requests.length]).toEqual([0, 1, 2]);
  });

  /** What servers learned later, and how one that did not says so. */
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

  it.each<[name: string, handler: Handler, requests: number]>([
    ['says all at once', old(NEWER, (messages) => messages), 2],
    ['says one at a time', old(NEWER, (messages) => messages.slice(0, 1)), 6],
    ['does not say what', old(NEWER, () => ['Bad Request']), 2],
    ['knows all but @oneOf', old(NEWER.slice(0, 1), (messages) => messages), 2],
    ['knows no description of a schema', old(NEWER.slice(-1), (messages) => messages), 2],
    ['knows all', old([], (messages) => messages), 1],
  ])('asks an old server, which %s', async (_, handler, count) => {
    const { endpoint, requests } = await service(handler);
    const { code, stdout, stderr } = await gql('schema', endpoint);
    expect([code, stdout, stderr]).toEqual([0, SDL, '']);
    expect(requests).toHaveLength(count);
  });

  it.each([
    ['GraphQL introspection is not allowed by Apollo Server', 400],
    ['introspection disabled', 200],
    ['Cannot query field "__schema" on type "Query".', 200],
  ])('ends with 14 where introspection is switched off: %s', async (message, status) => {
    const { endpoint, requests } = await service(answer({ errors: [{ message }] }, status));
    const result = await gql('schema', endpoint);
    expectFailure(result, 14, message, 'introspection');
    expect(requests.length).toBeLessThanOrEqual(2);
    const json = await gql('schema', endpoint, '--json');
    expect([json.stdout, errorOf(json).code]).toEqual(['', 'graphql']);
  });

  it.each([
    [['x.graphql', 'y.graphql'], 'too many arguments'],
    [['--as', 'xml'], '--as'],
    [['--get'], 'schema takes no --get'],
    [['--raw'], 'schema takes no --raw'],
    [['--schema', 'x'], 'schema takes no --schema'],
    [['/does/not/exist'], 'ENOENT'],
    [['--endpoint', 'ftp://h.example/'], 'it is not an http, https, ws or wss address'],
  ])('%j is refused', async (args, message) => {
    const { code, stdout, stderr } = await gql('schema', ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  it('without a source or an endpoint fails', async () => {
    expectFailure(await gql('schema'), 3, 'gql_url is not set');
  });
});

describe('mop gql diff', () => {
  const OLD = `
    type Query { a: Int b(x: Int): String e: E u: U }
    enum E { ONE TWO }
    union U = A | B
    type A { a: Int }
    type B { b: Int }
    input I { a: Int }
    extend type Query { i(i: I): Int }
  `;

  const diff = async (before: string, after: string, ...args: string[]) =>
    gql('diff', await file(before), await file(after), ...args);

  it('finds nothing in what is only added', async () => {
    const added = OLD.replace('a: Int b', 'a: Int c: Int b').replace(
      'type A {',
      'type A { c: Int ',
    );
    for (const after of [OLD, added]) {
      expect(await diff(OLD, after)).toMatchObject({
        code: 0,
        stdout: '',
        stderr: expect.stringMatching(/^.+\n$/),
      });
      expect(await diff(OLD, after, '--json')).toMatchObject({
        code: 0,
        stdout: '{"breaking":[],"dangerous":[]}\n',
        stderr: '',
      });
      expect(await diff(OLD, after, '-q')).toMatchObject({ code: 0, stdout: '', stderr: '' });
    }
  });

  it.each([
    ['a: Int b', 'b', 'FIELD_REMOVED', 'Query.a was removed.'],
    ['a: Int b', 'a: String b', 'FIELD_CHANGED_KIND', 'Query.a changed type from Int to String.'],
    ['ONE TWO', 'ONE', 'VALUE_REMOVED_FROM_ENUM', 'TWO was removed from enum type E.'],
    [
      'b(x: Int)',
      'b(x: Int!)',
      'ARG_CHANGED_KIND',
      'Query.b arg x has changed type from Int to Int!.',
    ],
    [
      'b(x: Int)',
      'b(x: Int, y: Int!)',
      'REQUIRED_ARG_ADDED',
      'A required arg y on Query.b was added.',
    ],
    [
      'input I { a: Int }',
      'input I { a: Int b: Int! }',
      'REQUIRED_INPUT_FIELD_ADDED',
      'A required field b on input type I was added.',
    ],
    ['U = A | B', 'U = A', 'TYPE_REMOVED_FROM_UNION', 'B was removed from union type U.'],
  ])('%s to %s breaks', async (before, after, type, description) => {
    const changed = OLD.replace(before, after);
    const json = await diff(OLD, changed, '--json');
    expect([json.code, JSON.parse(json.stdout)]).toEqual([
      14,
      { breaking: [{ type, description }], dangerous: [] },
    ]);
    expect(jsonLines(json.stderr)).toEqual([
      { error: expect.objectContaining({ code: 'graphql', exit_code: 14 }) },
    ]);
    const { code, stdout, stderr } = await diff(OLD, changed);
    expect([code, stdout]).toEqual([14, `breaking   ${description}\n`]);
    expect(stderr).toMatch(/^mop: .+\nhint: .+\n$/);
  });

  it.each([
    ['ONE TWO', 'ONE TWO THREE', 'VALUE_ADDED_TO_ENUM', 'THREE was added to enum type E.'],
    [
      'b(x: Int)',
      'b(x: Int, y: Int)',
      'OPTIONAL_ARG_ADDED',
      'An optional arg y on Query.b was added.',
    ],
    ['U = A | B', 'U = A | B | Query', 'TYPE_ADDED_TO_UNION', 'Query was added to union type U.'],
  ])('%s to %s is dangerous', async (before, after, type, description) => {
    const changed = OLD.replace(before, after);
    const json = await diff(OLD, changed, '--json');
    expect([json.code, JSON.parse(json.stdout), json.stderr]).toEqual([
      0,
      { breaking: [], dangerous: [{ type, description }] },
      '',
    ]);
    expect(await diff(OLD, changed)).toMatchObject({
      code: 0,
      stdout: `dangerous  ${description}\n`,
      stderr: '',
    });
  });

  it('shows what breaks before what is dangerous', async () => {
    const changed = OLD.replace('ONE TWO', 'ONE THREE').replace('a: Int b', 'b');
    const { code, stdout, stderr } = await diff(OLD, changed);
    expect([code, stdout.match(/^\w+/gm)]).toEqual([14, ['breaking', 'breaking', 'dangerous']]);
    expect(stderr).toContain('2 breaking changes');
    const before = await file(OLD);
    const args = ['gql', 'diff', before, await file(changed)];
    const shown = await mop(args, { stdoutIsTerminal: true });
    expect(shown.stdout).toContain('\u001b[31mbreaking');
    expect((await mop([...args, '-q'])).stdout).toBe('');
    expect((await mop(args, { stdoutError: 'EPIPE' })).code).toBe(14);
  });

  it('takes files and URLs in both places', async () => {
    const { endpoint, requests } = await service(executing(buildSchema(SDL)));
    const path = await file(SDL);
    expect((await gql('diff', path, endpoint, '-H', 'X-Trace: 1')).code).toBe(0);
    expect((await gql('diff', endpoint, path)).code).toBe(0);
    expect((await gql('diff', endpoint, await file('type Query { a: Int }'))).code).toBe(14);
    expect(requests).toHaveLength(3);
    expect(requests[0]?.headers['x-trace']).toBe('1');
  });

  it.each([
    [['a.graphql'], 'missing required argument'],
    [['/does/not/exist', '/does/not/exist'], 'ENOENT'],
    [['a', 'b', 'c'], 'too many arguments'],
    [['a', 'b', '--schema', 'c'], 'diff takes no --schema'],
    [['a', 'b', '--endpoint', 'c'], 'diff takes no --endpoint'],
    [['a', 'b', '--refresh'], 'diff takes no --refresh'],
  ])('%j is refused', async (args, message) => {
    expectFailure(await gql('diff', ...args), 2, message);
  });
});

describe('mop gql run', () => {
  const RUN = `
    interface Node { id: ID! }
    type Query {
      ride(id: ID, city: String): Ride
      rides(city: String, state: State, min: Float, tag: String, tags: [String!]): [Ride!]!
      node(id: ID): Node
      search(text: String): [Found!]
      big: Long
      half: Float
      whole: Int
      name: String
      me: Person!
      none: Int
      matrix: [[Int]]
    }
    type Mutation {
      rename(id: ID!, name: String): Ride
      put(ride: RideInput!): Ride
      ping: Boolean
    }
    type Subscription { rideChanged: Ride }
    type Ride implements Node { id: ID! city: String state: State fare: Float tags: [String!] driver: Person name: String }
    type Person implements Node { id: ID! name: String }
    union Found = Ride | Person
    enum State { OPEN ENDED }
    input RideInput { city: String fare: Float }
    scalar Long
  `;

  const DATA = `{
    "rides": [
      {"id": 1, "city": "杭州", "state": "OPEN", "fare": 1.0, "tags": ["a", "b"], "driver": {"id": "p1", "name": "Li"}},
      {"id": "2", "city": "上海", "state": "ENDED", "fare": 1e2, "tags": ["b"]},
      {"id": "3", "city": "杭州", "state": "ENDED", "fare": 2.50, "tags": [], "driver": null}
    ],
    "ride": [
      {"id": "1", "city": "杭州"},
      {"id": "2", "city": "上海"}
    ],
    "node": {"__typename": "Person", "id": "p1", "name": "Li"},
    "search": [
      {"__typename": "Ride", "id": "1", "city": "杭州"},
      {"__typename": "Person", "id": "p1", "name": "Li"}
    ],
    "big": 12345678901234567890,
    "half": 1.50,
    "whole": 3.0,
    "name": "n",
    "me": {"id": "me"},
    "matrix": [[1, 2], [], null, [3, null]],
    "rename": {"city": "杭州", "name": "before"}
  }`;

  const runs = async (document: string, ...args: string[]) => {
    const [schema = '', data = ''] = await files({ 'schema.graphql': RUN, 'data.json': DATA });
    const result = await gql('run', document, '--schema', schema, '--data', data, ...args);
    expect(await readFile(data, 'utf8')).toBe(DATA);
    return result;
  };

  it.each<[document: string, args: string[], data: string]>([
    [
      '{ rides { id city } }',
      [],
      '{"rides":[{"id":"1","city":"杭州"},{"id":"2","city":"上海"},{"id":"3","city":"杭州"}]}',
    ],
    ['{ rides(city: "杭州") { id } }', [], '{"rides":[{"id":"1"},{"id":"3"}]}'],
    ['{ rides(city: "杭州", state: ENDED) { id } }', [], '{"rides":[{"id":"3"}]}'],
    ['{ rides(city: "nowhere") { id } }', [], '{"rides":[]}'],
    ['{ rides(city: null) { id } }', [], '{"rides":[{"id":"1"},{"id":"2"},{"id":"3"}]}'],
    ['{ rides(min: 5) { id } }', [], '{"rides":[{"id":"1"},{"id":"2"},{"id":"3"}]}'],
    ['{ rides(tags: ["a"]) { id } }', [], '{"rides":[{"id":"1"}]}'],
    ['{ rides(tags: ["a", "b"]) { id } }', [], '{"rides":[{"id":"1"},{"id":"2"}]}'],
    ['{ rides { fare } }', [], '{"rides":[{"fare":1.0},{"fare":1e2},{"fare":2.50}]}'],
    [
      '{ rides { driver { name } } }',
      [],
      '{"rides":[{"driver":{"name":"Li"}},{"driver":null},{"driver":null}]}',
    ],
    ['{ ride(id: 2) { city } }', [], '{"ride":{"city":"上海"}}'],
    ['{ ride { id } }', [], '{"ride":{"id":"1"}}'],
    ['{ ride(id: 9) { city } }', [], '{"ride":null}'],
    [
      '{ a: ride(id: 1) { city } b: ride(id: 2) { city } }',
      [],
      '{"a":{"city":"杭州"},"b":{"city":"上海"}}',
    ],
    [
      '{ node { __typename id ... on Person { name } ... on Ride { city } } }',
      [],
      '{"node":{"__typename":"Person","id":"p1","name":"Li"}}',
    ],
    [
      '{ search { ... on Ride { city } ... on Person { name } __typename } }',
      [],
      '{"search":[{"city":"杭州","__typename":"Ride"},{"name":"Li","__typename":"Person"}]}',
    ],
    [
      '{ big half name none }',
      [],
      '{"big":12345678901234567890,"half":1.50,"name":"n","none":null}',
    ],
    ['{ matrix }', [], '{"matrix":[[1,2],[],null,[3,null]]}'],
    ['{ __typename }', [], '{"__typename":"Query"}'],
    [
      '{ __type(name: "State") { enumValues { name } } }',
      [],
      '{"__type":{"enumValues":[{"name":"OPEN"},{"name":"ENDED"}]}}',
    ],
    ['query ($c: String) { rides(city: $c) { id } }', ['-F', 'c=上海'], '{"rides":[{"id":"2"}]}'],
    ['query ($i: ID) { ride(id: $i) { city } }', ['-F', 'i=2'], '{"ride":{"city":"上海"}}'],
    [
      'query ($s: State) { rides(state: $s) { id } }',
      ['--variables', '{"s":"OPEN"}'],
      '{"rides":[{"id":"1"}]}',
    ],
    ['query ($s: State = OPEN) { rides(state: $s) { id } }', [], '{"rides":[{"id":"1"}]}'],
    [
      'query ($w: Boolean!) { name big @include(if: $w) half @skip(if: $w) }',
      ['-F', 'w=false'],
      '{"name":"n","half":1.50}',
    ],
    ['query A { name } query B { half }', ['--operation', 'B'], '{"half":1.50}'],
    [
      '{ ...F } fragment F on Query { name me { ...P } } fragment P on Person { id }',
      [],
      '{"name":"n","me":{"id":"me"}}',
    ],
  ])('%s %j', async (document, args, data) => {
    const { code, stdout, stderr } = await runs(document, ...args);
    expect([code, stderr, stdout]).toEqual([0, '', `{"data":${data}}\n`]);
    expect((await runs(document, ...args, '--raw')).stdout).toBe(`${data}\n`);
  });

  it.each([
    [
      'mutation { rename(id: 7, name: "after") { id name city } }',
      '{"rename":{"id":"7","name":"after","city":"杭州"}}',
    ],
    [
      'mutation { put(ride: {city: "上海", fare: 2.5}) { city fare } }',
      '{"put":{"city":"上海","fare":2.5}}',
    ],
    ['mutation { ping }', '{"ping":true}'],
  ])('answers %s, and leaves the file as it is', async (document, data) => {
    const { code, stdout, stderr } = await runs(document);
    expect([code, stderr, stdout]).toEqual([0, '', `{"data":${data}}\n`]);
  });

  it('takes the document from a file and from standard input', async () => {
    const [schema = '', data = '', document = ''] = await files({
      'schema.graphql': RUN,
      'data.json': DATA,
      'document.graphql': 'query N { name }',
    });
    const args = ['--schema', schema, '--data', data];
    expect((await gql('run', `@${document}`, ...args)).stdout).toBe('{"data":{"name":"n"}}\n');
    const piped = await mop(['gql', 'run', '-', ...args], { stdin: '{ name }' });
    expect(piped.stdout).toBe('{"data":{"name":"n"}}\n');
    const shown = await mop(['gql', 'run', '{ half }', ...args], { stdoutIsTerminal: true });
    expect(shown.stdout).toBe('{\n  "data": {\n    "half": 1.50\n  }\n}\n');
  });

  it.each([
    ['{ me { id } x: node { id ... on Ride { city } } }', '{"me":{}}', 'id', 14],
    ['{ rides { id } }', '{"rides":5}', 'rides', 14],
    ['{ rides { id } }', '{}', 'Query.rides', 14],
    ['{ whole }', '{"whole":1.5}', 'whole', 14],
    ['{ whole }', '{"whole":"x"}', 'whole', 14],
    ['{ rides { state } }', '{"rides":[{"state":"SHUT"}]}', 'SHUT', 14],
    ['{ node { id } }', '{"node":{"id":"1"}}', '__typename', 14],
    ['{ node { id } }', '{"node":{"id":"1","__typename":"Nope"}}', 'Nope', 14],
    ['{ ride { city } }', '{"ride":"x"}', 'ride', 14],
  ])('tells of data that does not fit: %s with %s', async (document, data, message, code) => {
    const schema = await file(RUN);
    const args = ['run', document, '--schema', schema, '--data', await file(data)];
    const result = await gql(...args);
    expect([result.code, JSON.parse(result.stdout).errors.length > 0]).toEqual([code, true]);
    expect(result.stderr).toContain(message);
    expect(result.stderr).toMatch(/\(document:\d+:\d+\)\nhint: .+\n$/);
  });

  it('has partial data, which may be allowed', async () => {
    const [schema = '', data = ''] = await files({ s: RUN, d: '{"name":"n","whole":1.5}' });
    const args = ['run', '{ name whole }', '--schema', schema, '--data', data];
    const refused = await gql(...args);
    expect([refused.code, JSON.parse(refused.stdout).data]).toEqual([
      14,
      { name: 'n', whole: null },
    ]);
    const allowed = await gql(...args, '--allow-partial', '--raw');
    expect([allowed.code, allowed.stdout]).toEqual([0, '{"name":"n","whole":null}\n']);
    expect(allowed.stderr).toMatch(/^mop: warning: whole: .+\n$/);
    const json = await gql(...args, '--json');
    expect([errorOf(json).code, jsonLines(json.stderr).length]).toEqual(['graphql', 1]);
  });

  it('shows where a document is not valid', async () => {
    const result = await runs('{\n  name\n  nope\n}');
    expect([result.code, result.stdout]).toEqual([14, '']);
    expect(result.stderr).toMatch(
      /^mop: document:3:3: Cannot query field "nope" on type "Query"\..*\n2 \| {3}name\n3 \| {3}nope\n {2}\| {3}\^\n4 \| \}\nhint: .+\n$/,
    );
  });

  it.each<[document: string, args: string[], message: string]>([
    ['{', [], 'document:1:2: Syntax Error'],
    ['', [], 'Syntax Error: Unexpected <EOF>.'],
    ['query A { name } query B { half }', [], 'has 2 operations'],
    ['query A { name }', ['--operation', 'B'], 'no operation "B"'],
    ['query ($i: ID!) { ride(id: $i) { id } }', [], '"$i"'],
    ['query ($s: State) { rides(state: $s) { id } }', ['-F', 's=SHUT'], '"SHUT"'],
    ['{ name }', ['-F', 'i=1'], 'declares no variable $i'],
    ['subscription { rideChanged { id } }', [], 'no events'],
    ['@/does/not/exist', [], 'ENOENT'],
    ['{ name }', ['--endpoint', 'http://127.0.0.1/'], 'run takes no --endpoint'],
    ['{ name }', ['--paginate'], 'run takes no --paginate'],
    ['{ name }', ['--get'], 'run takes no --get'],
    ['{ name }', ['--upload', 'a=@b'], 'run takes no --upload'],
  ])('refuses %s with %j', async (document, args, message) => {
    const { code, stdout, stderr } = await runs(document, ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/\nhint: .+\n$/);
  });

  it.each([
    ['{"a":', 'the data are not JSON'],
    ['', 'the data are not JSON'],
    ['[1]', 'no JSON object'],
    ['"a"', 'no JSON object'],
    ['{"a":1,}', 'the data are not JSON'],
  ])('refuses the data %j', async (text, message) => {
    const schema = await file(RUN);
    const args = ['run', '{ name }', '--schema', schema, '--data', await file(text)];
    expectFailure(await gql(...args), 2, message);
  });

  it('needs a schema and data', async () => {
    const schema = await file(RUN);
    const data = await file(DATA);
    expectFailure(await gql('run', '{ name }', '--data', data), 2, '--schema is missing');
    expectFailure(await gql('run', '{ name }', '--schema', schema), 2, '--data is missing');
    expectFailure(
      await gql('run', '--schema', schema, '--data', data),
      2,
      'missing required argument',
    );
    const missing = ['--schema', schema, '--data', '/does/not/exist'];
    expectFailure(await gql('run', '{ name }', ...missing), 2, 'ENOENT');
  });
});

describe('options in front of a subcommand', () => {
  it('are those of the subcommand', async () => {
    const [schema = '', data = '', document = ''] = await files({
      'schema.graphql': SDL,
      'data.json': '{"old":1.0}',
      'document.graphql': '{ old }',
    });
    const valid = await gql('--schema', schema, '--json', 'validate', document);
    expect([valid.code, JSON.parse(valid.stdout).valid]).toEqual([0, true]);
    const run = await gql('--schema', schema, '--raw', 'run', '{ old }', '--data', data);
    expect([run.code, run.stdout]).toEqual([0, '{"old":1.0}\n']);
    const named = ['--operation', 'A', '-F', 'i=1', '--schema', schema, 'run'];
    const query = 'query A($i: ID!) { ride(id: $i) { id } } query B { old }';
    expect((await gql(...named, query, '--data', data)).stdout).toBe('{"data":{"ride":null}}\n');
    const { endpoint, requests } = await service(executing(buildSchema(SDL)));
    const asked = await gql(
      '--endpoint',
      endpoint,
      '-H',
      'X-Trace: 1',
      'schema',
      '-H',
      'X-Trace: 2',
    );
    expect([asked.code, asked.stdout]).toEqual([0, SDL]);
    expect(requests[0]?.headers['x-trace']).toBe('1, 2');
  });

  it.each([
    [['--paginate', 'validate', 'x'], 'validate takes no --paginate'],
    [['--get', 'schema'], 'schema takes no --get'],
    [['--count', '1', 'diff', 'a', 'b'], 'diff takes no --count'],
    [['--transport', 'ws', 'run', '{ a }'], 'run takes no --transport'],
    [['--allow-partial', 'validate', 'x'], 'validate takes no --allow-partial'],
    [['-F', 'a=1', 'schema'], 'schema takes no --field'],
    [['--variables', '{}', 'diff', 'a', 'b'], 'diff takes no --variables'],
    [['--connection-params', '{}', 'schema'], 'schema takes no --connection-params'],
    [['--endpoint', 'http://h.example', 'diff', 'a', 'b'], 'diff takes no --endpoint'],
  ])('that it does not have are refused: %j', async (args, message) => {
    expectFailure(await gql(...args), 2, message, 'mop gql');
  });
});

it('a schema that cannot be read for its mode is bad input', async ({ skip }) => {
  skip(process.getuid?.() === 0, 'root reads everything');
  const schema = await file(SDL);
  await chmod(schema, 0);
  expectFailure(await gql('schema', schema), 2, 'EACCES');
});

it('the cache survives what is in its place', async () => {
  const { endpoint } = await service(executing(executableSchema()));
  const directory = await temporaryDirectory();
  await mkdir(join(directory, 'cache'));
  const args = ['gql', 'validate', await file('{ hello }'), '--schema', endpoint];
  const env = { MOP_CONFIG_DIR: directory };
  await mop(args, { env });
  const [name = ''] = await readdir(join(directory, 'cache'));
  const other = await temporaryDirectory();
  await mkdir(join(other, 'cache', name), { recursive: true });
  const result = await mop(args, { env: { MOP_CONFIG_DIR: other } });
  expect([result.code, result.stderr]).toEqual([0, expect.stringContaining('not cached')]);
  expect(await readdir(join(other, 'cache'))).toEqual([name]);
});
