import { MopError } from '../errors.ts';
import { type Health, type HealthDemands, healthFailure } from './health.ts';

export interface AwaitHealthOptions extends HealthDemands {
  readonly seconds: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
  /** Told after each attempt that was not the last. */
  readonly onNotYet?: ((failure: MopError) => void) | undefined;
}

/** The last word of a service, and why it does not do, if so. */
export interface HealthOutcome {
  readonly health: Health;
  readonly failure: MopError | undefined;
}

const LONGEST_WAIT_MS = 5000;

/**
 * Asks until the service is healthy or the time is over: at once, after a second, then ever more
 * slowly up to every five. One that cannot be reached, or is in trouble, is not healthy yet.
 *
 * @throws {MopError} `network` when the last attempt got no answer; at once what waiting does not
 *   mend.
 */
export async function awaitHealth(
  ask: () => Promise<Health>,
  { seconds, now, sleep, onNotYet, ...demands }: AwaitHealthOptions,
): Promise<HealthOutcome> {
  const start = now();
  let slept = 0;
  for (let attempt = 1; ; attempt++) {
    const answer = await ask().catch((error: unknown) => {
      if (error instanceof MopError && error.code === 'network') return error;
      throw error;
    });
    const isError = answer instanceof MopError;
    const failure = isError ? answer : healthFailure(answer, demands);
    // A clock that is set back does not make the wait longer.
    const left = seconds * 1000 - Math.max(now() - start, slept);
    if (!failure || left <= 0) {
      if (isError) throw answer;
      return { health: answer, failure };
    }
    onNotYet?.(failure);
    const wait = Math.min(attempt * 1000, LONGEST_WAIT_MS, left);
    await sleep(wait);
    slept += wait;
  }
}
