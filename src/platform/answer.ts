import {
  type HttpText,
  isOverloaded,
  isUnauthorized,
  refusalError,
  retryAfterMs,
  unexpectedBody,
} from '../http/response.ts';
import { excerpt, redactValues } from '../redaction/redact.ts';
import { type Envelope, isSuccess, platformViolation, readEnvelope } from './envelope.ts';
import type { SignedRequest } from './signed-request.ts';

/** An envelope with the serial number of the request that it answers. */
export interface Answer extends Envelope {
  readonly seqId: string;
  /** The requested wait before the next attempt (`Retry-After`), in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** The likely cause of a refusal and the next step, if the client knows them. */
  readonly hint?: string | undefined;
  /** The HTTP status if it is 401 or 403, with which a gateway refuses every request. */
  readonly refusedStatus?: number | undefined;
}

/** The envelope in a response, with any result code; throws `network` or `api` without one. */
export function readAnswer(response: HttpText, request: SignedRequest, now: number): Answer {
  const { seqId, url, sign, secrets = [] } = request;
  const { status, header } = response;
  // The platform may echo the signature, which must not appear in an error or in data.
  const text = redactValues(response.text, [sign]);
  const envelope = status < 300 ? readEnvelope(text) : failureEnvelope(text, status);
  if (envelope) {
    if (status < 300 && !response.isUtf8) {
      throw platformViolation('the body', 'is not UTF-8', { httpStatus: status, seqId });
    }
    return {
      ...envelope,
      message: redactValues(envelope.message, secrets),
      seqId,
      retryAfterMs: retryAfterMs(header('retry-after'), now),
      refusedStatus: isUnauthorized(status) ? status : undefined,
    };
  }
  const message = isOverloaded(status)
    ? `${url.host} answered HTTP ${status}`
    : `${unexpectedBody(response, request, 'is not a JSON envelope')}: ${excerpt(text, secrets)}`;
  const hint = 'check the address of the platform; a trace (--verbose) shows the whole answer';
  const systematic = isUnauthorized(status) ? 'credentials' : undefined;
  const details = { seqId, systematic } as const;
  throw refusalError(response, { server: 'platform', message, hint, details }, now);
}

/** Statuses of a gateway in front of the platform, whose body is never an envelope. */
const GATEWAY_STATUSES = [429, 502, 503, 504];

/** The envelope of a failure, if any: its result code is more precise than the status. */
function failureEnvelope(text: string, status: number): Envelope | undefined {
  if (GATEWAY_STATUSES.includes(status)) return undefined;
  try {
    const envelope = readEnvelope(text);
    return envelope && !isSuccess(envelope) ? envelope : undefined;
  } catch {
    // A broken envelope may come from a gateway: report the status instead.
    return undefined;
  }
}
