import type { Readings } from '../protocol/readings.ts';
import { SANDBOX_CREDENTIALS } from '../protocol/sandbox.ts';
import type { ReceivedRequest } from '../signing/received-request.ts';
import { type Verdict, verifySignature } from '../signing/verification/verify.ts';

/** A request whose signature is wrong: plain data, which passes to another thread. */
export interface SearchJob {
  readonly request: ReceivedRequest;
  readonly readings: Readings;
}

export type Search = Pick<Verdict, 'diagnosis' | 'complete'>;

/** What passes between the threads. */
export interface NumberedJob {
  readonly number: number;
  readonly job: SearchJob;
}

export interface NumberedSearch {
  readonly number: number;
  readonly search: Search;
}

/** Searches for the mistakes of a signer, by default with the effort of `mop sign verify`. */
export function searchMistakes({ request, readings }: SearchJob, effort?: number): Search {
  const { diagnosis, complete } = verifySignature(request, SANDBOX_CREDENTIALS.secret, {
    readings,
    effort,
  });
  return { diagnosis, complete };
}
