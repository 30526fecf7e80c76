import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/json/parse.ts';
import { assertDistinct, readBody, valueText } from '../../src/signing/value-text.ts';
import { usageError } from './helpers.ts';
import { vectors } from './vectors.ts';

describe('valueText', () => {
  it.each([
    ['a string: its characters', String.raw`"a\/b \"q\" \u676d"`, 'a/b "q" 杭'],
    ['an empty string: empty text', '""', ''],
    ['a string that looks like JSON: unchanged', String.raw`"{\"a\": 1}"`, '{"a": 1}'],
    ['a number: as written', '-1.50E+07', '-1.50E+07'],
    ['true', 'true', 'true'],
    ['false', 'false', 'false'],
    ['an object: compact, in order', '{ "b": 1.0, "a": null }', '{"b":1.0,"a":null}'],
    ['an array: compact, strings quoted', '[ "a", "杭" ]', '["a","杭"]'],
    ['an empty object', '{ }', '{}'],
    ['an empty array', '[ ]', '[]'],
  ])('is for %s', (_, text, expected) => {
    expect(valueText(parseJson(text))).toBe(expected);
  });
});

describe('readBody', () => {
  it.each(vectors)('reads the fields of vector $title', ({ text, fields }) => {
    expect(
      readBody(text).map(({ name, value }) => [
        name,
        value.kind === 'null' ? null : valueText(value),
      ]),
    ).toEqual(fields);
  });

  it('reads an empty object', () => {
    expect(readBody(' {} ')).toEqual([]);
  });

  it.each([
    ['[]', 'an array'],
    ['"a=1"', 'a string'],
    ['1', 'a number'],
    ['true', 'a boolean'],
    ['null', 'null'],
  ])('refuses %s', (text, subject) => {
    expect(() => readBody(text)).toThrow(
      usageError(`the body is JSON, but not an object (it is ${subject})`),
    );
  });

  it.each([
    ['a byte order mark', '\ufeff{"a":1}'],
    ['an invalid escape', String.raw`{"a":"\x"}`],
    ['a raw control character', '{"a":"x\ny"}'],
    ['too many levels', `{"a":${'['.repeat(600)}`],
  ])('refuses %s as not JSON', (_, text) => {
    expect(() => readBody(text)).toThrow(usageError('the body is not JSON: '));
  });

  it.each([
    ['', 'is empty'],
    ['a=1&b=2', 'is a urlencoded form; the platform takes JSON'],
    ['{"a":1\n,}', 'contains a comma before the end of an object or a list at line 2 column 2'],
    ['{"a":1\n;}', 'unexpected ";" where a comma or "}" was expected at line 2 column 1'],
  ])('reports the fault of %j', (text, message) => {
    expect(() => readBody(text)).toThrow(usageError(message));
  });

  it.each([
    ['written alike', '{"a":1,"b":2,"a":1}'],
    ['with an escape', String.raw`{"a":1,"\u0061":1}`],
  ])('refuses a name that occurs twice, %s', (_, text) => {
    expect(() => readBody(text)).toThrow(usageError('the field "a" occurs twice'));
  });

  it.each([
    ['names that differ in case', '{"a":1,"A":2}'],
    ['names that differ in their Unicode form', '{"\u00e9":1,"e\u0301":2}'],
    ['duplicates inside a value', '{"a":{"b":1,"b":2}}'],
    ['a name that objects treat as special, once', '{"__proto__":1,"constructor":2}'],
  ])('accepts %s', (_, text) => {
    expect(() => readBody(text)).not.toThrow();
  });

  it.each([
    ['in a string', String.raw`{"a":"x\ud83d"}`, '"a"'],
    ['in a string, the halves swapped', String.raw`{"a":"\ude95\ud83d"}`, '"a"'],
    ['in a string, unescaped', '{"a":"\ude95"}', '"a"'],
    ['in a name', String.raw`{"\ud83d":1}`, String.raw`"\ud83d"`],
  ])('refuses half a surrogate pair %s', (_, text, field) => {
    expect(() => readBody(text)).toThrow(
      usageError(`field ${field} contains half of a surrogate pair`),
    );
  });

  it('accepts half a surrogate pair in nested JSON, where it stays an escape', () => {
    const [field] = readBody(String.raw`{"a":["\ud83d"]}`);
    expect(field && valueText(field.value)).toBe(String.raw`["\ud83d"]`);
  });
});

describe('assertDistinct', () => {
  it('accepts distinct names', () => {
    expect(() => assertDistinct(['a', 'b', 'A', '__proto__', ''])).not.toThrow();
  });

  it.each(['a', '', '__proto__', 'two words'])('names the field %j that occurs twice', (name) => {
    expect(() => assertDistinct(['x', name, 'y', name])).toThrow(
      usageError(`the field ${JSON.stringify(name)} occurs twice`),
    );
  });
});
