import { LEVELS, type Level, MIN_SCORE } from '../../protocol/detection.ts';

/** The minimum probabilities of the levels. */
export interface Thresholds {
  readonly low: number;
  readonly medium: number;
  readonly high: number;
}

/** The score of a lower probability is 0. */
const MIN_PROBABILITY = 0.1;
/** The model alone is never certain enough for `critical`. */
const MAX_ESTIMATED_SCORE = MIN_SCORE.critical - 1;

/** The risk_score: the higher score of the rules and of the model. */
export function combinedScore(ruleScore: number, modelScore: number): number {
  return Math.max(ruleScore, modelScore);
}

/** The score of a probability, 0 to 79: each level begins at its threshold, and grows linearly. */
export function estimatedScore(probability: number, { low, medium, high }: Thresholds): number {
  const steps: readonly (readonly [probability: number, score: number])[] = [
    [0, 0],
    [MIN_PROBABILITY, 0],
    [low, MIN_SCORE.low],
    [medium, MIN_SCORE.medium],
    [high, MIN_SCORE.high],
    [1, MAX_ESTIMATED_SCORE],
  ];
  const below = steps.findLastIndex(([least]) => least <= probability);
  const [from, fromScore] = steps[below] ?? [0, 0];
  const [to, toScore] = steps[below + 1] ?? [Number.POSITIVE_INFINITY, MAX_ESTIMATED_SCORE];
  return Math.floor(fromScore + ((probability - from) / (to - from)) * (toScore - fromScore));
}

export function levelOf(score: number): Level {
  return LEVELS.findLast((level) => score >= MIN_SCORE[level]) ?? 'none';
}

/** The scores of a level in words: `10 to 24`. */
export function scoreRange(level: Level): string {
  const above = LEVELS[LEVELS.indexOf(level) + 1];
  return `${MIN_SCORE[level]} to ${above ? MIN_SCORE[above] - 1 : 100}`;
}
