import type { IncomingMessage } from 'node:http';
import { object, text } from '../json/build.ts';
import {
  isMilliseconds,
  MAX_API_KEY_LENGTH,
  MAX_CLOCK_SKEW_SECONDS,
  MAX_SEQ_ID_LENGTH,
  unixSeconds,
} from '../protocol/limits.ts';
import {
  isCommonField,
  isSignedHeaderName,
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
import { collectForm, type Header, headerValue } from '../signing/header-mode.ts';
import type { ReceivedRequest } from '../signing/received-request.ts';
import { assertDistinct } from '../signing/value-text.ts';
import {
  MILLISECONDS,
  missingName,
  wrongAddress,
  wrongNonce,
  wrongVersion,
} from '../signing/verification/request-checks.ts';
import { type Envelope, failure } from './envelope.ts';
import { type FormFile, type FormPart, isForm, readForm } from './form.ts';
import type { SignatureFindings } from './log-entry.ts';
import {
  badParameter,
  type Fields,
  field,
  fieldsOf,
  parameterError,
  present,
  textField,
} from './parameters.ts';
import { type JsonBody, readJsonBody } from './request-body.ts';
import { diagnosisList, type SignatureCheck } from './signature-check.ts';

/** An authentic request, or the answer that refuses it. */
export type Authentication = AuthenticRequest | Refusal;

interface AuthenticRequest {
  /** The business fields. */
  readonly fields: Fields;
  /** Those of a form; undefined when the body is JSON. */
  readonly files?: readonly FormFile[] | undefined;
  readonly findings?: SignatureFindings | undefined;
}

interface Refusal {
  readonly refusal: Envelope;
  readonly findings?: SignatureFindings | undefined;
}

/** Milliseconds since 1970. */
export type Clock = () => number;

/**
 * Checks that a request is signed by the owner of its api_key (D1 section 5); a bad one is
 * answered with 1001.
 */
export async function authenticate(
  mode: SignatureMode,
  incoming: IncomingMessage,
  now: Clock,
  check: SignatureCheck,
): Promise<Authentication> {
  try {
    const received = await (mode === 'body' ? readBodyMode : readHeaderMode)(incoming);
    if ('refusal' in received) return received;
    const { request, claims, content } = received;
    if (claims.apiKey !== SANDBOX_CREDENTIALS.apiKey) return { refusal: failure(API_KEY_INVALID) };
    const { findings, refusal: wrong } = await check(request, now());
    const refusal = wrong ?? refuseTimestamp(claims, now()) ?? refuseNonce(claims);
    return refusal ? { findings, refusal } : { findings, ...content };
  } catch (error) {
    return { refusal: parameterError(error) };
  }
}

/** A request with all its fields, not yet authenticated. */
interface Received {
  readonly request: ReceivedRequest;
  readonly claims: Claims;
  readonly content: AuthenticRequest;
}

interface Claims {
  readonly mode: SignatureMode;
  readonly apiKey: string;
  /** As it was sent. */
  readonly timestamp: number;
  readonly nonce: string | undefined;
}

/** Protocol 1.0: all fields are in the body (D1 5.1). */
async function readBodyMode(incoming: IncomingMessage): Promise<Received> {
  if (isForm(incoming)) throw badParameter('a form needs header mode: body mode takes JSON');
  const { body, members } = await readJsonBody(incoming);
  const fields = fieldsOf(members);
  const headers = signedHeaders(incoming.rawHeaders);
  const names = [...fields.keys(), ...headers.map(([name]) => name)];
  const required = (name: string, maxLength?: number): string =>
    present(name, textField(fields, name), names, maxLength);
  const apiKey = required('api_key', MAX_API_KEY_LENGTH);
  required('seq_id', MAX_SEQ_ID_LENGTH);
  const sent = field(fields, 'timestamp');
  const timestamp = sent?.kind === 'number' ? sent.text : required('timestamp');
  const claims: Claims = {
    mode: 'body',
    apiKey,
    timestamp: integer('timestamp', timestamp),
    nonce: required('nonce'),
  };
  required('sign');
  const isBusiness = (name: string): boolean => !isCommonField(name) && name !== 'sign';
  return {
    // A signer may have signed the headers, too. X-TMS-Sign would make it a request of header mode.
    request: { body, headers: otherHeaders(headers) },
    claims,
    content: { fields: fieldsOf(members.filter(({ name }) => isBusiness(name))) },
  };
}

/** One header per name, without the signature. Duplicates do no harm in body mode. */
function otherHeaders(headers: readonly Header[]): readonly Header[] {
  const byName = new Map(headers.map((header) => [header[0].toLowerCase(), header]));
  byName.delete(SIGN_HEADERS.sign.toLowerCase());
  return [...byName.values()];
}

/** Protocol 2.0: the signature and the common fields are headers (D1 5.2). */
async function readHeaderMode(incoming: IncomingMessage): Promise<Received | Refusal> {
  const { body, ...content } = isForm(incoming)
    ? formContent(await readForm(incoming))
    : jsonContent(await readJsonBody(incoming));
  const headers = signedHeaders(incoming.rawHeaders);
  assertDistinct(headers.map(([name]) => name.toLowerCase()));
  const names = [...headers.map(([name]) => name), ...content.fields.keys()];
  const apiKey = headerValue(headers, SIGN_HEADERS.apiKey);
  const sign = headerValue(headers, SIGN_HEADERS.sign);
  const version = wrongVersion(headers);
  // Verify the signature too where possible: the answer then names all faults at once.
  if (version && !(apiKey === SANDBOX_CREDENTIALS.apiKey && sign)) {
    const isMissing = headerValue(headers, SIGN_HEADERS.version) === undefined;
    const message = isMissing ? missingName(SIGN_HEADERS.version, names) : version.title;
    const isBodyMode = sign === undefined && content.fields.has('sign');
    const diagnosis = [isBodyMode ? wrongAddress('body') : version];
    const data = object({ diagnosis: diagnosisList(diagnosis) });
    const findings: SignatureFindings = { diagnosis, search: 'skipped' };
    return { refusal: failure(AUTHENTICATION_ERROR, message, data), findings };
  }

  const required = (name: string, maxLength?: number): string =>
    present(name, headerValue(headers, name), names, maxLength);
  required(SIGN_HEADERS.apiKey, MAX_API_KEY_LENGTH);
  required(SIGN_HEADERS.seqId, MAX_SEQ_ID_LENGTH);
  const claims: Claims = {
    mode: 'header',
    apiKey: apiKey ?? '',
    timestamp: integer(SIGN_HEADERS.timestamp, required(SIGN_HEADERS.timestamp)),
    nonce: headerValue(headers, SIGN_HEADERS.nonce),
  };
  required(SIGN_HEADERS.sign);
  return { request: { headers, body }, claims, content };
}

/** In header mode all fields of the body are business fields. */
type Content = Pick<ReceivedRequest, 'body'> & AuthenticRequest;

function jsonContent({ body, members }: JsonBody): Content {
  return { body, fields: fieldsOf(members) };
}

function formContent(body: readonly FormPart[]): Content {
  const { entries } = collectForm(body);
  return {
    body,
    fields: new Map(entries.map(({ name, value }) => [name, text(value)])),
    files: body.filter((part) => 'file' in part),
  };
}

function refuseTimestamp({ mode, timestamp }: Claims, now: number): Envelope | undefined {
  if (mode === 'body' && isMilliseconds(timestamp)) return failure(TIMESTAMP_INVALID, MILLISECONDS);
  const ahead = unixSeconds(timestamp) - Math.floor(now / 1000);
  if (Math.abs(ahead) <= MAX_CLOCK_SKEW_SECONDS) return undefined;
  const direction = ahead > 0 ? 'ahead of' : 'behind';
  return failure(
    TIMESTAMP_INVALID,
    `the timestamp is ${Math.abs(ahead)} s ${direction} the server`,
  );
}

function refuseNonce({ nonce }: Claims): Envelope | undefined {
  const fault = nonce === undefined ? undefined : wrongNonce(nonce);
  return fault === undefined ? undefined : failure(PARAMETER_ERROR, fault);
}

function signedHeaders(rawHeaders: readonly string[]): readonly Header[] {
  const headers: Header[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (isSignedHeaderName(name)) headers.push([name, rawHeaders[index + 1] ?? '']);
  }
  return headers;
}

function integer(name: string, digits: string): number {
  if (!/^-?\d+$/.test(digits)) throw badParameter(`${name} is not a whole number`);
  return Number(digits);
}
