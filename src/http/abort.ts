/** The longest delay of setTimeout: 24 days. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Rejects with the signal's reason once it is aborted. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    if (signal.aborted) reject(signal.reason);
  });
}
