import { parentPort } from 'node:worker_threads';
import { EFFORTS } from '../../signing/diagnosis/diagnose.ts';
import { layersOf } from './layers.ts';
import type { NumberedAnswer, NumberedJob } from './messages.ts';
import { searchMistakes } from './mistake-search.ts';

/** The slow jobs, which wait for the quick ones. */
const later: NumberedJob[] = [];

/** The program of the thread: answers each job. */
parentPort?.on('message', (numbered: NumberedJob) => {
  if (numbered.question === 'search') {
    const search = searchMistakes(numbered.job, EFFORTS.low);
    if (search.complete || search.diagnosis.length > 0) return answer(numbered, search);
  }
  later.push(numbered);
  if (later.length === 1) setImmediate(answerNext);
});

function answerNext(): void {
  const [next] = later;
  if (!next) return;
  answer(next, next.question === 'search' ? searchMistakes(next.job) : layersOf(next.job));
  later.shift();
  if (later.length > 0) setImmediate(answerNext);
}

function answer({ number }: NumberedJob, found: NumberedAnswer['answer']): void {
  parentPort?.postMessage({ number, answer: found } satisfies NumberedAnswer);
}
