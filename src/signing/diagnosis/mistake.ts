import type { Field, SignedContent } from '../received-request.ts';
import type { PrintStyle } from './print-style.ts';
import type { PairEdit, Signer, Steps } from './signer.ts';

/**
 * The known mistakes; when several give the same bytes, the first is preferred.
 *
 * @example
 * ```ts
 * import { DIAGNOSIS_IDS } from 'mop-cli/signing';
 *
 * console.log(DIAGNOSIS_IDS.includes('secret-joined'));
 * // true
 * ```
 */
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
  'version',
  'pairs-joined',
  'values-only',
  'names-changed',
  'fields-stale',
  'field-extra',
  'value-reformatted',
  'encoding-other',
  'signature-format',
  'whole-body',
] as const;

export type DiagnosisId = (typeof DIAGNOSIS_IDS)[number];

export interface Mistake {
  readonly id: DiagnosisId;
  readonly fix: string;
  /** Skipped for a very large request: it would take too long. */
  readonly readsEveryValue?: boolean;
  /** Its variants change the text of values, so a signer may make it in a single field only. */
  readonly perField?: boolean;
  /** The variants that could change something in this request. */
  readonly variants: (evidence: Evidence) => readonly Variant[];
}

/** One choice of a signer, such as the order of the pairs, and its possible mistakes. */
export interface Dimension {
  /** The heading in docs/diagnosis.md. */
  readonly name: string;
  readonly mistakes: readonly Mistake[];
}

export interface Variant {
  /** The mistake of the signer, in words. */
  readonly title: string;
  /** The line of the table in docs/diagnosis.md, shared by similar variants; default the title. */
  readonly family?: string;
  /** Adds the mistake to a signer. */
  readonly change: (signer: Signer) => Signer;
  /** The affected fields; default: those whose pairs differ. */
  readonly fields?: readonly string[];
  /** Default: the fix of the mistake. */
  readonly fix?: string;
  /** Implausibility from 1; default {@link USUAL}. The costs of a combination add up. */
  readonly cost?: number;
  /** Variants with the same slot exclude each other. Default: the id of the mistake. */
  readonly slot?: string;
}

/** The cost of a mistake that half of all wrong signers make. */
export const COMMON = 1;
export const USUAL = 2;
/** Plausible as the only mistake. Combined only at high effort, or as the text of one field. */
export const UNCOMMON = 7;
export const RARE = 8;
/** Combined only at high effort, and only with a {@link COMMON} mistake. */
export const VERY_RARE = 11;

export interface Suspect extends Variant {
  readonly mistake: Mistake;
}

/** A variant that replaces steps of a signer. */
export function withSteps(title: string, steps: Partial<Steps>): Variant {
  return { title, change: (signer) => signer.with(steps) };
}

/** A variant that changes the joined pairs after earlier changes. */
export function rewritten(title: string, rewrite: Steps['rewrite']): Variant {
  return {
    title,
    change: (signer) => {
      const { rewrite: before } = signer.steps;
      return signer.with({ rewrite: (text) => rewrite(before(text)) });
    },
  };
}

/** A variant that signs other fields. */
export function withFields(
  title: string,
  change: (fields: readonly Field[]) => readonly Field[],
): Variant {
  return { title, change: (signer) => signer.with({ fields: change(signer.steps.fields) }) };
}

/** The words for a separator; empty without one. */
export function separatorText(separator: string): string {
  return separator && `, with ${JSON.stringify(separator)} between`;
}

/** A variant that changes each pair after its value was converted to text. */
export function edited(title: string, edit: PairEdit): Variant {
  return { title, change: (signer) => signer.withEdit(edit) };
}

/** A variant that prints values in another style. `changes` is constant, so texts can be cached. */
export function styled(title: string, changes: Partial<PrintStyle>): Variant {
  return { title, change: (signer) => signer.withStyle(changes) };
}

export function variantsIf(applies: boolean, ...variants: readonly Variant[]): readonly Variant[] {
  return applies ? variants : [];
}

export function withCost(cost: number, variants: readonly Variant[]): readonly Variant[] {
  return variants.map((variant) => ({ ...variant, cost }));
}

export function inFamily(family: string, variants: readonly Variant[]): readonly Variant[] {
  return variants.map((variant) => ({ ...variant, family }));
}

export function rarely(variants: readonly Variant[]): readonly Variant[] {
  return withCost(RARE, variants);
}

/** A signed request and the known secrets. */
export interface Evidence extends SignedContent {
  readonly secret: string;
  readonly otherSecrets: readonly NamedSecret[];
}

/** A secret with the name of its owner, such as a profile. */
export interface NamedSecret {
  readonly name: string;
  readonly secret: string;
}

/** A secret with the api_key that it belongs to. */
export interface KnownSecret extends NamedSecret {
  readonly apiKey: string | undefined;
}
