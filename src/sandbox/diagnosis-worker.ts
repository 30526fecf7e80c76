import { parentPort } from 'node:worker_threads';
import { type SearchJob, searchMistakes } from './mistake-search.ts';

/** The program of the thread: answers each job with the result of its search. */
parentPort?.on('message', (job: SearchJob) => parentPort?.postMessage(searchMistakes(job)));
