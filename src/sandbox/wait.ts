import { setTimeout } from 'node:timers/promises';

/** Waits some milliseconds, or until `gone` says that nobody waits for the result any more. */
export async function wait(ms: number, gone: AbortSignal): Promise<void> {
  if (ms <= 0) return;
  await setTimeout(ms, undefined, { signal: gone }).catch(() => {});
}
