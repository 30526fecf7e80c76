import { parentPort } from 'node:worker_threads';
import { type NumberedJob, type NumberedSearch, searchMistakes } from './mistake-search.ts';

/** Finds single mistakes and the habits of languages, in a few milliseconds. */
const QUICK_EFFORT = 1_000_000;

/** The searches that take long, which wait for the quick ones. */
const later: NumberedJob[] = [];

/** The program of the thread: answers each job with the result of its search. */
parentPort?.on('message', ({ number, job }: NumberedJob) => {
  const search = searchMistakes(job, QUICK_EFFORT);
  if (search.complete || search.diagnosis.length > 0) return answer({ number, search });
  later.push({ number, job });
  if (later.length === 1) setImmediate(searchLong);
});

function searchLong(): void {
  const [next] = later;
  if (!next) return;
  answer({ number: next.number, search: searchMistakes(next.job) });
  later.shift();
  if (later.length > 0) setImmediate(searchLong);
}

function answer(found: NumberedSearch): void {
  parentPort?.postMessage(found);
}
