import { setTimeout } from 'node:timers/promises';
import { isStopped, MopError, quoted, withDetails } from '../errors.ts';

/** Waits for the given milliseconds. An aborted signal ends the wait; its reason is thrown. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<unknown>;

export interface RetryPolicy {
  /** Attempts after the first. Default 4. */
  readonly retries?: number | undefined;
  /** Default: a timer. */
  readonly sleep?: Sleep | undefined;
  /** Retry only requests that never reached the server. */
  readonly unsentOnly?: boolean | undefined;
  /** Ends the wait for the next attempt. */
  readonly signal?: AbortSignal | undefined;
  /** Called before each wait. */
  readonly onRetry?: ((error: MopError, waitMs: number) => void) | undefined;
}

export const DEFAULT_RETRIES = 4;

const FIRST_WAIT_MS = 500;
/** Maximum total wait of one operation. */
const MAX_TOTAL_WAIT_MS = 20_000;

/** {@link Sleep} with a timer. */
export async function sleepFor(ms: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
}

/** Whether another attempt with a fresh request may succeed. */
function isTransient(error: unknown): error is MopError {
  return (
    error instanceof MopError &&
    (error.details.transient ?? (error.code === 'network' || error.code === 'integrity'))
  );
}

/**
 * Repeats `attempt` after transient failures, with exponential back-off and jitter, or after the
 * server's `Retry-After` if it is longer: up to `retries` times, and 20 s in total.
 */
export async function withRetries<T>(
  attempt: (number: number) => Promise<T>,
  { retries = DEFAULT_RETRIES, sleep = sleepFor, unsentOnly, signal, onRetry }: RetryPolicy,
): Promise<T> {
  let waited = 0;
  for (let number = 1; ; number++) {
    try {
      return await attempt(number);
    } catch (error) {
      if (number > retries || !isTransient(error)) throw error;
      if (unsentOnly && error.details.sent !== false) throw error;
      const backOff = FIRST_WAIT_MS * 2 ** (number - 1) * (0.5 + Math.random() / 2);
      const wait = Math.max(backOff, error.details.retryAfterMs ?? 0);
      waited += wait;
      if (waited > MAX_TOTAL_WAIT_MS) throw waitTooLong(error);
      onRetry?.(error, wait);
      await sleep(wait, signal);
    }
  }
}

/** The last failure. Its hint names a `Retry-After` that exceeds the limit. */
function waitTooLong(error: MopError): unknown {
  const { retryAfterMs = 0 } = error.details;
  if (retryAfterMs < MAX_TOTAL_WAIT_MS || !Number.isFinite(retryAfterMs)) return error;
  const seconds = Math.ceil(retryAfterMs / 1000);
  return withDetails(error, {
    hint: quoted`try again later: the server asks to wait ${seconds} s (Retry-After)`,
  });
}

/** Warns in the hint that the server may have carried out the request. */
export function withUncertainOutcome(error: unknown): unknown {
  if (!(error instanceof MopError) || error.details.sent === false) return error;
  if (error.code !== 'network' && !isStopped(error)) return error;
  const hints = [error.details.hint, DOUBT].filter((hint) => hint !== undefined);
  return withDetails(error, { hint: hints.join('; ') });
}

const DOUBT = 'the server may have executed the request: check before you repeat it';
