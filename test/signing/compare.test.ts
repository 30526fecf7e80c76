import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareCanonical, firstDifference, pastedCanonical } from '../../src/signing/compare.ts';

describe('compareCanonical', () => {
  it.each([
    {
      what: 'the same',
      theirs: 'a=1&b=2',
      ours: 'a=1&b=2',
      expected: { offset: undefined, pairs: [], reordered: false },
    },
    {
      what: 'another value',
      theirs: 'a=1&b=3',
      ours: 'a=1&b=2',
      expected: { offset: 6, pairs: [{ name: 'b', theirs: '3', ours: '2' }], reordered: false },
    },
    {
      what: 'another order',
      theirs: 'b=2&a=1',
      ours: 'a=1&b=2',
      expected: { offset: 0, pairs: [], reordered: true },
    },
    {
      what: 'a missing field, one too many',
      theirs: 'b=2&c=3',
      ours: 'a=1&b=2',
      expected: {
        offset: 0,
        pairs: [
          { name: 'a', theirs: undefined, ours: '1' },
          { name: 'c', theirs: '3', ours: undefined },
        ],
        reordered: false,
      },
    },
    {
      what: 'an empty value and none',
      theirs: 'a=1',
      ours: 'a=1&b=',
      expected: {
        offset: 3,
        pairs: [{ name: 'b', theirs: undefined, ours: '' }],
        reordered: false,
      },
    },
    {
      what: 'values with = and &',
      theirs: 'a=x&y&b=1=2',
      ours: 'a=x&z&b=1=2',
      expected: { offset: 4, pairs: [{ name: 'a', theirs: 'x&y', ours: 'x&z' }], reordered: false },
    },
    {
      what: 'a name that stands twice',
      theirs: 'a=1&a=2',
      ours: 'a=[1,2]',
      expected: {
        offset: 2,
        pairs: [{ name: 'a', theirs: '1, 2', ours: '[1,2]' }],
        reordered: false,
      },
    },
    {
      what: 'nothing at all',
      theirs: '',
      ours: 'a=1',
      expected: {
        offset: 0,
        pairs: [{ name: 'a', theirs: undefined, ours: '1' }],
        reordered: false,
      },
    },
    {
      what: 'nothing on either side',
      theirs: '',
      ours: '',
      expected: { offset: undefined, pairs: [], reordered: false },
    },
    {
      what: 'names that objects treat as special',
      theirs: '__proto__=1&constructor=2',
      ours: '__proto__=2&constructor=2',
      expected: {
        offset: 10,
        pairs: [{ name: '__proto__', theirs: '1', ours: '2' }],
        reordered: false,
      },
    },
  ])('$what', ({ theirs, ours, expected }) => {
    expect(compareCanonical(theirs, ours)).toEqual(expected);
  });
});

describe('firstDifference', () => {
  it.each([
    ['abc', 'abd', 2],
    ['abc', 'ab', 2],
    ['', 'a', 0],
    ['a', 'a', 1],
    // Both begin with the same half of a surrogate pair.
    ['x😀', 'x😁', 1],
    ['😀a', '😀b', 2],
    ['é', 'e\u0301', 0],
  ])('of %j and %j is %i', (a, b, expected) => {
    expect(firstDifference(a, b)).toBe(expected);
    expect(firstDifference(b, a)).toBe(expected);
  });

  it('splits no text in the middle of a character', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '😁', '𝟘') });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const at = firstDifference(a, b);
        expect(a.slice(0, at)).toBe(b.slice(0, at));
        expect([a, b].every((whole) => whole.slice(0, at).isWellFormed())).toBe(true);
      }),
      { seed: 20261121, numRuns: 300 },
    );
  });
});

describe('pastedCanonical', () => {
  const ours = 'a=1&b=x y';
  const paste = (pasted: string, right = ours): string =>
    pastedCanonical(pasted, right, ['s3cret', '']);

  it.each([
    ['as it is', 'a=1&b=x y', 'a=1&b=x y'],
    ['a line end behind it', 'a=1&b=x y\r\n', 'a=1&b=x y'],
    ['white space around it', '  a=2&b=x y \n', 'a=2&b=x y'],
    ['brackets', '[a=2&b=x y]', 'a=2&b=x y'],
    ['double quotes', '"a=2&b=x y"\n', 'a=2&b=x y'],
    ['single quotes', "'a=2&b=x y'", 'a=2&b=x y'],
    ['HTML entities', 'a=2&amp;b=x y', 'a=2&b=x y'],
    ['the secret behind it', 'a=2&b=x ys3cret', 'a=2&b=x y'],
    ['all of that', ' [a=2&amp;b=x ys3cret]\n', 'a=2&b=x y'],
    ['stars for the secret', 'a=2&b=x y******', 'a=2&b=x y'],
    ['a word for the secret', 'a=2&b=x y<secret: 32 characters>', 'a=2&b=x y'],
    ['another word for it', 'a=2&b=x y[redacted]', 'a=2&b=x y'],
    ['a secret joined in another way', 'a=2&b=x y&key=s3cret', 'a=2&b=x y&key='],
    ['nothing', '', ''],
    ['one bracket', '[a=2', '[a=2'],
  ])('takes away %s', (_, pasted, expected) => {
    expect(paste(pasted)).toBe(expected);
  });

  it.each([
    ['an entity', 'a=1&b=x&amp;y', 'a=2&b=x&amp;y'],
    ['stars at its end', 'a=1&phone=138****', 'a=2&phone=138****'],
    ['stars at its end, in the same string', 'phone=138****', 'phone=138****'],
    ['a space at its end', 'a=1&b=x ', 'a=1&b=x '],
    ['a space at its end, and a line end behind', 'a=1&b=x ', 'a=1&b=x \n'],
  ])('leaves what the right string has too: %s', (_, right, pasted) => {
    expect(paste(pasted, right)).toBe(pasted.replace(/\n$/, ''));
  });
});
