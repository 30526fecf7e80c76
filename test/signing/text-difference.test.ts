import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  alignItems,
  alignTexts,
  differs,
  firstDifference,
} from '../../src/signing/text-difference.ts';

/** Both texts with their differences in brackets. */
function marks(theirs: string, ours: string): readonly [string, string] {
  const pieces = alignTexts(theirs, ours);
  const side = (name: 'theirs' | 'ours'): string =>
    pieces.map((piece) => (differs(piece) ? `[${piece[name]}]` : piece[name])).join('');
  return [side('theirs'), side('ours')];
}

describe('alignTexts', () => {
  it.each([
    ['1.0', '1', '1[.0]', '1[]'],
    [' 30.1', '30.1', '[ ]30.1', '[]30.1'],
    ['30.10,2', '30.1,2.0', '30.1[0],2[]', '30.1[],2[.0]'],
    ['a', 'b', '[a]', '[b]'],
    [
      '{"n": "\\u897f","m":1}',
      '{"n":"西","m": 1}',
      '{"n":[ ]"[\\u897f]","m":[]1}',
      '{"n":[]"[西]","m":[ ]1}',
    ],
    ['', 'b', '[]', '[b]'],
    ['{"a": 1, "b": 2}', '{"a":1,"b":2}', '{"a":[ ]1,[ ]"b":[ ]2}', '{"a":[]1,[]"b":[]2}'],
    ['{"a" : 1}', '{"a":1}', '{"a"[ ]:[ ]1}', '{"a"[]:[]1}'],
    ["{'name': True}", '{"name":true}', "{[']name[']:[ T]rue}", '{["]name["]:[t]rue}'],
    ['aaaa', 'aa', 'aa[aa]', 'aa[]'],
    ['a%20word%20b', 'a word b', 'a[%20]word[%20]b', 'a[ ]word[ ]b'],
    // A chance match within a word does not split a difference.
    ['1f0c9d2e', '8a1b0c7f', '[1f0c9d2e]', '[8a1b0c7f]'],
    // Surrogate pairs and combining marks stay whole; line ends are two characters.
    ['x😀y', 'x😁y', 'x[😀]y', 'x[😁]y'],
    ['cafe\u0301s', 'cafes', 'caf[e\u0301]s', 'caf[e]s'],
    ['e\u0301', 'e\u0300', '[e\u0301]', '[e\u0300]'],
    ['a\u0301b', 'o\u0301b', '[a\u0301]b', '[o\u0301]b'],
    ['a\r\nb', 'a\nb', 'a[\r]\nb', 'a[]\nb'],
  ])('of %j and %j', (theirs, ours, ...expected) => {
    expect(marks(theirs, ours)).toEqual(expected);
  });

  const unit = fc.constantFrom('a', 'b', 'c', ' ', 'é', '\u0301', '😀', '😁', '\ud83d', '\ude00');
  const text = fc.string({ unit, maxLength: 40 });

  it('returns both texts in pieces, alternately equal and different', () => {
    fc.assert(
      fc.property(text, text, (theirs, ours) => {
        const pieces = alignTexts(theirs, ours);
        expect(pieces.map((piece) => piece.theirs).join('')).toBe(theirs);
        expect(pieces.map((piece) => piece.ours).join('')).toBe(ours);
        const turns = pieces.map(differs);
        expect(turns.every((turn, at) => at === 0 || turn !== turns[at - 1])).toBe(true);
        expect(pieces.some(differs)).toBe(theirs !== ours);
      }),
      { seed: 20261122, numRuns: 500 },
    );
  });

  it('does not split a character', () => {
    const whole = fc.string({
      unit: fc.constantFrom('a', 'e\u0301', '😀', '😁', '𝟘'),
      maxLength: 30,
    });
    fc.assert(
      fc.property(whole, whole, (theirs, ours) => {
        for (const piece of alignTexts(theirs, ours)) {
          expect(piece.theirs.isWellFormed() && piece.ours.isWellFormed()).toBe(true);
          expect([piece.theirs, piece.ours].some((part) => part.startsWith('\u0301'))).toBe(false);
        }
      }),
      { seed: 20261122, numRuns: 300 },
    );
  });

  it('is fast for long texts', () => {
    const started = performance.now();
    const long = 'ab'.repeat(500_000);
    expect(marks(`${long}1${long}`, `${long}2${long}`)[0]).toBe(`${long}[1]${long}`);
    const [left, right] = ['a'.repeat(9_000), 'b'.repeat(9_000)];
    expect(marks(left, right)).toEqual([`[${left}]`, `[${right}]`]);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

it('alignItems finds a longest common subsequence', () => {
  const list = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
  const longest = (a: readonly string[], b: readonly string[]): number => {
    const [first, ...rest] = a;
    if (first === undefined) return 0;
    const at = b.indexOf(first);
    const without = longest(rest, b);
    return at === -1 ? without : Math.max(without, 1 + longest(rest, b.slice(at + 1)));
  };
  fc.assert(
    fc.property(list, list, (a, b) => {
      const runs = alignItems(a, b);
      const same = runs.filter(({ isSame }) => isSame);
      for (const { theirs, ours } of same) expect(theirs).toEqual(ours);
      expect(same.flatMap(({ theirs }) => theirs)).toHaveLength(longest(a, b));
      expect(runs.flatMap(({ theirs }) => theirs)).toEqual(a);
      expect(runs.flatMap(({ ours }) => ours)).toEqual(b);
    }),
    { seed: 20261122, numRuns: 200 },
  );
});

describe('firstDifference', () => {
  it.each([
    ['abc', 'abd', 2],
    ['abc', 'ab', 2],
    ['', 'a', 0],
    ['a', 'a', 1],
    // Both begin with the same half of a surrogate pair, or the same base.
    ['x😀', 'x😁', 1],
    ['😀a', '😀b', 2],
    ['é', 'e\u0301', 0],
    ['xe', 'xe\u0301', 1],
  ])('of %j and %j is %i', (a, b, expected) => {
    expect(firstDifference(a, b)).toBe(expected);
    expect(firstDifference(b, a)).toBe(expected);
  });
});
