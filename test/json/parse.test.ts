import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, parseMembers } from '../../src/json/parse.ts';
import { printJson } from '../../src/json/print.ts';
import { JsonSyntaxError } from '../../src/json/reader.ts';
import { type JsonValue, member } from '../../src/json/value.ts';
import { CHARACTER } from '../support/character.ts';

function syntaxError(text: string): JsonSyntaxError {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(text)} was read as JSON`);
}

describe('parseJson', () => {
  it.each([
    ['"text"', { kind: 'string', value: 'text' }],
    ['12', { kind: 'number', text: '12' }],
    ['true', { kind: 'boolean', value: true }],
    ['false', { kind: 'boolean', value: false }],
    ['null', { kind: 'null' }],
    ['[]', { kind: 'array', items: [] }],
    ['{}', { kind: 'object', members: [] }],
    [
      '[null,[true]]',
      {
        kind: 'array',
        items: [{ kind: 'null' }, { kind: 'array', items: [{ kind: 'boolean', value: true }] }],
      },
    ],
    [
      '{"a":{"b":1}}',
      {
        kind: 'object',
        members: [
          {
            name: 'a',
            value: {
              kind: 'object',
              members: [{ name: 'b', value: { kind: 'number', text: '1' } }],
            },
          },
        ],
      },
    ],
  ])('reads %s', (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  it.each([
    '0',
    '-0',
    '-0.0',
    '1.0',
    '30.10',
    '1e2',
    '1E+2',
    '1.50e-07',
    '1e999',
    '3791411052119578828',
    '0.1234567890123456789012345678901234567890',
    '9'.repeat(400),
  ])('keeps the characters of the number %s', (text) => {
    expect(parseJson(text)).toEqual({ kind: 'number', text });
  });

  it('keeps order, duplicates and special names such as __proto__', () => {
    const text = '{"10":1,"2":2,"__proto__":3,"a":4,"a":5,"constructor":6,"":7}';
    const value = parseJson(text);
    const names = value.kind === 'object' ? value.members.map(({ name }) => name) : [];
    expect(names).toEqual(['10', '2', '__proto__', 'a', 'a', 'constructor', '']);
  });

  it.each([
    ['the short escapes', String.raw`"\"\\\/\b\f\n\r\t"`, '"\\/\b\f\n\r\t'],
    ['an escaped code unit', String.raw`"\u676d\u5DDE"`, '杭州'],
    ['both halves of an escaped pair', String.raw`"\ud83d\ude95"`, '🚕'],
    ['half of an escaped pair', String.raw`"\ud83d"`, '\ud83d'],
    ['an escaped NUL', String.raw`"\u0000"`, '\0'],
    ['an astral character', '"🚕"', '🚕'],
    ['a raw lone surrogate', '"\udc00"', '\udc00'],
    ['DEL and line separators', '"\u007f\u2028\u2029"', '\u007f\u2028\u2029'],
    ['a backslash before the closing quote', String.raw`"a\\"`, 'a\\'],
  ])('reads %s', (_, text, value) => {
    expect(parseJson(text)).toEqual({ kind: 'string', value });
  });

  it('skips the four kinds of white space between tokens', () => {
    expect(printJson(parseJson(' \t\r\n{ "a" :\n[ 1 ,\t2 ] , "b" : { } }\r\n'))).toBe(
      '{"a":[1,2],"b":{}}',
    );
  });

  it.each([
    ['', 'the text ends where a value was expected', 1, 1],
    ['  ', 'the text ends where a value was expected', 1, 3],
    ['\ufeff{}', 'unexpected U+FEFF where a value was expected', 1, 1],
    ['\u00a01', 'unexpected U+00A0 where a value was expected', 1, 1],
    [' \u00a01', 'unexpected U+00A0 where a value was expected', 1, 2],
    ['\n\ufeff1', 'unexpected U+FEFF where a value was expected', 2, 1],
    ['1\u000b', 'unexpected U+000B after the end of the document', 1, 2],
    ['{} {}', 'unexpected "{" after the end of the document', 1, 4],
    ['truex', 'unexpected "x" after the end of the document', 1, 5],
    ['True', 'unexpected "T" where a value was expected', 1, 1],
    ['nul', 'unexpected "n" where a value was expected', 1, 1],
    ['NaN', 'unexpected "N" where a value was expected', 1, 1],
    ['-Infinity', 'unexpected "-" where a value was expected', 1, 1],
    ['[', 'the text ends where a value was expected', 1, 2],
    ['[1', 'the text ends where a comma or "]" was expected', 1, 3],
    ['[1,]', 'unexpected "]" where a value was expected', 1, 4],
    ['[,1]', 'unexpected "," where a value was expected', 1, 2],
    ['[1 2]', 'unexpected "2" where a comma or "]" was expected', 1, 4],
    ['[1}', 'unexpected "}" where a comma or "]" was expected', 1, 3],
    ['{', 'the text ends where a name in double quotes was expected', 1, 2],
    ['{"a":1,}', 'unexpected "}" where a name in double quotes was expected', 1, 8],
    ['{a:1}', 'unexpected "a" where a name in double quotes was expected', 1, 2],
    ["{'a':1}", 'unexpected "\'" where a name in double quotes was expected', 1, 2],
    ['{"a" 1}', 'unexpected "1" where ":" was expected', 1, 6],
    ['{"a"}', 'unexpected "}" where ":" was expected', 1, 5],
    ['{"a":}', 'unexpected "}" where a value was expected', 1, 6],
    ['{"a":1 "b":2}', 'unexpected "\\"" where a comma or "}" was expected', 1, 8],
    ['{"a":1]', 'unexpected "]" where a comma or "}" was expected', 1, 7],
    ['[1 // one\n]', 'unexpected "/" where a comma or "]" was expected', 1, 4],
    ['{\n  "a": 1,\n  b: 2\n}', 'unexpected "b" where a name in double quotes was expected', 3, 3],
    ['[😀]', 'unexpected "😀" where a value was expected', 1, 2],
    ['["😀" 1]', 'unexpected "1" where a comma or "]" was expected', 1, 7],
    ['[\ud83d]', 'unexpected U+D83D where a value was expected', 1, 2],
  ])('rejects %j with the place', (text, message, line, column) => {
    const error = syntaxError(text);
    expect(error.message).toBe(`${message} at line ${line} column ${column}`);
    expect(error).toMatchObject({ name: 'JsonSyntaxError', line, column });
  });

  it.each(['01', '-01', '+1', '.5', '1.', '-', '-.5', '1e', '1e+', '1.e1', '0x10', '1_000', '１'])(
    'rejects the number %s',
    (text) => {
      expect(() => parseJson(text)).toThrow(JsonSyntaxError);
    },
  );

  it.each(['\\x41', '\\u12', '\\u12g4', '\\U0041', '\\ ', "\\'", '\\0', '\\\u2028'])(
    'rejects the escape %j',
    (sequence) => {
      expect(syntaxError(`["a","${sequence}"]`).message).toBe(
        'a string with an invalid escape at line 1 column 6',
      );
    },
  );

  it.each(Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)))(
    'rejects the raw control character %j in a string',
    (character) => {
      expect(syntaxError(`["a${character}b"]`).message).toBe(
        'a string with a raw control character at line 1 column 2',
      );
    },
  );

  it.each(['"', '"a', '"a\\"', '"a\\', '"a\\\n"'])('rejects the unclosed string %j', (text) => {
    expect(syntaxError(text)).toMatchObject({ line: 1, column: 1 });
  });

  it.each([
    ['empty arrays', '[', '', ']'],
    ['arrays around a number', '[', '1', ']'],
    ['objects around a string', '{"a":', '"b"', '}'],
  ])('reads 500 levels of %s and no more', (_, open, inner, close) => {
    const nested = (levels: number) => open.repeat(levels) + inner + close.repeat(levels);
    expect(() => parseJson(nested(501))).toThrow(/^more than 500 levels of nesting at line 1 col/);
    expect(printJson(parseJson(nested(500)))).toBe(nested(500));
  });

  it('rejects nesting that would exhaust the call stack', () => {
    expect(() => parseJson('['.repeat(1_000_000))).toThrow(JsonSyntaxError);
  });

  it('counts levels, not values', () => {
    const text = `[${'[1],'.repeat(2000)}[1]]`;
    expect(printJson(parseJson(text))).toBe(text);
  });
});

describe('printJson', () => {
  it.each([
    ['non-ASCII unescaped', String.raw`"\u676d\ud83d\ude95"`, '"杭🚕"'],
    ['slashes unescaped', String.raw`"a\/b"`, '"a/b"'],
    ['needless escapes resolved', String.raw`"\u0061\u0022\u005c"`, String.raw`"a\"\\"`],
    ['control characters escaped', String.raw`"\u0000\u000A\u001F"`, String.raw`"\u0000\n\u001f"`],
    [
      'half a surrogate pair escaped, because UTF-8 cannot encode it',
      '"\ud83d"',
      String.raw`"\ud83d"`,
    ],
    ['names like strings', String.raw`{"\u676d\n":1}`, String.raw`{"杭\n":1}`],
    ['no white space', '{ "a" : [ 1 , { } ] }', '{"a":[1,{}]}'],
  ])('prints %s', (_, text, printed) => {
    expect(printJson(parseJson(text))).toBe(printed);
  });
});

describe('member', () => {
  const value = parseJson('{"a":1,"a":2,"__proto__":3}');

  it.each([
    ['a', '1'],
    ['__proto__', '3'],
  ])('finds the first member called %s', (name, text) => {
    expect(member(value, name)).toEqual({ kind: 'number', text });
  });

  it.each([
    ['no member of the name', value, 'b'],
    ['a name that only prototypes have', value, 'constructor'],
    ['an array', parseJson('["a"]'), '0'],
    ['nothing', undefined, 'a'],
  ])('is undefined for %s', (_, from, name) => {
    expect(member(from, name)).toBeUndefined();
  });
});

describe('parseMembers', () => {
  /** A value as a plain tree, to call its getters. */
  const treeOf = (value: JsonValue): JsonValue => {
    if (value.kind === 'array') return { kind: 'array', items: value.items.map(treeOf) };
    if (value.kind !== 'object') return value;
    const members = value.members.map(({ name, value }) => ({ name, value: treeOf(value) }));
    return { kind: 'object', members };
  };

  const messageOf = (parse: () => unknown): string => {
    try {
      return `none: ${JSON.stringify(parse())}`;
    } catch (error) {
      return (error as Error).message;
    }
  };

  /** JSON with white space and needless escapes, and a place to cut it. */
  const document = fc
    .tuple(
      fc.dictionary(fc.string({ unit: CHARACTER }), fc.jsonValue({ maxDepth: 3 })),
      fc.nat(3),
      fc.nat(),
    )
    .map(([object, indent, at]) => {
      const text = JSON.stringify({ z: ['/z', { '/': [] }], ...object }, undefined, indent)
        .replaceAll('z', '\\u007a')
        .replaceAll('/', '\\/');
      return { text, cut: text.slice(0, at % text.length) };
    });

  it('returns the content and faults of parseJson, with the texts of nested values', () => {
    fc.assert(
      fc.property(document, ({ text, cut }) => {
        const whole = parseJson(text);
        const compact = parseMembers(text, 'compact');
        expect(treeOf(compact)).toEqual(whole);
        expect(printJson(compact)).toBe(printJson(whole));
        const written = parseMembers(text, 'as-written');
        expect(treeOf(written)).toEqual(whole);
        if (written.kind !== 'object') throw new Error('not an object');
        for (const { value } of written.members) {
          if (value.kind === 'array' || value.kind === 'object') expect(text).toContain(value.text);
        }
        expect(messageOf(() => parseMembers(cut, 'compact'))).toBe(messageOf(() => parseJson(cut)));
      }),
      { seed: 20261123, numRuns: 300 },
    );
  });

  it('escapes a raw lone surrogate in a compact value', () => {
    const value = parseMembers('{"a":["\ud83d","🚕"]}', 'compact');
    expect(printJson(value)).toBe('{"a":["\\ud83d","🚕"]}');
  });

  it('joins the many pieces of a long value in their order', () => {
    const items = Array.from({ length: 10_000 }, (_, index) => index);
    const value = parseMembers(JSON.stringify({ items }, undefined, 1), 'compact');
    expect(printJson(value)).toBe(JSON.stringify({ items }));
  });
});
