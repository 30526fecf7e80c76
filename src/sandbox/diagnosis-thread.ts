import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { verifySignature } from '../signing/verification/verify.ts';
import type { Search, SearchJob } from './diagnosis-worker.ts';
import program from './diagnosis-worker.ts?bundled';
import { resultCache } from './result-cache.ts';

/**
 * Searches for the mistakes of signers with the effort of `mop sign verify`, in a thread of its own:
 * a search takes up to a second, and other requests must not wait for it. The thread starts with
 * the first search and does not keep the process alive.
 */
export class DiagnosisThread {
  readonly #results = resultCache<Promise<Search>>(MAX_RESULTS);
  readonly #waiting: { readonly job: SearchJob; readonly resolve: (search: Search) => void }[] = [];
  readonly #program: string;
  #worker: Worker | undefined;
  #isClosed = false;

  /** @param source Another program for the thread, for tests. */
  constructor(source: string = program) {
    this.#program = source;
  }

  /** Undefined when too many searches wait already, or the thread is closed. */
  search(job: SearchJob): Promise<Search> | undefined {
    if (this.#isClosed || this.#waiting.length >= MAX_WAITING) return undefined;
    return this.#results(keyOf(job), () => {
      const result = new Promise<Search>((resolve) => this.#waiting.push({ job, resolve }));
      try {
        this.#worker ??= this.#start();
        this.#worker.postMessage(job);
      } catch {
        void this.#searchHere();
      }
      return result;
    });
  }

  /** Ends the thread; searches under way find nothing. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  #start(): Worker {
    // It gets no variables of this process, which may hold secrets, and none of Node's options.
    const worker = new Worker(this.#program, { eval: true, env: {}, execArgv: [], argv: [] });
    worker.unref();
    worker.on('message', (search: Search) => this.#waiting.shift()?.resolve(search));
    // An end follows each error.
    worker.on('error', () => {});
    worker.on('exit', () => {
      this.#worker = undefined;
      void this.#searchHere();
    });
    return worker;
  }

  /** Finishes in this thread, with little effort, the searches that the other one cannot finish. */
  async #searchHere(): Promise<void> {
    for (const { job, resolve } of this.#waiting.splice(0)) {
      const effort = this.#isClosed ? 0 : SMALL_EFFORT;
      const { diagnosis, complete } = verifySignature(job.request, job.secret, {
        ...job.options,
        effort,
      });
      resolve({ diagnosis, complete });
      await nextTurn();
    }
  }
}

/** More could wait longer than their clients: a search of 1 MiB takes up to 3 s. */
const MAX_WAITING = 8;

/** Clients and load generators send the same wrong request again. */
const MAX_RESULTS = 64;

/** A search in this thread delays other requests for up to 0.1 s. */
const SMALL_EFFORT = 8_000_000;

/** Signed requests are too large to be kept as keys. */
function keyOf({ request }: SearchJob): string {
  const { headers, body } = request;
  return createHash('sha256')
    .update(JSON.stringify([headers, body]))
    .digest('base64');
}
