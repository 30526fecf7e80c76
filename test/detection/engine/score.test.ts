import fc from 'fast-check';
import { expect, test } from 'vitest';
import { estimatedScore, levelOf } from '../../../src/detection/engine/score.ts';
import { MIN_SCORE } from '../../../src/protocol/detection.ts';

const THRESHOLDS = { low: 0.6, medium: 0.8, high: 0.95 };
const probability = fc.double({ min: 0, max: 1, noNaN: true });

test.each([
  [0, 'none'],
  [9, 'none'],
  [10, 'low'],
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

test('a level begins at its threshold', () => {
  for (const level of ['low', 'medium', 'high'] as const) {
    expect(estimatedScore(THRESHOLDS[level], THRESHOLDS)).toBe(MIN_SCORE[level]);
    expect(estimatedScore(THRESHOLDS[level] - 1e-9, THRESHOLDS)).toBe(MIN_SCORE[level] - 1);
  }
});

test('the score is a whole number from 0 to 79 that never falls as the probability rises', () => {
  expect([estimatedScore(0, THRESHOLDS), estimatedScore(1, THRESHOLDS)]).toEqual([0, 79]);
  fc.assert(
    fc.property(probability, probability, (one, other) => {
      const [less, more] = [Math.min(one, other), Math.max(one, other)];
      const score = estimatedScore(more, THRESHOLDS);
      expect(Number.isInteger(score)).toBe(true);
      expect(score).toBeGreaterThanOrEqual(estimatedScore(less, THRESHOLDS));
    }),
  );
});
