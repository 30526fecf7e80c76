import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { EFFORTS } from '../../signing/diagnosis/diagnose.ts';
import { layersOf } from './layers.ts';
import type { NumberedAnswer, NumberedJob } from './messages.ts';
import { type Search, searchInSteps, searchMistakes } from './mistake-search.ts';
import type { SearchJob } from './search-job.ts';

/** The slow jobs, in the order of arrival. Quick searches interrupt them. */
const later: NumberedJob[] = [];

/** A full search takes up to two seconds, and clients stop waiting after eight. */
const MAX_LATER = 4;

/** The program of the thread: answers each job. */
parentPort?.on('message', (numbered: NumberedJob) => {
  if (numbered.question === 'search') {
    const search = searchMistakes(numbered.job, EFFORTS.low);
    if (search.complete || search.diagnosis.length > 0) return answer(numbered, search);
    if (later.length >= MAX_LATER) return answer(numbered, undefined);
  }
  later.push(numbered);
  if (later.length === 1) void answerLater();
});

async function answerLater(): Promise<void> {
  for (let next = later[0]; next; next = later[0]) {
    await nextTurn();
    answer(next, next.question === 'search' ? await fullSearch(next.job) : layersOf(next.job));
    later.shift();
  }
}

async function fullSearch(job: SearchJob): Promise<Search> {
  const steps = searchInSteps(job);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await nextTurn();
  }
}

function answer({ number }: NumberedJob, found: NumberedAnswer['answer']): void {
  parentPort?.postMessage({ number, answer: found } satisfies NumberedAnswer);
}
