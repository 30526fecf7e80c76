import { list, object, text } from '../json/build.ts';
import type { JsonObject } from '../json/value.ts';
import type { AllReadings } from '../protocol/readings.ts';
import { AUTHENTICATION_ERROR, FIND_MISTAKE_IN_FILE } from '../protocol/result-codes.ts';
import { SANDBOX_CREDENTIALS } from '../protocol/sandbox.ts';
import { type CheckedSignature, checkSignature } from '../server/diagnosis/check-signature.ts';
import type { DiagnosisThread } from '../server/diagnosis/diagnosis-thread.ts';
import type { SignatureFindings } from '../server/log-entry.ts';
import type { Diagnosis } from '../signing/diagnosis/diagnose.ts';
import type { NamedSecret } from '../signing/diagnosis/mistake.ts';
import type { ReceivedRequest } from '../signing/received-request.ts';
import { type Envelope, failure } from './envelope.ts';

/** The findings about a signature, and the answer to a wrong one. */
interface SignatureResult {
  readonly findings: SignatureFindings;
  readonly refusal: Envelope | undefined;
}

/**
 * Checks a request with the sandbox's secret; `now` is in milliseconds. The search for mistakes stops
 * when the client has `disconnected`.
 */
export type SignatureCheck = (
  request: ReceivedRequest,
  now: number,
  disconnected: AbortSignal,
) => Promise<SignatureResult>;

export const SANDBOX_SECRETS: readonly NamedSecret[] = [
  { name: 'the sandbox', secret: SANDBOX_CREDENTIALS.secret },
];

/** Checks signatures with the secret of the sandbox. */
export function signatureCheck(
  readings: AllReadings,
  thread: () => Promise<DiagnosisThread>,
): SignatureCheck {
  return async (request, now, disconnected) => {
    const job = { request, readings, secrets: SANDBOX_SECRETS, now: Math.floor(now / 1000) };
    const checked = await checkSignature(job, thread, disconnected);
    const refusal = checked.verdict.valid ? undefined : refused(checked);
    return { findings: checked.findings, refusal };
  };
}

/** The answer contains the diagnosis, like the output of `mop sign verify`. */
function refused({ verdict, findings }: CheckedSignature): Envelope {
  const { diagnosis = [], search = 'complete' } = findings;
  const ids = diagnosis.map(({ id }) => id).join(', ');
  const version = diagnosis.find(({ id }) => id === 'version');
  const message = version?.title ?? `the signature does not match${ids && `: ${ids}`}`;
  const data = object({
    diagnosis: diagnosisList(diagnosis),
    canonical: text(verdict.canonical),
    search: text(search),
    warnings: list(verdict.warnings.map(text)),
    hint: text(FIND_MISTAKE_IN_FILE),
  });
  return failure(AUTHENTICATION_ERROR, message, data);
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
