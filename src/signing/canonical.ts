import { hashHex } from '../runtime/digests.ts';

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
  return hashHex('md5', canonical + secret).toUpperCase();
}
