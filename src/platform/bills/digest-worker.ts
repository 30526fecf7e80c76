import { parentPort, workerData } from 'node:worker_threads';
import { type BillDigest, ContentHash } from './digest.ts';

/** What the thread works with. */
export interface DigestJob {
  readonly digest: BillDigest;
  readonly memory: SharedArrayBuffer;
  readonly slotBytes: number;
}

/** A slot with content, or the end of the content. The answers are the slot, and the digests. */
export type DigestMessage = { readonly slot: number; readonly length: number } | 'end';

/** The program of the thread: hashes what is put into the slots, and gives each back. */
const { digest, memory, slotBytes } = workerData as DigestJob;
const hash = new ContentHash(digest);

parentPort?.on('message', (message: DigestMessage) => {
  if (message === 'end') {
    parentPort?.postMessage(hash.digests());
    return;
  }
  const { slot, length } = message;
  hash.update(new Uint8Array(memory, slot * slotBytes, length));
  parentPort?.postMessage(slot);
});
