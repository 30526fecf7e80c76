import { MISTAKES } from './all-mistakes.ts';
import { type Habit, habitsFor } from './habits.ts';
import { DIAGNOSIS_IDS, type Evidence, type Mistake, type Suspect } from './mistake.ts';
import { digestOther, hexLowercase } from './mistakes/digests.ts';
import { fieldMissing, headerUnsigned, leaveOut } from './mistakes/signed-fields.ts';
import type { Signer } from './signer.ts';

/** A signer who makes some mistakes, in the order in which they are made. */
export interface Attempt {
  readonly signer: Signer;
  readonly suspects: readonly Suspect[];
}

/** Every attempt, those with the fewest mistakes first. */
export function* attempts(
  starts: readonly Attempt[],
  suspects: readonly Suspect[],
  evidence: Evidence,
  isLarge: boolean,
): Generator<Attempt> {
  yield* starts;
  for (const start of starts) yield* singles(start, suspects);
  const usual = isLarge ? [] : habitsFor(evidence);
  for (const start of starts) yield* habits(start, usual);
  for (const start of starts) yield* pairs(start, suspects);
  for (const start of starts) yield* fieldSets(start, evidence);
  for (const start of starts) yield* habitsAndOne(start, usual, suspects);
}

/** The signers whose signature looks like the one that was received. */
export function startsFor(right: Signer, evidence: Evidence): readonly Attempt[] {
  let starts: readonly Attempt[] = [{ signer: right, suspects: [] }];
  if (!looksLikeMd5(evidence)) {
    starts = starts.flatMap((start) =>
      variantsOf(digestOther, evidence).map((suspect) => withSuspect(start, suspect)),
    );
  }
  const [lowercase] = variantsOf(hexLowercase, evidence);
  return lowercase ? starts.map((start) => withSuspect(start, lowercase)) : starts;
}

function looksLikeMd5({ signature }: Evidence): boolean {
  return /^[0-9a-f]{32}$/i.test(signature);
}

/** The other possible mistakes, in the order in which a signer makes them. */
export function suspectsFor(evidence: Evidence, isLarge: boolean): readonly Suspect[] {
  return MISTAKES.filter((mistake) => !(isLarge && mistake.looksInside))
    .filter((mistake) => mistake !== digestOther || looksLikeMd5(evidence))
    .filter((mistake) => mistake !== hexLowercase)
    .flatMap((mistake) => variantsOf(mistake, evidence));
}

function variantsOf(mistake: Mistake, evidence: Evidence): readonly Suspect[] {
  return mistake.variants(evidence).map((variant) => ({ ...variant, mistake }));
}

/** The same signer, who makes one mistake more. */
export function withSuspect({ signer, suspects }: Attempt, suspect: Suspect): Attempt {
  return { signer: suspect.change(signer), suspects: [...suspects, suspect] };
}

/** One mistake, the preferred ones first. */
function* singles(start: Attempt, suspects: readonly Suspect[]): Generator<Attempt> {
  for (const suspect of suspects.toSorted((a, b) => rank(a) - rank(b)))
    yield withSuspect(start, suspect);
}

/** Two mistakes; those with a left-out field last, for there are as many as fields. */
function* pairs(start: Attempt, suspects: readonly Suspect[]): Generator<Attempt> {
  const steps = suspects
    .filter(({ rare }) => !rare)
    .map((suspect, step) => ({ suspect, step, alone: withSuspect(start, suspect) }));
  steps.sort((a, b) => pairRank(a.suspect) - pairRank(b.suspect));
  for (const [index, a] of steps.entries()) {
    for (const b of steps.slice(index + 1)) {
      if (a.suspect.mistake === b.suspect.mistake) continue;
      const [first, second] = a.step < b.step ? [a, b] : [b, a];
      yield withSuspect(first.alone, second.suspect);
    }
  }
}

/** The habits of a language: few, and each of them is one line of code. */
function* habits(start: Attempt, usual: readonly Habit[]): Generator<Attempt> {
  for (const habit of usual) yield habit.reduce(withSuspect, start);
}

/** The habits of a language, with one mistake more. */
function* habitsAndOne(
  start: Attempt,
  usual: readonly Habit[],
  suspects: readonly Suspect[],
): Generator<Attempt> {
  const others = suspects.filter((suspect) => !suspect.rare && !isLeftOut(suspect));
  for (const attempt of habits(start, usual)) {
    for (const suspect of others) {
      if (attempt.suspects.every(({ mistake }) => mistake !== suspect.mistake)) {
        yield withSuspect(attempt, suspect);
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
  const pairs = start.signer.steps.order(start.signer.pairs);
  const signing = (isSigned: (index: number) => boolean): Attempt => ({
    signer: start.signer.with({ order: () => pairs.filter((_, index) => isSigned(index)) }),
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

/** The mistakes of leaving out these fields and headers. */
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
