import { Worker } from 'node:worker_threads';
import { runSearch } from '../../signing/diagnosis/diagnose.ts';
import { ownTurn } from '../turns.ts';
import program from './diagnosis-worker.ts?bundled';
import {
  type Answers,
  type Question,
  type SearchJob,
  searchInSteps,
  type ThreadAnswer,
  type ThreadMessage,
} from './search-job.ts';

/** A search that needs more ends with the thread, and is repeated with {@link SMALL_EFFORT}. */
const MEMORY_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };

/** Many clients time out after 10 s. */
const MAX_WAIT_MS = 8000;

/** In characters. A search in the server's thread delays other requests for up to 0.1 s. */
const SMALL_EFFORT = 16_000_000;

interface Waiting {
  readonly question: Question;
  readonly job: SearchJob;
  readonly end: (answer: Answers[Question] | undefined) => void;
}

/**
 * Searches for the mistakes of a signer in a separate thread: a search takes up to two seconds, and
 * other requests must not wait for it. The thread does not keep the process alive.
 */
export class DiagnosisThread {
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
   * Answers a question, unless `ended` is aborted, the thread is closed, or 8 seconds have passed.
   * When the thread fails, a search is repeated here with little effort.
   */
  async ask<Q extends Question>(
    question: Q,
    job: SearchJob,
    ended?: AbortSignal,
  ): Promise<Answers[Q] | undefined> {
    if (this.#isClosed || ended?.aborted) return undefined;
    const number = this.#count++;
    const answered = new Promise<Answers[Q] | undefined>((resolve) =>
      this.#waiting.set(number, { question, job, end: resolve as Waiting['end'] }),
    );
    const stop = (): void => {
      this.#waiting.get(number)?.end(undefined);
      this.#waiting.delete(number);
      this.#worker?.postMessage({ cancelled: number } satisfies ThreadMessage);
    };
    const timer = setTimeout(stop, MAX_WAIT_MS).unref();
    ended?.addEventListener('abort', stop);
    try {
      this.#worker ??= this.#start();
      this.#worker.postMessage({ number, question, job } satisfies ThreadMessage);
    } catch {
      void this.#answerHere();
    }
    return answered.finally(() => {
      clearTimeout(timer);
      ended?.removeEventListener('abort', stop);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  #start(): Worker {
    // Pass no environment variables, which may hold secrets, and no Node options.
    const worker = new Worker(this.#program, {
      ...{ eval: true, env: {}, execArgv: [], argv: [] },
      resourceLimits: MEMORY_LIMITS,
    });
    worker.unref();
    worker.on('message', ({ number, answer }: ThreadAnswer) => {
      this.#waiting.get(number)?.end(answer);
      this.#waiting.delete(number);
    });
    // The event `exit` follows each error.
    worker.on('error', () => {});
    worker.on('exit', () => {
      this.#worker = undefined;
      void this.#answerHere();
    });
    return worker;
  }

  /** Without a thread, answers the waiting searches in this one, with little effort. */
  async #answerHere(): Promise<void> {
    for (const [number, { question, job, end }] of [...this.#waiting]) {
      if (!this.#isClosed) await ownTurn();
      // Stopped in the meantime.
      if (!this.#waiting.delete(number)) continue;
      const isSearched = question === 'search' && !this.#isClosed;
      end(isSearched ? runSearch(searchInSteps(job, SMALL_EFFORT)) : undefined);
    }
  }
}
