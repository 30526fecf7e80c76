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
import { failureOf } from './support.ts';

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
    const { schema, document } = readSchema(SDL, { name });
    expect(printSchema(schema)).toBe(SDL);
    expect(document?.definitions).toHaveLength(6);
  });

  it('is read from SDL as D3 writes it', () => {
    const { schema } = readSchema(SDL.replace('Node & Dated', 'Node, Dated'), { name });
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
    const { schema, document } = readSchema(text, { name: 'schema.json' });
    expect(printSchema(schema)).toBe(SDL);
    expect(printSchema(schema)).toBe(printSchema(buildASTSchema(document)));
  });

  it('is read from the JSON of an old server, which lacks new fields', () => {
    const old = graphqlSync({
      schema: buildSchema('type Query { a: Int }'),
      source: getIntrospectionQuery({ descriptions: false, specifiedByUrl: false }),
    });
    const { schema } = readSchema(JSON.stringify(old), { name });
    expect(printSchema(schema)).toBe('type Query {\n  a: Int\n}');
  });

  it.each([
    ['extensions', 'type Query { a: Int } extend type Query { b: Int }', ['a', 'b']],
    ['another root', 'schema { query: Q } type Q { a: Int }', ['a']],
    ['a byte order mark', '\ufefftype Query { a: Int }', ['a']],
    ['comments at the start', '# {\n# comment\ntype Query { a: Int }', ['a']],
  ])('may have %s', (_, sdl, fields) => {
    const { schema } = readSchema(sdl, { name });
    expect(Object.keys(schema.getQueryType()?.getFields() ?? {})).toEqual(fields);
  });

  it('may be JSON after a byte order mark', () => {
    const { schema } = readSchema(`\ufeff${JSON.stringify(introspection)}`, { name });
    expect(printSchema(schema)).toBe(SDL);
  });
});

describe('an invalid schema', () => {
  it.each([
    ['truncated JSON', '{"__schema": {'],
    ['other JSON', '{"a": 1}'],
    ['a response without data', '{"data": null, "errors": [{"message": "no"}]}'],
    ['an incomplete introspection', '{"__schema": {"types": [{"kind": "OBJECT"}]}}'],
    ['a query', '{ bills { date } }'],
  ])('is reported: %s', async (_, text) => {
    const { code, message } = await failureOf(() => readSchema(text, { name }));
    expect(code).toBe('usage');
    expect(message).toMatch(/^schema\.graphql is not a schema: [^\n]+$/);
  });

  it.each([
    ['', '1:1: Syntax Error: Unexpected <EOF>.', '^'],
    ['[1]', '1:1: Syntax Error: Unexpected "[".', '^'],
    ['<html>\n</html>', '1:1: Syntax Error: Unexpected character: "<".', '^'],
    ['type Query {\n  a:\n}', '3:1: Syntax Error: Expected Name, found "}".', '^'],
    [
      'interface A { a: Int }\ntype Query implements A, { a: }',
      '2:31: Syntax Error: Expected',
      '^',
    ],
  ])('is reported with its place: %j', async (text, message, caret) => {
    const error = await failureOf(() => readSchema(text, { name }));
    expect(error.code).toBe('usage');
    expect(error.message).toContain(`${name}:${message}`);
    expect(error.details.excerpt).toContain(caret);
  });

  it('is reported even when it nests too deeply', async () => {
    const sdl = `type Query { a: ${'['.repeat(50_000)}`;
    const { message } = await failureOf(() => readSchema(sdl, { name }));
    expect(message).toBe('schema.graphql:1:1: it nests too deeply');
  });
});

describe('a schema with a fault', () => {
  it.each([
    ['type Query {\n  a: Foo\n}', '2:6: Unknown type "Foo".', true],
    [
      'type Query {\n  a: Foo\n  b: Bar\n  c: Foo\n}',
      '2:6: Unknown type "Foo". (and 2 more)',
      true,
    ],
    ['type Query { a: Int, a: Int }', '1:14: Field "Query.a" can only be defined once.', true],
    ['type Query { a: Int }\ntype Query { b: Int }', '1:6: There can be only one type', true],
    ['type Query { a: Int @d }', '1:21: Unknown directive "@d".', true],
    ['extend type Query { a: Int }', '1:13: Cannot extend type "Query"', true],
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
  ])('is reported with its place: %j', async (sdl, message, hasPlace) => {
    const error = await failureOf(() => readSchema(sdl, { name }));
    expect(error.code).toBe('usage');
    expect(error.message).toMatch(/^schema\.graphql:/);
    expect(error.message).toContain(message);
    expect(error.details.excerpt !== undefined).toBe(hasPlace);
    expect(error.details.hint).toContain('--assume-valid-schema');
  });

  it.each([false, true])('may be an operation, with assumeValid %s', async (assumeValid) => {
    const error = await failureOf(() => readSchema('query { a }', { name, assumeValid }));
    expect(error.code).toBe('usage');
    expect(error.message).toBe(
      'schema.graphql:1:1: a schema contains neither operations nor fragments',
    );
  });

  it('is reported as JSON too', async () => {
    const sdl = 'type Query { a: Int } interface I { b: Int } type T implements I { c: Int }';
    const json = JSON.stringify(introspectionFromSchema(buildSchema(sdl, { assumeValid: true })));
    const { message } = await failureOf(() => readSchema(json, { name: 's.json' }));
    expect(message).toBe(
      's.json (as SDL):6:1: Interface field I.b expected but T does not provide it.',
    );
    const { schema } = readSchema(json, { name, assumeValid: true });
    expect(schema.getType('T')).toBeDefined();
  });

  it.each([
    'interface I { a: Int }\ntype Query implements I { b: Int }',
    'type Query { a: Int @d }',
    'type Query { __a: Int }',
    'type A { a: Int }',
  ])('is accepted on demand: %j', (sdl) => {
    expect(readSchema(sdl, { name, assumeValid: true }).document).toBeDefined();
  });

  it.each([
    ['an unknown type', 'type Query { a: Foo }', /^schema\.graphql is not a schema: .*"Foo"/],
    ['broken syntax', 'type Query { a: }', /^schema\.graphql:1:17: Syntax Error/],
    ['broken JSON', '{"data":', /^schema\.graphql is not a schema: /],
  ])('cannot be accepted on demand with %s', async (_, text, message) => {
    const error = await failureOf(() => readSchema(text, { name, assumeValid: true }));
    expect([error.code, error.message]).toEqual(['usage', expect.stringMatching(message)]);
  });
});
