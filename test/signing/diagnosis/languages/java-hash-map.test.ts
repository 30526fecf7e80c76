import { describe, expect, it } from 'vitest';
import { hashMapOrder } from '../../../../src/signing/diagnosis/languages/java-hash-map.ts';

function order(keys: readonly string[]): readonly string[] {
  return hashMapOrder(keys, (key) => key);
}

/** By Java 17: the keys put into a `new HashMap<String, Integer>()` one by one, then its keySet(). */
describe('hashMapOrder', () => {
  it.each([
    {
      subject: 'fields of a request',
      keys: ['api_key', 'seq_id', 'timestamp', 'nonce', 'bill_date'],
      expected: ['api_key', 'bill_date', 'seq_id', 'nonce', 'timestamp'],
    },
    {
      subject: 'keys of the same hash code, in the order in which they came',
      keys: ['BB', 'x', 'Aa', 'AaBB', 'BBAa', 'AaAa', 'BBBB', 'C#', 'q'],
      expected: ['BB', 'Aa', 'C#', 'q', 'x', 'AaBB', 'BBAa', 'AaAa', 'BBBB'],
    },
    {
      subject: 'the same the other way round',
      keys: ['Aa', 'BB', 'x'],
      expected: ['Aa', 'BB', 'x'],
    },
    {
      subject: 'keys of the same hash code across a growth',
      keys: [
        'k1',
        'Aa',
        'k2',
        'BB',
        'k3',
        'k4',
        'k5',
        'k6',
        'k7',
        'k8',
        'k9',
        'k10',
        'k11',
        'AaAa',
        'BBBB',
        'BBAa',
      ],
      expected: [
        'Aa',
        'BB',
        'k1',
        'k2',
        'k3',
        'k4',
        'k5',
        'k11',
        'k6',
        'k10',
        'k7',
        'k8',
        'k9',
        'AaAa',
        'BBBB',
        'BBAa',
      ],
    },
    {
      subject: 'keys beyond ASCII, and the empty one',
      keys: ['城市', 'é', '😀', '', 'Z'],
      expected: ['', '😀', 'é', 'Z', '城市'],
    },
  ])('$what', ({ keys, expected }) => {
    expect(order(keys)).toEqual(expected);
  });

  // Sixteen buckets hold 12 keys, 32 hold 24, 64 hold 48.
  it.each([
    [12, '0 3 10 4 11 1 2 7 8 5 6 9'],
    [13, '0 3 10 4 11 1 12 2 7 8 5 6 9'],
    [24, '0 20 3 10 21 4 11 22 1 12 23 2 13 14 15 16 17 18 19 7 8 5 6 9'],
    [25, '0 20 3 21 4 22 1 23 2 24 7 8 5 6 9 10 11 12 13 14 15 16 17 18 19'],
    [
      50,
      '0 20 3 21 4 22 1 23 2 24 25 26 27 28 29 7 8 5 6 9 10 11 12 13 14 15 16 17 18 19 40 41 42 43 44 45 46 47 48 49 30 31 32 33 34 35 36 37 38 39',
    ],
    [
      100,
      '20 21 22 23 24 25 26 27 28 29 94 95 96 97 10 98 11 99 12 13 14 15 16 17 18 19 40 41 42 43 44 45 46 47 48 49 30 31 32 33 34 35 36 37 38 39 61 0 62 63 64 3 65 4 66 1 67 2 68 69 7 8 5 6 9 70 71 50 51 52 53 54 55 56 57 58 59 60 83 84 85 86 87 88 89 90 91 92 93 72 73 74 75 76 77 78 79 80 81 82',
    ],
  ])('%i keys', (count, expected) => {
    const keys = Array.from({ length: count }, (_, index) => `field_${index}`);
    expect(order(keys)).toEqual(expected.split(' ').map((index) => `field_${index}`));
  });

  it('does not change its argument', () => {
    const keys = ['b', 'a'];
    expect(order(keys)).toEqual(['a', 'b']);
    expect(keys).toEqual(['b', 'a']);
  });

  it('accepts an empty list', () => {
    expect(order([])).toEqual([]);
  });
});
