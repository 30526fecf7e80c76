import { parentPort } from 'node:worker_threads';
import { EFFORTS } from '../signing/diagnosis/diagnose.ts';
import { type NumberedJob, type NumberedSearch, searchMistakes } from './mistake-search.ts';

/** The searches that take long, which wait for the quick ones. */
const later: NumberedJob[] = [];

/** The program of the thread: answers each job with the result of its search. */
parentPort?.on('message', ({ number, job }: NumberedJob) => {
  const search = searchMistakes(job, EFFORTS.low);
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
