import { runSearch, type Search as Steps } from '../../signing/diagnosis/diagnose.ts';
import { examine, type Verdict } from '../../signing/verification/verify.ts';
import type { SearchJob } from './search-job.ts';

export type Search = Pick<Verdict, 'diagnosis' | 'complete'>;

/** Searches for the mistakes of a signer, by default with the effort of `mop sign verify`. */
export function searchMistakes(job: SearchJob, effort?: number): Search {
  return runSearch(searchInSteps(job, effort));
}

/** {@link searchMistakes} in steps of about 10 ms. */
export function* searchInSteps(
  { request, readings, secrets }: SearchJob,
  effort?: number,
): Steps<Search> {
  const { verdict } = yield* examine(request, secrets, { readings, effort });
  return { diagnosis: verdict.diagnosis, complete: verdict.complete };
}
