import { LEAST_SCORE, LEVELS, type Level } from '../../protocol/detection.ts';

/**
 * How grave it is that several families of rules hit: the gravest counts whole, each further one
 * takes a part of what is left up to 100. So the score grows with every family, and never beyond the
 * level above that of the gravest: many mild signs are no catastrophe.
 *
 * @param weights One for each family that hit, that of its gravest rule.
 * @returns An integer, 0 to 100.
 */
export function combinedScore(weights: readonly number[]): number {
  if (weights.length === 0) return 0;
  const safe = weights.reduce((left, weight) => left * (1 - weight / 100), 1);
  const ceiling = mostScore(levelAbove(levelOf(Math.max(...weights))));
  return Math.min(Math.round(100 * (1 - safe)), ceiling);
}

/** The level of a score. This and {@link LEAST_SCORE} is where levels come from. */
export function levelOf(score: number): Level {
  return LEVELS.findLast((level) => score >= LEAST_SCORE[level]) ?? 'none';
}

/** The scores of a level in words: `1 to 24`. */
export function scoreRange(level: Level): string {
  const [least, most] = [LEAST_SCORE[level], mostScore(level)];
  return least === most ? `${least}` : `${least} to ${most}`;
}

function levelAbove(level: Level): Level {
  return LEVELS[LEVELS.indexOf(level) + 1] ?? level;
}

function mostScore(level: Level): number {
  const above = levelAbove(level);
  return above === level ? 100 : LEAST_SCORE[above] - 1;
}
