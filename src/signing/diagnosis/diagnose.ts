import { isNested } from '../../json/value.ts';
import {
  type Attempt,
  attempts,
  baselinesOf,
  CHEAP,
  variantsFor,
  withVariant,
} from './attempts.ts';
import { type Diagnosis, diagnosed } from './explanation.ts';
import type { DiagnosisId, Evidence, Variant } from './mistake.ts';
import { fieldText, RIGHT_STYLE } from './print-style.ts';
import type { Signer } from './signer.ts';

export type { Diagnosis } from './explanation.ts';

export interface SearchResult {
  /** The combined mistakes; empty when no candidate reproduces the received signature. */
  readonly diagnosis: readonly Diagnosis[];
  /** The signer with these mistakes; undefined without a diagnosis. */
  readonly signer: Signer | undefined;
  /** Other mistakes that give the same signature for this request. */
  readonly alternatives: readonly DiagnosisId[];
  readonly candidates: number;
  /** False when the limit of the search left candidates untried. */
  readonly complete: boolean;
}

/** Limits of a search, in quarters of a character that it builds and hashes. */
export const EFFORTS = {
  /** Single mistakes and the habits of languages: up to 0.5 s. */
  low: 40_000_000,
  /** Combinations of mistakes: up to 2 s. */
  normal: 250_000_000,
  /** Rare mistakes, and more combinations of three: up to half a minute. */
  high: 5_000_000_000,
} as const;

/** A search. At intervals it yields the number of signers tried; at its end it returns a result. */
export type Search<Result> = Generator<number, Result>;

export function runSearch<Result>(search: Search<Result>): Result {
  for (;;) {
    const { done, value } = search.next();
    if (done) return value;
  }
}

/**
 * Searches for the mistakes that reproduce a signature, in the order of {@link attempts}. The
 * effort is a limit such as one of {@link EFFORTS}; 0 tries nothing.
 */
export function* searchMistakes(
  right: Signer,
  evidence: Evidence,
  effort: number,
  maxCandidates = Infinity,
): Search<SearchResult> {
  if (effort === 0) return { ...NO_DIAGNOSIS, candidates: 0, complete: false };
  const [usual, ...others] = baselinesOf(right, evidence);
  if (!usual) return { ...NO_DIAGNOSIS, candidates: 0, complete: true };
  const baselines = [usual, ...others] as const;
  const large = isLarge(right.canonical);
  const budget = large ? Math.min(effort, LARGE_EFFORT) : effort;
  const usualVariants = variantsFor(evidence, large);
  const nested = extraLength(evidence);
  const perRepetition = effortOf(right.canonical.length + nested);
  const extent = {
    maxCost: large ? 0 : effort > EFFORTS.normal ? HIGH_COST : NORMAL_COST,
    maxCount: budget / perRepetition,
  };
  let candidates = 0;
  let spent = 0;
  let nextStep = EFFORT_PER_STEP;
  for (const attempt of attempts(baselines, evidence, usualVariants, extent)) {
    if (spent > budget || candidates === maxCandidates) {
      return { ...NO_DIAGNOSIS, candidates, complete: false };
    }
    if (attempt === undefined) {
      spent += perRepetition;
      continue;
    }
    candidates++;
    const { canonical } = attempt.signer;
    spent += effortOf(canonical.length + nested, canonical === right.canonical);
    if (spent > nextStep) {
      yield candidates;
      nextStep = spent + EFFORT_PER_STEP;
    }
    if (attempt.signer.signature === evidence.signature) {
      return {
        diagnosis: diagnosed(attempt, right, evidence),
        signer: attempt.signer,
        alternatives: large ? [] : alternatives(attempt, baselines, usualVariants),
        candidates,
        complete: true,
      };
    }
  }
  return { ...NO_DIAGNOSIS, candidates, complete: !large };
}

/** Maximum cost of a combination. Two mistakes, each in a single field, cost 6 together. */
const NORMAL_COST = 6;
const HIGH_COST = 12;
/** About 10 ms of work, in the unit of {@link effortOf}. */
const EFFORT_PER_STEP = 3_000_000;

const NO_DIAGNOSIS = { diagnosis: [], signer: undefined, alternatives: [] };

/** Whether a canonical string is too long to try combinations of mistakes. */
export function isLarge(canonical: string): boolean {
  return canonical.length > 100_000;
}

const LARGE_EFFORT = 160_000_000;
const CONSTANT_EFFORT = 1000;

/** The approximate effort of an attempt. One that only hashes the right string again costs less. */
function effortOf(length: number, isHashedOnly = false): number {
  return CONSTANT_EFFORT + (isHashedOnly ? length / 2 : 4 * length);
}

/** Nested JSON takes twice as long: its characters beyond the first 2,000 count again. */
function extraLength({ fields }: Evidence): number {
  const nested = fields.reduce((sum, { value }) => {
    return isNested(value) ? sum + (fieldText(value, RIGHT_STYLE)?.length ?? 0) : sum;
  }, 0);
  return Math.max(0, nested - 2000);
}

function alternatives(
  { signer, variants: made }: Attempt,
  baselines: readonly Attempt[],
  variants: readonly Variant[],
): readonly DiagnosisId[] {
  const ids = new Set<DiagnosisId>(made.map(({ id }) => id));
  const plausible = variants.filter(({ cost }) => cost <= CHEAP);
  for (const baseline of baselines) {
    if (made.length !== baseline.variants.length + 1) continue;
    for (const variant of plausible) {
      if (ids.has(variant.id)) continue;
      const other = withVariant(baseline, variant).signer;
      if (other.signature === signer.signature) ids.add(variant.id);
    }
  }
  return [...ids].filter((id) => made.every((each) => each.id !== id));
}
