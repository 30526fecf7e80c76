/** Metrics for the separation of risky and safe texts by score. */
import { readFileSync } from 'node:fs';

/** The rows of a file in training/data. */
export function rowsOf(name) {
  const file = new URL(`../training/data/${name}.jsonl`, import.meta.url);
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/**
 * The shares of risky and of safe rows that reach a score.
 *
 * @param rows `{ label: 'risky' | 'safe', score }`
 */
export function rates(rows, least) {
  const share = (label) => {
    const scores = rows.filter((row) => row.label === label).map(({ score }) => score);
    return scores.filter((score) => score >= least).length / scores.length;
  };
  const [recall, falsePositives] = [share('risky'), share('safe')];
  return { recall, falsePositives };
}

/** The probability that a risky row has a higher score than a safe one; a tie counts half. */
export function areaUnderCurve(rows) {
  const scoresOf = (label) =>
    rows
      .filter((row) => row.label === label)
      .map(({ score }) => score)
      .sort((a, b) => a - b);
  const [risky, safe] = [scoresOf('risky'), scoresOf('safe')];
  let below = 0;
  let upTo = 0;
  let won = 0;
  for (const score of risky) {
    while (safe[below] < score) below++;
    while (safe[upTo] <= score) upTo++;
    won += (below + upTo) / 2;
  }
  return won / (risky.length * safe.length);
}
