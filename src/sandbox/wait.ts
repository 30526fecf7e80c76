import { setTimeout } from 'node:timers/promises';

/** Waits `ms` milliseconds or until `gone` is aborted. */
export async function wait(ms: number, gone: AbortSignal): Promise<void> {
  if (ms <= 0) return;
  await setTimeout(ms, undefined, { signal: gone }).catch(() => {});
}
