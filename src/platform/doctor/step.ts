import { MopError } from '../../errors.ts';
import { isShutOut, networkError } from '../../http/network-error.ts';
import type { ProxySettings } from '../../http/proxy-for.ts';
import type { Transport } from '../../http/transport.ts';
import { reportable } from './finding.ts';

/** What the checks of the network work with. */
export interface NetworkOptions {
  readonly transport: Transport;
  /** What the transport was made with, for the steps that are taken one by one. */
  readonly proxy: ProxySettings;
  readonly ca: string | undefined;
  /** For each step. */
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
  /** The test environment admits listed addresses only (D1 4.1 rule 4); failures then say so. */
  readonly testEnvironment: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** setTimeout counts no further: 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * One step on the way to `url` without a proxy, such as a handshake, within the time-out.
 *
 * @param take Its signal tells that nobody waits for it any longer.
 * @throws {MopError} `network`
 */
export async function step<T>(
  url: URL,
  { timeoutSeconds, signal }: NetworkOptions,
  take: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(Math.min(timeoutSeconds * 1000, MAX_TIMER_MS));
  const limit = AbortSignal.any([signal, timeout]);
  try {
    return await Promise.race([take(limit), aborted(limit)]);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const timedOut = Object.assign(new Error('time-out'), { code: 'ETIMEDOUT' });
    const cause = timeout.aborted ? timedOut : error;
    throw networkError(cause, { url, proxy: undefined, timeoutSeconds });
  }
}

/** A failure of the network as a check reports it. */
export function networkFailure(
  error: unknown,
  { testEnvironment }: Pick<NetworkOptions, 'testEnvironment'>,
): MopError {
  const failure = reportable(error);
  if (!testEnvironment || !isShutOut(failure)) return failure;
  return new MopError(failure.code, failure.message, {
    ...failure.details,
    hint: 'the test environment admits listed IP addresses only: is the address of this machine on the list?',
  });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    if (signal.aborted) reject(signal.reason);
  });
}
