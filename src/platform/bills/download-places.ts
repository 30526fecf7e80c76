import { CHUNK_BYTES } from '../../http/chunks.ts';

/** Bounds the memory of this process: a download takes about 3 MiB, the first of several 12. */
const MAX_DOWNLOADS = 16;

/** The means of a download. */
export interface DownloadMeans {
  /** The bytes of a chunk; several are buffered. */
  readonly chunkBytes: number;
  /** Whether no other download runs, so that a second thread may work for this one. */
  readonly isAlone: boolean;
}

const ALONE: DownloadMeans = { chunkBytes: CHUNK_BYTES, isAlone: true };
const AMONG_OTHERS: DownloadMeans = { chunkBytes: CHUNK_BYTES / 2, isAlone: false };

let taken = 0;
const waiting: (() => void)[] = [];

/** Runs a download as soon as fewer than 16 others run in this process, in the order of the calls. */
export async function inPlace<T>(download: (means: DownloadMeans) => Promise<T>): Promise<T> {
  // A download that ends hands its place to the next one.
  if (taken === MAX_DOWNLOADS) await new Promise<void>((resolve) => waiting.push(resolve));
  else taken++;
  try {
    return await download(taken === 1 ? ALONE : AMONG_OTHERS);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else taken--;
  }
}
