import { MopError } from '../errors.ts';
import type { JsonMember } from '../json/value.ts';
import {
  isCommonField,
  isSignedHeaderName,
  SIGN_HEADERS,
  type SignatureMode,
} from '../protocol/operations.ts';
import { md5Hex } from '../runtime/md5.ts';
import { valueText } from './value-text.ts';

/** One `name=value` pair that takes part in the signature. */
export interface Entry {
  readonly name: string;
  readonly value: string;
  /** A business field, a common field of the body (D1 2.1), or a signed header (D1 5.2). */
  readonly source: 'business' | 'common' | 'header';
}

export interface Omitted {
  readonly name: string;
  readonly reason: string;
}

export interface Collected {
  /** In the order of the request. */
  readonly entries: readonly Entry[];
  readonly omitted: readonly Omitted[];
}

export interface Signed extends Collected {
  /** `src1` of D1 section 5, without the secret. */
  readonly canonical: string;
  /** `dest`: 32 upper-case hex digits. */
  readonly sign: string;
}

/** The text of a null in the signed string: empty, none, or `null`. D1 leaves it open. */
export type NullAs = 'empty' | 'omit' | 'text';

export interface Signable {
  readonly mode: SignatureMode;
  /** Empty in body mode, which signs no headers. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly members: readonly JsonMember[];
  readonly nullAs: NullAs;
}

/** @throws {MopError} `usage` when a field of the body has the name of a signed header. */
export function signFields(request: Signable, secret: string): Signed {
  const collected = collect(request);
  const canonical = canonicalString(collected.entries);
  return { ...collected, canonical, sign: digest(canonical, secret) };
}

/** The signed fields (D1 5.1 and 5.2 step 1): the `X-TMS-*` headers, then those of the body. */
function collect({ mode, headers, members, nullAs }: Signable): Collected {
  const signName = SIGN_HEADERS.sign.toLowerCase();
  const entries: Entry[] = headers
    .filter(([name]) => isSignedHeaderName(name) && name.toLowerCase() !== signName)
    .map(([name, value]) => ({ name, value, source: 'header' }));
  const headerNames = new Set(entries.map(({ name }) => name));
  const omitted: Omitted[] = [];
  for (const { name, value } of members) {
    const isNull = value.kind === 'null';
    if (mode === 'body' && name === 'sign') {
      omitted.push({ name, reason: NOT_ITSELF });
    } else if (isNull && nullAs === 'omit') {
      omitted.push({ name, reason: 'null is left out' });
    } else if (headerNames.has(name)) {
      const fault = `the body has a field named like the signed header ${name}`;
      const hint = 'rename the field: the platform could not distinguish the two';
      throw new MopError('usage', fault, { hint });
    } else {
      const source = mode === 'body' && isCommonField(name) ? 'common' : 'business';
      const nullText = nullAs === 'text' ? 'null' : '';
      entries.push({ name, value: isNull ? nullText : valueText(value), source });
    }
  }
  if (mode === 'header') omitted.push({ name: SIGN_HEADERS.sign, reason: NOT_ITSELF });
  return { entries, omitted };
}

const NOT_ITSELF = 'the signature does not sign itself';

/** Ascending by UTF-16 code unit, independent of the locale. */
export function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Fields, pairs or members sorted by name (D1 5.1 step 2). */
export function sortedByName<Named extends { readonly name: string }>(
  named: readonly Named[],
): readonly Named[] {
  return [...named].sort((a, b) => compareNames(a.name, b.name));
}

/** The canonical string, `src1` of D1 section 5: the sorted pairs, joined by `&`. */
export function canonicalString(entries: readonly Entry[]): string {
  return sortedByName(entries)
    .map(({ name, value }) => `${name}=${value}`)
    .join('&');
}

/** `dest` of D1 section 5: MD5 of the canonical string and the secret, 32 upper-case hex digits. */
export function digest(canonical: string, secret: string): string {
  return md5Hex(canonical + secret).toUpperCase();
}
