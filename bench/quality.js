/** How well risky texts are told from safe ones. */

/**
 * What share of risky and of safe rows reaches a score.
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

/** How probably a risky row has the higher score than a safe one; a tie counts half. */
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
