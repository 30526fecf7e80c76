import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignCanonical, compareCanonical, pairsOf } from '../../src/signing/compare.ts';
import { differs } from '../../src/signing/text-difference.ts';

const JOINED = { hasPairs: true, moved: [] };

describe('compareCanonical', () => {
  it.each([
    {
      subject: 'the same',
      theirs: 'a=1&b=2',
      ours: 'a=1&b=2',
      expected: { offset: undefined, pairs: [], ...JOINED },
    },
    {
      subject: 'another value',
      theirs: 'a=1&b=3',
      ours: 'a=1&b=2',
      expected: { offset: 6, pairs: [{ name: 'b', theirs: '3', ours: '2' }], ...JOINED },
    },
    {
      subject: 'another order',
      theirs: 'b=2&a=1',
      ours: 'a=1&b=2',
      expected: { offset: 0, ...JOINED, pairs: [], moved: ['b'] },
    },
    {
      subject: 'a missing field, one too many',
      theirs: 'b=2&c=3',
      ours: 'a=1&b=2',
      expected: {
        offset: 0,
        pairs: [
          { name: 'a', theirs: undefined, ours: '1' },
          { name: 'c', theirs: '3', ours: undefined },
        ],
        ...JOINED,
      },
    },
    {
      subject: 'an empty value and none',
      theirs: 'a=1',
      ours: 'a=1&b=',
      expected: {
        offset: 3,
        pairs: [{ name: 'b', theirs: undefined, ours: '' }],
        ...JOINED,
      },
    },
    {
      subject: 'values with = and &',
      theirs: 'a=x&y&b=1=2',
      ours: 'a=x&z&b=1=2',
      expected: { offset: 4, pairs: [{ name: 'a', theirs: 'x&y', ours: 'x&z' }], ...JOINED },
    },
    {
      subject: 'a name that occurs twice',
      theirs: 'a=1&a=2',
      ours: 'a=[1,2]',
      expected: {
        offset: 2,
        pairs: [{ name: 'a', theirs: '1, 2', ours: '[1,2]' }],
        ...JOINED,
      },
    },
    {
      subject: 'nothing at all',
      theirs: '',
      ours: 'a=1',
      expected: {
        offset: 0,
        pairs: [{ name: 'a', theirs: undefined, ours: '1' }],
        ...JOINED,
      },
    },
    {
      subject: 'nothing on either side',
      theirs: '',
      ours: '',
      expected: { offset: undefined, pairs: [], ...JOINED },
    },
    {
      subject: 'names that objects treat as special',
      theirs: '__proto__=1&constructor=2',
      ours: '__proto__=2&constructor=2',
      expected: {
        offset: 10,
        pairs: [{ name: '__proto__', theirs: '1', ours: '2' }],
        ...JOINED,
      },
    },
    {
      subject: 'a moved field among others',
      theirs: 'c=3&a=1&b=3',
      ours: 'a=1&b=2&c=3',
      expected: {
        offset: 0,
        ...JOINED,
        pairs: [{ name: 'b', theirs: '3', ours: '2' }],
        moved: ['c'],
      },
    },
    {
      subject: 'a name in another style, and one with the same value',
      theirs: 'apiKey=k&requestId=9b2f&z=1',
      ours: 'api_key=k2&seq_id=9b2f&z=1',
      expected: {
        offset: 3,
        ...JOINED,
        pairs: [
          { name: 'api_key', theirs: undefined, ours: 'k2' },
          { name: 'seq_id', theirs: undefined, ours: '9b2f' },
          { name: 'apiKey', theirs: 'k', ours: undefined },
          { name: 'requestId', theirs: '9b2f', ours: undefined },
        ],
      },
    },
    {
      subject: 'a value that several fields have',
      theirs: 'x=1&y=1',
      ours: 'a=1',
      expected: {
        offset: 0,
        ...JOINED,
        pairs: [
          { name: 'a', theirs: undefined, ours: '1' },
          { name: 'x', theirs: '1', ours: undefined },
          { name: 'y', theirs: '1', ours: undefined },
        ],
      },
    },
    ...['a=1\nb=2\nc=3', 'a=1b=2c=3', '123', 'a1b2c3', '{"a":1,"b":2}', '1|k=v&z=2|3'].map(
      (theirs) => ({
        subject: `another form: ${JSON.stringify(theirs)}`,
        theirs,
        ours: 'a=1&b=2&c=3',
        expected: { offset: expect.any(Number), ...JOINED, hasPairs: false, pairs: [] },
      }),
    ),
  ])('$subject', ({ theirs, ours, expected }) => {
    expect(compareCanonical(theirs, pairsOf(ours))).toEqual(expected);
  });

  it('does not split a value that contains pairs', () => {
    const right = [
      { name: 'a', value: 'x?b=1&c=2' },
      { name: 'c', value: '3' },
    ];
    expect(compareCanonical('a="x?b=1&c=2"&c=3', right).pairs).toEqual([
      { name: 'a', theirs: '"x?b=1&c=2"', ours: 'x?b=1&c=2' },
    ]);
  });
});

describe('alignCanonical', () => {
  const marks = (theirs: string, ours: string): readonly string[] => {
    const pieces = alignCanonical(theirs, ours);
    return (['theirs', 'ours'] as const).map((side) =>
      pieces.map((piece) => (differs(piece) ? `[${piece[side]}]` : piece[side])).join(''),
    );
  };

  it.each([
    ['a=1.0&b=2', 'a=1&b=3', 'a=1[.0]&b=[2]', 'a=1[]&b=[3]'],
    // Equal text between two different values is not marked, even if short.
    ['a=xyz&b=uvw', 'a=123&b=456', 'a=[xyz]&b=[uvw]', 'a=[123]&b=[456]'],
    ['a=1&b=2&c=3', 'a=1&c=3', 'a=1[&b=2]&c=3', 'a=1[]&c=3'],
    ['z=0&a=1', 'a=1', '[z=0&]a=1', '[]a=1'],
    ['b=2&a=1', 'a=1&b=2', '[b=2&]a=1[]', '[]a=1[&b=2]'],
    ['a=1&key=S', 'a=1S', 'a=1[&key=]S', 'a=1[]S'],
    ['/p?a=1&b=2', 'a=1&b=2', '[/p?]a=1&b=2', '[]a=1&b=2'],
    ['a=1\nb=2', 'a=1&b=2', 'a=1[\n]b=2', 'a=1[&]b=2'],
    ['', 'a=1', '[]', '[a=1]'],
  ])('of %j and %j', (theirs, ours, ...expected) => {
    expect(marks(theirs, ours)).toEqual(expected);
  });

  it('returns both strings, without differences if they are equal', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '=', '&', 'a=', '&b=', '😀'),
      maxLength: 20,
    });
    fc.assert(
      fc.property(text, text, (theirs, ours) => {
        const pieces = alignCanonical(theirs, ours);
        expect(pieces.map((piece) => piece.theirs).join('')).toBe(theirs);
        expect(pieces.map((piece) => piece.ours).join('')).toBe(ours);
        expect(pieces.some(differs)).toBe(theirs !== ours);
      }),
      { seed: 20261122, numRuns: 500 },
    );
  });
});
