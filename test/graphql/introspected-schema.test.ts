import {
  buildClientSchema,
  buildSchema,
  type GraphQLObjectType,
  type IntrospectionObjectType,
  print,
  printSchema,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { schemaIntrospection } from '../../src/graphql/introspection.ts';
import { readText, schemaOf } from './support.ts';

const SDL = `"What it is for"
schema @owner(name: "bills") {
  query: Root
}

directive @owner(name: String!) repeatable on SCHEMA | OBJECT

type Root implements A & B @owner(name: "a") @owner(name: "b") {
  a(in: In, old: Int @deprecated(reason: "no use")): Int
  b: Time
}

interface A {
  a(in: In, old: Int @deprecated(reason: "no use")): Int
}

interface B {
  b: Time
}

scalar Time @specifiedBy(url: "https://time.example")

input In @oneOf {
  x: Int
  y: String
}`;

describe('schemaIntrospection', () => {
  it('limits @deprecated to the locations of the specification of September 2025', () => {
    const { directives } = schemaIntrospection(buildSchema(SDL)).__schema;
    const deprecated = directives.find(({ name }) => name === 'deprecated');
    expect(deprecated?.locations).toEqual([
      'FIELD_DEFINITION',
      'ARGUMENT_DEFINITION',
      'INPUT_FIELD_DEFINITION',
      'ENUM_VALUE',
    ]);
    expect(deprecated).not.toHaveProperty('isDeprecated');
  });

  it('keeps every part of a type in SDL', () => {
    const schema = buildSchema(SDL);
    const introspection = schemaIntrospection(schema);
    expect(printSchema(buildClientSchema(introspection))).toBe(printSchema(schema));
    const { description, directives, types } = introspection.__schema;
    expect(description).toBe('What it is for');
    expect(directives.find(({ name }) => name === 'owner')?.isRepeatable).toBe(true);
    expect(types.find(({ name }) => name === 'Time')).toMatchObject({
      specifiedByURL: 'https://time.example',
    });
    expect(types.find(({ name }) => name === 'In')).toMatchObject({ isOneOf: true });
    const root = types.find(({ name }) => name === 'Root') as IntrospectionObjectType;
    expect(root.fields[0]?.args[1]).toMatchObject({
      name: 'old',
      isDeprecated: true,
      deprecationReason: 'no use',
    });
  });

  it('keeps a type whose name is that of a root type', () => {
    const sdl =
      'schema { query: Query } type Query { s: Subscription } type Subscription { a: Int }';
    const json = JSON.stringify(schemaIntrospection(buildSchema(sdl)));
    const { schema, document } = readText(json);
    expect(schema.getSubscriptionType()).toBeUndefined();
    expect(print(document)).toContain('schema {\n  query: Query\n}');
  });

  it('is JSON of the same schema', () => {
    const { schema } = readText(SDL, { name: 's' });
    const json = JSON.stringify({ data: schemaIntrospection(schema) });
    expect(printSchema(readText(json, { name: 's' }).schema)).toBe(printSchema(schema));
  });
});

describe('defaults', () => {
  const WITH_DEFAULTS = `
    scalar Long
    directive @d(n: Long = 9007199254740993) on FIELD
    input In { x: Float = 1.10 y: Long = { a: [1.0] } }
    type Query { f(a: Long = 12345678901234567890, b: In = { x: 1e2 }, c: E = A): Int }
    enum E { A }`;

  it('are included as written', () => {
    const { schema } = readText(WITH_DEFAULTS, { name: 's' });
    const json = JSON.stringify(schemaIntrospection(schema));
    for (const text of ['9007199254740993', '1.10', '{a: [1.0]}', '12345678901234567890', 'A']) {
      expect(json).toContain(`"defaultValue":"${text}"`);
    }
    const { document } = readText(json, { name: 's' });
    expect(print(document)).toContain(
      '(a: Long = 12345678901234567890, b: In = {x: 1e2}, c: E = A)',
    );
    expect(JSON.stringify(schemaIntrospection(readText(json, { name: 's' }).schema))).toBe(json);
  });

  it('require a schema with a query type', () => {
    const { schema } = readText('type A { a: Int }', { name: 's', assumeValid: true });
    expect(() => schemaIntrospection(schema)).toThrow('no query type');
  });
});

describe('an introspection', () => {
  it('keeps the default values of built-in directive arguments', () => {
    const json = JSON.stringify(schemaIntrospection(schemaOf('type Query { a: Int }')));
    expect(json).toContain(JSON.stringify('"No longer supported"'));
  });

  it('may have types without fields, values or members', () => {
    const sdl = 'type Query { a: Int u: U } union U type Empty input None enum Nobody';
    const options = { name: 's', assumeValid: true };
    const json = JSON.stringify(schemaIntrospection(readText(sdl, options).schema));
    const { schema } = readText(json, options);
    expect(Object.keys(schema.getTypeMap())).toEqual(
      expect.arrayContaining(['U', 'Empty', 'None', 'Nobody']),
    );
  });

  it.each([
    '  indented\n  both',
    'trail\n',
    '\nlead',
    ' ',
    'a\r\nb',
    '"quoted" \\ """',
    '名字\nline',
  ])('keeps the description %j unchanged', (description) => {
    const quoted = JSON.stringify(description);
    const { schema } = readText(`type Query { ${quoted} a: Int }`, { name: 's' });
    const json = JSON.stringify(schemaIntrospection(schema));
    const fields = (
      readText(json, { name: 's' }).schema.getQueryType() as GraphQLObjectType
    ).getFields();
    expect(fields.a?.description).toBe(description);
  });
});
