import fc from 'fast-check';
import { type DocumentNode, GraphQLError, parse, print } from 'graphql';
import { describe, expect, it } from 'vitest';
import { parseSdl } from '../../src/graphql/document.ts';
import { checkRows } from '../support/rows.ts';
import { failureOf, readText } from './support.ts';

/** The interfaces of each type and interface, by its name. */
function interfacesIn({ definitions }: DocumentNode): Record<string, string[]> {
  return Object.fromEntries(
    definitions.flatMap((node) =>
      'interfaces' in node
        ? [[node.name.value, (node.interfaces ?? []).map(({ name }) => name.value)]]
        : [],
    ),
  );
}

function thrownBy(call: () => unknown): Error {
  try {
    call();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('nothing was thrown');
}

const interfacesOfX = (sdl: string): string[] | undefined => interfacesIn(parseSdl(sdl, 's')).X;

describe('a list of interfaces', () => {
  it('may be separated by commas, ampersands and comments', () =>
    checkRows(
      [
        ['A', ['A']],
        ['A, B', ['A', 'B']],
        ['A,B', ['A', 'B']],
        ['A ,B', ['A', 'B']],
        ['A,, B', ['A', 'B']],
        ['A & B', ['A', 'B']],
        ['& A & B', ['A', 'B']],
        ['& A, B', ['A', 'B']],
        ['A & B, C', ['A', 'B', 'C']],
        ['A, B & C', ['A', 'B', 'C']],
        ['A, & B, C', ['A', 'B', 'C']],
        ['A\n, B', ['A', 'B']],
        ['A,\n\n  B,\r\n  C', ['A', 'B', 'C']],
        ['A, # one, two\n B', ['A', 'B']],
        ['A # one, two\n , B', ['A', 'B']],
        ['A # one,\r # two,\r , B # three,\n', ['A', 'B']],
        ['A, B,', ['A', 'B']],
        ['A, B, @d', ['A', 'B']],
        ['A, B @d(a: 1, b: [2, 3])', ['A', 'B']],
      ],
      ([list, names]) => {
        for (const kind of [
          'type',
          'interface',
          'extend type',
          'extend interface',
          '"text" type',
        ]) {
          expect(interfacesOfX(`${kind} X implements ${list} { a: Int }`)).toEqual(names);
        }
        // Also without fields.
        const bare = `type X implements ${list} type Y implements ${list} interface A { a: Int }`;
        expect(interfacesIn(parseSdl(bare, 's'))).toEqual({ X: names, Y: names, A: [] });
      },
    ));

  it('may include interfaces named like keywords', () =>
    checkRows(['type', 'interface', 'implements', 'extend', 'schema', 'on'], (name) => {
      expect(interfacesOfX(`type X implements A, ${name} { a: Int }`)).toEqual(['A', name]);
    }));

  // The first name cannot begin a definition: a list is never empty.
  it('may begin in every definition', () =>
    checkRows(['type', 'interface', 'extend', 'schema'], (name) => {
      expect(interfacesOfX(`type X implements ${name}, A { a: Int }`)).toEqual([name, 'A']);
    }));

  it('ends before the next token', () =>
    checkRows(
      [
        'type C { a: Int }',
        'extend type C { a: Int }',
        '"text, more" type C { a: Int }',
        '"text, more" schema { query: X }',
        'interface C implements A, B { a: Int }',
        'scalar S',
        'union U = A | B',
        'enum E { A, B }',
        'input I { a: Int, b: Int }',
      ],
      (next) => {
        for (const joint of [',', '\n', ' # a, b\n']) {
          expect(interfacesOfX(`type X implements A, B${joint} ${next}`)).toEqual(['A', 'B']);
        }
      },
    ));

  it.each(['schema { query: X, mutation: Y }', 'directive @d(a: Int, b: Int) on OBJECT'])(
    'ends before %j in another line',
    (next) => {
      expect(interfacesOfX(`type X implements A, B\n${next}`)).toEqual(['A', 'B']);
    },
  );

  it('may have any names and be joined in any way', () => {
    const keyword =
      /^(?:schema|scalar|type|interface|union|enum|input|directive|extend|implements)$/;
    const names = fc.array(
      fc.stringMatching(/^[_A-Za-z][_0-9A-Za-z]{0,8}$/).filter((name) => !keyword.test(name)),
      { minLength: 1, maxLength: 6 },
    );
    const joint = fc.constantFrom(',', ', ', ' ,\n\t', ', # a, b\n', ' # a, b\r\n, ', ' & ', '\n&');
    const joints = fc.array(joint, { minLength: 6, maxLength: 6 });
    const kind = fc.constantFrom('type', 'interface', 'extend type', 'extend interface');
    const property = fc.property(names, joints, kind, (names, joints, kind) => {
      const list = names.map((name, at) => (at === 0 ? name : `${joints[at]}${name}`)).join('');
      const around = (list: string) => `${kind} X implements ${list} { a(b: Int, c: Int): Int }`;
      const joined = print(parseSdl(around(list), 's'));
      expect(joined).toBe(print(parse(around(names.join(' & ')))));
    });
    fc.assert(property, { seed: 20261121, numRuns: 300 });
  });

  it('may occur in thousands of types', () => {
    const types = Array.from({ length: 2000 }, (_, at) => {
      const list = Array.from({ length: 20 }, (_, item) => `I${at}x${item}`).join(', ');
      return `"Number, ${at}" type T${at} implements ${list} { a(b: Int, c: Int): Int }`;
    });
    const found = interfacesIn(parseSdl(types.join('\n'), 's'));
    expect(Object.keys(found)).toHaveLength(2000);
    expect(found.T1999).toHaveLength(20);
    expect(found.T1999?.at(-1)).toBe('I1999x19');
  });
});

describe('anything else', () => {
  const others = [
    'type X implements A type C { a: Int }',
    'type A implements B, type C { a: Int }',
    'type Q { implements: Int, type: Int, interface: [Int] }',
    'type Q { a(type: Int, implements: Int, interface: Int): Int }',
    'input I { type: Int = 1, implements: [Int] = [1, 2] }',
    'enum E { implements, type, interface }',
    'enum E { interface, implements }',
    'union U = type | interface | implements',
    'directive @implements(type: Int, implements: Int) on OBJECT, | FIELD',
    '"type X implements A, B" type X { a: Int }',
    '"""\ntype X implements A, B {\n""" type X { a: Int }',
    '# type X implements A, B\ntype X { a: Int }',
    'type X @d(text: "type X implements A, B") { a: Int }',
    'query { type implements, interface, a }',
  ];

  it('stays unchanged', () =>
    checkRows(others, (text) => {
      const list = 'type D3 implements A, B { a: Int }';
      const both = parseSdl(`${text}\n${list}`, 's');
      expect(print(both)).toBe(print(parse(`${text}\n${list.replace(',', ' &')}`)));
    }));

  it.each(['enum E { type A implements B & C }', 'type X @d(list: [type A implements B, C]) {'])(
    'fails between braces and brackets as in GraphQL: %j',
    (text) => {
      const { message } = thrownBy(() => parse(text));
      expect(thrownBy(() => parseSdl(text, 's')).message).toBe(message);
    },
  );
});

describe('places', () => {
  it('are those of the text', () => {
    const text = 'type X implements A, # b, c\n  B,\r\n  C @d(a: 1) { a: Int }';
    const [type] = parseSdl(text, 's').definitions;
    const interfaces = type?.kind === 'ObjectTypeDefinition' ? (type.interfaces ?? []) : [];
    expect(interfaces.map(({ loc }) => text.slice(loc?.start, loc?.end))).toEqual(['A', 'B', 'C']);
  });

  it('of a syntax error are those of the original text', () =>
    checkRows(
      [
        ['type X implements A, B {\n  a: }', 2, 6, 'Expected Name, found "}"'],
        ['type X implements A, B { a: } type Y implements A, B { a: Int }', 1, 29, 'Expected Name'],
        ['type X implements , A { a: Int ]', 1, 32, 'Expected Name, found "]"'],
        ['type X implements {', 1, 19, 'Expected Name, found "{"'],
        ['type X implements A, 1 { a: Int }', 1, 22, 'Unexpected Int "1"'],
        ['type X implements A, B { a: Int ? }', 1, 33, 'Unexpected character: "?"'],
        ['type X { a: "unclosed }', 1, 24, 'Unterminated string'],
      ],
      ([text, line, column, message]) => {
        const read = () => parseSdl(text, 'schema.graphql');
        expect(read).toThrow(GraphQLError);
        expect(read).toThrow(
          expect.objectContaining({
            message: expect.stringContaining(message),
            locations: [{ line, column }],
            source: expect.objectContaining({ name: 'schema.graphql' }),
          }),
        );
      },
    ));

  it('are shown in the original text', async () => {
    const read = () => readText('type X implements A, B { a: }', { name: 's' });
    expect((await failureOf(read)).details.excerpt).toContain('implements A, B {');
  });
});
