import { text } from '../json/build.ts';
import { printJson } from '../json/print.ts';
import type { JsonMember, JsonValue } from '../json/value.ts';
import { COMMON_FIELDS, type CommonField, isCommonField } from '../protocol/operations.ts';
import {
  type Collected,
  canonicalString,
  digest,
  type Entry,
  type Omitted,
  type Signed,
} from './canonical.ts';
import { assertCredentials, assertOptions, assertText } from './check-arguments.ts';
import {
  type Credentials,
  type FieldSource,
  freshFields,
  type RequestFields,
  timestampText,
} from './request-fields.ts';
import { assertWellFormed, readBody, valueText } from './value-text.ts';

/** A request signed by protocol 1.0. */
export interface SignedBody extends Signed {
  /** The JSON to send, in one line. */
  readonly body: string;
}

/**
 * Signs a request by protocol 1.0: common fields and signature in the body (D1 5.1).
 *
 * Common fields of the body are kept unless `fields` replaces them. Missing or null common fields
 * are generated and appended.
 *
 * @param bodyText A JSON object with the business fields.
 * @throws {MopError} `usage` for a body that cannot be signed; see {@link readBody}.
 *
 * @example
 * ```ts
 * import { signBody } from 'mop-cli/signing';
 * import type { Credentials, FieldSource, RequestFields, SignedBody } from 'mop-cli/signing';
 *
 * const credentials: Credentials = { apiKey: 'sandbox', secret: 'sandbox-secret' };
 * const fields: RequestFields = { nonce: 'abcdefghij' };
 * const now = () => 1795150800_000;
 * const source: FieldSource = { now, nonce: () => 'random', seqId: () => 'seq-1' };
 * const signed: SignedBody = signBody('{"lat":30.10}', credentials, fields, source);
 * console.log(signed.canonical);
 * // api_key=sandbox&lat=30.10&nonce=abcdefghij&seq_id=seq-1&timestamp=1795150800
 * ```
 */
export function signBody(
  bodyText: string,
  credentials: Credentials,
  fields: RequestFields = {},
  source: FieldSource = freshFields,
): SignedBody {
  assertText(bodyText);
  assertCredentials(credentials);
  assertOptions('fields', fields);
  return signBodyMembers(readBody(bodyText), credentials, fields, source);
}

/** {@link signBody} for an already parsed body. */
export function signBodyMembers(
  members: readonly JsonMember[],
  credentials: Credentials,
  fields: RequestFields,
  source: FieldSource,
): SignedBody {
  const signed = withCommonFields(members, credentials, fields, source);
  const collected = collectBody(signed);
  const canonical = canonicalString(collected.entries);
  const sign = digest(canonical, credentials.secret);
  const sent = signed.filter(({ name }) => name !== 'sign');
  const body: JsonValue = {
    kind: 'object',
    members: [...sent, { name: 'sign', value: text(sign) }],
  };
  return { body: printJson(body), canonical, sign, ...collected };
}

/** The signed fields of a body: all except `sign` and nulls (D1 5.1 step 1). */
export function collectBody(members: readonly JsonMember[]): Collected {
  const entries: Entry[] = [];
  const omitted: Omitted[] = [];
  for (const { name, value } of members) {
    const source = isCommonField(name) ? 'common' : 'business';
    if (name === 'sign') omitted.push({ name, reason: 'the signature does not sign itself' });
    else if (value.kind === 'null') omitted.push({ name, reason: 'null is left out' });
    else entries.push({ name, value: valueText(value), source });
  }
  return { entries, omitted };
}

function withCommonFields(
  members: readonly JsonMember[],
  credentials: Credentials,
  fields: RequestFields,
  source: FieldSource,
): readonly JsonMember[] {
  const { apiKey, seqId, timestamp, nonce } = fields;
  const given: Readonly<Record<CommonField, JsonValue | undefined>> = {
    api_key: givenText('api_key', apiKey),
    seq_id: givenText('seq_id', seqId),
    timestamp: timestamp === undefined ? undefined : integer(timestampText(timestamp)),
    nonce: givenText('nonce', nonce),
  };
  const generate: Readonly<Record<CommonField, () => JsonValue>> = {
    api_key: () => text(credentials.apiKey),
    seq_id: () => text(source.seqId()),
    timestamp: () => integer(String(Math.floor(source.now() / 1000))),
    nonce: () => text(source.nonce()),
  };
  const own = members
    .map(({ name, value }) => ({ name, value: (isCommonField(name) && given[name]) || value }))
    .filter(({ name, value }) => !(isCommonField(name) && value.kind === 'null'));
  const present = new Set(own.map(({ name }) => name));
  const added = COMMON_FIELDS.filter((name) => !present.has(name)).map((name) => ({
    name,
    value: given[name] ?? generate[name](),
  }));
  return [...own, ...added];
}

function integer(digits: string): JsonValue {
  return { kind: 'number', text: digits };
}

function givenText(name: CommonField, value: string | undefined): JsonValue | undefined {
  if (value === undefined) return undefined;
  assertWellFormed(name, value);
  return text(value);
}
