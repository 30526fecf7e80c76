import { buildClientSchema, buildSchema, type IntrospectionObjectType, printSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { printSdl, schemaIntrospection } from '../../src/graphql/print-schema.ts';
import { readSchema } from '../../src/graphql/schema.ts';

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

describe('printSdl', () => {
  it('keeps the directives that a document has', () => {
    const { schema, document } = readSchema(SDL, { name: 's' });
    expect(printSdl(schema, document)).toBe(SDL);
  });

  it('writes with & what D3 joins by commas', () => {
    const { schema, document } = readSchema(SDL.replace('A & B', 'A, B'), { name: 's' });
    expect(printSdl(schema, document)).toBe(SDL);
  });

  it('prints a schema that no document is known of', () => {
    const { schema } = readSchema(SDL, { name: 's' });
    const sdl = printSdl(schema);
    expect(sdl).toBe(printSchema(schema));
    expect(sdl).toContain('type Root implements A & B {');
  });
});

describe('schemaIntrospection', () => {
  it('leaves out nothing that SDL can say of types', () => {
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

  it('is JSON that is read as the same schema', () => {
    const { schema } = readSchema(SDL, { name: 's' });
    const json = JSON.stringify({ data: schemaIntrospection(schema) });
    expect(printSdl(readSchema(json, { name: 's' }).schema)).toBe(printSchema(schema));
  });
});
