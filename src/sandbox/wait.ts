import { setTimeout } from 'node:timers/promises';

/** Waits `ms` milliseconds or until `signal` is aborted. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return;
  await setTimeout(ms, undefined, { signal }).catch(() => {});
}
