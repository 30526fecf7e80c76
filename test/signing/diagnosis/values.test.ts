import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/json/parse.ts';
import { isNested, type JsonMember } from '../../../src/json/value.ts';
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

it('someText finds names and strings only', () => {
  const found = ['x', 'z', 'm', 't', '1', 'true', 'null', ''].filter((wanted) =>
    someText(members, (text) => text === wanted),
  );
  expect(found).toEqual(['x', 'z', 'm', 't']);
});
