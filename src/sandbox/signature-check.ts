import { list, object, text } from '../json/build.ts';
import type { JsonObject } from '../json/value.ts';
import type { AllReadings } from '../protocol/readings.ts';
import { AUTHENTICATION_ERROR, FIND_MISTAKE } from '../protocol/result-codes.ts';
import { SANDBOX_CREDENTIALS } from '../protocol/sandbox.ts';
import type { Diagnosis } from '../signing/diagnosis/diagnose.ts';
import type { ReceivedRequest } from '../signing/received-request.ts';
import {
  hasRightSignature,
  type Verdict,
  verifySignature,
} from '../signing/verification/verify.ts';
import type { DiagnosisThread } from './diagnosis-thread.ts';
import { type Envelope, failure } from './envelope.ts';
import type { SignatureFindings } from './log-entry.ts';

/** The findings about a signature, and the answer to a wrong one. */
interface SignatureResult {
  readonly findings: SignatureFindings;
  readonly refusal: Envelope | undefined;
}

/** Checks a request with the sandbox's secret; `now` is in milliseconds. */
export type SignatureCheck = (request: ReceivedRequest, now: number) => Promise<SignatureResult>;

/** Checks signatures in this thread, and searches for the mistakes of a wrong one in another. */
export function signatureCheck(
  readings: AllReadings,
  thread: () => Promise<DiagnosisThread>,
): SignatureCheck {
  const { secret } = SANDBOX_CREDENTIALS;
  return async (request, now) => {
    const verdict = verifySignature(request, secret, {
      readings,
      now: Math.floor(now / 1000),
      effort: 0,
    });
    const { valid, warnings } = verdict;
    if (valid) return { findings: { warnings }, refusal: undefined };
    if (hasRightSignature(verdict)) return refused(verdict, verdict.diagnosis, 'complete');
    const found = await (await thread()).search({ request, readings });
    if (found === undefined) return refused(verdict, verdict.diagnosis, 'skipped');
    return refused(verdict, found.diagnosis, found.complete ? 'complete' : 'cut-short');
  };
}

/** The answer contains the diagnosis, as `mop sign verify` does. */
function refused(
  { canonical, warnings }: Verdict,
  diagnosis: readonly Diagnosis[],
  search: NonNullable<SignatureFindings['search']>,
): SignatureResult {
  const ids = diagnosis.map(({ id }) => id).join(', ');
  const version = diagnosis.find(({ id }) => id === 'version');
  const message = version?.title ?? `the signature does not match${ids && `: ${ids}`}`;
  const data = object({
    diagnosis: diagnosisList(diagnosis),
    canonical: text(canonical),
    search: text(search),
    warnings: list(warnings.map(text)),
    hint: text(FIND_MISTAKE),
  });
  return {
    findings: { diagnosis, search, warnings },
    refusal: failure(AUTHENTICATION_ERROR, message, data),
  };
}

export function diagnosisList(diagnosis: readonly Diagnosis[]) {
  return list(
    diagnosis.map(
      ({ id, title, fields, fix }): JsonObject =>
        object({
          id: text(id),
          title: text(title),
          fields: list(fields.map(text)),
          fix: text(fix),
        }),
    ),
  );
}
