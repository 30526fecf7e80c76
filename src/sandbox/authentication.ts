import type { IncomingMessage } from 'node:http';
import { headerPairs } from '../http/headers.ts';
import { object } from '../json/build.ts';
import {
  MAX_API_KEY_LENGTH,
  MAX_CLOCK_SKEW_SECONDS,
  MAX_SEQ_ID_LENGTH,
  MAX_TIMESTAMP_DIGITS,
  MILLISECONDS_DIGITS,
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
import { badRequest } from '../server/bad-request.ts';
import { type FormFile, type FormPart, isForm, readForm } from '../server/form.ts';
import type { SignatureFindings } from '../server/log-entry.ts';
import { type JsonBody, jsonTypeFault, readJsonBody } from '../server/request-body.ts';
import { nonceWarning, timestampWarning } from '../signing/field-limits.ts';
import { formMembers, type Header, headerValue, type RequestBody } from '../signing/header-mode.ts';
import type { ReceivedRequest } from '../signing/received-request.ts';
import { assertDistinct } from '../signing/value-text.ts';
import {
  missingName,
  skewText,
  wrongAddress,
  wrongVersion,
} from '../signing/verification/request-checks.ts';
import { type Envelope, failure } from './envelope.ts';
import type { OpenPoints } from './open-points.ts';
import {
  type Fields,
  fieldsOf,
  parameterError,
  requiredInt,
  requirePresent,
  textField,
} from './parameters.ts';
import type { ReplayCheck } from './replays.ts';
import { diagnosisList, type SignatureCheck } from './signature-check.ts';

/** An authentic request, or the answer that refuses it. */
export type Authentication = AuthenticRequest | Refusal;

interface AuthenticRequest {
  /** The business fields. */
  readonly fields: Fields;
  /** The files of a form; undefined when the body is JSON. */
  readonly files?: readonly FormFile[] | undefined;
  readonly findings?: SignatureFindings | undefined;
}

interface Refusal {
  readonly refusal: Envelope;
  readonly findings?: SignatureFindings | undefined;
}

/** Milliseconds since 1970. */
export type Clock = () => number;

export interface AuthenticationRules {
  readonly points: OpenPoints;
  readonly check: SignatureCheck;
  readonly isReplay: ReplayCheck;
}

/**
 * Checks that a request is signed by the owner of its api_key (D1 section 5). A missing or malformed
 * field is answered with 1001.
 *
 * @param keep Receives the request when its body is read, and again with the signed fields, before
 *   the signature is checked.
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

/** A request with all its fields, not yet authenticated. */
interface Received {
  readonly request: ReceivedRequest;
  readonly claims: Claims;
  readonly content: AuthenticRequest;
}

interface Claims {
  readonly mode: SignatureMode;
  readonly apiKey: string;
  /** Seconds or milliseconds, as sent. */
  readonly timestamp: number;
  readonly seqId: string;
  readonly nonce: string | undefined;
}

/** Protocol 1.0: all fields are in the body (D1 5.1). */
async function readBodyMode(
  incoming: IncomingMessage,
  points: OpenPoints,
  keep: (body: RequestBody) => void,
): Promise<Received> {
  if (isForm(incoming)) throw badRequest('a form needs header mode: body mode takes JSON');
  const { body, members } = await readTypedBody(incoming, points, keep);
  const fields = fieldsOf(members, points);
  const { protocol: headers, others } = headersOf(incoming.rawHeaders);
  const names = [...fields.keys(), ...headers.map(([name]) => name)];
  const required = (name: string, maxLength?: number): string =>
    requirePresent(name, textField(fields, name), names, maxLength);
  const apiKey = required('api_key', MAX_API_KEY_LENGTH);
  const claims: Claims = {
    mode: 'body',
    apiKey,
    seqId: required('seq_id', MAX_SEQ_ID_LENGTH),
    timestamp: timestampOf(requiredInt(fields, 'timestamp'), 'timestamp', MAX_TIMESTAMP_DIGITS),
    nonce: required('nonce'),
  };
  required('sign');
  const isBusiness = (name: string): boolean => !isCommonField(name) && name !== 'sign';
  return {
    // A signer may have signed the headers too. With X-TMS-Sign, the mode would be header.
    request: { ...requestLine(incoming), body, headers: [...withoutSign(headers), ...others] },
    claims,
    content: {
      fields: fieldsOf(
        members.filter(({ name }) => isBusiness(name)),
        points,
      ),
    },
  };
}

/** One header per name, without the signature. Duplicates are harmless in body mode. */
function withoutSign(headers: readonly Header[]): readonly Header[] {
  const byName = new Map(headers.map((header) => [header[0].toLowerCase(), header]));
  byName.delete(SIGN_HEADERS.sign.toLowerCase());
  return [...byName.values()];
}

/** Protocol 2.0: the signature and the common fields are headers (D1 5.2). */
async function readHeaderMode(
  incoming: IncomingMessage,
  points: OpenPoints,
  keep: (body: RequestBody) => void,
): Promise<Received | Refusal> {
  const { body, ...content } = isForm(incoming)
    ? formContent(await readForm(incoming), points)
    : await jsonContent(incoming, points, keep);
  keep(body);
  const { protocol: headers, others } = headersOf(incoming.rawHeaders);
  assertDistinct(headers.map(([name]) => name.toLowerCase()));
  const names = [...headers.map(([name]) => name), ...content.fields.keys()];
  const apiKey = headerValue(headers, SIGN_HEADERS.apiKey);
  const sign = headerValue(headers, SIGN_HEADERS.sign);
  const version = wrongVersion(headers);
  // Refuse now only if the signature cannot be verified; otherwise the answer names both faults.
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
    requirePresent(name, headerValue(headers, name), names, maxLength);
  required(SIGN_HEADERS.apiKey, MAX_API_KEY_LENGTH);
  const seqId = required(SIGN_HEADERS.seqId, MAX_SEQ_ID_LENGTH);
  const timestamp = required(SIGN_HEADERS.timestamp);
  if (!/^-?\d+$/.test(timestamp)) {
    throw badRequest(`${SIGN_HEADERS.timestamp} is not a whole number`);
  }
  const claims: Claims = {
    mode: 'header',
    apiKey: apiKey ?? '',
    seqId,
    timestamp: timestampOf(timestamp, SIGN_HEADERS.timestamp, MILLISECONDS_DIGITS),
    nonce: headerValue(headers, SIGN_HEADERS.nonce),
  };
  required(SIGN_HEADERS.sign);
  const request = { ...requestLine(incoming), headers: [...headers, ...others], body };
  return { request, claims, content };
}

/** The body of a header-mode request and its fields, which are all business fields. */
type Content = Pick<ReceivedRequest, 'body'> & AuthenticRequest;

async function jsonContent(
  incoming: IncomingMessage,
  points: OpenPoints,
  keep: (body: RequestBody) => void,
): Promise<Content> {
  const { body, members } = await readTypedBody(incoming, points, keep);
  return { body, fields: fieldsOf(members, points) };
}

/** A JSON body whose Content-Type the reading `types` accepts. */
async function readTypedBody(
  incoming: IncomingMessage,
  points: OpenPoints,
  keep: (body: RequestBody) => void,
): Promise<JsonBody> {
  const json = await readJsonBody(incoming, keep);
  const fault = points.faultOf('types', (types) =>
    types === 'strict' ? jsonTypeFault(incoming.headers['content-type']) : undefined,
  );
  if (fault) throw fault;
  return json;
}

function formContent(body: readonly FormPart[], points: OpenPoints): Content {
  return {
    body,
    fields: fieldsOf(formMembers(body), points, true),
    files: body.filter((part) => 'file' in part),
  };
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

/** The X-TMS-* headers, which header mode signs, and the others. */
function headersOf(rawHeaders: readonly string[]): {
  readonly protocol: readonly Header[];
  readonly others: readonly Header[];
} {
  const headers = headerPairs(rawHeaders);
  return {
    protocol: headers.filter(([name]) => isSignedHeaderName(name)),
    others: headers.filter(([name]) => !isSignedHeaderName(name)),
  };
}

/** The method and the URL: a signer may have signed them too. */
function requestLine({
  method,
  url,
  headers: { host },
}: IncomingMessage): Pick<ReceivedRequest, 'method' | 'url'> {
  return { method, url: `http://${host}${url}` };
}

/**
 * Accepts milliseconds in both modes: in body mode, the answer 1055 names the mistake.
 *
 * @param documentedDigits The limit of the mode, for the message.
 */
function timestampOf(digits: string, name: string, documentedDigits: number): number {
  if (digits.length > MILLISECONDS_DIGITS) {
    throw badRequest(`${name} has more than ${documentedDigits} digits`);
  }
  return Number(digits);
}
