import { isUtf8 } from 'node:buffer';
import { type ErrorCode, type ErrorDetails, MopError, own, quoted } from '../errors.ts';
import { redactUrl, redactValues } from '../redaction/redact.ts';
import { decodeText } from './page-text.ts';
import type { HttpRequest } from './request.ts';

interface ResponseHead {
  readonly status: number;
  /** The first value of a header, by its name in lower case. */
  readonly header: (name: string) => string | undefined;
}

export interface HttpResponse extends ResponseHead {
  /** The body as a stream; throws the errors of `networkError`. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends the exchange without reading the rest. */
  readonly discard: () => void;
}

/** A response whose body has been read. */
export interface HttpText extends ResponseHead {
  /** Without a byte order mark; an error page is decoded in its own charset. */
  readonly text: string;
  readonly isUtf8: boolean;
}

export function textResponse({ status, header }: ResponseHead, content: Uint8Array): HttpText {
  const text = decodeText(content, header('content-type'));
  return { status, header, text, isUtf8: isUtf8(content) };
}

/** The maximum size of an answer. */
export interface ReadLimit {
  /** Counts decoded bytes. */
  readonly maxBytes: number;
  /** The hint for a larger answer. */
  readonly hint?: string | undefined;
}

/** The default limit: an envelope is small. */
export const DEFAULT_LIMIT: ReadLimit = { maxBytes: 16 * 1024 ** 2 };

/**
 * The body up to a limit. For HTTP 300 and above, it only ends: the status is the error to report.
 */
export async function* limitedBody(
  { status, header, body }: HttpResponse,
  { url }: Pick<HttpRequest, 'url'>,
  { maxBytes, hint }: ReadLimit,
): AsyncGenerator<Uint8Array> {
  const isRefusal = status >= 300;
  const tooLarge = (): MopError =>
    new MopError('api', `${url.host} answered with more than ${sizeText(maxBytes)}`, {
      hint: hint ?? 'request less data, or check the address',
      httpStatus: status,
    });
  if (!isRefusal && Number(header('content-length') ?? 0) > maxBytes) throw tooLarge();
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes && !isRefusal) throw tooLarge();
    yield chunk;
    if (bytes > maxBytes) return;
  }
}

/** A size in bytes, or in MiB if it is a whole number. */
function sizeText(bytes: number): string {
  const mib = bytes / 1024 ** 2;
  return Number.isInteger(mib) ? `${mib} MiB` : `${bytes} bytes`;
}

/** The parts of an error for a response that is not the requested answer, set by each client. */
export interface Refusal {
  /** The server's name in hints, such as `platform`. */
  readonly server: string;
  readonly message: string;
  /** The error code for HTTP 401 and 403, for a service with credentials in headers. */
  readonly unauthorized?: ErrorCode;
  /** The hint for any other status than 401, 403, 429 and 5xx. */
  readonly hint: string;
  readonly details?: ErrorDetails;
}

/**
 * Classifies a refusal by its status: `network` for 429 and 5xx, `unauthorized` for 401 and 403.
 */
export function refusalError(
  { status, header, text = '' }: ResponseHead & Partial<Pick<HttpText, 'text'>>,
  { server, message, unauthorized, hint, details }: Refusal,
  now: number,
): MopError {
  const known: ErrorDetails = { ...details, httpStatus: status };
  if (isOverloaded(status)) {
    return new MopError('network', message, {
      ...known,
      hint: overloadedHint(server),
      retryAfterMs: retryAfterMs(header('retry-after'), now),
    });
  }
  if (unauthorized !== undefined && isUnauthorized(status)) {
    return new MopError(unauthorized, message, { ...known, hint: CREDENTIAL_HINT });
  }
  return new MopError('api', message, {
    ...known,
    hint: NEEDS_TLS.test(text) ? 'this port needs TLS: write the address with https://' : hint,
  });
}

/** The words of nginx, Go, Apache and Tomcat for plain HTTP on a port of TLS. */
const NEEDS_TLS =
  /plain HTTP request was sent to HTTPS|HTTP request to an HTTPS server|plain HTTP to an SSL-enabled|and port requires TLS/i;

export const CREDENTIAL_HINT =
  'if the server requires a credential, send it in a header: Authorization: Bearer TOKEN';

export function isOverloaded(status: number): boolean {
  return status >= 500 || status === 429;
}

export function isUnauthorized(status: number): boolean {
  return status === 401 || status === 403;
}

export function overloadedHint(server: string): string {
  return quoted`the ${own(server)} is down, overloaded or limits the rate of requests; try again later`;
}

/** The message for a body whose `fault` is such as `is not a JSON envelope`. */
export function unexpectedBody(
  { status, header }: ResponseHead,
  { url, secrets = [] }: HttpRequest,
  fault: string,
): string {
  const type = redactValues(header('content-type') ?? 'no content type', secrets);
  const location = status >= 300 && status < 400 ? header('location') : undefined;
  const kind =
    location === undefined
      ? ` (${type})`
      : `, a redirect to ${redactValues(redactUrl(location), secrets)},`;
  return `${url.host} answered HTTP ${status}${kind} with a body that ${fault}`;
}

/**
 * The wait of a `Retry-After` header in milliseconds, from either of its forms (RFC 9110 10.2.3).
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  // One of the three date formats (RFC 9110 5.6.7) has no zone and means GMT.
  const date = Date.parse(/GMT$/.test(header) ? header : `${header} GMT`);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
