import { readingEntries } from '../../protocol/readings.ts';
import { readingWarnings } from '../../signing/verification/request-checks.ts';
import {
  examineSignature,
  hasRightSignature,
  type Verdict,
} from '../../signing/verification/verify.ts';
import type { SignatureFindings } from '../log-entry.ts';
import type { DiagnosisThread } from './diagnosis-thread.ts';
import type { SearchJob } from './search-job.ts';

/** A verdict without a search for mistakes, and the findings of the search in another thread. */
export interface CheckedSignature {
  readonly verdict: Verdict;
  readonly findings: SignatureFindings;
}

/**
 * Checks a signature here, and searches for mistakes in the thread until `ended` is aborted.
 *
 * @throws {MopError} `usage` when the request has no signature or cannot be signed.
 */
export async function checkSignature(
  job: SearchJob,
  thread: () => Promise<DiagnosisThread>,
  ended: AbortSignal,
): Promise<CheckedSignature> {
  const { request, secrets, readings, now } = job;
  const { verdict, content } = examineSignature(request, secrets, { readings, now, effort: 0 });
  const { valid, warnings, diagnosis } = verdict;
  if (valid) {
    const needed = readingEntries(content.readings).map(([name, value]) => `${name}=${value}`);
    // The verdict has no warning about a chosen reading.
    const all = [...new Set([...warnings, ...readingWarnings(content.readings)])];
    return { verdict, findings: { signature: 'right', readings: needed, warnings: all } };
  }
  const wrong = { signature: 'wrong', warnings } as const;
  if (hasRightSignature(verdict)) {
    return { verdict, findings: { ...wrong, diagnosis, search: 'complete' } };
  }
  const found = await (await thread()).ask('search', { request, secrets, readings }, ended);
  if (found === undefined) return { verdict, findings: { ...wrong, diagnosis, search: 'skipped' } };
  const search = found.complete ? 'complete' : 'cut-short';
  return { verdict, findings: { ...wrong, diagnosis: found.diagnosis, search } };
}
