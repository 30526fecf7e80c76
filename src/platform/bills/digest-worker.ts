import { parentPort, workerData } from 'node:worker_threads';
import { type BillDigest, ContentHash } from './digest.ts';

export interface DigestJob {
  readonly digest: BillDigest;
  readonly memory: SharedArrayBuffer;
  readonly slotBytes: number;
}

/** A filled slot, or the end. The thread answers with the slot, or with the digests. */
export type DigestMessage = { readonly slot: number; readonly length: number } | 'end';

/** The program of the thread: hashes each slot and returns it. */
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
