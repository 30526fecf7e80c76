import type { Readable } from 'node:stream';
import type { JsonMember } from '../json/value.ts';
import { isSignedHeaderName, SIGN_HEADERS, type SignatureMode } from '../protocol/operations.ts';
import type { SignatureFindings } from '../server/log-entry.ts';
import { signBodyMembers } from '../signing/body-mode.ts';
import { type Header, headerValue, sameName, signHeaderMembers } from '../signing/header-mode.ts';
import { asDocumented } from '../signing/header-name.ts';
import type { ReceivedRequest } from '../signing/received-request.ts';
import type { Credentials, FieldSource } from '../signing/request-fields.ts';

export interface Signing {
  readonly credentials: Credentials;
  readonly source: FieldSource;
  /** Whether signatures of other programs are replaced. */
  readonly signAll: boolean;
  /** Checks a signature of another program. Never rejects. */
  readonly check: (request: ReceivedRequest) => Promise<SignatureFindings>;
}

export function isSignedInHeaders(headers: readonly Header[]): boolean {
  return headers.some(([name, value]) => sameName(name, SIGN_HEADERS.sign) && value !== '');
}

/** The headers of a request to sign, in two groups. */
interface GivenHeaders {
  /** `X-TMS-*` without the signature, in the signed spelling. */
  readonly common: readonly Header[];
  readonly others: readonly Header[];
}

export function givenHeaders(headers: readonly Header[]): GivenHeaders {
  const common = headers.filter(([name]) => isSignedHeaderName(name));
  return {
    common: common
      .filter(([name]) => !sameName(name, SIGN_HEADERS.sign))
      .map(([name, value]): Header => [asDocumented(name), value]),
    others: headers.filter(([name]) => !isSignedHeaderName(name)),
  };
}

interface SignedJson {
  readonly headers: readonly Header[];
  readonly body: string;
  readonly warnings: readonly string[];
}

/**
 * Signs a JSON body (D1 section 5). `common` is the `X-TMS-*` headers of the request.
 *
 * @throws {MopError} `usage` for fields or headers that cannot be signed.
 */
export function signJson(
  members: readonly JsonMember[],
  common: readonly Header[],
  mode: SignatureMode,
  { credentials, source }: Signing,
): SignedJson {
  if (mode === 'body') {
    const { body } = signBodyMembers(members, credentials, {}, source);
    return { headers: common, body, warnings: keyWarnings(apiKeyIn(members), credentials) };
  }
  const warnings = keyWarnings(headerValue(common, SIGN_HEADERS.apiKey), credentials);
  const { headers, body } = signHeaderMembers(members, credentials, { headers: common }, source);
  return { headers: Object.entries(headers), body: body ?? '', warnings };
}

function apiKeyIn(members: readonly JsonMember[]): string | undefined {
  const value = members.find(({ name }) => name === 'api_key')?.value;
  return value?.kind === 'string' ? value.value : undefined;
}

export function keyWarnings(
  apiKey: string | undefined,
  credentials: Credentials,
): readonly string[] {
  if (apiKey === undefined || apiKey === credentials.apiKey) return [];
  return [
    `the api_key of the request is ${apiKey}, but the secret of ${credentials.apiKey} signed it: remove api_key from the request`,
  ];
}

export interface Outbound {
  readonly headers: readonly Header[];
  readonly body: Uint8Array | Readable;
  /** The request with its signature; undefined when its form cannot be read. */
  readonly request: Promise<ReceivedRequest | undefined>;
  readonly findings: Promise<SignatureFindings>;
  readonly dispose?: () => Promise<void>;
}

export function addedSignature(warnings: readonly string[]): Promise<SignatureFindings> {
  return Promise.resolve({ signature: 'added', warnings });
}

/** Headers of a single connection (RFC 9110 section 7.6.1): a proxy does not forward them. */
const HOP_BY_HOP =
  /^(?:connection|keep-alive|proxy-authenticate|proxy-authorization|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;

/** The headers that a proxy forwards: without those of the connection. */
export function endToEnd(headers: readonly Header[]): readonly Header[] {
  const listed = headers
    .filter(([name]) => /^connection$/i.test(name))
    .flatMap(([, value]) => value.toLowerCase().split(/\s*,\s*/));
  return headers.filter(([name]) => !HOP_BY_HOP.test(name) && !listed.includes(name.toLowerCase()));
}

/** undici writes these. */
const NOT_FORWARDED = /^(?:host|content-length|expect)$/i;
/** A browser adds these; they describe its user and the page. */
const OF_BROWSERS = /^(?:origin|referer|cookie|sec-.*)$/i;

export function forwardedHeaders(headers: readonly Header[]): readonly Header[] {
  const isFromPage = headers.some(([name]) => /^origin$/i.test(name));
  return endToEnd(headers).filter(
    ([name]) => !NOT_FORWARDED.test(name) && !(isFromPage && OF_BROWSERS.test(name)),
  );
}
