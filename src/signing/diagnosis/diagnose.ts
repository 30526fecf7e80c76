import { type Attempt, attempts, withSuspect } from './attempts.ts';
import { habitsFor } from './habits.ts';
import { once } from './memoized.ts';
import { DIAGNOSIS_IDS, type DiagnosisId, type Evidence, RARE, type Suspect } from './mistake.ts';
import type { Signer } from './signer.ts';
import {
  costOf,
  type LaterSuspects,
  laterSuspects,
  suspectsFor,
  visibleMistakes,
} from './suspects.ts';

/** One of the mistakes that together reproduce the received signature. */
export interface Diagnosis {
  readonly id: DiagnosisId;
  /** The mistake of the signer, in words. */
  readonly title: string;
  /** The affected fields, in the order of the request. */
  readonly fields: readonly string[];
  readonly fix: string;
}

export interface SearchResult {
  /** The combined mistakes; empty when no candidate reproduces the received signature. */
  readonly diagnosis: readonly Diagnosis[];
  /** The signer with these mistakes; undefined without a diagnosis. */
  readonly signer: Signer | undefined;
  /** Other mistakes that give the same signature for this request. */
  readonly alternatives: readonly DiagnosisId[];
  /** The number of signers tried. */
  readonly candidates: number;
  /** False when the limit of the search left candidates untried. */
  readonly complete: boolean;
}

/** Limits of a search: the number of characters that it builds and hashes. */
export const EFFORTS = {
  /** Single mistakes and the habits of languages: up to 0.5 s. */
  low: 20_000_000,
  /** Combinations of mistakes: up to 2 s. */
  normal: 150_000_000,
  /** Rare mistakes, and more combinations of three: up to half a minute. */
  high: 3_000_000_000,
} as const;

/** A search. At intervals it yields the number of signers tried; at its end it returns a result. */
export type Search<Result> = Generator<number, Result>;

/** Runs a search to its end. */
export function runSearch<Result>(search: Search<Result>): Result {
  for (;;) {
    const { done, value } = search.next();
    if (done) return value;
  }
}

/**
 * Searches for the mistakes that reproduce the signature of a request, in the order of
 * {@link attempts}. If the signature is not an MD5 in hex, its form or its digest is the first mistake.
 *
 * @param right The signer without a mistake.
 * @param effort The limit of the search, such as one of {@link EFFORTS}; 0 tries nothing.
 * @param maxCandidates The maximum number of signers to try.
 */
export function* searchMistakes(
  right: Signer,
  evidence: Evidence,
  effort: number,
  maxCandidates = Infinity,
): Search<SearchResult> {
  if (effort === 0) return { ...NO_DIAGNOSIS, candidates: 0, complete: false };
  const withoutMistake: Attempt = { signer: right, suspects: [] };
  const baselines = visibleMistakes(evidence).map((suspects) =>
    suspects.reduce(withSuspect, withoutMistake),
  );
  if (baselines.length === 0) return { ...NO_DIAGNOSIS, candidates: 0, complete: true };
  const large = isLarge(right.canonical);
  // Listing the suspects takes as long as trying a thousand signers.
  const suspects = once(() => suspectsFor(evidence, large));
  const later = () => (large ? NO_LATER : laterSuspects(right, evidence, suspects()));
  const habits = () => (large ? [] : habitsFor(evidence));
  const maxCost = large ? 0 : effort > EFFORTS.normal ? HIGH_COST : NORMAL_COST;
  const budget = large ? Math.min(effort, LARGE_EFFORT) : effort;
  let candidates = 0;
  let spent = 0;
  let nextStep = EFFORT_PER_STEP;
  for (const attempt of attempts(baselines, { suspects, later, habits }, evidence, maxCost)) {
    if (spent > budget || candidates === maxCandidates) {
      return { ...NO_DIAGNOSIS, candidates, complete: false };
    }
    candidates++;
    spent += effortOf(attempt, right);
    if (spent > nextStep) {
      yield candidates;
      nextStep = spent + EFFORT_PER_STEP;
    }
    if (attempt.signer.signature === evidence.signature) {
      return {
        diagnosis: diagnosed(attempt, right, evidence),
        signer: attempt.signer,
        alternatives: large ? [] : alternatives(attempt, baselines, suspects),
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
const EFFORT_PER_STEP = 1_500_000;

const NO_LATER: LaterSuspects = { ofOneField: [], ofSomeFields: [] };
const NO_DIAGNOSIS = { diagnosis: [], signer: undefined, alternatives: [] };

/** Whether a canonical string is too long to try combinations of mistakes. */
export function isLarge(canonical: string): boolean {
  return canonical.length > 100_000;
}

const LARGE_EFFORT = 40_000_000;

/** The approximate effort of an attempt, in characters that are built and hashed. */
function effortOf({ signer }: Attempt, right: Signer): number {
  const { length } = signer.canonical;
  const isHashedOnly = signer.canonical === right.canonical;
  return 1000 + (isHashedOnly ? length / 6 : length);
}

function diagnosed(
  { signer, suspects }: Attempt,
  right: Signer,
  evidence: Evidence,
): readonly Diagnosis[] {
  let before = right;
  const found = new Map<DiagnosisId, Diagnosis>();
  const needed = neededFor(signer.signature, suspects, right);
  // An intermediate text may be neither right nor signed: show the right and signed texts.
  const isFlattened = needed.some(({ mistake }) => mistake.id === 'nested-flattened');
  for (const suspect of needed) {
    const after = suspect.change(before);
    const changed = suspect.fields ? [] : changedPositions(before, after);
    const [wanted, wrong] = isFlattened ? [right, signer] : [before, after];
    const example = exampleOf(changed, textsOf(wanted), textsOf(wrong));
    const next = diagnosisOf(suspect, changed, example, evidence);
    const same = found.get(next.id);
    found.set(next.id, same ? merged(same, next) : next);
    before = after;
  }
  const order = [...evidence.fields, ...evidence.files].map(({ name }) => name);
  return [...found.values()]
    .map((diagnosis) => ({
      ...diagnosis,
      fields: diagnosis.fields.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)),
    }))
    .sort((a, b) => DIAGNOSIS_IDS.indexOf(a.id) - DIAGNOSIS_IDS.indexOf(b.id));
}

function diagnosisOf(
  suspect: Suspect,
  changed: readonly number[],
  example: string,
  { fields }: Evidence,
): Diagnosis {
  return {
    id: suspect.mistake.id,
    title: suspect.title + example,
    fields:
      suspect.fields ??
      fields.filter(({ position }) => changed.includes(position)).map(({ name }) => name),
    fix: suspect.fix ?? suspect.mistake.fix,
  };
}

/** The same mistake made with different fields. */
function merged(a: Diagnosis, b: Diagnosis): Diagnosis {
  return {
    id: a.id,
    title: `${a.title}; ${b.title}`,
    fields: [...new Set([...a.fields, ...b.fields])],
    fix: a.fix === b.fix ? a.fix : `${a.fix}; ${b.fix}`,
  };
}

/** Drops suspects that the signature does not need, such as unused parts of a habit. */
function neededFor(
  signature: string,
  suspects: readonly Suspect[],
  right: Signer,
): readonly Suspect[] {
  let needed = suspects;
  for (const suspect of suspects) {
    const others = needed.filter((other) => other !== suspect);
    const without = others.reduce((signer, { change }) => change(signer), right);
    if (without.signature === signature) needed = others;
  }
  return needed;
}

type Texts = ReadonlyMap<number, string>;

/** The positions of the fields whose pairs differ between two signers. */
function changedPositions(before: Signer, after: Signer): readonly number[] {
  if (before.pairs === after.pairs) return [];
  const [old, now] = [textsOf(before), textsOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].filter(
    (position) => old.get(position) !== now.get(position),
  );
}

/** The joined pairs of each field, by position. */
function textsOf({ pairs }: Signer): Texts {
  const texts = new Map<number, string>();
  for (const { name, value, position } of pairs) {
    const others = texts.get(position);
    texts.set(position, `${others === undefined ? '' : `${others}&`}${name}=${value}`);
  }
  return texts;
}

/** The first changed pair, before and after, for the title. */
function exampleOf(changed: readonly number[], right: Texts, signed: Texts): string {
  for (const position of changed) {
    const [wrong, wanted] = [signed.get(position), right.get(position)];
    if (wrong !== undefined && wanted !== undefined && wrong !== wanted) {
      return `: ${excerpt(wrong, wanted)} instead of ${excerpt(wanted, wrong)}`;
    }
  }
  return '';
}

/** A pair for a message. A long pair is cut to its name and the part at the first difference. */
function excerpt(pair: string, other: string): string {
  let same = 0;
  while (same < pair.length && pair[same] === other[same]) same++;
  const name = pair.slice(0, pair.indexOf('=') + 1);
  const from = Math.max(name.length, same - MAX_BEFORE_DIFFERENCE);
  const value = pair.slice(from, from + EXCERPT_LENGTH);
  const shown = `${from > name.length ? '…' : ''}${value}${from + EXCERPT_LENGTH < pair.length ? '…' : ''}`;
  return name + (/^\s|\s$|[\p{Cc}]/u.test(shown) ? JSON.stringify(shown) : shown);
}

/** The characters of a value in a title. */
const EXCERPT_LENGTH = 40;
const MAX_BEFORE_DIFFERENCE = 12;

/** The other plausible single mistakes that give the same signature. */
function alternatives(
  { signer, suspects: made }: Attempt,
  baselines: readonly Attempt[],
  suspects: () => readonly Suspect[],
): readonly DiagnosisId[] {
  const ids = new Set<DiagnosisId>();
  for (const baseline of baselines) {
    if (made.length !== baseline.suspects.length + 1) continue;
    for (const suspect of suspects().filter((each) => costOf(each) <= RARE)) {
      const isOther = !made.some(({ mistake }) => mistake === suspect.mistake);
      if (isOther && withSuspect(baseline, suspect).signer.signature === signer.signature) {
        ids.add(suspect.mistake.id);
      }
    }
  }
  return [...ids];
}
