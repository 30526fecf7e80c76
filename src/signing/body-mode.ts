import { text } from '../json/build.ts';
import { printJson } from '../json/print.ts';
import type { JsonMember, JsonValue } from '../json/value.ts';
import { COMMON_FIELDS, isCommonField } from '../protocol/operations.ts';
import { type Signed, signFields } from './canonical.ts';
import { assertCredentials, assertOptions, assertText } from './check-arguments.ts';
import {
  type Credentials,
  commonValues,
  type FieldSource,
  freshFields,
  type RequestFields,
} from './request-fields.ts';
import { assertWellFormed, readBody } from './value-text.ts';

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
  assertText('body', bodyText);
  assertCredentials(credentials);
  assertOptions('fields', fields);
  return signBodyMembers(readBody(bodyText), credentials, fields, source);
}

export function signBodyMembers(
  members: readonly JsonMember[],
  credentials: Credentials,
  fields: RequestFields,
  source: FieldSource,
): SignedBody {
  const all = withCommonFields(members, credentials, fields, source);
  const content = { mode: 'body', headers: [], members: all, nullAs: 'omit' } as const;
  const signed = signFields(content, credentials.secret);
  const sent = all.filter(({ name }) => name !== 'sign');
  const sign = { name: 'sign', value: text(signed.sign) };
  return { body: printJson({ kind: 'object', members: [...sent, sign] }), ...signed };
}

function withCommonFields(
  members: readonly JsonMember[],
  credentials: Credentials,
  fields: RequestFields,
  source: FieldSource,
): readonly JsonMember[] {
  const common = commonValues(fields, credentials, source);
  const own = members.map(({ name, value }) => {
    const given = isCommonField(name) ? common[name].given : undefined;
    return { name, value: given === undefined ? value : commonValue(name, given) };
  });
  const kept = own.filter(({ name, value }) => !isCommonField(name) || value.kind !== 'null');
  const present = new Set(kept.map(({ name }) => name));
  const added = COMMON_FIELDS.filter((name) => !present.has(name)).map((name) => {
    const { given, generate } = common[name];
    return { name, value: commonValue(name, given ?? generate()) };
  });
  return [...kept, ...added];
}

function commonValue(name: string, value: string): JsonValue {
  assertWellFormed(name, value);
  return name === 'timestamp' ? { kind: 'number', text: value } : text(value);
}
