import type { IncomingMessage } from 'node:http';
import { list, object, text } from '../json/build.ts';
import {
  MAX_API_KEY_LENGTH,
  MAX_CLOCK_SKEW_SECONDS,
  MAX_SEQ_ID_LENGTH,
  NONCE_LENGTH,
  unixSeconds,
} from '../protocol/limits.ts';
import {
  isCommonField,
  isSignedHeaderName,
  PROTOCOL_VERSION,
  SIGN_HEADERS,
  type SignatureMode,
} from '../protocol/operations.ts';
import {
  API_KEY_INVALID,
  AUTHENTICATION_ERROR,
  PARAMETER_ERROR,
  TIMESTAMP_INVALID,
} from '../protocol/result-codes.ts';
import { SANDBOX_CREDENTIALS } from '../protocol/sandbox.ts';
import type { Diagnosis } from '../signing/diagnosis/diagnose.ts';
import { collectForm, type Header, sameName } from '../signing/header-mode.ts';
import type { ReceivedRequest } from '../signing/received-request.ts';
import { assertDistinct, readBody } from '../signing/value-text.ts';
import { verifySignature } from '../signing/verification/verify.ts';
import { type Envelope, failure } from './envelope.ts';
import { type FormFile, type FormPart, isForm, readForm } from './form.ts';
import {
  badParameter,
  type Fields,
  field,
  fieldsOf,
  parameterError,
  present,
  requiredText,
} from './parameters.ts';
import { readBodyText } from './request-body.ts';

/** An authentic request, or the answer that refuses it. */
export type Authentication = AuthenticRequest | Refusal;

interface AuthenticRequest {
  /** The business fields. */
  readonly fields: Fields;
  /** Those of a form; undefined when the body is JSON. */
  readonly files?: readonly FormFile[] | undefined;
}

interface Refusal {
  readonly refusal: Envelope;
  /** The mistakes of the signer, when the signature is wrong. */
  readonly diagnosis?: readonly Diagnosis[];
}

/** Milliseconds since 1970. */
export type Clock = () => number;

/**
 * Checks that a request comes from whom it names (D1 section 5); a bad one is answered with 1001.
 */
export async function authenticate(
  mode: SignatureMode,
  incoming: IncomingMessage,
  now: Clock,
): Promise<Authentication> {
  try {
    return await (mode === 'body' ? authenticateBody : authenticateHeaders)(incoming, now);
  } catch (error) {
    return { refusal: parameterError(error) };
  }
}

interface Claims {
  readonly apiKey: string;
  /** Unix time, in seconds. */
  readonly timestamp: number;
  readonly nonce: string | undefined;
}

/** Protocol 1.0: all fields are in the body (D1 5.1). */
async function authenticateBody(incoming: IncomingMessage, now: Clock): Promise<Authentication> {
  if (isForm(incoming)) throw badParameter('a form needs header mode: body mode takes JSON');
  const body = await readBodyText(incoming);
  const members = readBody(body);
  const fields = fieldsOf(members);
  const apiKey = requiredText(fields, 'api_key', MAX_API_KEY_LENGTH);
  requiredText(fields, 'seq_id', MAX_SEQ_ID_LENGTH);
  const claims: Claims = {
    apiKey,
    timestamp: integer('timestamp', timestampText(fields)),
    nonce: requiredText(fields, 'nonce'),
  };
  requiredText(fields, 'sign');
  const isBusiness = (name: string): boolean => !isCommonField(name) && name !== 'sign';
  return (
    refuse(claims, { body }, now()) ?? {
      fields: fieldsOf(members.filter(({ name }) => isBusiness(name))),
    }
  );
}

/** Protocol 2.0: the signature and the common fields are headers (D1 5.2). */
async function authenticateHeaders(incoming: IncomingMessage, now: Clock): Promise<Authentication> {
  const { body, ...content } = isForm(incoming)
    ? formContent(await readForm(incoming))
    : jsonContent(await readBodyText(incoming));
  const headers = signedHeaders(incoming.rawHeaders);
  const version = headerValue(headers, SIGN_HEADERS.version);
  if (version !== PROTOCOL_VERSION.header) {
    const fault = version === undefined ? 'is missing' : `is not ${PROTOCOL_VERSION.header}`;
    return { refusal: failure(AUTHENTICATION_ERROR, `${SIGN_HEADERS.version} ${fault}`) };
  }

  const required = (name: string, maxLength?: number): string =>
    present(name, headerValue(headers, name), maxLength);
  const apiKey = required(SIGN_HEADERS.apiKey, MAX_API_KEY_LENGTH);
  required(SIGN_HEADERS.seqId, MAX_SEQ_ID_LENGTH);
  const timestamp = integer(SIGN_HEADERS.timestamp, required(SIGN_HEADERS.timestamp));
  const claims: Claims = {
    apiKey,
    timestamp: unixSeconds(timestamp),
    nonce: headerValue(headers, SIGN_HEADERS.nonce),
  };
  required(SIGN_HEADERS.sign);
  return refuse(claims, { headers, body }, now()) ?? content;
}

/** In header mode all fields of the body are business fields. */
type Content = Pick<ReceivedRequest, 'body'> & AuthenticRequest;

function jsonContent(body: string): Content {
  return { body, fields: fieldsOf(readBody(body)) };
}

function formContent(body: readonly FormPart[]): Content {
  const { entries } = collectForm(body);
  return {
    body,
    fields: new Map(entries.map(({ name, value }) => [name, text(value)])),
    files: body.filter((part) => 'file' in part),
  };
}

/** The checks of both modes, once all fields are present. */
function refuse(
  { apiKey, timestamp, nonce }: Claims,
  request: ReceivedRequest,
  now: number,
): Refusal | undefined {
  if (apiKey !== SANDBOX_CREDENTIALS.apiKey) return { refusal: failure(API_KEY_INVALID) };
  return refuseSignature(request) ?? refuseTimestamp(timestamp, now) ?? refuseNonce(nonce);
}

/** The answer contains the diagnosis, as `mop sign verify` does. */
function refuseSignature(request: ReceivedRequest): Refusal | undefined {
  const { valid, diagnosis, canonical } = verifySignature(request, SANDBOX_CREDENTIALS.secret, {
    effort: DIAGNOSIS_EFFORT,
  });
  if (valid) return undefined;
  const ids = diagnosis.map(({ id }) => id).join(', ');
  const message = `the signature does not match${ids && `: ${ids}`}`;
  const data = object({
    diagnosis: list(
      diagnosis.map(({ id, title, fields, fix }) =>
        object({
          id: text(id),
          title: text(title),
          fields: list(fields.map(text)),
          fix: text(fix),
        }),
      ),
    ),
    canonical: text(canonical),
  });
  return { refusal: failure(AUTHENTICATION_ERROR, message, data), diagnosis };
}

/**
 * Enough for every candidate with ten fields. All other requests wait for the search, so larger
 * requests get only the likely mistakes here; `mop sign verify` tries the others.
 */
const DIAGNOSIS_EFFORT = 8_000_000;

function refuseTimestamp(timestamp: number, now: number): Refusal | undefined {
  const ahead = timestamp - Math.floor(now / 1000);
  if (Math.abs(ahead) <= MAX_CLOCK_SKEW_SECONDS) return undefined;
  const direction = ahead > 0 ? 'ahead of' : 'behind';
  const message = `the timestamp is ${Math.abs(ahead)} s ${direction} the server`;
  return { refusal: failure(TIMESTAMP_INVALID, message) };
}

function refuseNonce(nonce: string | undefined): Refusal | undefined {
  const length = nonce === undefined ? NONCE_LENGTH : [...nonce].length;
  if (length === NONCE_LENGTH) return undefined;
  const message = `the nonce has ${length} characters, not ${NONCE_LENGTH}`;
  return { refusal: failure(PARAMETER_ERROR, message) };
}

function signedHeaders(rawHeaders: readonly string[]): readonly Header[] {
  const headers: Header[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (isSignedHeaderName(name)) headers.push([name, rawHeaders[index + 1] ?? '']);
  }
  assertDistinct(headers.map(([name]) => name.toLowerCase()));
  return headers;
}

function headerValue(headers: readonly Header[], name: string): string | undefined {
  return headers.find(([other]) => sameName(other, name))?.[1];
}

function timestampText(fields: Fields): string {
  const timestamp = field(fields, 'timestamp');
  return timestamp?.kind === 'number' ? timestamp.text : requiredText(fields, 'timestamp');
}

function integer(name: string, digits: string): number {
  if (!/^-?\d+$/.test(digits)) throw badParameter(`${name} is not a whole number`);
  return Number(digits);
}
