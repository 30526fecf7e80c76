import { MopError } from '../errors.ts';
import type { FormField } from '../http/multipart.ts';
import type { TextRequest } from '../http/request.ts';
import { SIGN_HEADERS, type SignatureMode } from '../protocol/operations.ts';
import { DEFAULT_READINGS } from '../protocol/readings.ts';
import { credentialsIn } from '../redaction/credentials.ts';
import { signBody } from '../signing/body-mode.ts';
import { limitWarnings } from '../signing/field-limits.ts';
import { sameName, signHeaders } from '../signing/header-mode.ts';
import { commonField } from '../signing/received-request.ts';
import type { Credentials, FieldSource } from '../signing/request-fields.ts';
import type { Operation } from './operation.ts';

/** A signed request, with the parts that errors and traces need. */
export interface SignedRequest extends TextRequest {
  /** The fields of a multipart form, which is encoded while it is sent. */
  readonly form?: readonly FormField[] | undefined;
  readonly seqId: string;
  /** The signature, which is redacted in an answer that repeats it. */
  readonly sign: string;
  /** Never shown, even if the signature is. */
  readonly apiSecret: string;
  /** Values of common fields that the platform would refuse. */
  readonly warnings: readonly string[];
  /** Whether mop generated the timestamp; false when the caller gave it. */
  readonly isTimestampGenerated: boolean;
}

/** Signs the request of an operation (D1 5); throws `usage` for a body that cannot be signed. */
export function signedRequest(
  { body, signing, secrets = [] }: Operation,
  mode: SignatureMode,
  url: URL,
  credentials: Credentials,
  source: FieldSource,
  clockOffset: number,
): SignedRequest {
  let isTimestampGenerated = false;
  const timeSource: FieldSource = {
    now: () => {
      isTimestampGenerated = true;
      return source.now() + clockOffset;
    },
    nonce: () => source.nonce(),
    seqId: () => source.seqId(),
  };
  const signed =
    mode === 'header'
      ? signHeaders(body, credentials, signing, timeSource)
      : { headers: {}, ...signBody(jsonBody(body), credentials, {}, timeSource) };
  const form = typeof body === 'string' ? undefined : body;
  return {
    method: 'POST',
    url,
    headers: [
      // The encoder adds the Content-Type of a form, with its boundary.
      ...(form ? [] : [['Content-Type', 'application/json'] as const]),
      ...Object.entries(signed.headers),
    ],
    body: signed.body ?? undefined,
    form,
    sign: signed.sign,
    apiSecret: credentials.secret,
    secrets: [
      signed.sign,
      // A platform may return the string that it signed.
      credentials.secret,
      ...secrets,
      ...credentialsIn((signing?.headers ?? []).filter(([name]) => !isStandard(name))),
    ],
    // A body may contain its own serial number.
    seqId: commonField({ mode, fields: signed.entries }, 'seq_id')?.value ?? '',
    warnings: limitWarnings(mode, signed.entries, credentials, DEFAULT_READINGS),
    isTimestampGenerated,
  };
}

function jsonBody(body: Operation['body']): string {
  if (typeof body === 'string') return body;
  throw new MopError('usage', 'a multipart form is signed in header mode', {
    hint: 'body mode sends its signature in a JSON body (D1 5.1)',
  });
}

/** The documented headers are not credentials; the signature is redacted separately. */
function isStandard(name: string): boolean {
  return Object.values(SIGN_HEADERS).some((standard) => sameName(standard, name));
}
