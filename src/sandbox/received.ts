import type { IncomingMessage } from 'node:http';
import { headerPairs } from '../http/headers.ts';
import { list, object, text } from '../json/build.ts';
import type { JsonObject } from '../json/value.ts';
import {
  MAX_API_KEY_LENGTH,
  MAX_SEQ_ID_LENGTH,
  MAX_TIMESTAMP_DIGITS,
  MILLISECONDS_DIGITS,
} from '../protocol/limits.ts';
import {
  isCommonField,
  isSignedHeaderName,
  SIGN_HEADERS,
  type SignatureMode,
} from '../protocol/operations.ts';
import { AUTHENTICATION_ERROR } from '../protocol/result-codes.ts';
import { SANDBOX_CREDENTIALS } from '../protocol/sandbox.ts';
import { type FormFile, isForm, readForm } from '../server/form.ts';
import type { SignatureFindings } from '../server/log-entry.ts';
import { badRequest, type JsonBody, jsonTypeFault, readJsonBody } from '../server/request-body.ts';
import type { Diagnosis } from '../signing/diagnosis/diagnose.ts';
import { formMembers, type Header, headerValue, type RequestBody } from '../signing/header-mode.ts';
import type { ReceivedRequest } from '../signing/received-request.ts';
import { assertDistinct } from '../signing/value-text.ts';
import { missingName, wrongAddress, wrongVersion } from '../signing/verification/request-checks.ts';
import {
  type Envelope,
  type Fields,
  failure,
  fieldsOf,
  type OpenPoints,
  requiredInt,
  requirePresent,
  textField,
} from './operation.ts';

export interface Received {
  readonly request: ReceivedRequest;
  readonly claims: Claims;
  readonly content: Content;
}

export interface Claims {
  readonly mode: SignatureMode;
  readonly apiKey: string;
  /** Seconds or milliseconds, as sent. */
  readonly timestamp: number;
  readonly seqId: string;
  readonly nonce: string | undefined;
}

export interface Content {
  readonly fields: Fields;
  /** The files of a form; undefined when the body is JSON. */
  readonly files?: readonly FormFile[] | undefined;
}

export interface Refusal {
  readonly refusal: Envelope;
  readonly findings?: SignatureFindings | undefined;
}

type Keep = (body: RequestBody) => void;

/**
 * Reads a request in body mode: all fields are in the body (D1 5.1). `keep` gets the unchecked
 * body.
 *
 * @throws {MopError} `usage` for a missing or malformed field.
 */
export async function readBodyMode(
  incoming: IncomingMessage,
  points: OpenPoints,
  keep: Keep,
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
  const business = members.filter(({ name }) => !isCommonField(name) && name !== 'sign');
  return {
    // A signer may have signed the headers too. With X-TMS-Sign, the mode would be header.
    request: { ...requestLine(incoming), body, headers: [...withoutSign(headers), ...others] },
    claims,
    content: { fields: fieldsOf(business, points) },
  };
}

/** One header per name, without the signature. Duplicates are harmless in body mode. */
function withoutSign(headers: readonly Header[]): readonly Header[] {
  const byName = new Map(headers.map((header) => [header[0].toLowerCase(), header]));
  byName.delete(SIGN_HEADERS.sign.toLowerCase());
  return [...byName.values()];
}

/** Like {@link readBodyMode}; the signature and the common fields are headers (D1 5.2). */
export async function readHeaderMode(
  incoming: IncomingMessage,
  points: OpenPoints,
  keep: Keep,
): Promise<Received | Refusal> {
  const { body, ...content } = await readContent(incoming, points, keep);
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
async function readContent(
  incoming: IncomingMessage,
  points: OpenPoints,
  keep: Keep,
): Promise<Pick<ReceivedRequest, 'body'> & Content> {
  if (!isForm(incoming)) {
    const { body, members } = await readTypedBody(incoming, points, keep);
    return { body, fields: fieldsOf(members, points) };
  }
  const body = await readForm(incoming);
  const files = body.filter((part) => 'file' in part);
  return { body, fields: fieldsOf(formMembers(body), points, true), files };
}

/** A JSON body whose Content-Type the reading `types` accepts. */
async function readTypedBody(
  incoming: IncomingMessage,
  points: OpenPoints,
  keep: Keep,
): Promise<JsonBody> {
  const json = await readJsonBody(incoming, keep);
  const fault = points.faultOf('types', (types) =>
    types === 'strict' ? jsonTypeFault(incoming.headers['content-type']) : undefined,
  );
  if (fault) throw fault;
  return json;
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
export function requestLine({
  method,
  url,
  headers: { host },
}: IncomingMessage): Pick<ReceivedRequest, 'method' | 'url'> {
  return { method, url: `http://${host}${url}` };
}

/** Accepts milliseconds in both modes: in body mode, the answer 1055 names the mistake. */
function timestampOf(digits: string, name: string, documentedDigits: number): number {
  if (digits.length > MILLISECONDS_DIGITS) {
    throw badRequest(`${name} has more than ${documentedDigits} digits`);
  }
  return Number(digits);
}

export function diagnosisList(diagnosis: readonly Diagnosis[]) {
  const items = diagnosis.map(
    ({ id, title, fields, fix }): JsonObject =>
      object({
        id: text(id),
        title: text(title),
        fields: list(fields.map(text)),
        fix: text(fix),
      }),
  );
  return list(items);
}
