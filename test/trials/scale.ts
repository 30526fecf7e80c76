/**
 * The length of a trial: `npm run test:trials` fits a run of the CI, `npm run test:long` has the
 * repetitions in docs/promises.md. A short run has fewer cases of a kind, and may omit cases that
 * share their code with others.
 */
export const isLong = process.env.MOP_TEST_LONG === '1';

/** The number of repetitions, by the length of the run. */
export function times(short: number, long: number): number {
  return isLong ? long : short;
}

/**
 * Parameters for fast-check. The seed is fixed, so that each run tries the same cases, and a longer
 * run more of them.
 */
export function fuzz(seed: number): { readonly seed: number; readonly numRuns: number } {
  return { seed, numRuns: times(300, 10_000) };
}
