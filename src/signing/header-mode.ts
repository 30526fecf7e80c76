import { MopError } from '../errors.ts';
import type { FormField } from '../http/multipart.ts';
import { printJson } from '../json/print.ts';
import type { JsonMember } from '../json/value.ts';
import { isSignedHeaderName, PROTOCOL_VERSION, SIGN_HEADERS } from '../protocol/operations.ts';
import {
  type Collected,
  canonicalString,
  digest,
  type Entry,
  type Omitted,
  type Signed,
} from './canonical.ts';
import { assertBody, assertCredentials, assertHeaders, assertOptions } from './check-arguments.ts';
import {
  type Credentials,
  type FieldSource,
  freshFields,
  type RequestFields,
  timestampText,
} from './request-fields.ts';
import { assertDistinct, assertWellFormed, readBody, valueText } from './value-text.ts';

/** A header to send and sign. The signature depends on the case of the name (D1 5.2). */
export type Header = readonly [name: string, value: string];

/** The JSON of a body as text, or the fields of a multipart form. */
export type RequestBody = string | readonly FormField[];

/** The text of a null in the signed string: empty, none, or `null`. D1 leaves it open. */
export type NullAs = 'empty' | 'omit' | 'text';

export interface HeaderFields extends Omit<RequestFields, 'nonce'> {
  /** Default: a generated nonce. `false` sends none, since it is optional in this mode. */
  readonly nonce?: string | false | undefined;
  /** The unit of a generated timestamp; default seconds. */
  readonly timestampUnit?: 's' | 'ms' | undefined;
  /**
   * Additional `X-TMS-*` headers. A header with the name of a standard one replaces its generated
   * value. A usage error if the value is also given by its field, and for `X-TMS-Sign`.
   */
  readonly headers?: readonly Header[] | undefined;
  /** Default `empty`, since empty values are included (D1 5.2 step 2). */
  readonly nullAs?: NullAs | undefined;
}

/** A request signed by protocol 2.0. */
export interface SignedHeaders extends Signed {
  /** The `X-TMS-*` headers to send, names in the case that was signed. */
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON to send, in one line; null for a multipart form. */
  readonly body: string | null;
}

/**
 * Signs a request by protocol 2.0: signature in the header `X-TMS-Sign`, over the `X-TMS-*`
 * headers and the fields of the body (D1 5.2).
 *
 * @param body The business fields.
 * @throws {MopError} `usage` for a body or header that cannot be signed.
 *
 * @example
 * ```ts
 * import { signHeaders } from 'mop-cli/signing';
 * import type { FormField, Header, HeaderFields, NullAs, SignedHeaders } from 'mop-cli/signing';
 *
 * const credentials = { apiKey: 'sandbox', secret: 'sandbox-secret' };
 * const nullAs: NullAs = 'omit';
 * const headers: readonly Header[] = [['X-TMS-Source', 'app']];
 * const fields: HeaderFields = { timestamp: 1795150800, nonce: false, nullAs, headers };
 * const signed: SignedHeaders = signHeaders('{"lat":30.10,"note":null}', credentials, fields);
 * console.log(signed.headers['X-TMS-Sign-Ver'], signed.omitted[0]?.name);
 * // 2.0 note
 *
 * const form: readonly FormField[] = [{ name: 'city', value: '330100' }];
 * console.log(signHeaders(form, credentials, { seqId: 's', timestamp: 1, nonce: 'n' }).canonical);
 * // X-TMS-Api-Key=sandbox&X-TMS-Nonce=n&X-TMS-Seq-Id=s&X-TMS-Sign-Ver=2.0&X-TMS-Timestamp=1&city=330100
 * ```
 */
export function signHeaders(
  body: RequestBody,
  credentials: Credentials,
  fields: HeaderFields = {},
  source: FieldSource = freshFields,
): SignedHeaders {
  assertBody(body);
  assertCredentials(credentials);
  assertOptions('fields', fields);
  assertHeaders(fields.headers ?? []);
  if (typeof body === 'string')
    return signHeaderMembers(readBody(body), credentials, fields, source);
  return signContent(collectForm(body), null, credentials, fields, source);
}

/** {@link signHeaders} for an already parsed JSON body. */
export function signHeaderMembers(
  members: readonly JsonMember[],
  credentials: Credentials,
  fields: HeaderFields,
  source: FieldSource,
): SignedHeaders {
  const content = collectMembers(members, fields.nullAs);
  return signContent(content, printJson({ kind: 'object', members }), credentials, fields, source);
}

function signContent(
  content: Collected,
  body: string | null,
  credentials: Credentials,
  fields: HeaderFields,
  source: FieldSource,
): SignedHeaders {
  const headers = requestHeaders(credentials, fields, source);
  const collected = collectHeaders(headers, content);
  const canonical = canonicalString(collected.entries);
  const sign = digest(canonical, credentials.secret);
  const signed = { ...Object.fromEntries(headers), [SIGN_HEADERS.sign]: sign };
  return { headers: signed, body, canonical, sign, ...collected };
}

/** The signed fields of a JSON body (D1 5.2 step 1). `nullAs` defines the text of a null. */
export function collectMembers(
  members: readonly JsonMember[],
  nullAs: NullAs = 'empty',
): Collected {
  const entries: Entry[] = [];
  const omitted: Omitted[] = [];
  for (const { name, value } of members) {
    if (value.kind !== 'null') {
      entries.push({ name, value: valueText(value), source: 'business' });
    } else if (nullAs === 'omit') {
      omitted.push({ name, reason: 'null is left out' });
    } else {
      entries.push({ name, value: nullAs === 'text' ? 'null' : '', source: 'business' });
    }
  }
  return { entries, omitted };
}

/**
 * The signed fields of a multipart form: text fields, never the content of files (D1 5.2).
 *
 * @throws {MopError} `usage` when a name occurs twice.
 */
export function collectForm(form: readonly FormField[]): Collected {
  assertDistinct(form.map(({ name }) => name));
  const entries: Entry[] = [];
  const omitted: Omitted[] = [];
  for (const field of form) {
    if ('file' in field) {
      omitted.push(unsignedFile(field.name));
    } else {
      assertWellFormed(field.name, field.value);
      entries.push({ name: field.name, value: field.value, source: 'business' });
    }
  }
  return { entries, omitted };
}

export function unsignedFile(name: string): Omitted {
  return { name, reason: "a file's content is not signed" };
}

/**
 * The signed headers (every `X-TMS-*` except `X-TMS-Sign`), then the fields of the body (D1 5.2).
 *
 * @throws {MopError} `usage` when a field of the body has the name of a signed header.
 */
export function collectHeaders(headers: readonly Header[], content: Collected): Collected {
  const entries: readonly Entry[] = headers
    .filter(([name]) => isSignedHeaderName(name) && !sameName(name, SIGN_HEADERS.sign))
    .map(([name, value]) => ({ name, value, source: 'header' }));
  const names = new Set(entries.map(({ name }) => name));
  const clash = content.entries.find(({ name }) => names.has(name));
  if (clash) {
    throw refused(
      `the body has a field named like the signed header ${clash.name}`,
      'rename the field: the platform could not distinguish the two',
    );
  }
  const sign = { name: SIGN_HEADERS.sign, reason: 'the signature does not sign itself' };
  return { entries: [...entries, ...content.entries], omitted: [...content.omitted, sign] };
}

function requestHeaders(
  credentials: Credentials,
  fields: HeaderFields,
  source: FieldSource,
): readonly Header[] {
  const { apiKey, timestamp, seqId, nonce, timestampUnit, headers = [] } = fields;
  const given = timestamp === undefined ? undefined : timestampText(timestamp);
  const unit = timestampUnit === 'ms' ? 1 : 1000;
  const standard: [name: string, given: string | undefined, generate: () => string][] = [
    [SIGN_HEADERS.version, undefined, () => PROTOCOL_VERSION.header],
    [SIGN_HEADERS.apiKey, apiKey, () => credentials.apiKey],
    [SIGN_HEADERS.timestamp, given, () => String(Math.floor(source.now() / unit))],
    [SIGN_HEADERS.seqId, seqId, () => source.seqId()],
  ];
  if (nonce !== false) standard.push([SIGN_HEADERS.nonce, nonce, () => source.nonce()]);

  const extra = new Map<string, Header>();
  for (const header of headers.map(checkedHeader)) {
    const key = header[0].toLowerCase();
    if (extra.has(key)) throw refused(`the header ${header[0]} is given twice`, LEAVE_OUT);
    extra.set(key, header);
  }
  const sent = standard.map(([name, given, generate]): Header => {
    const replacement = extra.get(name.toLowerCase());
    if (replacement === undefined) return checkedHeader([name, given ?? generate()]);
    extra.delete(name.toLowerCase());
    if (given === undefined) return replacement;
    throw refused(`${name} is given twice: as an option and as a header`, LEAVE_OUT);
  });
  return [...sent, ...extra.values()];
}

const LEAVE_OUT = 'leave out one of the two';

/** @throws {MopError} `usage` for a header that cannot be sent, or does not belong to the signature. */
function checkedHeader([name, value]: Header): Header {
  if (!isSignedHeaderName(name)) {
    throw refused(
      `the header ${name} is not part of the signature`,
      'only X-TMS-* headers are signed; add other headers when you send the request',
    );
  }
  if (sameName(name, SIGN_HEADERS.sign)) {
    throw refused(`${SIGN_HEADERS.sign} is computed and cannot be given`, 'remove the header');
  }
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
    const fault = `the header name ${JSON.stringify(name)} cannot be sent`;
    throw refused(fault, 'use letters, digits and hyphens');
  }
  if (!/^(?:[!-~](?:[ -~\t]*[!-~])?)?$/.test(value)) {
    const fault = `the value of the header ${JSON.stringify(name)} cannot be sent`;
    throw refused(fault, 'use printable ASCII, without white space at either end');
  }
  return [name, value];
}

function refused(fault: string, hint: string): MopError {
  return new MopError('usage', fault, { hint });
}

/** Header names are case-insensitive in HTTP, though not in the signature. */
export function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** The value of the first header with this name in any case; undefined when it is missing. */
export function headerValue(headers: readonly Header[], name: string): string | undefined {
  return headers.find(([other]) => sameName(other, name))?.[1];
}
