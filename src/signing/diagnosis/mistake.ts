import type { Field, SignedContent } from '../received-request.ts';
import type { Signer } from './signer.ts';

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

/** One mistake that a signer may make: a row of the tables in `tables/`. */
export interface Variant {
  readonly id: DiagnosisId;
  readonly title: string;
  /** Implausibility from 1. The costs of a combination add up. */
  readonly cost: number;
  readonly change: (signer: Signer) => Signer;
  /** Whether it changes only the text of values: a signer may make it in a single field. */
  readonly changesText: boolean;
  /** The affected fields; default: those whose pairs differ. */
  readonly fields?: readonly string[];
  /** Default: the fix of the id and of the language, {@link fixOf}. */
  readonly fix?: string;
  /** Variants with the same slot exclude each other. Default: the id. */
  readonly slot?: string;
}

export type TableRow = Omit<Variant, 'id'>;
export type Table = readonly TableRow[];

type RequestLists = Readonly<Record<string, (evidence: Evidence) => Table>>;

export interface Mistake {
  readonly id: DiagnosisId;
  /** Variants that do not depend on the request. */
  readonly rows: readonly Variant[];
  /** A line in docs/debugging.md for each list that depends on the request. */
  readonly about: readonly string[];
  /** The variants of a request, without {@link rows}. */
  readonly ofRequest: (evidence: Evidence) => readonly Variant[];
}

export function mistake(
  id: DiagnosisId,
  tables: readonly Table[],
  ofRequest: RequestLists = {},
): Mistake {
  const named = (rows: Table): readonly Variant[] => rows.map((row) => ({ ...row, id }));
  return {
    id,
    rows: named(tables.flat()),
    about: Object.keys(ofRequest),
    ofRequest: (evidence) => Object.values(ofRequest).flatMap((list) => named(list(evidence))),
  };
}

/** Costs. Half of all wrong signers make a common mistake. */
export const COMMON = 1;
/** Costs up to 3 are tried first. Up to 5, mistakes are combined if their costs add up to 6. */
export const USUAL = 2;
/** Plausible as the only mistake. Combined only at high effort, or as the text of one field. */
export const UNCOMMON = 7;
export const RARE = 8;
/** Combined only at high effort, and only with a {@link COMMON} mistake. */
export const VERY_RARE = 11;

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

/** The fields, for a list with variants of each; none if there are more than 200. */
export function fewFields({ fields }: Evidence): readonly Field[] {
  return fields.length > 200 ? [] : fields;
}
