import { createHash } from 'node:crypto';

/** Whether a request repeats the nonce and seq_id of an earlier one; remembers both. */
export type ReplayCheck = (seqId: string, nonce: string | undefined, now: number) => boolean;

const REMEMBERED_MS = 60_000;

/** Bounds the memory to about 10 MB. */
const MAX_REMEMBERED = 100_000;

/** Remembers the authentic requests of the last minute, by the clock `now` in milliseconds. */
export function replayCheck(): ReplayCheck {
  /** The times of arrival, the oldest first. */
  const arrivals = new Map<string, number>();
  return (seqId, nonce, now) => {
    for (const [key, time] of arrivals) {
      if (now - time < REMEMBERED_MS && arrivals.size < MAX_REMEMBERED) break;
      arrivals.delete(key);
    }
    // A nonce in a header may have 16 KiB.
    const key = createHash('sha256')
      .update(JSON.stringify([seqId, nonce]))
      .digest('base64');
    const arrival = arrivals.get(key);
    if (arrival !== undefined && Math.abs(now - arrival) < REMEMBERED_MS) return true;
    arrivals.delete(key);
    arrivals.set(key, now);
    return false;
  };
}
