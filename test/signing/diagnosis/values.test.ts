import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/json/parse.ts';
import { isNested, type JsonMember } from '../../../src/json/value.ts';
import { memoized } from '../../../src/signing/diagnosis/memoized.ts';
import { allTexts, someText } from '../../../src/signing/diagnosis/values.ts';

function membersOf(json: string): readonly JsonMember[] {
  const value = parseJson(json);
  if (value.kind !== 'object') throw new Error('no object');
  return value.members;
}

const members = membersOf('{"a":"x","n":1,"o":{"k":"y","l":["z",{"m":null}]},"t":true}');

describe('isNested', () => {
  it.each([
    ['{}', true],
    ['[]', true],
    ['"{}"', false],
    ['1', false],
    ['true', false],
    ['null', false],
  ])('%s: %s', (json, expected) => {
    expect(isNested(parseJson(json))).toBe(expected);
  });
});

describe('allTexts', () => {
  it('are names and strings at every level, in order', () => {
    expect(allTexts(members)).toEqual(['a', 'x', 'n', 'o', 'k', 'y', 'l', 'z', 'm', 't']);
    expect(allTexts([])).toEqual([]);
  });
});

describe('someText', () => {
  it.each(['x', 'z', 'm', 't'])('finds %s', (wanted) => {
    expect(someText(members, (text) => text === wanted)).toBe(true);
  });

  it.each(['1', 'true', 'null', ''])('does not find %j', (wanted) => {
    expect(someText(members, (text) => text === wanted)).toBe(false);
  });
});

describe('memoized', () => {
  it('computes each result once, by key', () => {
    const asked: string[] = [];
    const twice = memoized((key: string) => {
      asked.push(key);
      return key + key;
    });
    expect([twice('a'), twice('b'), twice('a'), twice('')]).toEqual(['aa', 'bb', 'aa', '']);
    expect(twice('')).toBe('');
    expect(asked).toEqual(['a', 'b', '']);
  });
});
