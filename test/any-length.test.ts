import { expect, it } from 'vitest';
import { append, largest, withoutBlanks, withoutEnd } from '../src/any-length.ts';

const MANY = 1_000_000;

it('handles lists and texts of any length', () => {
  const numbers = Array.from({ length: MANY }, (_, at) => at);
  expect(largest(numbers)).toBe(MANY - 1);
  expect([largest([]), largest([-1], -2), largest([1], 2)]).toEqual([0, -1, 2]);
  const list = [0];
  append(list, numbers);
  expect(list).toHaveLength(MANY + 1);
  expect(withoutEnd(`a${'/'.repeat(MANY)}`, '/')).toBe('a');
  expect([withoutEnd('//', '/'), withoutEnd('a0.0', '0'), withoutEnd('', '0')]).toEqual([
    '',
    'a0.',
    '',
  ]);
  expect(withoutBlanks(`\t a${' '.repeat(MANY)}b \t`)).toBe(`a${' '.repeat(MANY)}b`);
});
