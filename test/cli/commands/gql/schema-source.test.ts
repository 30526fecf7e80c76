import { chmod } from 'node:fs/promises';
import { buildSchema, getIntrospectionQuery, graphqlSync, introspectionFromSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { checkRows } from '../../../support/rows.ts';
import { expectFailure, file } from '../../support.ts';
import { gql, jsonLines, SDL, service } from './support.ts';

describe('--schema of an operation', () => {
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

  it('types variables by the schema', () =>
    checkRows<[types: string, use: string, args: string[], expected: string]>(
      [
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
      ],
      async ([types, use, args, expected]) => {
        const document = `query (${types}) { echo(${use}) }`;
        const { result, requests } = await sending(document, args);
        expect([result.code, result.stderr]).toEqual([0, '']);
        expect(requests[0]?.body).toBe(`{"query":"${document}","variables":${expected}}`);
      },
    ));

  it('refuses variables that do not fit, and sends nothing', () =>
    checkRows<[types: string, use: string, args: string[], message: string]>(
      [
        [
          '$c: Color',
          'color: $c',
          ['-F', 'c=PINK'],
          'Value "PINK" does not exist in "Color" enum.',
        ],
        ['$c: Color', 'color: $c', ['-F', 'c=red'], 'Did you mean the enum value "RED"'],
        ['$i: Filter', 'in: $i', ['-F', 'i[min]=1'], 'Field "name" of required type "String!"'],
        ['$i: Filter', 'in: $i', ['-F', 'i[name]=a', '-F', 'i[min]=x'], 'at "i.min"'],
        [
          '$i: Filter',
          'in: $i',
          ['-F', 'i[name]=a', '-F', 'i[mix]=1'],
          'Field "mix" is not defined',
        ],
        ['$i: Filter', 'in: $i', ['--variables', '{"i":{"name":5}}'], 'at "i.name"'],
        ['$i: Filter', 'in: $i', ['-F', 'i=x'], '"$i"'],
      ],
      async ([types, use, args, message]) => {
        const { result, requests } = await sending(`query (${types}) { echo(${use}) }`, args);
        expectFailure(result, 2, message);
        expect(requests).toEqual([]);
      },
    ));

  it('shows the place of a validation error, and sends nothing', async () => {
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

  it('refuses an invalid document with exit code 14', () =>
    checkRows(
      [
        'query ($x: Nope) { echo(id: $x) }',
        'query ($x: Int) { echo }',
        '{ echo(id: $x) }',
        '{ ...F }',
        'mutation { paint }',
        'mutation { paint(color: PINK) }',
      ],
      async (document) => {
        const { result, requests } = await sending(document, ['--json']);
        expect([result.code, result.stdout]).toEqual([14, '']);
        expect(jsonLines(result.stderr)).toEqual([
          { error: expect.objectContaining({ code: 'graphql', exit_code: 14, retryable: false }) },
        ]);
        expect(requests).toEqual([]);
      },
    ));

  // graphql-js has no rule for it before version 17.
  it('refuses an operation whose root type it does not define', async () => {
    const { result, requests } = await sending('subscription { a }', []);
    expect(result.code).toBe(14);
    expect(requests).toEqual([]);
  });

  it('accepts an invalid schema with --assume-valid-schema', async () => {
    const schema = await file('interface I { a: Int }\ntype Query implements I { b: Int }');
    const { gql, requests } = await service();
    const args = ['{ b }', '--schema', schema];
    expect((await gql(args)).code).toBe(2);
    expect(requests).toEqual([]);
    expect((await gql([...args, '--assume-valid-schema'])).code).toBe(0);
    expect((await gql(['{ none }', ...args.slice(1), '--assume-valid-schema'])).code).toBe(14);
    expect(requests).toHaveLength(1);
  });

  it('sends nothing when the schema is missing or invalid', async () => {
    const { gql, requests } = await service();
    expectFailure(await gql(['{ a }', '--schema', '/does/not/exist']), 2, 'there is no such file');
    const broken = await file('type Query { a: Nope }', { name: 'broken.graphql' });
    const result = await gql(['{ a }', '--schema', broken]);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain('broken.graphql:1:17: Unknown type "Nope".');
    expect(requests).toEqual([]);
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
  ])('may be %s', async (_, text) => {
    const schema = await file(text());
    expect((await gql('validate', await file(VALID), '--schema', schema)).code).toBe(0);
    const invalid = await file('{ ride(id: 1) { none } }');
    expect((await gql('validate', invalid, '--schema', schema)).code).toBe(14);
  });

  it('that is invalid is reported with its place by every command', () =>
    checkRows(
      [
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
      ],
      async ([text, place, message, line]) => {
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
      },
    ));

  it('that is invalid is shown with its line and a caret', async () => {
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

  it('that is neither SDL nor introspection JSON is refused', () =>
    checkRows(
      [
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
      ],
      async (text) => {
        const schema = await file(text, { name: 'schema' });
        const { code, stdout, stderr } = await gql('schema', schema);
        expect([code, stdout]).toEqual([2, '']);
        expect(stderr).toMatch(/^mop: .+\n(?:.+\n)*hint: .+\n$/);
        expect(stderr).not.toContain('this is a bug');
      },
    ));

  it.each([
    [
      'an interface that is not kept',
      'interface I { a: Int }\ntype Query implements I { b: Int }',
      '{ b }',
    ],
    ['a reserved name', 'type Query { __a: Int b: Int }', '{ b }'],
    ['no query', 'type Other { b: Int }', 'fragment F on Other { b }'],
    ['an empty union', 'union U\ntype Query { b: Int u: U }', '{ b }'],
  ])('with %s is accepted with --assume-valid-schema', async (_, text, valid) => {
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

  it('may list interfaces with commas, ampersands and comments', () =>
    checkRows(
      [
        'implements A, B',
        'implements A & B',
        'implements & A & B',
        'implements A,B',
        'implements A # first, of two\n  , B',
      ],
      async (list) => {
        const schema = await file(`
      interface A { a: Int }
      interface B { b: String }
      type Query ${list} { a: Int, b: String }
    `);
        const document = await file('{ ... on A { a } ... on B { b } }');
        expect((await gql('validate', document, '--schema', schema)).stderr).toBe('valid\n');
        const { stdout } = await gql('schema', schema);
        expect(stdout).toContain('type Query implements A & B {');
      },
    ));

  it('comes from one source', async () => {
    const { endpoint, requests } = await service();
    const schema = await file(SDL);
    const args = ['validate', await file('{ old }'), '--schema', schema, '--endpoint', endpoint];
    expectFailure(await gql(...args), 2, 'both as --schema and with --endpoint');
    expectFailure(
      await gql('schema', schema, '--endpoint', endpoint),
      2,
      'both as FILE-OR-URL and with --endpoint',
    );
    expect(requests).toEqual([]);
  });

  // Parsed too early, "Invalid URL" would be reported as a bug of mop, with exit code 1.
  it('that is a malformed URL is refused', () =>
    checkRows(
      [
        ['schema', (source: string) => ['schema', source]],
        ['diff', (source: string) => ['diff', source, source]],
        ['validate', (source: string) => ['validate', '-', '--schema', source]],
        ['an operation', (source: string) => ['{ a }', '--schema', source]],
      ],
      async ([_, args]) => {
        const { gql: asked } = await service();
        for (const source of ['http://', 'https://[', 'http://a b/graphql']) {
          const { code, stdout } = await asked(args(source), { stdin: '{ a }' });
          expect([code, stdout]).toEqual([2, '']);
        }
      },
    ));
});

it('a schema without read permission is a usage error', async ({ skip }) => {
  skip(process.getuid?.() === 0, 'root reads everything');
  const schema = await file(SDL);
  await chmod(schema, 0);
  expectFailure(await gql('schema', schema), 2, 'EACCES');
});
