import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import {
  layersInSteps,
  searchInSteps,
  type ThreadAnswer,
  type ThreadMessage,
} from './search-job.ts';

type Job = Exclude<ThreadMessage, { readonly cancelled: number }>;

const jobs = new Map<number, Job>();
let isRunning = false;

/** The program of the thread: answers each job, unless it is cancelled. */
parentPort?.on('message', (message: ThreadMessage) => {
  if ('cancelled' in message) {
    jobs.delete(message.cancelled);
    return;
  }
  jobs.set(message.number, message);
  if (!isRunning) void answerAll();
});

async function answerAll(): Promise<void> {
  isRunning = true;
  // The loop includes jobs that arrive meanwhile.
  for (const job of jobs.values()) await answer(job);
  isRunning = false;
}

async function answer({ number, question, job }: Job): Promise<void> {
  const steps = question === 'search' ? searchInSteps(job) : layersInSteps(job);
  while (jobs.has(number)) {
    const { done, value } = steps.next();
    if (done) {
      parentPort?.postMessage({ number, answer: value } satisfies ThreadAnswer);
      jobs.delete(number);
      return;
    }
    // Messages are read between two steps.
    await nextTurn();
  }
}
