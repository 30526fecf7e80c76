import { describe, expect, it } from 'vitest';
import { mop, temporaryDirectory } from '../../../support/cli.ts';
import { checkRows } from '../../../support/rows.ts';
import { expectFailure, file } from '../../support.ts';
import { executableSchema, executing, files, gql, jsonLines, SDL, service } from './support.ts';

describe('mop gql validate', () => {
  it('reports that documents are valid', async () => {
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

  it('shows each error with its line and a caret', async () => {
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

  it('writes the same JSON keys for each document', async () => {
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

  it('reports a syntax error as an error of the document', () =>
    checkRows(
      [
        ['{ ride(id: }', 1, 12, 'Syntax Error: Unexpected "}".'],
        ['', 1, 1, 'Syntax Error: Unexpected <EOF>.'],
        ['# nothing\n', 2, 1, 'Syntax Error: Unexpected <EOF>.'],
        ['{ ride(id: "a) { id } }\n', 1, 24, 'Syntax Error: Unterminated string.'],
        ['{a'.repeat(20_000), 1, 1, 'it nests too deeply'],
      ],
      async ([text, line, column, message]) => {
        const [schema = '', document = ''] = await files({
          'schema.graphql': SDL,
          'a.graphql': text,
        });
        const args = ['validate', document, '--schema', schema];
        const json = await gql(...args, '--json');
        expect([json.code, JSON.parse(json.stdout)]).toEqual([
          14,
          { valid: false, errors: [{ file: document, line, column, message }], warnings: [] },
        ]);
        const { code, stdout } = await gql(...args);
        expect(code).toBe(14);
        expect(stdout).toContain(`${document}:${line}:${column}: error: ${message}\n`);
      },
    ));

  it('uses colour on a terminal only', async () => {
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

  it('writes no control characters of a document to the terminal', async () => {
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
      'a deprecated element is a warning',
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
      'an error in a fragment is reported once, in its own file',
      {
        'a.graphql': '{ ride(id: 1) { ...F } }',
        'b.graphql': 'query B { ride(id: 1) { ...F } }',
        'c.graphql': 'fragment F on Ride { none }',
      },
      ['c.graphql:1:22 Cannot query field "none" on type "Ride".'],
      [],
    ],
    [
      'a missing fragment',
      { 'a.graphql': '{ ride(id: 1) { ...F } }' },
      ['a.graphql:1:20 Unknown fragment "F".'],
      [],
    ],
    [
      'an unused fragment beside an operation',
      { 'a.graphql': '{ ride(id: 1) { id } }\nfragment F on Ride { id }' },
      ['a.graphql:2:1 Fragment "F" is never used.'],
      [],
    ],
    [
      'an unused fragment without an operation',
      { 'a.graphql': 'fragment F on Ride { id }' },
      [],
      ['a.graphql:1:1 Fragment "F" is never used.'],
    ],
    [
      'operations with the same name in one file',
      { 'a.graphql': 'query A { old }\nquery A { old }' },
      ['a.graphql:1:7 There can be only one operation named "A".'],
      [
        'a.graphql:1:11 The field Query.old is deprecated. ask for ride',
        'a.graphql:2:11 The field Query.old is deprecated. ask for ride',
      ],
    ],
    [
      'operations with the same name in two files',
      {
        'a.graphql': 'query A { ride(id: 1) { id } }',
        'b.graphql': 'query A { ride(id: 2) { id } }',
      },
      [],
      [],
    ],
    [
      'a syntax error, besides the errors of other files',
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
    const reported = (list: { file: string; line: number; column: number; message: string }[]) =>
      list
        .map(
          ({ file, line, column, message }) =>
            `${file.replace(/^.*\//, '')}:${line}:${column} ${message}`,
        )
        .sort();
    expect([reported(found.errors), reported(found.warnings)]).toEqual([
      errors.toSorted(),
      warnings.toSorted(),
    ]);
    expect([result.code, valid]).toEqual(errors.length > 0 ? [14, false] : [0, true]);
  });

  it('reports a fragment that several files define', async () => {
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
    'refuses %s when the schema has no such root type',
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

  it('refuses invalid arguments', () =>
    checkRows<[message: string, args: (good: string, schema: string) => string[]]>(
      [
        [
          'cannot read "/does/not/exist": there is no such file',
          (_, schema) => ['/does/not/exist', '--schema', schema],
        ],
        [
          '"/does/not/also": there is no such file',
          (good, schema) => [good, '/does/not/also', '--schema', schema],
        ],
        ['/ contains or matches no GraphQL file', (_, schema) => ['/', '--schema', schema]],
        [
          'cannot read "/no/schema": there is no such file',
          (good) => [good, '--schema', '/no/schema'],
        ],
        ['no documents to validate', (_, schema) => ['--schema', schema]],
        [
          'validate takes no --paginate',
          (good, schema) => [good, '--schema', schema, '--paginate'],
        ],
        ['validate takes no --field', (good, schema) => [good, '--schema', schema, '-F', 'a=1']],
        ["unknown option '--as'", (good, schema) => [good, '--schema', schema, '--as', 'json']],
      ],
      async ([message, args]) => {
        const given = args(await file('{ old }'), await file(SDL));
        expectFailure(await gql('validate', ...given), 2, message);
      },
    ));

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

  it('keeps its exit code when its reader closes the pipe', async () => {
    const args = ['gql', 'validate', await file('{ none }'), '--schema', await file(SDL)];
    expect((await mop(args, { stdoutError: 'EPIPE' })).code).toBe(14);
  });

  it('reads the schema from the endpoint by default, and fails without one', async () => {
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
