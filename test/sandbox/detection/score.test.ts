import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LEVELS } from '../../../src/protocol/detection.ts';
import { combinedScore, levelOf } from '../../../src/sandbox/detection/score.ts';

const weights = fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 30 });

test.each([
  [0, 'none'],
  [1, 'low'],
  [24, 'low'],
  [25, 'medium'],
  [49, 'medium'],
  [50, 'high'],
  [79, 'high'],
  [80, 'critical'],
  [100, 'critical'],
])('a score of %i is %s', (score, level) => {
  expect(levelOf(score)).toBe(level);
});

test('one rule gives its weight, and none gives 0', () => {
  expect(combinedScore([])).toBe(0);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), (weight) => {
      expect(combinedScore([weight])).toBe(weight);
    }),
  );
});

test('a further rule never lowers the score, and the order does not matter', () => {
  fc.assert(
    fc.property(weights, fc.integer({ min: 1, max: 100 }), (some, more) => {
      expect(combinedScore([...some, more])).toBeGreaterThanOrEqual(combinedScore(some));
      expect(combinedScore([more, ...some])).toBe(combinedScore([...some, more]));
    }),
  );
});

test('the level is at most one above that of the gravest rule', () => {
  fc.assert(
    fc.property(weights, (some) => {
      const gravest = LEVELS.indexOf(levelOf(Math.max(0, ...some)));
      expect(LEVELS.indexOf(levelOf(combinedScore(some)))).toBeLessThanOrEqual(gravest + 1);
    }),
  );
});
