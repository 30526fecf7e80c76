import { describe, expect, it } from 'vitest';
import { type ValidationResult, validateFiles } from '../../src/graphql/validation.ts';
import { schemaOf } from './support.ts';

const schema = schemaOf(`
  type Query {
    bill(id: Int): Bill  bills(kind: Kind, old: Int @deprecated(reason: "no use")): [Bill]
    x: Int  y: Int  old: Int @deprecated(reason: "use x")  self: Query
  }
  type Mutation { pay(in: In): Bill }
  type Bill { id: Int!  total: Float  tax: Float @deprecated }
  enum Kind { PAID  OLD @deprecated(reason: "use PAID") }
  input In { a: Int  b: Int @deprecated(reason: "use a") }`);

/** Checks files by their names. */
function validated(files: Readonly<Record<string, string>>): ValidationResult {
  return validateFiles(
    Object.entries(files).map(([name, text]) => ({ name, text })),
    schema,
  );
}

/** One line for each finding, such as `a:1:3 message`. */
function lines(findings: ValidationResult['errors']): string[] {
  return findings.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`);
}

const errorsIn = (files: Readonly<Record<string, string>>) => lines(validated(files).errors);
const warningsIn = (files: Readonly<Record<string, string>>) => lines(validated(files).warnings);
const NONE = { errors: [], warnings: [] };

describe('valid files', () => {
  it.each([
    ['one', { a: '{ x bill(id: 1) { total } }' }],
    ['operations of all kinds', { a: 'query A { x } mutation B { pay { id } }', b: '{ y }' }],
    ['a fragment in the same file', { a: '{ ...F } fragment F on Query { x }' }],
    ['a fragment in another file', { a: '{ ...F }', b: 'fragment F on Query { x }' }],
    ['a fragment in an earlier file', { a: 'fragment F on Query { x }', b: '{ ...F }' }],
    [
      'fragments that use fragments of other files',
      {
        a: '{ ...F }',
        b: 'fragment F on Query { ...G bills { ...H } }',
        c: 'fragment G on Query { x }',
        d: 'fragment H on Bill { id }',
      },
    ],
    [
      'a fragment that several files use',
      { a: 'query A { ...F }', b: 'query B { ...F }', c: 'fragment F on Query { x }' },
    ],
    [
      'variables in a fragment of another file',
      { a: 'query ($id: Int) { ...F }', b: 'fragment F on Query { bill(id: $id) { id } }' },
    ],
    ['operations with the same name in two files', { a: 'query A { x }', b: 'query A { y }' }],
    ['operations without a name in two files', { a: '{ x }', b: '{ y }' }],
    [
      'a name in two files, each with its own fragment',
      { a: '{ ...F } fragment F on Query { x }', b: '{ ...F } fragment F on Query { y }' },
    ],
    [
      'a fragment with the name of an unused fragment in another file',
      {
        a: '{ ...F } fragment F on Query { x }',
        b: 'fragment F on Query { y }',
      },
    ],
  ])('%s', (_, files) => {
    expect(validated(files)).toEqual(NONE);
  });
});

describe('an error', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['of a field', { a: '{\n  no\n}' }, ['a:2:3 Cannot query field "no" on type "Query".']],
    [
      'in two files',
      { a: '{ no }', b: '{\r\n\tnor\r\n}' },
      [
        'a:1:3 Cannot query field "no" on type "Query".',
        'b:2:2 Cannot query field "nor" on type "Query".',
      ],
    ],
    [
      'of a fragment in another file, reported once',
      { a: 'query A { ...F }', b: 'query B { ...F }', c: 'fragment F on Query { no }' },
      ['c:1:23 Cannot query field "no" on type "Query".'],
    ],
    [
      'of a fragment of another type',
      { a: '{ bill { ...F } }', b: 'fragment F on Query { x }' },
      [
        'a:1:10 Fragment "F" cannot be spread here as objects of type "Bill" can never be of type "Query".',
      ],
    ],
    ['of a missing fragment', { a: '{ ...F }', b: '{ x }' }, ['a:1:6 Unknown fragment "F".']],
    [
      'of two operations with the same name',
      { a: 'query A { x }\nquery A { y }' },
      ['a:1:7 There can be only one operation named "A".'],
    ],
    [
      'of two fragments with the same name',
      { a: '{ ...F }\nfragment F on Query { x }\nfragment F on Query { y }' },
      ['a:2:10 There can be only one fragment named "F".'],
    ],
    [
      'of an operation without a name beside others',
      { a: '{ x }\nquery A { x }' },
      ['a:1:1 This anonymous operation must be the only defined operation.'],
    ],
    [
      'of an unused variable',
      { a: 'query ($id: Int) { ...F }', b: 'fragment F on Query { x }' },
      ['a:1:8 Variable "$id" is never used.'],
    ],
    [
      'of a variable of another type, in a fragment of another file',
      { a: 'query A($id: String) { ...F }', b: 'fragment F on Query { bill(id: $id) { id } }' },
      ['a:1:9 Variable "$id" of type "String" used in position expecting type "Int".'],
    ],
    [
      'of fields that conflict with those of a fragment in another file',
      { a: '{ ...F a: x }', b: 'fragment F on Query { a: y }' },
      [
        'a:1:8 Fields "a" conflict because "x" and "y" are different fields. Use different aliases on the fields to fetch both if this was intentional.',
      ],
    ],
    [
      'of a type definition in a document',
      { a: 'type A { a: Int }' },
      ['a:1:1 The "A" definition is not executable.'],
    ],
    [
      'of circular fragments',
      { a: 'fragment F on Query { ...G }', b: 'fragment G on Query { ...F }' },
      [
        'a:1:23 Cannot spread fragment "F" within itself via "G".',
        'b:1:23 Cannot spread fragment "G" within itself via "F".',
      ],
    ],
  ])('%s', (_, files, errors) => {
    expect(errorsIn(files)).toEqual(errors);
  });

  it('is shown with its lines', () => {
    const [error] = validated({ 'a.graphql': '{\n\tx\n\tno\n\ty\n}' }).errors;
    expect(error).toEqual({
      file: 'a.graphql',
      line: 3,
      column: 2,
      message: 'Cannot query field "no" on type "Query".',
      excerpt: '2 |  x\n3 |  no\n  |  ^\n4 |  y',
    });
  });

  it('of syntax is listed first, and the other files are checked', () => {
    const files = {
      a: '{ no }',
      b: '{\n  x(',
      c: '{ ...F }',
      d: 'fragment F on Query { nor }',
      e: '',
    };
    expect(errorsIn(files)).toEqual([
      'b:2:5 Syntax Error: Expected Name, found <EOF>.',
      'e:1:1 Syntax Error: Unexpected <EOF>.',
      'a:1:3 Cannot query field "no" on type "Query".',
      'd:1:23 Cannot query field "nor" on type "Query".',
    ]);
  });

  it('may occur any number of times', () => {
    const errors = errorsIn({ a: `{ ${'no '.repeat(500)} }`, b: '{ nor }' });
    expect(errors.length).toBeGreaterThan(100);
    expect(errors.at(-1)).toContain('b:1:3 Cannot query field "nor"');
    expect(errors).toContainEqual(expect.stringMatching(/^a:1:1 Too many validation errors/));
  });

  it('is reported for a document that nests too deeply', () => {
    const errors = errorsIn({ a: '{self'.repeat(50_000), b: '{ x }' });
    expect(errors).toEqual(['a:1:1 it nests too deeply']);
  });

  it('is reported for a document that can be parsed and nests too deeply to be checked', () => {
    const nested = `${'self {'.repeat(1500)} x ${'}'.repeat(1500)}`;
    const errors = errorsIn({ a: `{ ${nested} ${nested} }`, b: '{ no }' });
    expect(errors).toEqual([
      expect.stringContaining('it nests too deeply'),
      'b:1:3 Cannot query field "no" on type "Query".',
    ]);
  });

  // The places of these errors are in the files of the fragments, which are valid alone.
  it.each<[string, Record<string, string>, RegExp]>([
    [
      'that does not declare the variable of a fragment in another file',
      { a: 'query A { ...F }', b: 'fragment F on Query { bill(id: $id) { id } }' },
      /Variable "\$id" is not defined by operation "A"/,
    ],
    [
      'that spreads fragments of other files whose fields conflict',
      { a: '{ ...F ...G }', b: 'fragment F on Query { a: x }', c: 'fragment G on Query { a: y }' },
      /Fields "a" conflict because "x" and "y" are different fields/,
    ],
  ])('belongs to an operation %s', (_, files, message) => {
    expect(errorsIn(files)).toEqual([expect.stringMatching(message)]);
  });
});

describe('fragments of one name in two files', () => {
  const b = 'fragment F on Query { x }';
  const c = 'fragment F on Query { y }';

  it('are an error where they are used', () => {
    const { errors, warnings } = validated({ a: 'query A { x }\nquery B { ...F }', b, c });
    expect(lines(errors)).toEqual(['a:2:1 Fragment "F" is defined in b and c.']);
    expect(warnings).toEqual([]);
  });

  it('may be copies', () => {
    expect(errorsIn({ a: '{ ...F }', b, c: b.replace('{ x }', '{\n  x\n}') })).toEqual([]);
  });

  it('are an error when other fragments use them', () => {
    const files = { a: '{ ...G }', d: 'fragment G on Query { ...F }', b, c };
    expect(errorsIn(files)).toEqual([
      'a:1:1 Fragment "F" is defined in b and c.',
      'd:1:1 Fragment "F" is defined in b and c.',
    ]);
  });

  it('are not an error when unused', () => {
    expect(errorsIn({ a: '{ x }', b, c })).toEqual([]);
  });
});

describe('an unused fragment', () => {
  it.each<[string, Record<string, string>, string[], string[]]>([
    [
      'is an error beside an operation',
      { a: '{ x }\nfragment F on Query { x }' },
      ['a:2:1 Fragment "F" is never used.'],
      [],
    ],
    [
      'is a warning in a file of fragments',
      { a: '{ x }', b: 'fragment F on Query { x }\nfragment G on Query { y }' },
      [],
      ['b:1:1 Fragment "F" is never used.', 'b:2:1 Fragment "G" is never used.'],
    ],
    [
      'may be used by another file, even beside an operation',
      { a: '{ x }\nfragment F on Query { x }', b: '{ ...F }' },
      [],
      [],
    ],
    [
      'may be used by an unused fragment',
      { a: 'fragment F on Query { x }\nfragment G on Query { ...F }' },
      [],
      ['a:2:1 Fragment "G" is never used.'],
    ],
  ])('%s', (_, files, errors, warnings) => {
    expect([errorsIn(files), warningsIn(files)]).toEqual([errors, warnings]);
  });
});

describe('a deprecated element', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['a field', { a: '{ old }' }, ['a:1:3 The field Query.old is deprecated. use x']],
    [
      'a field without a reason',
      { a: '{ bill { tax } }' },
      ['a:1:10 The field Bill.tax is deprecated. No longer supported'],
    ],
    [
      'an argument',
      { a: '{ bills(old: 1) { id } }' },
      ['a:1:9 Field "Query.bills" argument "old" is deprecated. no use'],
    ],
    [
      'a value of an enum',
      { a: '{ bills(kind: OLD) { id } }' },
      ['a:1:15 The enum value "Kind.OLD" is deprecated. use PAID'],
    ],
    [
      'a field of an input',
      { a: 'mutation { pay(in: { b: 1 }) { id } }' },
      ['a:1:22 The input field In.b is deprecated. use a'],
    ],
    [
      'a field in a fragment of another file, reported once',
      { a: 'query A { ...F }', b: 'query B { ...F }', c: 'fragment F on Query { old }' },
      ['c:1:23 The field Query.old is deprecated. use x'],
    ],
  ])('is a warning: %s', (_, files, warnings) => {
    expect([errorsIn(files), warningsIn(files)]).toEqual([[], warnings]);
  });
});

describe('nested fragments', () => {
  const chain = (length: number): string =>
    Array.from({ length }, (_, at) => `fragment F${at} on Query { ...F${at + 1} }`).join('\n');

  it('may be many', () => {
    const end = 'fragment F50 on Query { x }';
    expect(validated({ a: '{ ...F0 }', b: chain(50), c: end })).toEqual(NONE);
  });

  it('may be too many to be checked', () => {
    const { errors } = validated({
      a: '{ ...F0 }',
      b: `${chain(20_000)}\nfragment F20000 on Query { x }`,
    });
    expect(errors[0]?.message).toContain('nests too deeply');
  });
});
