import { CHUNK_BYTES } from '../../http/chunks.ts';

/** Limits memory: the first download takes about 12 MiB, each further one 3 MiB. */
const MAX_DOWNLOADS = 16;

/** The resources of a download. */
export interface DownloadResources {
  /** The size of a chunk in bytes; several chunks are buffered. */
  readonly chunkBytes: number;
  /** Whether no other download ran at its start: only then may it use a second thread. */
  readonly isAlone: boolean;
}

const SINGLE: DownloadResources = { chunkBytes: CHUNK_BYTES, isAlone: true };
const CONCURRENT: DownloadResources = { chunkBytes: CHUNK_BYTES / 2, isAlone: false };

let taken = 0;
const waiting: (() => void)[] = [];

/**
 * Runs a download as soon as fewer than 16 others run in this process, in the order of the calls.
 *
 * @param signal Ends the wait; its reason is thrown.
 */
export async function withDownloadSlot<T>(
  download: (resources: DownloadResources) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  // A finished download passes its slot to the next one.
  if (taken === MAX_DOWNLOADS) await nextSlot(signal);
  else taken++;
  try {
    return await download(taken === 1 ? SINGLE : CONCURRENT);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else taken--;
  }
}

function nextSlot(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const start = (): void => {
      signal?.removeEventListener('abort', stop);
      resolve();
    };
    const stop = (): void => {
      waiting.splice(waiting.indexOf(start), 1);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
    waiting.push(start);
  });
}
