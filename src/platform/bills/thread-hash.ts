import { Worker } from 'node:worker_threads';
import { MopError } from '../../errors.ts';
import type { BillDigest, ContentDigests } from './digest.ts';
import type { DigestJob, DigestMessage } from './digest-worker.ts';
import program from './digest-worker.ts?bundled';

const SLOTS = 4;
const SLOT_BYTES = 512 * 1024;

/**
 * A {@link ContentHash} in a second thread, while this thread moves data. A fetch of 512 MiB takes 10 %
 * less time. Close it when done.
 */
export class ThreadHash {
  readonly #worker: Worker;
  readonly #memory = new SharedArrayBuffer(SLOTS * SLOT_BYTES);
  readonly #free = Array.from({ length: SLOTS }, (_, slot) => slot);
  readonly #end: Promise<ContentDigests>;
  /** Called when a slot is free, or the thread has ended. */
  #onChange = (): void => {};
  #failure: MopError | undefined;

  constructor(digest: BillDigest) {
    const workerData: DigestJob = { digest, memory: this.#memory, slotBytes: SLOT_BYTES };
    // Pass no environment variables, which may hold secrets, and no Node options.
    const own = { eval: true, env: {}, execArgv: [], argv: [] };
    this.#worker = new Worker(program, { ...own, workerData });
    this.#end = new Promise((resolve, reject) => {
      this.#worker.on('message', (answer: number | ContentDigests) => {
        if (typeof answer !== 'number') return resolve(answer);
        this.#free.push(answer);
        this.#onChange();
      });
      const fail = (cause?: unknown): void => {
        this.#failure ??= new MopError('failure', 'the thread that hashes the bill has ended', {
          hint: 'run it again; the system may lack memory',
          cause,
        });
        reject(this.#failure);
        this.#onChange();
      };
      this.#worker.on('error', fail).on('exit', () => fail());
    });
    this.#end.catch(() => {});
  }

  async update(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length; at += SLOT_BYTES) {
      const piece = chunk.subarray(at, at + SLOT_BYTES);
      const slot = await this.#takeSlot();
      new Uint8Array(this.#memory, slot * SLOT_BYTES).set(piece);
      this.#worker.postMessage({ slot, length: piece.length } satisfies DigestMessage);
    }
  }

  async #takeSlot(): Promise<number> {
    for (;;) {
      if (this.#failure) throw this.#failure;
      const slot = this.#free.shift();
      if (slot !== undefined) return slot;
      await new Promise<void>((resolve) => {
        this.#onChange = resolve;
      });
    }
  }

  async digests(): Promise<ContentDigests> {
    this.#worker.postMessage('end' satisfies DigestMessage);
    return this.#end;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
