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
    ['nothing', '', '', [], []],
    ['a new field', 'total: Float', 'total: Float tax: Float', [], []],
    ['a new type', 'union Found', 'type Ride { id: ID! } union Found', [], []],
    ['a field that must be there now', 'total: Float', 'total: Float!', [], []],
    [
      'a new optional argument',
      'date: String,',
      'date: String, to: String,',
      [],
      ['OPTIONAL_ARG_ADDED'],
    ],
    ['a field that is gone', 'total: Float', '', ['FIELD_REMOVED'], []],
    ['a field of another type', 'total: Float', 'total: Int', ['FIELD_CHANGED_KIND'], []],
    ['a type that is gone', 'input Filter { from: String }', '', ['TYPE_REMOVED'], []],
    ['an argument that is due now', 'date: String', 'date: String!', ['ARG_CHANGED_KIND'], []],
    [
      'a new argument that is due',
      'date: String,',
      'date: String, to: Int!,',
      ['REQUIRED_ARG_ADDED'],
      [],
    ],
    ['another default', 'Int = 1', 'Int = 2', [], ['ARG_DEFAULT_VALUE_CHANGE']],
    ['a value that is gone', 'PAID REFUND', 'PAID', ['VALUE_REMOVED_FROM_ENUM'], []],
    ['a new value', 'REFUND', 'REFUND TIP', [], ['VALUE_ADDED_TO_ENUM']],
    [
      'a new field of an input',
      'from: String',
      'from: String to: String',
      [],
      ['OPTIONAL_INPUT_FIELD_ADDED'],
    ],
    ['an interface that is gone', 'implements Node', '', ['IMPLEMENTED_INTERFACE_REMOVED'], []],
    [
      'a directive that is gone',
      'directive @live(at: Float) on FIELD',
      '',
      ['DIRECTIVE_REMOVED'],
      [],
    ],
    [
      'several',
      'total: Float  kind: Kind } union Found = Bill enum Kind { PAID REFUND }',
      'kind: Kind } type Ride { a: Int } union Found = Bill | Ride enum Kind { PAID TIP }',
      ['VALUE_REMOVED_FROM_ENUM', 'FIELD_REMOVED'],
      ['VALUE_ADDED_TO_ENUM', 'TYPE_ADDED_TO_UNION'],
    ],
  ])('tells of %s', (_, was, is, breaking, dangerous) => {
    const before = BEFORE.replaceAll(/\n */g, ' ');
    const after = before.replace(was, is);
    expect(before).toContain(was);
    const changes = schemaChanges(schemaOf(before), schemaOf(after));
    const types = (list: readonly { readonly type: string }[]) =>
      list.map(({ type }) => type).sort();
    expect(types(changes.breaking)).toEqual([...breaking].sort());
    expect(types(changes.dangerous)).toEqual([...dangerous].sort());
  });

  it('says what changed, in data that can be printed', () => {
    const before = schemaOf('type Query { a: Int, b(c: Int = 1): Int }');
    const after = schemaOf('type Query { b(c: Int = 2): Int }');
    expect(JSON.parse(JSON.stringify(schemaChanges(before, after)))).toEqual({
      breaking: [{ type: 'FIELD_REMOVED', description: 'Query.a was removed.' }],
      dangerous: [
        {
          type: 'ARG_DEFAULT_VALUE_CHANGE',
          description: 'Query.b arg c has changed defaultValue from 1 to 2.',
        },
      ],
    });
  });
});
