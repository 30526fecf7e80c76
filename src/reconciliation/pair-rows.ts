import { compareDecimals, type Decimal, multiply, parseDecimal, subtract } from './decimal.ts';

/** A row of one side. */
export interface ComparedRow {
  /** The fields of the key, as written. */
  readonly key: readonly string[];
  /** The amounts as plain digits; empty for blank ones. */
  readonly amounts: readonly string[];
  readonly path: string;
  /** The line of the row in its file. */
  readonly line: number;
  /** The rows that were added up, if there are several. */
  readonly rows?: readonly ComparedRow[];
}

/** A difference between a bill and records. */
export interface Difference {
  /**
   * `different`: both sides have the key, with different amounts. `duplicate`: both sides have the
   * key, one of them more often; this is a surplus row.
   */
  readonly kind: 'only-in-bill' | 'only-in-records' | 'different' | 'duplicate';
  readonly bill?: ComparedRow;
  readonly records?: ComparedRow;
}

/** By how much equal amounts may differ: by an amount, or by a part of the bill's amount. */
export type Tolerance =
  | { readonly kind: 'amount'; readonly amount: Decimal }
  | { readonly kind: 'part'; readonly part: Decimal };

/** Up to this many rows of a key, the best pairs are found; beyond, they are looked for in order. */
export const BEST_PAIRS = 8;

export interface PairedRows {
  readonly matched: number;
  readonly differences: readonly Difference[];
}

type Amounts = Pick<ComparedRow, 'amounts'>;

/**
 * Pairs the rows of one key so that most pairs have equal amounts, the others by their amounts.
 * Beyond {@link BEST_PAIRS} rows with a tolerance, a pair may be missed.
 */
export function pairRows(
  bill: readonly ComparedRow[],
  records: readonly ComparedRow[],
  tolerance: Tolerance | undefined,
): PairedRows {
  const [ours, theirs] = [bill.toSorted(compareAmounts), records.toSorted(compareAmounts)];
  const isSmall = Math.max(ours.length, theirs.length) <= BEST_PAIRS;
  const pairs =
    tolerance && isSmall
      ? bestPairs(ours, theirs, tolerance)
      : pairsInOrder(ours, theirs, tolerance);
  const restOfBill = ours.filter((_, at) => !pairs.has(at));
  const paired = new Set(pairs.values());
  const restOfRecords = theirs.filter((_, at) => !paired.has(at));
  const count = Math.max(restOfBill.length, restOfRecords.length);
  const differences = Array.from({ length: count }, (_, index) =>
    differenceOf(restOfBill[index], restOfRecords[index]),
  );
  return { matched: pairs.size, differences };
}

function differenceOf(bill: ComparedRow | undefined, records: ComparedRow | undefined): Difference {
  if (bill && records) return { kind: 'different', bill, records };
  return { kind: 'duplicate', ...(bill && { bill }), ...(records && { records }) };
}

/** The index of a row of the records, by the index of the row of the bill that it is paired with. */
type Pairs = ReadonlyMap<number, number>;

/** The pairs that one pass over both sorted sides finds: the most possible without a tolerance. */
function pairsInOrder(
  bill: readonly ComparedRow[],
  records: readonly ComparedRow[],
  tolerance: Tolerance | undefined,
): Pairs {
  const pairs = new Map<number, number>();
  let [i, j] = [0, 0];
  for (;;) {
    const [a, b] = [bill[i], records[j]];
    if (!a || !b) return pairs;
    if (areEqual(a, b, tolerance)) pairs.set(i++, j++);
    else if (compareAmounts(a, b) < 0) i++;
    else j++;
  }
}

/** An exact pair counts more than one within the tolerance, but less than a second pair. */
const [EXACT, WITHIN] = [1001, 1000];

/** The most pairs, by trying for each row of the bill every row of the records that is still free. */
function bestPairs(
  bill: readonly ComparedRow[],
  records: readonly ComparedRow[],
  tolerance: Tolerance,
): Pairs {
  const scores = bill.map((a) =>
    records.map((b) => {
      if (areEqual(a, b, undefined)) return EXACT;
      return areEqual(a, b, tolerance) ? WITHIN : 0;
    }),
  );
  const known = new Map<number, { score: number; pairs: Pairs }>();
  const best = (row: number, used: number): { score: number; pairs: Pairs } => {
    if (row === bill.length) return { score: 0, pairs: new Map() };
    const state = row * 2 ** BEST_PAIRS + used;
    const found = known.get(state);
    if (found) return found;
    let result = best(row + 1, used);
    for (const [at, score] of scores[row]?.entries() ?? []) {
      if (score === 0 || used & (1 << at)) continue;
      const rest = best(row + 1, used | (1 << at));
      if (rest.score + score > result.score) {
        result = { score: rest.score + score, pairs: new Map([[row, at], ...rest.pairs]) };
      }
    }
    known.set(state, result);
    return result;
  };
  return best(0, 0).pairs;
}

function compareAmounts(a: Amounts, b: Amounts): number {
  for (const [index, text] of a.amounts.entries()) {
    const order = compareTexts(text, b.amounts[index] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

/** Blank amounts come first. */
function compareTexts(a: string, b: string): number {
  const [left, right] = [parseDecimal(a), parseDecimal(b)];
  if (left && right) return compareDecimals(left, right);
  return Number(left !== undefined) - Number(right !== undefined);
}

/** Whether all amounts of two rows are equal. Without a tolerance they must have the same value. */
export function areEqual(a: Amounts, b: Amounts, tolerance: Tolerance | undefined): boolean {
  return a.amounts.every((text, index) => {
    const other = b.amounts[index] ?? '';
    if (text === other) return true;
    const [left, right] = [parseDecimal(text), parseDecimal(other)];
    return left !== undefined && right !== undefined && isWithin(left, right, tolerance);
  });
}

/** Whether an amount of the bill and one of the records differ by at most the tolerance. */
export function isWithin(
  bill: Decimal,
  records: Decimal,
  tolerance: Tolerance | undefined,
): boolean {
  const difference = magnitude(subtract(bill, records));
  if (!tolerance) return BigInt(difference.units) === 0n;
  const limit =
    tolerance.kind === 'amount' ? tolerance.amount : multiply(magnitude(bill), tolerance.part);
  return compareDecimals(difference, limit) <= 0;
}

function magnitude({ units, scale }: Decimal): Decimal {
  return { units: units < 0 ? -units : units, scale };
}
