/**
 * How much an experiment does: a little in `npm test`, and in `npm run test:long` as much as a
 * promise needs to be believed. The tests are the same.
 */
export const isLong = process.env.MOP_TEST_LONG === '1';

/** How often something is done, by the length of the run. */
export function times(quick: number, long: number): number {
  return isLong ? long : quick;
}

/**
 * What fast-check is told: a seed that is written down, so that each run tries the same cases and a
 * longer one more of them, and how many.
 */
export function fuzz(seed: number): { readonly seed: number; readonly numRuns: number } {
  return { seed, numRuns: times(200, 10_000) };
}
