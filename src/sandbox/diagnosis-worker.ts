import { parentPort } from 'node:worker_threads';
import { verifySignature } from '../signing/verification/verify.ts';
import type { Search, SearchJob } from './diagnosis-thread.ts';

/** Runs in a thread of its own: answers each job with the result of its search. */
parentPort?.on('message', ({ request, secret, options }: SearchJob) => {
  const { diagnosis, complete } = verifySignature(request, secret, options);
  parentPort?.postMessage({ diagnosis, complete } satisfies Search);
});
