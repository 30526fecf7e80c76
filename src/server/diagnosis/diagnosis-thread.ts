import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { resultCache } from '../result-cache.ts';
import program from './diagnosis-worker.ts?bundled';
import type { Layers } from './layers.ts';
import type { Answers, NumberedAnswer, NumberedJob, Question } from './messages.ts';
import { type Search, searchMistakes } from './mistake-search.ts';
import type { SearchJob } from './search-job.ts';

/**
 * Searches in a separate thread for the mistakes of a signer, with the effort of `mop sign verify`. A
 * search takes up to two seconds, and other requests must not wait for it. The thread starts with
 * the first search and does not keep the process alive.
 */
export class DiagnosisThread {
  #results = newCache();
  /** By number, in the order of arrival. */
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;
  readonly #program: string;
  #worker: Worker | undefined;
  #isClosed = false;

  /** @param source Another program for the thread, for tests. */
  constructor(source: string = program) {
    this.#program = source;
  }

  /**
   * Undefined when too many searches wait, the thread is closed, or the search takes too long. In the
   * last case its result is kept for the next request.
   */
  async search(job: SearchJob): Promise<Search | undefined> {
    const found = this.#results(keyOf(job), () => this.#begin('search', job));
    return found && withinLimit(found);
  }

  /** Undefined when the queue is full, the thread is closed, or it ends before it answers. */
  async layers(job: SearchJob): Promise<Layers | undefined> {
    return this.#begin('layers', job);
  }

  /** Ends the thread. Unfinished searches return no findings. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  #begin<Q extends Question>(question: Q, job: SearchJob): Promise<Answers[Q]> | undefined {
    if (this.#isClosed || this.#waiting.size >= MAX_WAITING) return undefined;
    const number = this.#count++;
    const result = new Promise<Answers[Q]>((resolve) =>
      this.#waiting.set(number, { question, job, resolve: resolve as Waiting['resolve'] }),
    );
    try {
      this.#worker ??= this.#start();
      this.#worker.postMessage({ number, question, job } satisfies NumberedJob);
    } catch {
      void this.#searchInServerThread();
    }
    return result;
  }

  #start(): Worker {
    // Pass no environment variables, which may hold secrets, and no Node options.
    const worker = new Worker(this.#program, {
      ...{ eval: true, env: {}, execArgv: [], argv: [] },
      resourceLimits: MEMORY_LIMITS,
    });
    worker.unref();
    worker.on('message', ({ number, answer }: NumberedAnswer) => {
      this.#waiting.get(number)?.resolve(answer);
      this.#waiting.delete(number);
    });
    // The event `exit` follows each error.
    worker.on('error', () => {});
    worker.on('exit', () => {
      this.#worker = undefined;
      void this.#searchInServerThread();
    });
    return worker;
  }

  /** After the worker ended, answers the pending jobs in this thread, with little effort. */
  async #searchInServerThread(): Promise<void> {
    // Discard the results: a new thread searches with full effort at the next request.
    this.#results = newCache();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { question, job, resolve } of waiting) {
      const effort = this.#isClosed ? 0 : SMALL_EFFORT;
      resolve(question === 'search' ? searchMistakes(job, effort) : undefined);
      await nextTurn();
    }
  }
}

interface Waiting extends Pick<NumberedJob, 'question' | 'job'> {
  readonly resolve: (answer: NumberedAnswer['answer'] | undefined) => void;
}

/** A search that needs more ends with the thread, and is repeated with {@link SMALL_EFFORT}. */
const MEMORY_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };

/** Bounds the memory: a request may have 1 MiB. */
const MAX_WAITING = 64;

/** Many clients time out after 10 s. */
const MAX_WAIT_MS = 8000;

/** Clients and load generators send the same wrong request again. */
const MAX_RESULTS = 256;

/** In characters. A search in the server's thread delays other requests for up to 0.1 s. */
const SMALL_EFFORT = 16_000_000;

const newCache = () => resultCache<Promise<Search | undefined> | undefined>(MAX_RESULTS);

function withinLimit(found: Promise<Search | undefined>): Promise<Search | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), MAX_WAIT_MS).unref();
    void found.then(resolve).finally(() => clearTimeout(timer));
  });
}

/** Signed requests are too large to be kept as keys. */
function keyOf({ request, readings, secrets }: SearchJob): string {
  const key = JSON.stringify([request, readings, secrets]);
  return createHash('sha256').update(key).digest('base64');
}
