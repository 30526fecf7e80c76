import { describe, expect, it } from 'vitest';
import { schemaChanges } from '../../src/graphql/changes.ts';
import { schemaOf } from './support.ts';

const BEFORE = `
  type Query { bill(date: String, last: Int = 1): Bill  node: Node }
  interface Node { id: ID! }
  type Bill implements Node { id: ID!  total: Float  kind: Kind }
  union Found = Bill
  enum Kind { PAID REFUND }
  input Filter { from: String }
  directive @live(at: Float) on FIELD`;

describe('schemaChanges', () => {
  it.each([
    ['no change', '', '', [], []],
    ['a new field', 'total: Float', 'total: Float tax: Float', [], []],
    ['a new type', 'union Found', 'type Ride { id: ID! } union Found', [], []],
    ['a field that became non-null', 'total: Float', 'total: Float!', [], []],
    [
      'a new optional argument',
      'date: String,',
      'date: String, to: String,',
      [],
      ['OPTIONAL_ARG_ADDED'],
    ],
    ['a removed field', 'total: Float', '', ['FIELD_REMOVED'], []],
    ['a field of another type', 'total: Float', 'total: Int', ['FIELD_CHANGED_KIND'], []],
    ['a removed type', 'input Filter { from: String }', '', ['TYPE_REMOVED'], []],
    ['an argument that became required', 'date: String', 'date: String!', ['ARG_CHANGED_KIND'], []],
    [
      'a new required argument',
      'date: String,',
      'date: String, to: Int!,',
      ['REQUIRED_ARG_ADDED'],
      [],
    ],
    ['another default', 'Int = 1', 'Int = 2', [], ['ARG_DEFAULT_VALUE_CHANGE']],
    ['a removed value', 'PAID REFUND', 'PAID', ['VALUE_REMOVED_FROM_ENUM'], []],
    ['a new value', 'REFUND', 'REFUND TIP', [], ['VALUE_ADDED_TO_ENUM']],
    [
      'a new field of an input',
      'from: String',
      'from: String to: String',
      [],
      ['OPTIONAL_INPUT_FIELD_ADDED'],
    ],
    ['a removed interface', 'implements Node', '', ['IMPLEMENTED_INTERFACE_REMOVED'], []],
    ['a removed directive', 'directive @live(at: Float) on FIELD', '', ['DIRECTIVE_REMOVED'], []],
    [
      'several changes',
      'total: Float  kind: Kind } union Found = Bill enum Kind { PAID REFUND }',
      'kind: Kind } type Ride { a: Int } union Found = Bill | Ride enum Kind { PAID TIP }',
      ['VALUE_REMOVED_FROM_ENUM', 'FIELD_REMOVED'],
      ['VALUE_ADDED_TO_ENUM', 'TYPE_ADDED_TO_UNION'],
    ],
  ])('reports %s', (_, was, is, breaking, dangerous) => {
    const before = BEFORE.replaceAll(/\n */g, ' ');
    const after = before.replace(was, is);
    expect(before).toContain(was);
    const changes = schemaChanges(schemaOf(before), schemaOf(after));
    const types = (list: readonly { readonly type: string }[]) =>
      list.map(({ type }) => type).sort();
    expect(types(changes.breaking)).toEqual([...breaking].sort());
    expect(types(changes.dangerous)).toEqual([...dangerous].sort());
  });

  it('ignores a built-in scalar that is no longer used', () => {
    const before = schemaOf('type Query { a(b: Float): Int }');
    const { breaking } = schemaChanges(before, schemaOf('type Query { a: Int }'));
    expect(breaking.map(({ type }) => type)).toEqual(['ARG_REMOVED']);
  });

  it('describes each change in printable data', () => {
    const before = schemaOf('type Query { a: Int, b(c: Int = 1): Int }');
    const after = schemaOf('type Query { b(c: Int = 2): Int }');
    expect(JSON.parse(JSON.stringify(schemaChanges(before, after)))).toEqual({
      breaking: [{ type: 'FIELD_REMOVED', description: 'Query.a was removed.' }],
      dangerous: [
        {
          type: 'ARG_DEFAULT_VALUE_CHANGE',
          description: 'The default of Query.b(c:) changed from 1 to 2.',
        },
      ],
    });
  });
});

describe('changes that graphql-js ignores', () => {
  const changesOf = (before: string, after: string) => {
    const { breaking, dangerous } = schemaChanges(schemaOf(before), schemaOf(after));
    return [breaking, dangerous].map((list) => list.map(({ type }) => type));
  };
  const QUERY = 'type Q { a(i: In): Int } input In { x: Int y: Int }';

  it.each([
    [
      'a removed root type',
      `schema { query: Q mutation: M } ${QUERY} type M { x: Int }`,
      `schema { query: Q } ${QUERY} type M { x: Int }`,
      ['ROOT_TYPE_CHANGED'],
    ],
    [
      'swapped root types',
      'schema { query: A mutation: B } type A { x: Int } type B { x: Int }',
      'schema { query: B mutation: A } type A { x: Int } type B { x: Int }',
      ['ROOT_TYPE_CHANGED', 'ROOT_TYPE_CHANGED'],
    ],
    [
      'another type of an argument of a directive',
      'directive @d(a: Int) on FIELD type Query { x: Int }',
      'directive @d(a: String) on FIELD type Query { x: Int }',
      ['DIRECTIVE_ARG_CHANGED_KIND'],
    ],
    [
      'an argument of a directive that became non-null',
      'directive @d(a: [Int] = [1]) on FIELD type Query { x: Int }',
      'directive @d(a: [Int!] = [1]) on FIELD type Query { x: Int }',
      ['DIRECTIVE_ARG_CHANGED_KIND'],
    ],
    [
      'an input that became @oneOf',
      `schema { query: Q } ${QUERY}`,
      `schema { query: Q } ${QUERY.replace('input In', 'input In @oneOf')}`,
      ['INPUT_BECAME_ONE_OF'],
    ],
  ])('breaks: %s', (_, before, after, types) => {
    expect(changesOf(before, after)).toEqual([types, []]);
    expect(changesOf(before, before)).toEqual([[], []]);
  });

  it.each([
    ['a nullable argument of a directive', 'a: Int! = 1', 'a: Int = 1'],
    ['a list argument with nullable items', 'a: [Int!]', 'a: [Int]'],
  ])('does not break: %s', (_, before, after) => {
    const sdl = (argument: string) => `directive @d(${argument}) on FIELD type Query { x: Int }`;
    expect(changesOf(sdl(before), sdl(after))).toEqual([[], []]);
  });

  it.each([
    ['12345678901234567890', '12345678901234567891', 'INPUT_FIELD_DEFAULT_VALUE_CHANGE'],
    ['{a: 1}', '{a: 2}', 'INPUT_FIELD_DEFAULT_VALUE_CHANGE'],
  ])('reports a dangerous change of a default from %s to %s', (before, after, type) => {
    const sdl = (value: string) =>
      `scalar Long type Query { f(i: In): Int } input In { x: Long = ${value} }`;
    expect(changesOf(sdl(before), sdl(after))).toEqual([[], [type]]);
  });

  it('breaks if an argument becomes required, even if its type accepts more', () => {
    const before = 'type Query { f(a: [Int!]! = [1]): Int }';
    expect(changesOf(before, 'type Query { f(a: [Int]!): Int }')[0]).toEqual([
      'DEFAULT_VALUE_REQUIRED',
    ]);
  });

  it.each([
    ['{b: 1}', '{a: 5, b: 1}'],
    ['{a: 1, b: 2}', '{b: 2, a: 1}'],
    ['{s: "x"}', '{a: 5, s: """x"""}'],
    ['{l: 1}', '{l: [1], a: 5}'],
  ])('treats the defaults %s and %s as equal', (before, after) => {
    const sdl = (value: string) =>
      `input In { a: Int = 5 b: Int s: String l: [Int] } type Query { f(i: In = ${value}): Int }`;
    expect(changesOf(sdl(before), sdl(after))).toEqual([[], []]);
    expect(changesOf(sdl(before), sdl('{b: 7}'))[1]).toEqual(['ARG_DEFAULT_VALUE_CHANGE']);
  });

  it('breaks if a non-null element loses its default', () => {
    const sdl = (value: string) =>
      `type Query { f(i: In, a: Int!${value}): Int } input In { x: Int!${value} }`;
    expect(changesOf(sdl(' = 1'), sdl(''))).toEqual([
      ['DEFAULT_VALUE_REQUIRED', 'DEFAULT_VALUE_REQUIRED'],
      ['ARG_DEFAULT_VALUE_CHANGE', 'INPUT_FIELD_DEFAULT_VALUE_CHANGE'],
    ]);
    expect(changesOf(sdl(''), sdl(' = 1'))).toEqual([[], []]);
    expect(
      changesOf('type Query { a: Int }', `${sdl(' = 1')} extend type Query { a: Int }`)[0],
    ).toEqual([]);
  });
});
