import { type Verdict, verifySignature } from '../../signing/verification/verify.ts';
import type { SearchJob } from './search-job.ts';

export type Search = Pick<Verdict, 'diagnosis' | 'complete'>;

/** Searches for the mistakes of a signer, by default with the effort of `mop sign verify`. */
export function searchMistakes({ request, readings, secrets }: SearchJob, effort?: number): Search {
  const { diagnosis, complete } = verifySignature(request, secrets, { readings, effort });
  return { diagnosis, complete };
}
