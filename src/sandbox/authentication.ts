import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { headerPairs } from '../http/headers.ts';
import { list, object, text } from '../json/build.ts';
import { MAX_CLOCK_SKEW_SECONDS, unixSeconds } from '../protocol/limits.ts';
import type { SignatureMode } from '../protocol/operations.ts';
import type { AllReadings } from '../protocol/readings.ts';
import {
  API_KEY_INVALID,
  AUTHENTICATION_ERROR,
  FIND_MISTAKE_IN_FILE,
  PARAMETER_ERROR,
  TIMESTAMP_INVALID,
} from '../protocol/result-codes.ts';
import { SANDBOX_CREDENTIALS } from '../protocol/sandbox.ts';
import { type CheckedSignature, checkSignature } from '../server/diagnosis/check-signature.ts';
import type { DiagnosisThread } from '../server/diagnosis/diagnosis-thread.ts';
import type { SignatureFindings } from '../server/log-entry.ts';
import type { NamedSecret } from '../signing/diagnosis/mistake.ts';
import { nonceWarning, timestampWarning } from '../signing/field-limits.ts';
import type { ReceivedRequest } from '../signing/received-request.ts';
import { skewText } from '../signing/verification/request-checks.ts';
import {
  type Clock,
  type Envelope,
  failure,
  type OpenPoints,
  parameterError,
} from './operation.ts';
import {
  type Claims,
  type Content,
  diagnosisList,
  type Refusal,
  readBodyMode,
  readHeaderMode,
  requestLine,
} from './received.ts';

type Authentication = (Content & { readonly findings: SignatureFindings }) | Refusal;

export interface AuthenticationRules {
  readonly points: OpenPoints;
  readonly check: SignatureCheck;
  readonly isReplay: ReplayCheck;
}

/**
 * Checks that a request is signed by the owner of its api_key (D1 section 5). `keep` receives the
 * request when its body is read, and again with the signed fields.
 */
export async function authenticate(
  mode: SignatureMode,
  incoming: IncomingMessage,
  now: Clock,
  { points, check, isReplay }: AuthenticationRules,
  disconnected: AbortSignal,
  keep: (request: ReceivedRequest) => void,
): Promise<Authentication> {
  try {
    const read = mode === 'body' ? readBodyMode : readHeaderMode;
    const received = await read(incoming, points, (body) =>
      keep({ ...requestLine(incoming), headers: headerPairs(incoming.rawHeaders), body }),
    );
    if ('refusal' in received) return received;
    const { request, claims, content } = received;
    keep(request);
    if (claims.apiKey !== SANDBOX_CREDENTIALS.apiKey) return { refusal: failure(API_KEY_INVALID) };
    const { findings, refusal: wrong } = await check(request, now(), disconnected);
    const refusal =
      wrong ??
      refuseTimestamp(claims, now()) ??
      refuseNonce(claims, points) ??
      refuseReplay(isReplay(claims.seqId, claims.nonce, now()), points);
    return refusal ? { findings, refusal } : { findings, ...content };
  } catch (error) {
    return { refusal: parameterError(error) };
  }
}

function refuseTimestamp({ mode, timestamp }: Claims, now: number): Envelope | undefined {
  const fault = timestampWarning(timestamp, mode);
  if (fault !== undefined) return failure(TIMESTAMP_INVALID, fault);
  const ahead = unixSeconds(timestamp) - Math.floor(now / 1000);
  if (Math.abs(ahead) <= MAX_CLOCK_SKEW_SECONDS) return undefined;
  return failure(TIMESTAMP_INVALID, `the timestamp is ${skewText(ahead, 'the server')}`);
}

function refuseNonce({ mode, nonce }: Claims, points: OpenPoints): Envelope | undefined {
  return points.faultOf('nonce', (reading) => {
    const fault = nonceWarning(nonce, mode, reading);
    return fault === undefined ? undefined : failure(PARAMETER_ERROR, fault);
  });
}

function refuseReplay(isReplay: boolean, points: OpenPoints): Envelope | undefined {
  const message = 'this nonce and seq_id were used within the last minute';
  const refused = isReplay ? failure(AUTHENTICATION_ERROR, message) : undefined;
  return points.faultOf('replay', (replay) => (replay === 'refuse' ? refused : undefined));
}

/** Checks a request with the sandbox's secret; `now` is in milliseconds. */
type SignatureCheck = (
  request: ReceivedRequest,
  now: number,
  disconnected: AbortSignal,
) => Promise<{ readonly findings: SignatureFindings; readonly refusal: Envelope | undefined }>;

export const SANDBOX_SECRETS: readonly NamedSecret[] = [
  { name: 'the sandbox', secret: SANDBOX_CREDENTIALS.secret },
];

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

/** Whether a request repeats the nonce and seq_id of an earlier one; remembers both. */
type ReplayCheck = (seqId: string, nonce: string | undefined, now: number) => boolean;

const REMEMBERED_MS = 60_000;

/** Bounds the memory to about 10 MB. */
const MAX_REMEMBERED = 100_000;

/** Remembers the authentic requests of the last minute, by the clock `now` in milliseconds. */
export function replayCheck(): ReplayCheck {
  const arrivals = new Map<string, number>();
  return (seqId, nonce, now) => {
    for (const [key, time] of arrivals) {
      if (now - time < REMEMBERED_MS && arrivals.size < MAX_REMEMBERED) break;
      arrivals.delete(key);
    }
    // A nonce in a header may have 16 KiB.
    const key = createHash('sha256')
      .update(JSON.stringify([seqId, nonce]))
      .digest('base64');
    const arrival = arrivals.get(key);
    if (arrival !== undefined && Math.abs(now - arrival) < REMEMBERED_MS) return true;
    arrivals.delete(key);
    arrivals.set(key, now);
    return false;
  };
}
