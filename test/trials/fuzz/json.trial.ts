import fc from 'fast-check';
import { parse as parseLossless } from 'lossless-json';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/json/parse.ts';
import { printJson } from '../../../src/json/print.ts';
import { JsonSyntaxError } from '../../../src/json/reader.ts';
import type { JsonValue } from '../../../src/json/value.ts';
import { readBody } from '../../../src/signing/value-text.ts';
import { fuzz, times } from '../scale.ts';
import { randomJson } from './random-json.ts';
import { awkwardText, many, mutated, withinSeconds } from './support.ts';

/** The limit of the reader; `JSON.parse` is not limited. */
const MAX_LEVELS = 500;

/** The JavaScript value of JSON, with numbers converted by `number`. */
function native(value: JsonValue, number: (text: string) => unknown): unknown {
  switch (value.kind) {
    case 'null':
      return null;
    case 'number':
      return number(value.text);
    case 'array':
      return value.items.map((item) => native(item, number));
    case 'object':
      // As in JSON.parse, the last duplicate counts, and __proto__ is an ordinary name.
      return Object.fromEntries(
        value.members.map(({ name, value }) => [name, native(value, number)]),
      );
    default:
      return value.value;
  }
}

/** An unchanged number. */
const numberText = (text: string): object => ({ number: text });

/** Like `toStrictEqual`, but also checks the order of keys, and accepts deeply nested values. */
function expectSame(one: unknown, other: unknown): void {
  if (!isSame(one, other)) expect(one).toStrictEqual(other);
}

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) {
    return Object.is(one, other);
  }
  const [members, others] = [Object.entries(one), Object.entries(other)];
  return (
    Object.getPrototypeOf(one) === Object.getPrototypeOf(other) &&
    members.length === others.length &&
    members.every(([name, value], at) => {
      const [otherName, otherValue] = others[at] ?? [];
      return name === otherName && isSame(value, otherValue);
    })
  );
}

/** The result of `read`; undefined for a text that is not JSON. Other errors are bugs. */
function outcome<T>(read: (text: string) => T, text: string): { readonly value: T } | undefined {
  try {
    return { value: read(text) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** Checks the line and column of a syntax error, and returns its offset. */
function placeOfError(text: string, { message, line, column }: JsonSyntaxError): number {
  const lines = text.split('\n');
  expect(lines.length).toBeGreaterThanOrEqual(line);
  const offset = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, column - 1);
  expect(column).toBeGreaterThan(0);
  expect(column - 1).toBeLessThanOrEqual(lines[line - 1]?.length ?? -1);
  const found = text.codePointAt(offset);
  const [, reported = ''] =
    /^(the text ends|a string|more than|unexpected (?:U\+[\dA-F]+|".{1,2}"))/u.exec(message) ?? [];
  if (reported === 'the text ends') expect(found).toBeUndefined();
  else if (reported === 'a string') expect(found).toBe(0x22);
  else if (reported === 'more than') expect('[{').toContain(text[offset]);
  else if (reported.includes('U+')) expect(found).toBe(Number.parseInt(reported.slice(13), 16));
  else expect(JSON.stringify(String.fromCodePoint(found ?? 0))).toBe(reported.slice(11));
  return offset;
}

/** Checks the result of the reader for any text. Returns whether the text was read. */
function check(text: string): boolean {
  const expected = outcome((text) => JSON.parse(text) as unknown, text);
  const lossless = outcome(
    (text) =>
      parseLossless(text, null, {
        parseNumber: numberText,
        onDuplicateKey: ({ newValue }) => newValue,
      }),
    text,
  );
  const read = outcome(parseJson, text);
  if (!read) {
    expectRefusal(text, expected !== undefined);
    return false;
  }
  expectSame(native(read.value, Number), expected?.value);
  expectSame(native(read.value, numberText), lossless?.value);
  const printed = printJson(read.value);
  expectSame(parseJson(printed), read.value);
  expect(printJson(parseJson(printed))).toBe(printed);
  return true;
}

function expectRefusal(text: string, isJson: boolean): void {
  const refusal = refusalOf(text);
  const offset = placeOfError(text, refusal);
  const isTooDeep = refusal.message.startsWith(`more than ${MAX_LEVELS} levels`);
  if (isTooDeep) expect(levelsOf(text.slice(0, offset))).toBe(MAX_LEVELS);
  else expect(isJson).toBe(false);
  const message = expect.stringMatching(/^the body /);
  expect(() => readBody(text)).toThrow(expect.objectContaining({ code: 'usage', message }));
}

function refusalOf(text: string): JsonSyntaxError {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
  throw new Error('the text was read');
}

/** The number of open brackets at the end of a text. */
function levelsOf(text: string): number {
  const brackets = text.replace(/"(?:[^"\\]|\\.)*"|[^[\]{}]/gs, '');
  return brackets.replace(/[\]}]/g, '').length - brackets.replace(/[[{]/g, '').length;
}

/** Invalid pieces of JSON. */
const MISTAKES = [
  ...['', ',', ',,', ':', '"', "'", '[', ']', '{', '}', '\\', '\\u', '\\u12', '\\x41', '\\ud83d'],
  ...['\u00a0', '\ufeff', '\u2028', '\u000b', '\0', '\u001f', '\n', '\t', '\u0085', '\u3000'],
  ...['// a\n', '/* a */', '#', 'NaN', 'Infinity', 'undefined', 'True', 'nul', '"a":', '"a":1,'],
  ...['0', '00', '-', '+', '.', 'e', 'E+', '1_0', '0x1', '1n', '１', '\ud83d', '🚕'],
];

describe('the JSON reader', () => {
  it('reads the same values as JSON.parse and lossless-json, and prints them unchanged', () => {
    const property = fc.property(randomJson, ({ text, compact }) => {
      expect(check(text)).toBe(true);
      expect(printJson(parseJson(text))).toBe(compact);
    });
    fc.assert(property, fuzz(20_261_201));
  });

  it('accepts the same damaged texts as JSON.parse, and reports the place of other faults', () => {
    let valid = 0;
    let invalid = 0;
    const text = mutated(
      randomJson.map(({ text }) => text),
      MISTAKES,
    );
    const property = fc.property(fc.oneof({ weight: 9, arbitrary: text }, awkwardText), (text) => {
      if (check(text)) valid++;
      else invalid++;
    });
    fc.assert(property, fuzz(20_261_202));
    // Both outcomes must be common; otherwise the test proves little.
    expect(Math.min(valid, invalid)).toBeGreaterThan((valid + invalid) / 20);
  });

  it('accepts or refuses each mistake at each place of a text like JSON.parse', () => {
    const text = '{ "a" :[ 1 , -0.5e+1,"b\\u0041\\n" ,true\t, null, [ ], {}] }\n';
    for (const mistake of MISTAKES) {
      for (let at = 0; at <= text.length; at++) {
        check(text.slice(0, at) + mistake + text.slice(at));
        check(text.slice(0, at) + mistake + text.slice(at + 1));
        check(text.slice(0, at) + mistake);
      }
    }
  });

  it(`reads up to ${MAX_LEVELS} levels of any kind`, () => {
    const pair = fc.constantFrom(
      ...[
        ['[', ']'],
        [' [', '\n]'],
        ['{"a":', '}'],
        ['[1,', ',"]"]'],
        ['{"[":"{","":', ',"b":"]"}'],
      ],
    );
    const pairs = fc.array(pair, { minLength: 1, maxLength: 5 });
    const levels = fc.integer({ min: MAX_LEVELS - 4, max: MAX_LEVELS + 4 });
    const property = fc.property(pairs, levels, fc.boolean(), (pairs, levels, isFlat) => {
      let text = isFlat ? '"["' : '[]';
      for (let level = isFlat ? 0 : 1; level < levels; level++) {
        const [open, close] = pairs[level % pairs.length] ?? [];
        text = `${open}${text}${close}`;
      }
      expect(check(text)).toBe(levels <= MAX_LEVELS);
    });
    fc.assert(property, { seed: 20_261_203, numRuns: times(100, 2000) });
  });

  it.each([
    ['100,000 open arrays', '['.repeat(100_000)],
    ['100,000 arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['100,000 objects', '{"a":'.repeat(100_000) + 1 + '}'.repeat(100_000)],
    ['100,000 levels of both', '[{"":'.repeat(100_000)],
    ['a million closing brackets', many(']')],
    ['quotes', many('"')],
    ['escaped quotes', `"${many('\\"')}`],
    ['backslashes', `"${many('\\\\')}`],
    ['backslashes and quotes', `["${many('\\\\","\\\\\\"')}`],
    ['backslashes without a string', many('\\')],
    ['unpaired surrogates', `"${many('\\ud83d')}"`],
    ['truncated escapes', `"${many('\\u12')}"`],
    ['a control character at the end of a string', `"${many('a')}\n"`],
    ['unterminated strings', `[${many('"a,')}`],
    ['digits', many('9')],
    ['zeros', many('0')],
    ['a fraction', `0.${many('0')}e`],
    ['an exponent', `1e${many('9')}`],
    ['signs', many('-')],
    ['white space', many(' \t\r\n')],
    ['white space between brackets', `[${many(' \n')}]`],
    ['white space of other kinds', `[${many('\u00a0')}]`],
    ['line ends before a mistake', `${many('\n')}!`],
    ['commas', `[${many(',')}]`],
    ['colons', `{"a"${many(':')}}`],
    ['items', `[${many('0,')}0]`],
    ['members with the same name', `{${many('"__proto__":1,')}"a":1}`],
    ['truncated words', `[${many('tru')}]`],
    ['a comment', `/*${many('*')}/1`],
    ['NULs', many('\0')],
  ])('takes linear time: %s', (_, text) => {
    // Linear time is about ten milliseconds; quadratic time would take minutes.
    const read = withinSeconds(10, () => outcome(parseJson, text));
    if (read) expectSame(native(read.value, Number), JSON.parse(text));
    else placeOfError(text, refusalOf(text));
  });
});
