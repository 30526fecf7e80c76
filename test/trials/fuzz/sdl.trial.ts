import fc from 'fast-check';
import { type DocumentNode, GraphQLError, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { parseDocument, parseSdl } from '../../../src/graphql/document.ts';
import { fuzz } from '../scale.ts';
import { ampersandForm, commaForm, randomSchema, SEPARATOR } from './random-schemas.ts';
import { awkwardText, many, mutated, withinSeconds } from './support.ts';

/** The result of `read` with all locations, or the location and message of its error. */
function outcome(read: () => DocumentNode): unknown {
  try {
    return JSON.parse(JSON.stringify(read()));
  } catch (error) {
    // Any other error is a bug.
    if (!(error instanceof GraphQLError)) throw error;
    const { message, positions, locations } = error;
    return { message, positions, locations };
  }
}

/** Checks that both notations of a schema give the same result. */
function expectSame(text: string): void {
  const expected = outcome(() => parse(ampersandForm(text)));
  expect(expected).toHaveProperty('kind');
  expect(outcome(() => parseSdl(commaForm(text), 's'))).toEqual(expected);
}

/** The gaps between neighbouring interfaces, with their text. */
function gapsIn({ definitions }: DocumentNode, text: string) {
  return definitions.flatMap((definition) => {
    const interfaces = 'interfaces' in definition ? (definition.interfaces ?? []) : [];
    return interfaces.slice(1).map(({ loc }, at) => {
      const [start, end] = [interfaces[at]?.loc?.end ?? 0, loc?.start ?? 0];
      return { start, end, text: text.slice(start, end).replace(/#[^\r\n]*/g, '') };
    });
  });
}

describe('interfaces joined by commas', () => {
  it('are read like interfaces joined by &, at the same locations', () => {
    const property = fc.property(randomSchema, (schema) => {
      expectSame(schema);
    });
    fc.assert(property, fuzz(20_261_221));
  });

  it('do not change messages and locations of errors', () => {
    const broken = fc.constantFrom(
      ...[
        'type Z { a: }',
        'type Z implements A\u0001 B { a: Int ]',
        '}',
        'type Z implements A\u0001 B {',
      ],
      ...['?', '"open', 'type Z { a: Int = "\\x" }', 'type A B'],
      ...[
        '\0',
        'type X implements A & & B',
        'directive @d',
        'type X { a(implements: A @d): Int }, )',
      ],
    );
    const property = fc.property(randomSchema, broken, randomSchema, (before, broken, behind) => {
      const text = `${before}\n${broken}\n${behind}`;
      const expected = outcome(() => parse(ampersandForm(text)));
      expect(expected).toHaveProperty('message');
      expect(outcome(() => parseSdl(commaForm(text), 's'))).toEqual(expected);
    });
    fc.assert(property, fuzz(20_261_222));
  });

  const tokens = fc.constantFrom(
    ...[
      'type',
      'type X',
      'interface',
      'extend',
      'implements',
      'type X implements A, B',
      ', ',
      ',,',
      '&',
      '{',
      '}',
    ],
    ...[
      '[',
      ']',
      '(',
      ')',
      '{ a: Int }',
      'A',
      'B',
      ':',
      '!',
      '=',
      '|',
      '@d',
      '@',
      '"a, b"',
      '"""',
      '"',
      '# a, b\n',
    ],
    ...[
      '\n',
      '\r',
      '\ufeff',
      '1',
      '...',
      '$a',
      'schema',
      'directive',
      'on',
      'union U = A',
      '\0',
      '?',
      '\ud83d',
    ],
  );
  const tokenLists = fc.array(tokens, { maxLength: 12 }).map((list) => list.join(' '));
  const text = fc.oneof(
    {
      weight: 6,
      arbitrary: mutated(randomSchema.map(commaForm), [
        ', ',
        '&',
        'implements',
        'type ',
        '{',
        '}',
        '"',
        '#',
        '\n',
        ' A',
        ' B ',
      ]),
    },
    { weight: 3, arbitrary: tokenLists },
    awkwardText,
  );

  it('are the only accepted deviation from GraphQL', () => {
    let repaired = 0;
    const property = fc.property(text, (text) => {
      const strict = outcome(() => parse(text));
      const read = outcome(() => parseSdl(text, 's'));
      if ('kind' in (strict as object)) expect(read).toEqual(strict);
      if ('kind' in (strict as object) || !('kind' in (read as object))) return;
      repaired++;
      let joined = text;
      for (const { start, end, text: gap } of gapsIn(parseSdl(text, 's'), text)) {
        if (gap.includes('&')) continue;
        expect(gap).toMatch(/^[\s,\ufeff]*,[\s,\ufeff]*$/);
        joined = joined.slice(0, start) + '&'.padEnd(end - start) + joined.slice(end);
      }
      expect(outcome(() => parse(joined))).toEqual(read);
    });
    fc.assert(property, fuzz(20_261_224));
    expect(repaired).toBeGreaterThan(10);
  });

  it('are a usage error in an executable document', () => {
    const property = fc.property(text, (text) => {
      try {
        parseDocument(text, 'd');
      } catch (error) {
        expect(error).toMatchObject({
          code: 'usage',
          message: expect.stringMatching(/^d(?::\d+:\d+)?: /),
        });
      }
    });
    fc.assert(property, fuzz(20_261_225));
  });

  it.each([
    ['interfaces', `type X implements ${many('A, ')} B { a: Int }`],
    ['interfaces with comments', `type X implements ${many('A, # a, b\n')} B { a: Int }`],
    ['types', many('type X implements A, B { a: Int }\n')],
    ['truncated lists', many('type X implements A, ')],
    ['commas', `type X implements A${many(',')} B { a: Int }`],
    ['names', many('type implements ')],
    ['brackets', `type X implements A, B { a: ${many('[')}`],
    ['braces', many('{ type X implements A, B ')],
    ['strings', many('"type X implements A, B" ')],
    ['a block string', `"""${many('A, ')}`],
    ['a comment', `type X implements A, B #${many(', ')}`],
    ['byte order marks', `${many('\ufeff')}type X implements A, B`],
  ])('are read in linear time: %s', (_, text) => {
    withinSeconds(30, () => outcome(() => parseSdl(text, 's')));
  });

  it('may belong to a type called implements, after a scalar called type', () => {
    expectSame(`scalar type type implements implements A${SEPARATOR} B`);
  });

  it('end before a definition, also after a trailing comma', () => {
    expectSame(`type X implements A${SEPARATOR} B,\nscalar S`);
  });

  it('end before a directive, also after a trailing comma', () => {
    expectSame(`type X implements A${SEPARATOR} B,\ndirective @d on OBJECT`);
  });
});
