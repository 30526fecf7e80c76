import type { SignedContent } from '../received-request.ts';
import type { PrintStyle } from './print-style.ts';
import type { Signer } from './signer.ts';

/** The mistakes that can be named, in the order of preference when several give the same bytes. */
export const DIAGNOSIS_IDS = [
  'secret-whitespace',
  'secret-other-profile',
  'secret-joined',
  'secret-sorted-in',
  'null-included',
  'empty-dropped',
  'sort-unsorted',
  'sort-case-insensitive',
  'sort-locale',
  'sign-included',
  'field-missing',
  'hex-lowercase',
  'digest-hmac-md5',
  'digest-other',
  'wrong-scheme',
  'charset-gbk',
  'charset-latin1',
  'value-url-encoded',
  'number-reformatted',
  'boolean-reformatted',
  'nested-spacing',
  'nested-key-order',
  'nested-flattened',
  'nested-escaped-unicode',
  'nested-escaped-slash',
  'string-quoted',
  'unicode-form',
  'newline-style',
  'header-name-case',
  'header-unsigned',
  'multipart-file-included',
  'html-entities',
] as const;

export type DiagnosisId = (typeof DIAGNOSIS_IDS)[number];

/** A mistake that signers make. */
export interface Mistake {
  readonly id: DiagnosisId;
  /** What to do instead. */
  readonly fix: string;
  /** Whether every value is looked at, which is too much for a very large request. */
  readonly looksInside?: boolean;
  /** The ways to make it with this request; none where it could change nothing. */
  readonly variants: (evidence: Evidence) => readonly Variant[];
}

/** One way to make a mistake. */
export interface Variant {
  /** What the signer did. */
  readonly title: string;
  /** The signer who makes it, from one who does not. */
  readonly change: (signer: Signer) => Signer;
  /** The fields that it touches; left out, those whose pairs differ. */
  readonly fields?: readonly string[];
  /** Too odd to be tried together with another mistake. */
  readonly rare?: boolean;
}

/** A mistake in one of its variants. */
export interface Suspect extends Variant {
  readonly mistake: Mistake;
}

/** Values printed in another way, always by the same style, so that its texts are kept. */
export function styled(title: string, changes: Partial<PrintStyle>): Variant {
  return { title, change: (signer) => signer.withStyle(changes) };
}

/** Variants that are tried by themselves only. */
export function rarely(variants: readonly Variant[]): readonly Variant[] {
  return variants.map((variant) => ({ ...variant, rare: true }));
}

/** A signed request and the secrets that there are, for the mistakes to go by. */
export interface Evidence extends SignedContent {
  readonly secret: string;
  readonly otherSecrets: readonly NamedSecret[];
}

/** A secret and whose it is, such as the profile that holds it. */
export interface NamedSecret {
  readonly name: string;
  readonly secret: string;
}
