import { fieldMissing, headerUnsigned, leaveOut } from './dimensions/fields.ts';
import { MISTAKES } from './dimensions.ts';
import type { Habit } from './habits.ts';
import type { Evidence, Suspect } from './mistake.ts';
import type { Signer } from './signer.ts';
import { costOf } from './suspects.ts';

/** A signer who makes some mistakes, in the order in which a program makes them. */
export interface Attempt {
  readonly signer: Signer;
  readonly suspects: readonly Suspect[];
}

/** Suspects that are combined as one: a single one, or the habit of a language. */
interface Part {
  readonly suspects: readonly Suspect[];
  /** What it varies; parts that share a slot exclude each other. */
  readonly slots: readonly string[];
  readonly cost: number;
  /** Tells parts apart that cost the same. */
  readonly index: number;
  /** The signer who makes these mistakes alone, for each start. */
  readonly alone: readonly Attempt[];
}

/**
 * Every attempt: first one mistake, then the habits of languages, then combinations by the sum of
 * their costs up to `maxCost`, with sets of unsigned fields among them.
 */
export function* attempts(
  starts: readonly Attempt[],
  suspects: readonly Suspect[],
  habits: readonly Habit[],
  evidence: Evidence,
  maxCost: number,
): Generator<Attempt> {
  yield* starts;
  const toPart = partMaker(starts);
  const singles: Part[] = [];
  const effects = new Set(starts.map(({ signer }) => signer.signature));
  for (const suspect of suspects) {
    const single = toPart([suspect], costOf(suspect));
    yield* single.alone;
    const effect = single.alone[0]?.signer.signature ?? '';
    // One that changes nothing here, or the same as a cheaper one, may still show beside another.
    const cost = effects.has(effect) ? single.cost + WITHOUT_EFFECT : single.cost;
    singles.push({ ...single, cost });
    effects.add(effect);
  }
  const usual = habits.map((habit) => toPart(habit, HABIT_COST));
  for (const { alone } of usual) yield* alone;
  const parts = [...usual, ...singles];
  const byCost = Array.from({ length: maxCost }, (_, sum) =>
    parts.filter(({ cost }) => cost === sum),
  );
  for (let total = 2; total <= maxCost; total++) {
    for (const two of combinations(2, total, byCost)) yield* combined(two, starts);
    const three = combinations(3, total - THIRD_PART, byCost);
    for (const combination of three) yield* combined(combination, starts);
    if (total === FIELD_SETS_COST) for (const start of starts) yield* fieldSets(start, evidence);
  }
}

const HABIT_COST = 2;
const WITHOUT_EFFECT = 5;
/** Added to the cost of three parts. */
const THIRD_PART = 3;
const FIELD_SETS_COST = 5;

function partMaker(starts: readonly Attempt[]) {
  let index = 0;
  return (suspects: readonly Suspect[], cost: number): Part => {
    const ordered = suspects.toSorted((a, b) => stepOf(a) - stepOf(b));
    return {
      suspects: ordered,
      slots: ordered.map(({ slot, mistake }) => slot ?? mistake.id),
      cost,
      index: index++,
      alone: starts.map((start) => ordered.reduce(withSuspect, start)),
    };
  };
}

const STEPS = new Map(MISTAKES.map((mistake, step) => [mistake, step]));

function stepOf({ mistake }: Suspect): number {
  return STEPS.get(mistake) ?? 0;
}

/** The same signer, who makes one mistake more. */
export function withSuspect({ signer, suspects }: Attempt, suspect: Suspect): Attempt {
  return { signer: suspect.change(signer), suspects: [...suspects, suspect] };
}

/** The sets of compatible parts whose costs have this sum, each once. */
function* combinations(
  size: number,
  total: number,
  byCost: readonly (readonly Part[] | undefined)[],
  before?: Part,
): Generator<readonly Part[]> {
  const first = size === 1 ? total : (before?.cost ?? 1);
  for (let cost = first; cost * size <= total; cost++) {
    for (const part of byCost[cost] ?? []) {
      if (before?.cost === cost && part.index <= before.index) continue;
      if (size === 1) {
        yield [part];
        continue;
      }
      for (const others of combinations(size - 1, total - cost, byCost, part)) {
        if (others.every((other) => areCompatible(part, other))) yield [part, ...others];
      }
    }
  }
}

function areCompatible(a: Part, b: Part): boolean {
  return !a.slots.some((slot) => b.slots.includes(slot));
}

/** Parts made together; the first keeps what it has computed. */
function* combined(parts: readonly Part[], starts: readonly Attempt[]): Generator<Attempt> {
  const [first, ...others] = parts.toSorted((a, b) => firstStep(a) - firstStep(b)) as [
    Part,
    ...Part[],
  ];
  const rest = others.flatMap(({ suspects }) => suspects);
  const isInOrder = rest.every((suspect) => stepOf(suspect) >= lastStep(first));
  const all = isInOrder
    ? rest
    : [...first.suspects, ...rest].toSorted((a, b) => stepOf(a) - stepOf(b));
  for (const start of isInOrder ? first.alone : starts) yield all.reduce(withSuspect, start);
}

function firstStep({ suspects: [first] }: Part): number {
  return first ? stepOf(first) : 0;
}

function lastStep({ suspects }: Part): number {
  const last = suspects.at(-1);
  return last ? stepOf(last) : 0;
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
