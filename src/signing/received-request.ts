import { MopError } from '../errors.ts';
import type { FormField } from '../http/multipart.ts';
import { text } from '../json/build.ts';
import { printJson } from '../json/print.ts';
import { describe, isNested, type JsonValue } from '../json/value.ts';
import {
  type CommonField,
  HEADER_OF_FIELD,
  isCommonField,
  isSignedHeaderName,
  SIGN_HEADERS,
  type SignatureMode,
} from '../protocol/operations.ts';
import type { Readings } from '../protocol/readings.ts';
import type { Entry, NullAs } from './canonical.ts';
import { assertBody, assertHeaders, assertText } from './check-arguments.ts';
import { formMembers, type Header, type RequestBody, sameName } from './header-mode.ts';
import { asDocumented, type Spelling } from './header-name.ts';
import { misplacedSignature, missingSignature, type UnsignedRequest } from './missing-signature.ts';
import { readBody } from './value-text.ts';

export interface ReceivedRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers?: readonly Header[] | undefined;
  readonly body: RequestBody;
}

export interface Field {
  readonly name: string;
  readonly value: JsonValue;
  readonly source: Entry['source'];
  /** Its index in the request: headers, then body. */
  readonly position: number;
}

export type ReceivedFile = Extract<FormField, { readonly file: string }>;

export interface SignedContent {
  readonly mode: SignatureMode;
  readonly signature: string;
  readonly signatureName: string;
  /** Signed headers, then the body, in the order of the request. Includes the signature. */
  readonly fields: readonly Field[];
  readonly files: readonly ReceivedFile[];
  /** Header names whose signed spelling differs from the received one. */
  readonly respelled: readonly { readonly sent: string; readonly signed: string }[];
  /** How null is signed; body mode always omits it. */
  readonly nullAs: NullAs;
  /** Objects and arrays that did not arrive in compact form, with their text, by position. */
  readonly nestedAsSent: ReadonlyMap<number, JsonValue>;
  /** The readings that give this signed text: with another value of one, the text differs. */
  readonly readings: Readings;
  /** The whole request: a signer may have signed other parts too. */
  readonly request: ReceivedRequest;
}

/**
 * Reads a received request under the default readings: header mode with `X-TMS-Sign` (D1 5.2), else
 * body mode. @throws {MopError} `usage` for a request without a signature, or with an invalid body.
 */
export function signedContent(request: ReceivedRequest): SignedContent {
  return withSpelling(contentAsSent(request), asDocumented);
}

/** The content with another spelling of signed header names: proxies may change their case. */
export function withSpelling(content: SignedContent, spell: Spelling): SignedContent {
  const { mode, signatureName } = content;
  const fields = content.fields.map((field) =>
    field.source === 'header' ? { ...field, name: spell(field.name) } : field,
  );
  const respelled = content.fields
    .map(({ name }, at) => ({ sent: name, signed: fields[at]?.name ?? name }))
    .filter(({ sent, signed }) => sent !== signed);
  const spelledName = mode === 'header' ? spell(signatureName) : signatureName;
  return { ...content, signatureName: spelledName, fields, respelled };
}

export function withNestedAsSent(content: SignedContent): SignedContent {
  const { fields, nestedAsSent } = content;
  const sent = ({ position, value }: Field): JsonValue => nestedAsSent.get(position) ?? value;
  return { ...content, fields: fields.map((field) => ({ ...field, value: sent(field) })) };
}

/** {@link signedContent} with header names in the sent spelling. */
export function contentAsSent(request: ReceivedRequest): SignedContent {
  // A caller without types may have passed nothing.
  const { url, headers = [], body } = request ?? {};
  if (url !== undefined) assertText('url', url);
  assertHeaders(headers);
  assertBody(body);
  const own = headers.filter(([name]) => isSignedHeaderName(name));
  assertSentOnce(own);
  const headerFields = own.map(
    ([name, value], position): Field => ({ name, value: text(value), source: 'header', position }),
  );
  const signHeader = headerFields.find(({ name }) => sameName(name, SIGN_HEADERS.sign));
  const mode = signHeader ? 'header' : 'body';
  const members = typeof body === 'string' ? readBody(body) : formMembers(body);
  const bodyFields = members.map(
    ({ name, value }, index): Field => ({
      name,
      value,
      source: mode === 'body' && isCommonField(name) ? 'common' : 'business',
      position: headerFields.length + index,
    }),
  );
  const signField = signHeader ?? bodyFields.find(({ name }) => name === 'sign');
  const sent = { headers, members };
  if (signField === undefined) throw missingSignature(sent);
  if (mode === 'body') assertBodyMode(body, sent);
  return {
    mode,
    signature: receivedSignature(signField.value, mode),
    signatureName: signField.name,
    fields: [...headerFields, ...bodyFields],
    files: typeof body === 'string' ? [] : body.filter((field) => 'file' in field),
    respelled: [],
    nullAs: mode === 'header' ? 'empty' : 'omit',
    request,
    readings: {},
    nestedAsSent: typeof body === 'string' ? nestedAsSent(body, bodyFields) : new Map(),
  };
}

function nestedAsSent(body: string, fields: readonly Field[]): SignedContent['nestedAsSent'] {
  const found = new Map<number, JsonValue>();
  if (!fields.some(({ value }) => isNested(value))) return found;
  for (const [index, { value }] of readBody(body, 'as-written').entries()) {
    const field = fields[index];
    if (field && isNested(value) && isNested(field.value) && value.text !== field.value.text) {
      found.set(field.position, value);
    }
  }
  return found;
}

export function headersOf({ fields }: Pick<SignedContent, 'fields'>): readonly Header[] {
  return fields.flatMap(({ name, value, source }): Header[] =>
    source === 'header' && value.kind === 'string' ? [[name, value.value]] : [],
  );
}

/** A common field of a request; in header mode, the header in any case. */
export function commonField<Named extends Pick<Field, 'name' | 'source'>>(
  { mode, fields }: { readonly mode: SignatureMode; readonly fields: readonly Named[] },
  common: CommonField,
): Named | undefined {
  return fields.find(({ name, source }) =>
    mode === 'body'
      ? source === 'common' && name === common
      : source === 'header' && sameName(name, HEADER_OF_FIELD[common]),
  );
}

export function commonFieldText(
  content: Pick<SignedContent, 'mode' | 'fields'>,
  common: CommonField,
): string | undefined {
  const field = commonField(content, common);
  return field && scalarText(field);
}

export function scalarText({ value }: Field): string | undefined {
  if (value.kind === 'string') return value.value;
  return value.kind === 'number' ? value.text : undefined;
}

function assertSentOnce(headers: readonly Header[]): void {
  const seen = new Map<string, string>();
  for (const [name] of headers) {
    const first = seen.get(name.toLowerCase());
    seen.set(name.toLowerCase(), name);
    if (first === undefined) continue;
    const names = first === name ? name : `${first} and ${name}`;
    throw new MopError('usage', `the request has the same header twice: ${names}`, {
      hint: 'send it once: some HTTP libraries add a header instead of replacing one in another case; to verify the signature, remove one of the two',
    });
  }
}

function assertBodyMode(body: RequestBody, sent: UnsignedRequest): void {
  const misplaced = misplacedSignature(sent);
  if (misplaced) throw misplaced;
  if (typeof body === 'string') return;
  const fault = 'the body is a form with the field sign, but body mode requires JSON';
  throw new MopError('usage', fault, {
    hint: 'send the fields as a JSON object, with Content-Type: application/json; the signature can be verified in that object',
  });
}

/** The signature; the JSON of an object or a list, which a signer may send instead of its text. */
function receivedSignature(value: JsonValue, mode: SignatureMode): string {
  if (isNested(value)) return printJson(value);
  if (value.kind === 'string' && value.value !== '') return value.value;
  const where = mode === 'header' ? SIGN_HEADERS.sign : 'sign';
  const fault = value.kind === 'string' ? 'empty' : describe(value);
  throw new MopError('usage', `the signature (${where}) is ${fault}`, {
    hint: 'send 32 upper-case hex digits in quotes: the function that signs must return them',
  });
}
