import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BUCKETS, vectorOf } from '../../../src/detection/engine/ngrams.ts';

function ngramsOf(text: string): string[] {
  const found: string[] = [];
  vectorOf(text, (_, start, end) => found.push(text.slice(start, end)));
  return found;
}

test('n-grams have two to five characters, then one or two words', () => {
  expect(ngramsOf('ab c!')).toEqual([
    ...['ab', 'ab ', 'ab c', 'ab c!', 'b ', 'b c', 'b c!', ' c', ' c!', 'c!'],
    ...['ab', 'ab', 'c', 'ab c', '!', 'c!'],
  ]);
});

test('a Han character is a word', () => {
  expect(ngramsOf('你好')).toEqual(['你好', '你', '你', '好', '你好']);
});

test('an n-gram counts once', () => {
  expect(ngramsOf('aaaaaaaaaa')).toEqual(
    ngramsOf('aaaaa').slice(0, 4).concat(['aaaaaaaaaa', 'aaaaaaaaaa']),
  );
});

test('buckets are distinct and in range, and the values of a longer text are smaller', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const { buckets, values } = vectorOf(text);
      expect(new Set(buckets).size).toBe(buckets.length);
      expect(buckets.every((bucket) => bucket >= 0 && bucket < BUCKETS)).toBe(true);
      const squares = values.reduce((sum, value) => sum + value ** 2, 0);
      expect(squares).toBeLessThan(1 + 2 ** 2);
      const longer = vectorOf(`${text} a few more words`).values;
      expect(longer[0] ?? 0).toBeLessThan(values[0] ?? 1);
    }),
  );
});
