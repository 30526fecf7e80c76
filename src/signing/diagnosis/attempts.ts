import { largest } from '../../any-length.ts';
import { CATALOGUE, LATER } from './catalogue.ts';
import { habitsOf } from './habits.ts';
import {
  COMMON,
  DIAGNOSIS_IDS,
  type DiagnosisId,
  type Evidence,
  RARE,
  type Variant,
} from './mistake.ts';
import { type OneFieldText, oneFieldText, partsOfFields } from './parts-of-fields.ts';
import type { Signer } from './signer.ts';
import { withoutFields } from './tables/fields.ts';

export interface Attempt {
  readonly signer: Signer;
  readonly variants: readonly Variant[];
}

export interface Extent {
  /** Maximum cost of a combination; 0 for single mistakes only, with no signer kept in memory. */
  readonly maxCost: number;
  /** Maximum number of signers: further ones are not even listed. */
  readonly maxCount: number;
}

/** Variants that are combined as one unit: a single variant, or the habit of a language. */
interface Part {
  readonly variants: readonly Variant[];
  /** The slots of its variants. Parts that share a slot exclude each other: {@link areCompatible}. */
  readonly slots: readonly string[];
  /** The steps of its first and last variant. */
  readonly firstStep: number;
  readonly lastStep: number;
  readonly cost: number;
  readonly index: number;
  readonly alone: readonly Attempt[];
  /** The text of the one field that it changes, if it changes no more. */
  readonly oneField: OneFieldText | undefined;
}

/**
 * Yields the baselines, single mistakes, habits, and combinations by the sum of their costs. Sets
 * of unsigned fields follow the combinations of the cost {@link FIELD_SETS_AFTER}, rare mistakes
 * beside a common one those of {@link RARE_AFTER}. Undefined for a mistake that gives this request
 * the signature of an earlier one.
 */
export function* attempts(
  baselines: readonly [Attempt, ...Attempt[]],
  evidence: Evidence,
  variants: readonly Variant[],
  { maxCost, maxCount }: Extent,
): Generator<Attempt | undefined> {
  yield* baselines;
  const [usual] = baselines;
  const seen = new Set(baselines.map(({ signer }) => signer.signature));
  const byCost = Array.from({ length: maxCost }, (): Part[] => []);
  const rare: (readonly Variant[])[] = [];
  let kept = 0;
  for (const part of singleParts(usual.signer, evidence, variants, maxCount, maxCost === 0)) {
    const ordered = inSteps(part);
    const alone = baselines.map((baseline) => ordered.reduce(withVariant, baseline));
    const { signer } = alone[0] ?? usual;
    if (seen.has(signer.signature)) {
      yield undefined;
      continue;
    }
    seen.add(signer.signature);
    yield* alone;
    const cost = costOf(part);
    if (cost >= maxCost && maxCost > 0 && cost <= MAX_RARE) rare.push(ordered);
    if (cost >= maxCost || kept > MAX_KEPT) continue;
    kept += signer.canonical.length;
    byCost[cost]?.push({
      variants: ordered,
      slots: ordered.map(({ slot, id }) => slot ?? id),
      firstStep: stepOf(ordered[0]),
      lastStep: stepOf(ordered.at(-1)),
      cost,
      index: seen.size,
      alone,
      oneField: ordered.length === 1 ? oneFieldText(ordered, usual.signer, signer) : undefined,
    });
  }
  for (let total = 2; total <= maxCost; total++) {
    for (const parts of combinations(2, total, byCost)) yield* combined(parts, baselines);
    for (const parts of combinations(3, total - THIRD_PART, byCost)) {
      yield* combined(parts, baselines);
    }
    if (total === FIELD_SETS_AFTER) {
      for (const baseline of baselines) yield* fieldSets(baseline, evidence);
    }
    if (total === RARE_AFTER) yield* withCommon(baselines, rare, byCost[COMMON] ?? []);
  }
}

/** A rare mistake beside one that half of all wrong signers make. */
function* withCommon(
  baselines: readonly Attempt[],
  rare: readonly (readonly Variant[])[],
  common: readonly Part[],
): Generator<Attempt> {
  for (const { slots, variants } of common) {
    for (const others of rare) {
      if (others.some(({ slot, id }) => slots.includes(slot ?? id))) continue;
      const both = inSteps([...variants, ...others]);
      for (const baseline of baselines) yield both.reduce(withVariant, baseline);
    }
  }
}

/** The cost of a rare mistake, also in a single field. */
const MAX_RARE = RARE + 1;

/** Characters of the signers that are kept for combinations. */
const MAX_KEPT = 4_000_000;
/** Mistakes up to this cost are tried before the others are listed: most signers make one of them. */
export const CHEAP = 3;
const HABIT_COST = 3;
const THIRD_PART = 3;
/** Before long combinations: in a long request, the effort ends soon after them. */
const FIELD_SETS_AFTER = 3;
const RARE_AFTER = 5;

/** The variants of each part. A long list is built only after the parts before it were tried. */
function* singleParts(
  right: Signer,
  evidence: Evidence,
  usual: readonly Variant[],
  maxCount: number,
  isLarge: boolean,
): Generator<readonly Variant[]> {
  const isCheap = ({ cost }: Variant): boolean => cost <= CHEAP;
  for (const variant of usual.filter(isCheap)) yield [variant];
  const others = usual.filter((variant) => !isCheap(variant));
  if (isLarge) {
    for (const variant of others) yield [variant];
    return;
  }
  const later = [
    ...others,
    ...partsOfFields(right, evidence, usual, maxCount),
    ...LATER.flatMap(({ ofRequest }) => ofRequest(evidence)),
  ];
  for (const variant of later.sort(comparePlausibility)) yield [variant];
  yield* habitsOf(usual);
}

/**
 * The usual single mistakes, the most plausible first, without those that the signature shows. For
 * a large request, only those that read few values.
 */
export function variantsFor(evidence: Evidence, isLarge: boolean): readonly Variant[] {
  const isMd5 = looksLikeMd5(evidence);
  return MISTAKES.filter(({ id }) => id !== 'hex-lowercase' && (isMd5 || !VISIBLE.includes(id)))
    .filter(({ id }) => !(isLarge && READS_EVERY_VALUE.has(id)))
    .flatMap(({ rows, ofRequest }) => [...rows, ...ofRequest(evidence)])
    .sort(comparePlausibility);
}

const MISTAKES = Object.values(CATALOGUE).flat();
const STEPS = new Map(MISTAKES.map(({ id }, step) => [id, step]));
const PLACES = new Map(DIAGNOSIS_IDS.map((id, place) => [id, place]));

/** Mistakes to try only if the signature does not look like an MD5. */
const VISIBLE: readonly DiagnosisId[] = ['digest-other', 'signature-format'];

/** Mistakes that are not tried for a very large request: they would take too long. */
const READS_EVERY_VALUE: ReadonlySet<DiagnosisId> = new Set([
  ...['Text of values', 'Nested values', 'Character encoding'].flatMap((heading) =>
    (CATALOGUE[heading] ?? []).map(({ id }) => id),
  ),
  ...(['empty-dropped', 'whole-body', 'names-changed'] as const),
]);

/**
 * One attempt for each list of mistakes that the signature itself shows, such as lower case. A
 * signature of the right form gives one without a mistake, an unknown form none.
 */
export function baselinesOf(right: Signer, evidence: Evidence): readonly Attempt[] {
  const without: Attempt = { signer: right, variants: [] };
  const listOf = (id: DiagnosisId): readonly Variant[] =>
    MISTAKES.filter((mistake) => mistake.id === id).flatMap(({ ofRequest }) => ofRequest(evidence));
  const lowerCase = listOf('hex-lowercase');
  if (looksLikeMd5(evidence)) return [lowerCase.reduce(withVariant, without)];
  return VISIBLE.flatMap(listOf).map((variant) =>
    [variant, ...(variant.id === 'digest-other' ? lowerCase : [])].reduce(withVariant, without),
  );
}

function looksLikeMd5({ signature }: Evidence): boolean {
  return /^[0-9a-f]{32}$/i.test(signature);
}

function comparePlausibility(a: Variant, b: Variant): number {
  return a.cost - b.cost || (PLACES.get(a.id) ?? 0) - (PLACES.get(b.id) ?? 0);
}

/** Habits are common, except those with a rare mistake. */
function costOf(variants: readonly Variant[]): number {
  const costs = variants.map(({ cost }) => cost);
  return largest(costs, variants.length > 1 ? HABIT_COST : 0);
}

function stepOf(variant: Variant | undefined): number {
  return (variant && STEPS.get(variant.id)) ?? 0;
}

function inSteps(variants: readonly Variant[]): readonly Variant[] {
  return variants.toSorted((a, b) => stepOf(a) - stepOf(b));
}

export function withVariant({ signer, variants }: Attempt, variant: Variant): Attempt {
  return { signer: variant.change(signer), variants: [...variants, variant] };
}

type PartsByCost = readonly (readonly Part[] | undefined)[];

/** Each `count` compatible parts after `before` whose costs add up to `total`. */
function* combinations(
  count: number,
  total: number,
  byCost: PartsByCost,
  before: readonly Part[] = [],
): Generator<readonly Part[]> {
  const last = before.at(-1);
  const from = count === 1 ? total : (last?.cost ?? 1);
  for (let cost = from; cost <= total / count; cost++) {
    for (const part of byCost[cost] ?? []) {
      if (!isAfter(part, last) || !before.every((other) => areCompatible(other, part))) continue;
      const parts = [...before, part];
      if (count === 1) yield parts;
      else yield* combinations(count - 1, total - cost, byCost, parts);
    }
  }
}

/** Whether a part comes after another: each set of parts is built in one order only. */
function isAfter(part: Part, other: Part | undefined): boolean {
  return !other || part.cost > other.cost || (part.cost === other.cost && part.index > other.index);
}

/** Parts that share a slot exclude each other, unless each changes one field, and not the same. */
function areCompatible(a: Part, b: Part): boolean {
  if (!shareSlot(a, b)) return true;
  const [first, second] = [a.oneField, b.oneField];
  return first !== undefined && second !== undefined && first.position !== second.position;
}

function shareSlot(a: Part, b: Part): boolean {
  return a.slots.some((slot) => b.slots.includes(slot));
}

/**
 * Combines parts in the order of the steps, on the signers of the first part if its variants come
 * first. Of two parts of one slot, each is the text of its field: two styles conflict.
 */
function* combined(parts: readonly Part[], baselines: readonly Attempt[]): Generator<Attempt> {
  const [first, ...others] = parts;
  if (!first) return;
  const lists = parts.map((part) => {
    const { oneField, variants } = part;
    const conflicts = oneField && parts.some((other) => other !== part && shareSlot(part, other));
    return conflicts ? [oneField.variant] : variants;
  });
  const startsAlone =
    lists[0] === first.variants && others.every(({ firstStep }) => firstStep >= first.lastStep);
  if (startsAlone) lists.shift();
  const [only = [], ...further] = lists;
  const rest = further.length === 0 ? only : inSteps(lists.flat());
  for (const start of startsAlone ? first.alone : baselines) yield rest.reduce(withVariant, start);
}

/** For each of up to {@link MAX_FIELD_SETS} sets of fields: an attempt without it, and one of it alone. */
function* fieldSets(baseline: Attempt, { fields }: Evidence): Generator<Attempt> {
  const pairs = baseline.signer.steps.order(baseline.signer.pairs);
  const signing = (isSigned: (index: number) => boolean): Attempt => ({
    signer: baseline.signer.with({ order: () => pairs.filter((_, index) => isSigned(index)) }),
    get variants() {
      const names = pairs.filter((_, index) => !isSigned(index)).map(({ name }) => name);
      const omitted = fields.filter(({ name }) => names.includes(name));
      return [...baseline.variants, ...withoutFields(omitted)];
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

function* subsets(count: number, size: number, from = 0): Generator<ReadonlySet<number>> {
  if (size === 0) {
    yield new Set();
    return;
  }
  for (let next = from; next <= count - size; next++) {
    for (const rest of subsets(count, size - 1, next + 1)) yield new Set(rest).add(next);
  }
}
