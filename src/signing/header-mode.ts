import { MopError } from '../errors.ts';
import type { FormField } from '../http/multipart.ts';
import { text } from '../json/build.ts';
import { printJson } from '../json/print.ts';
import type { JsonMember } from '../json/value.ts';
import {
  HEADER_OF_FIELD,
  isSignedHeaderName,
  PROTOCOL_VERSION,
  SIGN_HEADERS,
} from '../protocol/operations.ts';
import { type NullAs, type Omitted, type Signed, signFields } from './canonical.ts';
import { assertBody, assertCredentials, assertHeaders, assertOptions } from './check-arguments.ts';
import {
  type Credentials,
  commonValues,
  type FieldSource,
  freshFields,
  type RequestFields,
} from './request-fields.ts';
import { assertDistinct, assertWellFormed, readBody } from './value-text.ts';

/** A header to send and sign. The signature depends on the case of the name (D1 5.2). */
export type Header = readonly [name: string, value: string];

/** The JSON of a body as text, or the fields of a multipart form. */
export type RequestBody = string | readonly FormField[];

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
  if (typeof body !== 'string') {
    const signed = signMembers(formMembers(body), credentials, fields, source);
    return { ...signed, body: null, omitted: [...unsignedFiles(body), ...signed.omitted] };
  }
  return signHeaderMembers(readBody(body), credentials, fields, source);
}

export function signHeaderMembers(
  members: readonly JsonMember[],
  credentials: Credentials,
  fields: HeaderFields,
  source: FieldSource,
): SignedHeaders {
  const body = printJson({ kind: 'object', members });
  return { ...signMembers(members, credentials, fields, source), body };
}

function signMembers(
  members: readonly JsonMember[],
  credentials: Credentials,
  fields: HeaderFields,
  source: FieldSource,
): Omit<SignedHeaders, 'body'> {
  const headers = requestHeaders(credentials, fields, source);
  const content = { mode: 'header', headers, members, nullAs: fields.nullAs ?? 'empty' } as const;
  const signed = signFields(content, credentials.secret);
  const sent = { ...Object.fromEntries(headers), [SIGN_HEADERS.sign]: signed.sign };
  return { headers: sent, ...signed };
}

/**
 * The signed texts of a multipart form (D1 5.2). @throws {MopError} `usage` for a repeated name.
 */
export function formMembers(form: readonly FormField[]): readonly JsonMember[] {
  assertDistinct(form.map(({ name }) => name));
  return form.flatMap((field) => {
    if ('file' in field) return [];
    assertWellFormed(field.name, field.value);
    return [{ name: field.name, value: text(field.value) }];
  });
}

export function unsignedFiles(form: readonly { readonly name: string }[]): readonly Omitted[] {
  return form
    .filter((field) => 'file' in field)
    .map(({ name }) => ({ name, reason: "a file's content is not signed" }));
}

/** The headers to send, in the order of D1 5.2, without the signature. */
function requestHeaders(
  credentials: Credentials,
  { nonce, timestampUnit, headers = [], ...fields }: HeaderFields,
  source: FieldSource,
): readonly Header[] {
  const values = { ...fields, nonce: nonce === false ? undefined : nonce };
  const common = commonValues(values, credentials, source, timestampUnit === 'ms' ? 1 : 1000);
  const extra = new Map<string, Header>();
  for (const header of headers.map(checkedHeader)) {
    const key = header[0].toLowerCase();
    if (extra.has(key)) throw refused(`the header ${header[0]} is given twice`, LEAVE_OUT);
    extra.set(key, header);
  }
  const standard = (
    name: string,
    given?: string,
    generate = (): string => PROTOCOL_VERSION.header,
  ) => {
    const replacement = extra.get(name.toLowerCase());
    if (replacement === undefined) return checkedHeader([name, given ?? generate()]);
    extra.delete(name.toLowerCase());
    if (given === undefined) return replacement;
    throw refused(`${name} is given twice: as an option and as a header`, LEAVE_OUT);
  };
  const sent = [standard(SIGN_HEADERS.version)];
  for (const field of ['api_key', 'timestamp', 'seq_id', 'nonce'] as const) {
    if (field === 'nonce' && nonce === false) continue;
    sent.push(standard(HEADER_OF_FIELD[field], common[field].given, common[field].generate));
  }
  return [...sent, ...extra.values()];
}

const LEAVE_OUT = 'leave out one of the two';

/** @throws {MopError} `usage` for a header that cannot be sent, or does not belong to the signature. */
function checkedHeader(header: Header): Header {
  const [name, value] = header;
  if (!isSignedHeaderName(name)) {
    const hint = 'only X-TMS-* headers are signed; add other headers when you send the request';
    throw refused(`the header ${name} is not part of the signature`, hint);
  }
  if (sameName(name, SIGN_HEADERS.sign)) {
    throw refused(`${SIGN_HEADERS.sign} is computed and cannot be given`, 'remove the header');
  }
  const shown = JSON.stringify(name);
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
    throw refused(`the header name ${shown} cannot be sent`, 'use letters, digits and hyphens');
  }
  if (!/^(?:[!-~](?:[ -~\t]*[!-~])?)?$/.test(value)) {
    const hint = 'use printable ASCII, without white space at either end';
    throw refused(`the value of the header ${shown} cannot be sent`, hint);
  }
  return header;
}

function refused(fault: string, hint: string): MopError {
  return new MopError('usage', fault, { hint });
}

/** Header names are case-insensitive in HTTP, though not in the signature. */
export function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

export function headerValue(headers: readonly Header[], name: string): string | undefined {
  return headers.find(([other]) => sameName(other, name))?.[1];
}
