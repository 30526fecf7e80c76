import {
  buildASTSchema,
  buildSchema,
  getIntrospectionQuery,
  graphqlSync,
  introspectionFromSchema,
  printSchema,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { readSchema } from '../../src/graphql/schema.ts';
import { failureOf, readText } from './support.ts';

const SDL = `"""Bills, by day"""
type Query {
  bill(date: String!, kinds: [Kind!] = [PAID]): Bill
}

interface Node {
  id: ID!
}

interface Dated {
  date: String
}

type Bill implements Node & Dated {
  id: ID!
  date: String
  total: Float @deprecated(reason: "use amount")
  amount: Money
}

enum Kind {
  PAID
  REFUND
}

scalar Money @specifiedBy(url: "https://money.example")`;

const name = 'schema.graphql';

describe('a schema', () => {
  it('is read from SDL, along with its document', () => {
    const { schema, document } = readText(SDL, { name });
    expect(printSchema(schema)).toBe(SDL);
    expect(document?.definitions).toHaveLength(6);
  });

  it('is read from SDL as D3 writes it', () => {
    const { schema } = readText(SDL.replace('Node & Dated', 'Node, Dated'), { name });
    expect(printSchema(schema)).toBe(SDL);
  });

  const introspection = introspectionFromSchema(buildSchema(SDL));
  it.each([
    ['bare', JSON.stringify(introspection)],
    ['within data', JSON.stringify({ data: introspection })],
    [
      'within data, beside other members',
      JSON.stringify({ fetched_at: 1, data: introspection, errors: null }),
    ],
    ['in many lines', `\r\n\t ${JSON.stringify({ data: introspection }, null, 2)}\n`],
  ])('is read from the JSON of an introspection, %s', (_, text) => {
    const { schema, document } = readText(text, { name: 'schema.json' });
    expect(printSchema(schema)).toBe(SDL);
    expect(printSchema(schema)).toBe(printSchema(buildASTSchema(document)));
  });

  it('is read from the JSON of an old server, which lacks new fields', () => {
    const old = graphqlSync({
      schema: buildSchema('type Query { a: Int }'),
      source: getIntrospectionQuery({ descriptions: false, specifiedByUrl: false }),
    });
    const { schema } = readText(JSON.stringify(old), { name });
    expect(printSchema(schema)).toBe('type Query {\n  a: Int\n}');
  });

  it.each([
    ['extensions', 'type Query { a: Int } extend type Query { b: Int }', ['a', 'b']],
    ['another root', 'schema { query: Q } type Q { a: Int }', ['a']],
    ['a byte order mark', '\ufefftype Query { a: Int }', ['a']],
    ['comments at the start', '# {\n# comment\ntype Query { a: Int }', ['a']],
  ])('may have %s', (_, sdl, fields) => {
    const { schema } = readText(sdl, { name });
    expect(Object.keys(schema.getQueryType()?.getFields() ?? {})).toEqual(fields);
  });

  it('may be JSON after a byte order mark', () => {
    const { schema } = readText(`\ufeff${JSON.stringify(introspection)}`, { name });
    expect(printSchema(schema)).toBe(SDL);
  });
});

/** The answer to an introspection whose members are replaced at any depth. */
function withQuery(replaced: Readonly<Record<string, unknown>>): string {
  const sdl = 'type Query { a(x: String = "v"): Int }';
  const data = introspectionFromSchema(buildSchema(sdl));
  return JSON.stringify({ data, errors: [] }, (key, value) =>
    key in replaced ? replaced[key] : value,
  );
}

describe('an invalid schema', () => {
  it.each([
    ['truncated JSON', '{"__schema": {'],
    ['other JSON', '{"a": 1}'],
    ['a response without data', '{"data": null, "errors": [{"message": "no"}]}'],
    ['an incomplete introspection', '{"__schema": {"types": [{"kind": "OBJECT"}]}}'],
    ['an introspection without queries', withQuery({ queryType: null }), 'no type of queries'],
    [
      'an introspection with null',
      withQuery({ directives: [null] }),
      'not that of an introspection',
    ],
    [
      'an introspection with a type twice',
      withQuery({
        types: [
          { kind: 'SCALAR', name: 'A' },
          { kind: 'SCALAR', name: 'A' },
        ],
      }),
      'has the type A twice',
    ],
    ['an introspection with errors', withQuery({ errors: [{ message: 'late' }] }), 'late'],
    [
      'an introspection with other types',
      '{"__schema": {"types": 5, "directives": []}}',
      'with types',
    ],
    ['an introspection with other errors', withQuery({ errors: { message: 'odd' } }), 'odd'],
    ['an introspection without directives', withQuery({ directives: undefined }), 'directives'],
    ['an introspection without arguments', withQuery({ args: null }), 'args'],
    ['an endless default', 'type Query { a(x: A): Int } input A { a: A = {} }', 'contains itself'],
    ['another default', withQuery({ defaultValue: "'v'" }), "default of Query.a(x:) is not .* 'v'"],
  ])('is reported: %s', async (_, text, reason = '') => {
    const { code, message } = await failureOf(() => readText(text, { name }));
    expect(code).toBe('usage');
    expect(message).toMatch(/^schema\.graphql is not a schema: [^\n]+$/);
    expect(message).toMatch(new RegExp(reason.replace(/[()]/g, '\\$&')));
  });

  it.each([
    ['[1]', '1:1: Syntax Error: Unexpected "[".', '^'],
    ['<html>\n</html>', '1:1: Syntax Error: Unexpected character: "<".', '^'],
    ['type Query {\n  a:\n}', '3:1: Syntax Error: Expected Name, found "}".', '^'],
    [
      'interface A { a: Int }\ntype Query implements A, { a: }',
      '2:31: Syntax Error: Expected',
      '^',
    ],
  ])('is reported with its place: %j', async (text, message, caret) => {
    const error = await failureOf(() => readText(text, { name }));
    expect(error.code).toBe('usage');
    expect(error.message).toContain(`${name}:${message}`);
    expect(error.details.excerpt).toContain(caret);
  });

  it.each(['', ' \n', '\ufeff', '# only a comment\n'])(
    'is empty without a definition: %j',
    async (text) => {
      const { code, message } = await failureOf(() => readText(text, { name }));
      expect([code, message]).toEqual(['usage', 'schema.graphql is empty: it defines no types']);
    },
  );

  it('is reported even when it nests too deeply', async () => {
    const sdl = `type Query { a: ${'['.repeat(50_000)}`;
    const { message } = await failureOf(() => readText(sdl, { name }));
    expect(message).toBe('schema.graphql:1:1: it nests too deeply');
  });
});

describe('a schema with a fault', () => {
  it.each([
    ['type Query { a: Int @d }', '1:21: Unknown directive "@d".', true],
    [
      'interface I { a: Int }\ntype Query implements I {\n  b: Int\n}',
      '1:15: Interface field I.a expected but Query does not provide it.',
      true,
    ],
    ['type Query { a: Int }\nenum E', '2:1: Enum type E must define one or more values.', true],
    [
      'type Query { a: I }\nenum E\ninput I {\n  i: I!\n}\ntype O',
      '1:17: The type of Query.a must be Output Type but got: I. (and 3 more)',
      true,
    ],
    ['type A { a: Int }', ': Query root type must be provided.', false],
  ])('is reported with its place, and accepted on demand: %j', async (sdl, message, hasPlace) => {
    const error = await failureOf(() => readText(sdl, { name }));
    expect(error.code).toBe('usage');
    expect(error.message).toMatch(/^schema\.graphql:/);
    expect(error.message).toContain(message);
    expect(error.details.excerpt !== undefined).toBe(hasPlace);
    expect(error.details.hint).toContain('--assume-valid-schema');
    expect(readText(sdl, { name, assumeValid: true }).document).toBeDefined();
  });

  it.each([
    ['type Query {\n  a: Foo\n}', '2:6: Unknown type "Foo".'],
    ['type Query {\n  a: Foo\n  b: Bar\n  c: Foo\n}', '2:6: Unknown type "Foo". (and 2 more)'],
    ['type Query { a: Int, a: ID }', '1:14: Field "Query.a" can only be defined once.'],
    ['type Query { a: Int }\ntype Query { b: Int }', '1:6: There can be only one type'],
    [
      'type Query { a: Int } extend type Query { a: ID }',
      'Field "Query.a" can only be defined once.',
    ],
    [
      'extend type Query { a: Int } extend type Query { a: ID }',
      'Field "Query.a" can only be defined once.',
    ],
    ['type Query { a: Int } extend input Query { b: Int }', 'Cannot extend non-input object type'],
    [
      'extend type Query { a: Int } extend input Query { b: Int }',
      'Cannot extend non-input object',
    ],
    ['type Query { a(b: Int, b: ID): Int }', 'Argument "Query.a(b:)" can only be defined once.'],
    [
      'type Query { a: E } enum E { A A @deprecated }',
      'Enum value "E.A" can only be defined once.',
    ],
    [
      'schema { query: Q } schema { query: Q mutation: Q } type Q { a: Int }',
      'only one schema definition',
    ],
    ['schema { query: Q query: R } type Q { a: Int } type R { a: Int }', 'only one query type'],
    ['type Query { a: Int } directive @d on FIELD directive @d on QUERY', 'only one directive'],
  ])('that hides a part of it is never accepted: %j', async (sdl, message) => {
    for (const assumeValid of [false, true]) {
      const error = await failureOf(() => readText(sdl, { name, assumeValid }));
      expect(error.code).toBe('usage');
      expect(error.message).toMatch(/^schema\.graphql:\d/);
      expect(error.message).toContain(message);
      expect(error.details.hint).not.toContain('--assume-valid-schema');
    }
  });

  it('names every fault', async () => {
    const { details } = await failureOf(() => readText('type Query { a: Foo b: Bar }', { name }));
    expect(details.hint).toContain('--verbose lists all 2 errors');
    expect(details.others).toEqual(['schema.graphql:1:24: Unknown type "Bar".']);
  });

  it.each([false, true])('may be an operation, with assumeValid %s', async (assumeValid) => {
    const error = await failureOf(() => readText('{ a }', { name, assumeValid }));
    expect(error.code).toBe('usage');
    expect(error.message).toBe(
      'schema.graphql:1:1: a schema contains neither operations nor fragments',
    );
  });

  it('is reported as JSON too', async () => {
    const sdl = 'type Query { a: Int } interface I { b: Int } type T implements I { c: Int }';
    const json = JSON.stringify(introspectionFromSchema(buildSchema(sdl, { assumeValid: true })));
    const { message } = await failureOf(() => readText(json, { name: 's.json' }));
    expect(message).toBe(
      's.json (as SDL):6:3: Interface field I.b expected but T does not provide it.',
    );
    const { schema } = readText(json, { name, assumeValid: true });
    expect(schema.getType('T')).toBeDefined();
  });

  it('may repeat definitions on demand', async () => {
    const field = 'a("X" x: [Int] = [1, 1]): Int';
    const sdl = `type Query { ${field} "again" ${field} e: E } enum E { V V } enum E { V V }`;
    expect((await failureOf(() => readText(sdl, { name }))).message).toContain('only be defined');
    const { schema } = readText(sdl, { name, assumeValid: true });
    expect(Object.keys(schema.getQueryType()?.getFields() ?? {})).toEqual(['a', 'e']);
    const [argument] = schema.getQueryType()?.getFields().a?.args ?? [];
    expect(argument?.defaultValue).toEqual([1, 1]);
    const other = sdl.replace('[1, 1]', '[1, 2]');
    const { message } = await failureOf(() => readText(other, { name, assumeValid: true }));
    expect(message).toContain('Field "Query.a" can only be defined once');
  });

  it('may begin with two underscores on demand', () => {
    expect(readText('type Query { __a: Int }', { name, assumeValid: true }).document).toBeDefined();
  });

  it.each([
    ['broken syntax', 'type Query { a: }', /^schema\.graphql:1:17: Syntax Error/],
    ['broken JSON', '{"data":', /^schema\.graphql is not a schema: /],
  ])('cannot be accepted on demand with %s', async (_, text, message) => {
    const error = await failureOf(() => readText(text, { name, assumeValid: true }));
    expect([error.code, error.message]).toEqual(['usage', expect.stringMatching(message)]);
  });
});

describe('a schema in several texts', () => {
  const TYPES = { name: 'types.graphql', text: 'type Query { a: A }' };

  it('is merged', () => {
    const more = { name: 'more.graphql', text: 'type A { b: Int } extend type Query { c: Int }' };
    const { schema } = readSchema([TYPES, more, { name: 'empty.graphql', text: '' }]);
    expect(Object.keys(schema.getQueryType()?.getFields() ?? {})).toEqual(['a', 'c']);
  });

  it('names the file of a fault', async () => {
    const more = { name: 'more.graphql', text: '\ntype A { b: Int! }\ntype Query { c: Int }' };
    const { message } = await failureOf(() => readSchema([TYPES, more]));
    expect(message).toMatch(/^types\.graphql:1:6: There can be only one type/);
    const broken = { name: 'more.graphql', text: '\ntype A { b: }' };
    expect((await failureOf(() => readSchema([TYPES, broken]))).message).toMatch(
      /^more\.graphql:2:1/,
    );
  });

  it('may be SDL and an introspection', () => {
    const json = JSON.stringify(introspectionFromSchema(buildSchema('type Query { a: Int }')));
    const more = { name: 'more.graphql', text: 'extend type Query { b: Int }' };
    const { schema, omitted } = readSchema([{ name: 's.json', text: json }, more]);
    expect(Object.keys(schema.getQueryType()?.getFields() ?? {})).toEqual(['a', 'b']);
    expect(omitted).toContain('directives');
  });
});
