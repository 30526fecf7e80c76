import { fieldMissing, headerUnsigned, withoutFields } from './dimensions/fields.ts';
import { MISTAKES } from './dimensions.ts';
import type { Habit } from './habits.ts';
import { type Evidence, RARE, type Suspect } from './mistake.ts';
import type { Signer } from './signer.ts';
import {
  asOneField,
  comparePlausibility,
  costOf,
  type LaterSuspects,
  ONE_FIELD,
  type OneFieldText,
} from './suspects.ts';

/** A signer with some mistakes, in the order of {@link MISTAKES}. */
export interface Attempt {
  readonly signer: Signer;
  readonly suspects: readonly Suspect[];
}

/** The mistakes and habits that could change something in a request, each listed when it is needed. */
export interface SuspectLists {
  readonly suspects: () => readonly Suspect[];
  /** Further suspects, which take long to list: called after the cheap ones fail. */
  readonly later: () => LaterSuspects;
  readonly habits: () => readonly Habit[];
}

/** Suspects that are combined as one unit: a single suspect, or the habit of a language. */
interface Part {
  readonly suspects: readonly Suspect[];
  /** The slots of its suspects. Parts that share a slot exclude each other: {@link areCompatible}. */
  readonly slots: readonly string[];
  readonly cost: number;
  /** The places of its first and last suspect in {@link MISTAKES}. */
  readonly firstStep: number;
  readonly lastStep: number;
  /** Orders parts of the same cost. */
  readonly index: number;
  /** Each baseline with the mistakes of this part added. */
  readonly alone: readonly Attempt[];
}

interface CombinablePart extends Part {
  /** A mistake as the text of the one field that it changes; undefined for any other: {@link asOneField}. */
  readonly oneField: OneFieldText | undefined;
}

/**
 * Yields the baselines, single mistakes, the habits of languages, and mistakes in some fields.
 * Combinations up to `maxCost` follow, sorted by the sum of their costs, to which a third part adds
 * {@link THIRD_PART}. After the combinations of the cost {@link RARE_AFTER_COST} come sets of unsigned
 * fields, and combinations of a rare and a common text.
 * With a `maxCost` of 0, no signer stays in memory.
 *
 * @param baselines One attempt for each list of mistakes that the signature itself shows, such as
 *   lower case: {@link visibleMistakes}.
 */
export function* attempts(
  baselines: readonly Attempt[],
  lists: SuspectLists,
  evidence: Evidence,
  maxCost: number,
): Generator<Attempt> {
  yield* baselines;
  const builder = new PartBuilder(baselines);
  const parts: CombinablePart[] = [];
  const rareTexts: OneFieldText[] = [];
  for (const suspects of singleParts(lists)) {
    const part = builder.part(suspects);
    yield* part.alone;
    if (maxCost === 0) continue;
    const isNew = builder.recordEffect(part);
    const cost = part.cost + (isNew ? 0 : SAME_EFFECT_COST);
    // A part of a higher cost is not kept: its signers would fill the memory.
    if (cost < maxCost) parts.push({ ...part, cost, oneField: builder.oneFieldOf(part) });
    else if (isNew && isRareText(part)) {
      const text = builder.oneFieldOf(part);
      if (text) rareTexts.push(text);
    }
  }
  const byCost = Array.from({ length: maxCost }, (_, sum) =>
    parts.filter(({ cost }) => cost === sum),
  );
  for (let total = 2; total <= maxCost; total++) {
    for (const two of combinationsOfTwo(total, byCost)) yield* combined(two, baselines);
    for (const three of combinationsOfThree(total - THIRD_PART, byCost))
      yield* combined(three, baselines);
    if (total === RARE_AFTER_COST) {
      for (const baseline of baselines) {
        yield* fieldSets(baseline, evidence);
        yield* rareCombinations(baseline, rareTexts, parts, evidence);
      }
    }
  }
}

/** The suspects of each part. A slow list is built only after the parts before it were tried. */
function* singleParts({ suspects, later, habits }: SuspectLists): Generator<readonly Suspect[]> {
  const isCheap = (suspect: Suspect): boolean => costOf(suspect) <= CHEAP;
  yield* sorted(suspects().filter(isCheap));
  const { ofOneField, ofSomeFields } = later();
  yield* sorted([...suspects().filter((suspect) => !isCheap(suspect)), ...ofOneField]);
  yield* habits();
  for (const suspect of ofSomeFields) yield [suspect];
}

/** Single suspects, the most plausible first. */
function sorted(suspects: readonly Suspect[]): readonly (readonly Suspect[])[] {
  return suspects.toSorted(comparePlausibility).map((suspect) => [suspect]);
}

/** Mistakes up to this cost are tried before the others are listed: most signers make one of them. */
const CHEAP = 3;
const HABIT_COST = 3;
/** Added to the cost of a part that gives this request the signature of an earlier part. */
const SAME_EFFECT_COST = 5;
/** Added to the cost of a combination of three parts. */
const THIRD_PART = 3;
/** The cost after which sets of unsigned fields and combinations with a rare text are tried. */
const RARE_AFTER_COST = 5;

/** Builds parts, and records which of them give the same signature. */
class PartBuilder {
  readonly #baselines: readonly Attempt[];
  readonly #effects: Set<string>;
  #count = 0;

  constructor(baselines: readonly Attempt[]) {
    this.#baselines = baselines;
    this.#effects = new Set(baselines.map(({ signer }) => signer.signature));
  }

  part(suspects: readonly Suspect[]): Part {
    const ordered = suspects.toSorted((a, b) => stepOf(a) - stepOf(b));
    const [only] = suspects;
    return {
      suspects: ordered,
      slots: ordered.map(({ slot, mistake }) => slot ?? mistake.id),
      cost: only && suspects.length === 1 ? costOf(only) : habitCost(suspects),
      firstStep: Math.min(...ordered.map(stepOf)),
      lastStep: Math.max(...ordered.map(stepOf)),
      index: this.#count++,
      alone: this.#baselines.map((baseline) => ordered.reduce(withSuspect, baseline)),
    };
  }

  /** A part of one mistake as the text of the one field that it changes; otherwise undefined. */
  oneFieldOf({ suspects, alone }: Part): OneFieldText | undefined {
    const [baseline] = this.#baselines;
    const [suspect, ...others] = suspects;
    const [made] = alone;
    if (!baseline || !suspect || !made || others.length > 0) return undefined;
    return asOneField(suspect, baseline.signer, made.signer);
  }

  /** Records the signature of a part. Returns whether no earlier part and no baseline has it. */
  recordEffect({ alone }: Part): boolean {
    const effect = alone[0]?.signer.signature ?? '';
    const isNew = !this.#effects.has(effect);
    this.#effects.add(effect);
    return isNew;
  }
}

/** Habits are common, except those with a rare mistake. */
function habitCost(suspects: readonly Suspect[]): number {
  return suspects.some((suspect) => costOf(suspect) >= RARE) ? RARE : HABIT_COST;
}

const STEPS = new Map(MISTAKES.map((mistake, step) => [mistake, step]));

function stepOf({ mistake }: Suspect): number {
  return STEPS.get(mistake) ?? 0;
}

/** The same signer with one more mistake. */
export function withSuspect({ signer, suspects }: Attempt, suspect: Suspect): Attempt {
  return { signer: suspect.change(signer), suspects: [...suspects, suspect] };
}

type PartsByCost = readonly (readonly CombinablePart[] | undefined)[];

/** Each two compatible parts after `before` whose costs add up to `total`. */
function* combinationsOfTwo(
  total: number,
  byCost: PartsByCost,
  before?: CombinablePart,
): Generator<readonly [CombinablePart, CombinablePart]> {
  for (let cost = before?.cost ?? 1; cost <= total / 2; cost++) {
    for (const first of byCost[cost] ?? []) {
      if (!isAfter(first, before)) continue;
      for (const second of byCost[total - cost] ?? []) {
        if (isAfter(second, first) && areCompatible(first, second)) yield [first, second];
      }
    }
  }
}

/** Each three compatible parts whose costs add up to `total`. */
function* combinationsOfThree(
  total: number,
  byCost: PartsByCost,
): Generator<readonly CombinablePart[]> {
  for (let cost = 1; cost <= total / 3; cost++) {
    for (const first of byCost[cost] ?? []) {
      for (const [second, third] of combinationsOfTwo(total - cost, byCost, first)) {
        if (areCompatible(first, second) && areCompatible(first, third)) {
          yield [first, second, third];
        }
      }
    }
  }
}

/**
 * For a part that is too rare for other combinations: whether {@link rareCombinations} uses it. A
 * mistake that names its fields, such as an omitted one, is not only a text.
 */
function isRareText({ cost, suspects }: Part): boolean {
  return cost <= MAX_RARE_COST && suspects.every(({ fields }) => !fields);
}

/** A rare text of one business field combined with a common text of another. */
function* rareCombinations(
  baseline: Attempt,
  rare: readonly OneFieldText[],
  parts: readonly CombinablePart[],
  { fields }: Evidence,
): Generator<Attempt> {
  if (baseline.signer.pairs.length > MAX_RARE_FIELDS) return;
  const business = new Set(
    fields.filter(({ source }) => source === 'business').map(({ position }) => position),
  );
  const rareOfBusiness = rare.filter(({ position }) => business.has(position));
  const common = parts.flatMap(({ oneField, cost }) =>
    oneField && cost <= CHEAP && business.has(oneField.position) ? [oneField] : [],
  );
  let count = 0;
  for (const first of rareOfBusiness) {
    for (const second of common) {
      if (first.position === second.position) continue;
      if (count++ === MAX_RARE_COMBINATIONS) return;
      const suspects = [first.suspect, second.suspect].sort((a, b) => stepOf(a) - stepOf(b));
      yield suspects.reduce(withSuspect, baseline);
    }
  }
}

/** The cost of a rare mistake in a single field. */
const MAX_RARE_COST = RARE + ONE_FIELD;
/**
 * Limits all signed fields. More give too many combinations of texts: a request with ten business
 * fields already has 30,000.
 */
const MAX_RARE_FIELDS = 16;
const MAX_RARE_COMBINATIONS = 2 ** 15;

/** Whether a part comes after another: each set of parts is built in one order only. */
function isAfter(part: Part, other: Part | undefined): boolean {
  return !other || part.cost > other.cost || (part.cost === other.cost && part.index > other.index);
}

/** Parts that share a slot exclude each other, unless each changes one field, and not the same. */
function areCompatible(a: CombinablePart, b: CombinablePart): boolean {
  if (!shareSlot(a, b)) return true;
  const [first, second] = [a.oneField, b.oneField];
  return first !== undefined && second !== undefined && first.position !== second.position;
}

function shareSlot(a: Part, b: Part): boolean {
  return a.slots.some((slot) => b.slots.includes(slot));
}

/**
 * Combines parts in the order of {@link MISTAKES}. Reuses the signers of the first part if all its
 * suspects come before the others.
 */
function* combined(
  parts: readonly CombinablePart[],
  baselines: readonly Attempt[],
): Generator<Attempt> {
  const ordered = parts
    .map((part) =>
      parts.some((other) => other !== part && shareSlot(part, other)) ? asText(part) : part,
    )
    .sort((a, b) => a.firstStep - b.firstStep);
  const [first, ...others] = ordered as [CombinablePart, ...CombinablePart[]];
  if (others.every(({ firstStep }) => firstStep >= first.lastStep)) {
    for (const alone of first.alone) yield others.reduce(withPart, alone);
    return;
  }
  const suspects = ordered.flatMap((part) => part.suspects);
  suspects.sort((a, b) => stepOf(a) - stepOf(b));
  for (const baseline of baselines) yield suspects.reduce(withSuspect, baseline);
}

/** Replaces a print style with the text of the one field that it changes: two styles conflict. */
function asText(part: CombinablePart): CombinablePart {
  return part.oneField ? { ...part, suspects: [part.oneField.suspect] } : part;
}

function withPart(attempt: Attempt, { suspects }: Part): Attempt {
  return suspects.reduce(withSuspect, attempt);
}

/** For each of up to {@link MAX_FIELD_SETS} sets of fields: an attempt without it, and one of it alone. */
function* fieldSets(baseline: Attempt, evidence: Evidence): Generator<Attempt> {
  const pairs = baseline.signer.steps.order(baseline.signer.pairs);
  const signing = (isSigned: (index: number) => boolean): Attempt => ({
    signer: baseline.signer.with({ order: () => pairs.filter((_, index) => isSigned(index)) }),
    get suspects() {
      const names = pairs.filter((_, index) => !isSigned(index)).map(({ name }) => name);
      return [...baseline.suspects, ...unsigned(names, evidence)];
    },
  });
  let sets = 0;
  for (let size = 0; size <= pairs.length / 2; size++) {
    for (const chosen of subsets(pairs.length, size)) {
      if (sets++ === MAX_FIELD_SETS) return;
      // Omitting one field is a single mistake, which was already tried.
      if (size > 1) yield signing((index) => !chosen.has(index));
      yield signing((index) => chosen.has(index));
    }
  }
}

/** These sets and their complements are all sets of 14 fields. The smallest sets come first. */
const MAX_FIELD_SETS = 2 ** 13;

/** All sets of `size` numbers below `count`. */
function* subsets(count: number, size: number, from = 0): Generator<ReadonlySet<number>> {
  if (size === 0) {
    yield new Set();
    return;
  }
  for (let next = from; next <= count - size; next++) {
    for (const rest of subsets(count, size - 1, next + 1)) yield new Set(rest).add(next);
  }
}

/** The mistakes of omitting these fields and headers. */
function unsigned(names: readonly string[], { fields }: Evidence): readonly Suspect[] {
  const isHeader = (name: string): boolean =>
    fields.some((field) => field.name === name && field.source === 'header');
  return [
    { mistake: fieldMissing, omitted: names.filter((name) => !isHeader(name)) },
    { mistake: headerUnsigned, omitted: names.filter(isHeader) },
  ]
    .filter(({ omitted }) => omitted.length > 0)
    .map(({ mistake, omitted }) => ({ mistake, ...withoutFields(omitted) }));
}
