import { type ErrorDetails, MopError } from '../errors.ts';
import { excerpt, redactValues } from '../http/redact.ts';
import { overloadedHint } from '../http/retry.ts';
import { type HttpText, retryAfterMs } from '../http/transport.ts';
import { brokenContract, type Envelope, isSuccess, readEnvelope } from './envelope.ts';
import type { SignedRequest } from './signed-request.ts';

/** An envelope with the serial number of the request that it answers. */
export interface Answer extends Envelope {
  readonly seqId: string;
  /** Milliseconds that the platform asked to wait before the next attempt (`Retry-After`). */
  readonly retryAfterMs: number | undefined;
}

/**
 * Reads the response to a request as an envelope, whatever its code.
 *
 * @param now Milliseconds since 1970.
 * @throws {MopError} `network` for a server in trouble, `api` for what is no envelope.
 */
export function readAnswer(response: HttpText, request: SignedRequest, now: number): Answer {
  const { seqId, url, sign, secrets = [] } = request;
  const { status, header } = response;
  // A platform that echoes the signature must not make it appear in an error or in data.
  const text = redactValues(response.text, [sign]);
  const wait = retryAfterMs(header('retry-after'), now);
  const details: ErrorDetails = { httpStatus: status, seqId };
  const answer = (envelope: Envelope): Answer => ({
    ...envelope,
    message: redactValues(envelope.message, secrets),
    seqId,
    retryAfterMs: wait,
  });
  if (status < 300) {
    if (!response.isUtf8) throw brokenContract('the body', 'is not UTF-8', details);
    const envelope = readEnvelope(text);
    if (envelope) return answer(envelope);
  } else if (!GATEWAY_STATUSES.includes(status)) {
    // A result code says more than the status it came with.
    const envelope = lenientEnvelope(text);
    if (envelope && !isSuccess(envelope)) return answer(envelope);
  }
  if (status >= 500 || status === 429) {
    throw new MopError('network', `${url.host} answered HTTP ${status}`, {
      ...details,
      hint: overloadedHint('platform', status),
      retryAfterMs: wait,
    });
  }
  const type = redactValues(header('content-type') ?? 'no content type', secrets);
  throw new MopError(
    'api',
    `${url.host} answered HTTP ${status} (${type}) with something that is not an envelope: ${excerpt(text, secrets)}`,
    {
      ...details,
      hint: 'is the configured address the platform’s? mop config list shows it; --verbose shows the answer',
    },
  );
}

/** What stands in front of a platform answers these, whatever the body looks like. */
const GATEWAY_STATUSES = [429, 502, 503, 504];

/** With a status that says it failed, a broken envelope is no news: a gateway may have answered. */
function lenientEnvelope(text: string): Envelope | undefined {
  try {
    return readEnvelope(text);
  } catch {
    return undefined;
  }
}
