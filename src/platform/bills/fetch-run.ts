import { CHUNK_BYTES } from '../../http/chunks.ts';
import { Ledgers } from './read-ledger.ts';

/** What the fetches of one run share. */
export interface FetchRun {
  readonly ledgers: Ledgers;
  /** The bytes of a chunk of a download, which has several at once. */
  readonly chunkBytes: number;
  /** Whether one bill is fetched at a time, and a second thread may work for it. */
  readonly isAlone: boolean;
}

/** The chunks of all downloads at once; each has several. */
const CHUNKS_BYTES = 2 * 1024 ** 2;
const MIN_CHUNK_BYTES = 16 * 1024;

/** @param inFlight The number of bills that are fetched at once. */
export function fetchRun(inFlight: number, ledgers = new Ledgers()): FetchRun {
  const share = Math.max(CHUNKS_BYTES / inFlight, MIN_CHUNK_BYTES);
  return {
    ledgers,
    chunkBytes: Math.floor(Math.min(share, CHUNK_BYTES)),
    isAlone: inFlight === 1,
  };
}
