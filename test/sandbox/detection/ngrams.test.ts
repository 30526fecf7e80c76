import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BUCKETS, vectorOf } from '../../../src/sandbox/detection/ngrams.ts';

function ngramsOf(text: string): string[] {
  const found: string[] = [];
  vectorOf(text, (_, start, end) => found.push(text.slice(start, end)));
  return found;
}

test('characters come two to five at a time, then words by one and two', () => {
  expect(ngramsOf('ab c!')).toEqual([
    ...['ab', 'ab ', 'ab c', 'ab c!', 'b ', 'b c', 'b c!', ' c', ' c!', 'c!'],
    ...['ab', 'ab', 'c', 'ab c', '!', 'c!'],
  ]);
});

test('a Han character is a word', () => {
  expect(ngramsOf('你好')).toEqual(['你好', '你', '你', '好', '你好']);
});

test('an n-gram counts once', () => {
  expect(vectorOf('you you you you').buckets.length).toBe(
    vectorOf('you you you').buckets.length + 0,
  );
});

test('buckets are distinct and in range, and the vector of each kind has a fixed length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 2 }), (text) => {
      const { buckets, values } = vectorOf(text);
      expect(new Set(buckets).size).toBe(buckets.length);
      expect(buckets.every((bucket) => bucket >= 0 && bucket < BUCKETS)).toBe(true);
      const squares = values.reduce((sum, value) => sum + value ** 2, 0);
      expect([1, 5]).toContain(Math.round(squares));
    }),
  );
});
