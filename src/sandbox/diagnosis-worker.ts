import { parentPort } from 'node:worker_threads';
import type { ReceivedRequest } from '../signing/received-request.ts';
import {
  type Verdict,
  type VerifyOptions,
  verifySignature,
} from '../signing/verification/verify.ts';

/** A request whose signature is wrong: plain data, which passes to another thread. */
export interface SearchJob {
  readonly request: ReceivedRequest;
  readonly secret: string;
  readonly options: VerifyOptions;
}

export type Search = Pick<Verdict, 'diagnosis' | 'complete'>;

/** The program of the thread: answers each job with the result of its search. */
parentPort?.on('message', ({ request, secret, options }: SearchJob) => {
  const { diagnosis, complete } = verifySignature(request, secret, options);
  parentPort?.postMessage({ diagnosis, complete } satisfies Search);
});
