import type { Draft } from './draft.ts';
import { habitsFor } from './habits.ts';
import {
  DIAGNOSIS_IDS,
  type DiagnosisId,
  type Evidence,
  type Mistake,
  type Variant,
} from './mistake.ts';
import { digestOther, hexLowercase } from './mistakes/digests.ts';
import { fieldMissing, headerUnsigned, leaveOut } from './mistakes/selection.ts';
import { MISTAKES } from './mistakes.ts';

/** A mistake that was proved: made on purpose, it gives the signature that was received. */
export interface Diagnosis {
  readonly id: DiagnosisId;
  /** What the signer did. */
  readonly title: string;
  /** The fields of the request that it touches, in their order. */
  readonly fields: readonly string[];
  /** What to do instead. */
  readonly fix: string;
}

export interface SearchResult {
  /** The mistakes that were made together; empty when none of the candidates gives the signature. */
  readonly diagnosis: readonly Diagnosis[];
  /** The signer who makes them; undefined without a diagnosis. */
  readonly draft: Draft | undefined;
  /** Other mistakes that give the same bytes with this request. */
  readonly alternatives: readonly DiagnosisId[];
  /** How many ways to sign were tried. */
  readonly candidates: number;
  /** False when the request is so large that not all of them could be tried. */
  readonly complete: boolean;
}

/** How much a search may compute: characters of the strings that are built and hashed. */
const DEFAULT_EFFORT = 120_000_000;

/** A mistake in one of its variants. */
interface Suspect extends Variant {
  readonly mistake: Mistake;
}

/** A signer who makes some mistakes, in the order in which they are made. */
interface Attempt {
  readonly draft: Draft;
  readonly suspects: readonly Suspect[];
}

/**
 * Searches for the mistakes that give the signature of a request, fewest first: one, two, then
 * sets of fields that were left out, then what a language does to all values at once. What the
 * signature itself shows, its length and lower case, is taken for granted and not counted.
 *
 * @param right The signer who makes no mistake.
 */
export function findMistakes(
  right: Draft,
  evidence: Evidence,
  effort: number = DEFAULT_EFFORT,
): SearchResult {
  const starts = startsFor(right, evidence);
  // Of a large request, values are not looked at one by one.
  const isLarge = right.canonical.length > LARGE;
  const suspects = suspectsFor(evidence, isLarge);
  let candidates = 0;
  let spent = 0;
  for (const attempt of attempts(starts, suspects, evidence, isLarge)) {
    if (spent > effort) return { ...NOTHING, candidates, complete: false };
    candidates++;
    spent += costOf(attempt, right);
    if (attempt.draft.signature === evidence.signature) {
      return {
        diagnosis: diagnosed(attempt, right, evidence),
        draft: attempt.draft,
        alternatives: isLarge ? [] : alternatives(attempt, starts, suspects),
        candidates,
        complete: true,
      };
    }
  }
  return { ...NOTHING, candidates, complete: !isLarge };
}

const NOTHING: Pick<SearchResult, 'diagnosis' | 'draft' | 'alternatives'> = {
  diagnosis: [],
  draft: undefined,
  alternatives: [],
};

/** In characters of the canonical string. */
const LARGE = 100_000;

/** Roughly what it takes to make an attempt, in characters that are built and hashed. */
function costOf({ draft }: Attempt, right: Draft): number {
  const { length } = draft.canonical;
  const isHashedOnly = draft.canonical === right.canonical;
  return 1000 + (isHashedOnly ? length / 6 : length);
}

function* attempts(
  starts: readonly Attempt[],
  suspects: readonly Suspect[],
  evidence: Evidence,
  isLarge: boolean,
): Generator<Attempt> {
  yield* starts;
  for (const start of starts) yield* singles(start, suspects);
  for (const start of starts) yield* pairs(start, suspects);
  for (const start of starts) yield* fieldSets(start, evidence);
  if (isLarge) return;
  for (const start of starts) yield* habits(start, suspects, evidence);
}

/** The signers whose signature looks like the one that was received. */
function startsFor(right: Draft, evidence: Evidence): readonly Attempt[] {
  let starts: readonly Attempt[] = [{ draft: right, suspects: [] }];
  if (!looksLikeMd5(evidence)) {
    starts = starts.flatMap((start) =>
      variantsOf(digestOther, evidence).map((suspect) => also(start, suspect)),
    );
  }
  const [lowercase] = variantsOf(hexLowercase, evidence);
  return lowercase ? starts.map((start) => also(start, lowercase)) : starts;
}

function looksLikeMd5({ signature }: Evidence): boolean {
  return /^[0-9a-f]{32}$/i.test(signature);
}

/** What else may have been done, in the order in which a signer does it. */
function suspectsFor(evidence: Evidence, isLarge: boolean): readonly Suspect[] {
  return MISTAKES.filter((mistake) => !(isLarge && mistake.looksInside))
    .filter((mistake) => mistake !== digestOther || looksLikeMd5(evidence))
    .filter((mistake) => mistake !== hexLowercase)
    .flatMap((mistake) => variantsOf(mistake, evidence));
}

function variantsOf(mistake: Mistake, evidence: Evidence): readonly Suspect[] {
  return mistake.variants(evidence).map((variant) => ({ ...variant, mistake }));
}

function also({ draft, suspects }: Attempt, suspect: Suspect): Attempt {
  return { draft: suspect.change(draft), suspects: [...suspects, suspect] };
}

/** One mistake, the preferred ones first. */
function* singles(start: Attempt, suspects: readonly Suspect[]): Generator<Attempt> {
  for (const suspect of suspects.toSorted((a, b) => rank(a) - rank(b))) yield also(start, suspect);
}

/** Two mistakes; those with a left-out field last, for there are as many as fields. */
function* pairs(start: Attempt, suspects: readonly Suspect[]): Generator<Attempt> {
  const steps = suspects
    .filter(({ rare }) => !rare)
    .map((suspect, step) => ({ suspect, step, alone: also(start, suspect) }));
  steps.sort((a, b) => pairRank(a.suspect) - pairRank(b.suspect));
  for (const [index, a] of steps.entries()) {
    for (const b of steps.slice(index + 1)) {
      if (a.suspect.mistake === b.suspect.mistake) continue;
      const [first, second] = a.step < b.step ? [a, b] : [b, a];
      yield also(first.alone, second.suspect);
    }
  }
}

/** The habits of a language, alone and with one mistake more. */
function* habits(
  start: Attempt,
  suspects: readonly Suspect[],
  evidence: Evidence,
): Generator<Attempt> {
  const usual = suspects.filter((suspect) => !suspect.rare && !isLeftOut(suspect));
  const attempts = habitsFor(evidence).map((habit) => habit.reduce(also, start));
  yield* attempts;
  for (const attempt of attempts) {
    for (const suspect of usual) {
      if (attempt.suspects.every(({ mistake }) => mistake !== suspect.mistake)) {
        yield also(attempt, suspect);
      }
    }
  }
}

/** The order of the contract, rare variants behind all others. */
function rank({ mistake, rare }: Suspect): number {
  return DIAGNOSIS_IDS.indexOf(mistake.id) + (rare ? DIAGNOSIS_IDS.length : 0);
}

function pairRank(suspect: Suspect): number {
  return rank(suspect) + (isLeftOut(suspect) ? DIAGNOSIS_IDS.length : 0);
}

function isLeftOut({ mistake }: Suspect): boolean {
  return mistake === fieldMissing || mistake === headerUnsigned;
}

/** Some fields left out, or only few signed, as far as the number of sets allows. */
function* fieldSets(start: Attempt, evidence: Evidence): Generator<Attempt> {
  const pairs = start.draft.steps.order(start.draft.pairs);
  const signing = (isSigned: (index: number) => boolean): Attempt => ({
    draft: start.draft.with({ order: () => pairs.filter((_, index) => isSigned(index)) }),
    get suspects() {
      const names = pairs.filter((_, index) => !isSigned(index)).map(({ name }) => name);
      return [...start.suspects, ...unsigned(names, evidence)];
    },
  });
  let sets = 0;
  for (let size = 0; size <= pairs.length / 2; size++) {
    for (const few of subsets(pairs.length, size)) {
      if (sets++ === MAX_FIELD_SETS) return;
      // One field left out is a mistake by itself and was tried as such.
      if (size > 1) yield signing((index) => !few.has(index));
      yield signing((index) => few.has(index));
    }
  }
}

/** All sets of 14 fields, and of more fields those near either end. */
const MAX_FIELD_SETS = 2 ** 13;

/** The sets of `size` numbers below `count`. */
function* subsets(count: number, size: number, from = 0): Generator<ReadonlySet<number>> {
  if (size === 0) {
    yield new Set();
    return;
  }
  for (let next = from; next <= count - size; next++) {
    for (const rest of subsets(count, size - 1, next + 1)) yield new Set(rest).add(next);
  }
}

/** What it is called when these fields and headers were left out. */
function unsigned(names: readonly string[], { fields }: Evidence): readonly Suspect[] {
  const isHeader = (name: string): boolean =>
    fields.some((field) => field.name === name && field.source === 'header');
  return [
    { mistake: fieldMissing, left: names.filter((name) => !isHeader(name)) },
    { mistake: headerUnsigned, left: names.filter(isHeader) },
  ]
    .filter(({ left }) => left.length > 0)
    .map(({ mistake, left }) => ({ mistake, ...leaveOut(left) }));
}

function diagnosed(
  { draft, suspects }: Attempt,
  right: Draft,
  { fields, files }: Evidence,
): readonly Diagnosis[] {
  const order = [...fields, ...files].map(({ name }) => name);
  let before = right;
  const found = neededFor(draft.signature, suspects, right).map((suspect): Diagnosis => {
    const after = suspect.change(before);
    const touched = touchedPositions(before, after);
    before = after;
    const { id, fix } = suspect.mistake;
    const names =
      suspect.fields?.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)) ??
      fields.filter(({ position }) => touched.has(position)).map(({ name }) => name);
    return { id, title: suspect.title, fields: names, fix };
  });
  return found.sort((a, b) => DIAGNOSIS_IDS.indexOf(a.id) - DIAGNOSIS_IDS.indexOf(b.id));
}

/** The suspects without those that may as well be left out, as parts of a habit may be. */
function neededFor(
  signature: string,
  suspects: readonly Suspect[],
  right: Draft,
): readonly Suspect[] {
  let needed = suspects;
  for (const suspect of suspects) {
    const others = needed.filter((other) => other !== suspect);
    const without = others.reduce((draft, { change }) => change(draft), right);
    if (without.signature === signature) needed = others;
  }
  return needed;
}

/** Where the fields stand whose pairs differ between two signers. */
function touchedPositions(before: Draft, after: Draft): ReadonlySet<number> {
  if (before.pairs === after.pairs) return new Set();
  const textsOf = ({ pairs }: Draft): ReadonlyMap<number, string> => {
    const texts = new Map<number, string>();
    for (const { name, value, position } of pairs) {
      texts.set(position, `${texts.get(position) ?? ''}&${name}=${value}`);
    }
    return texts;
  };
  const [old, now] = [textsOf(before), textsOf(after)];
  const positions = [...old.keys(), ...now.keys()];
  return new Set(positions.filter((position) => old.get(position) !== now.get(position)));
}

/** The other single mistakes that give the bytes of this one. */
function alternatives(
  { draft, suspects: made }: Attempt,
  starts: readonly Attempt[],
  suspects: readonly Suspect[],
): readonly DiagnosisId[] {
  const ids = new Set<DiagnosisId>();
  for (const start of starts) {
    if (made.length !== start.suspects.length + 1) continue;
    for (const suspect of suspects) {
      const isOther = !made.some(({ mistake }) => mistake === suspect.mistake);
      if (isOther && also(start, suspect).draft.signature === draft.signature) {
        ids.add(suspect.mistake.id);
      }
    }
  }
  return [...ids];
}
