import { GraphQLError } from 'graphql';
import { describe, expect, it } from 'vitest';
import {
  asUsage,
  chooseOperation,
  documentError,
  parseDocument,
} from '../../src/graphql/document.ts';
import { assertValid } from '../../src/graphql/rules.ts';
import { failureOf, schemaOf } from './support.ts';

describe('a syntax error', () => {
  it.each([
    ['in one line', '{ a(b:) }', 1, 7, 'Unexpected ")"', ')'],
    ['at the end', '{ a', 1, 4, 'Expected Name, found <EOF>', undefined],
    ['in an empty text', '', 1, 1, 'Unexpected <EOF>', undefined],
    ['after tabs', '{\n\ta\n\tb\t(\t:\t1)\n}', 3, 6, 'Expected Name, found ":"', ':'],
    ['after CRLF', '{\r\n  a\r\n  b: ]\r\n}\r\n', 3, 6, 'Expected Name, found "]"', ']'],
    ['after CR', '{\r  a\r  b: ]\r}', 3, 6, 'Expected Name, found "]"', ']'],
    ['after a byte order mark', '\ufeff{ ] }', 1, 4, 'Expected Name, found "]"', ']'],
    ['after letters of all kinds', '{ a(b: "名字 😀") ] }', 1, 17, 'Expected Name, found "]"', ']'],
    ['that is such a letter', '{ 名字 }', 1, 3, 'Unexpected character: U+540D', '名'],
    ['in a string', '{ a(b: "c\n") }', 1, 10, 'Unterminated string', undefined],
    ['far into a long line', `{${' a'.repeat(300)} ]}`, 1, 603, 'Expected Name, found "]"', ']'],
  ])('%s is reported with its place', async (_, text, line, column, subject, fault) => {
    const { code, message, details } = await failureOf(() => parseDocument(text, 'a b.graphql'));
    expect(code).toBe('usage');
    expect(message).toBe(`a b.graphql:${line}:${column}: Syntax Error: ${subject}.`);
    const lines = (details.excerpt ?? '').split('\n');
    const caretLine = lines.findIndex((line) => /^ *\| +\^$/.test(line));
    expect(lines[caretLine - 1]?.[lines[caretLine]?.indexOf('^') ?? -1]).toBe(fault);
    expect(details.excerpt).not.toMatch(/[\t\r]/);
    // Fits a terminal, even for a minified document.
    for (const line of lines) expect(line.length).toBeLessThan(100);
  });

  it('is shown among the lines around it', async () => {
    const { details } = await failureOf(() => parseDocument('{\n\ta\n\t\tb: ]\n}\n', 'q'));
    expect(details.excerpt).toBe('2 |  a\n3 |   b: ]\n  |      ^\n4 | }');
  });
});

describe('a document that nests too deeply', () => {
  const DEPTH = 50_000;

  it.each([
    ['selections', '{a'.repeat(DEPTH)],
    ['selections that are closed', '{a'.repeat(DEPTH) + '}'.repeat(DEPTH)],
    ['lists', `{ a(b: ${'['.repeat(DEPTH)}`],
    ['objects', `{ a(b: ${'{c:'.repeat(DEPTH)}`],
    ['types', `query ($a: ${'['.repeat(DEPTH)}`],
    ['inline fragments', '{...'.repeat(DEPTH)],
  ])('is rejected: %s', async (_, text) => {
    expect(await failureOf(() => parseDocument(text, 'q'))).toMatchObject({
      code: 'usage',
      message: 'q:1:1: it nests too deeply',
    });
  });

  it('is rejected when it can be parsed but not validated', async () => {
    const schema = schemaOf('type Query { a: Query, b: Int }');
    const nested = `${'a {'.repeat(1500)} b ${'}'.repeat(1500)}`;
    const document = parseDocument(`{ ${nested} ${nested} }`, 'q');
    const { message } = await failureOf(() => assertValid(document, schema, 'q', 'see the schema'));
    expect(message).toContain('it nests too deeply');
  });
});

describe('chooseOperation', () => {
  const document = parseDocument(
    'query A { a } mutation B { b } fragment F on Query { a } subscription C { c }',
    'q',
  );

  it.each(['A', 'B', 'C'])('finds %s among several', (name) => {
    expect(chooseOperation(document, name).name?.value).toBe(name);
  });

  it.each([
    ['{ a }', undefined],
    ['query A { ...F } fragment F on Query { a }', undefined],
    ['query A { a }', 'A'],
  ])('chooses the only operation of %j', (text, name) => {
    const [only] = parseDocument(text, 'q').definitions;
    expect(chooseOperation(parseDocument(text, 'q'), name)).toEqual(only);
  });

  it.each([
    ['fragment F on Query { a }', undefined, 'has no operation', 'query Name'],
    ['type A { a: Int }', 'A', 'has no operation', 'query Name'],
    ['query A { a } query B { a }', undefined, 'has 2 operations', '--operation: A, B'],
    ['{ a } query B { a }', undefined, 'has 2 operations', '--operation: '],
    ['query A { a }', 'B', 'has no operation "B"', '--operation: A'],
    ['query A { a } fragment B on Query { a }', 'B', 'has no operation "B"', '--operation: A'],
    ['query A { a }', 'a', 'has no operation "a"', '--operation: A'],
    ['{ a }', '', 'has no operation ""', '--operation'],
    ['{ a } { b }', undefined, 'has 2 operations', '--operation'],
  ])('fails without exactly one match: %j with %j', async (text, name, message, hint) => {
    const error = await failureOf(() => chooseOperation(parseDocument(text, 'q'), name));
    expect(error.code).toBe('usage');
    expect(error.message).toContain(message);
    expect(error.details.hint).toContain(hint);
  });
});

describe('assertValid', () => {
  const schema = schemaOf('type Query { a(id: Int!): Int }');

  it('accepts a document that fits the schema', () => {
    assertValid(
      parseDocument('query ($id: Int!) { a(id: $id) __typename }', 'q'),
      schema,
      'q',
      'see the schema',
    );
  });

  it('reports the first error with its place, and the number of others', async () => {
    const document = parseDocument('{\n  a\n  b\n  c\n}', 'q.graphql');
    const { code, message, details } = await failureOf(() =>
      assertValid(document, schema, 'q', 'see the schema'),
    );
    expect(code).toBe('graphql');
    expect(message).toMatch(/^q\.graphql:2:3: Field "a" argument "id" .* \(and 2 more\)$/);
    expect(details.excerpt).toBe('1 | {\n2 |   a\n  |   ^\n3 |   b');
  });
});

describe('an error', () => {
  it('without a place is reported with the name of the document', () => {
    const error = documentError('graphql', new GraphQLError('too much'), 'q.graphql');
    expect([error.code, error.message, error.details.excerpt]).toEqual([
      'graphql',
      'q.graphql: too much',
      undefined,
    ]);
  });

  it('of another kind is returned unchanged', () => {
    const error = new TypeError('a bug');
    expect(asUsage(error, 'q')).toBe(error);
  });
});
