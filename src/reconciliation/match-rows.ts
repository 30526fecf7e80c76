import { MopError } from '../errors.ts';
import { compareDecimals, type Decimal, isWithin, parseDecimal } from './decimal.ts';
import type { EntryCursor } from './entry-cursor.ts';
import type { Entry } from './entry-reader.ts';

/** A difference between a bill and records. */
export interface Difference {
  /**
   * `different`: both sides have the key, with different amounts. `duplicate`: both sides have the
   * key, one of them more often; this is a surplus row.
   */
  readonly kind: 'only-in-bill' | 'only-in-records' | 'different' | 'duplicate';
  readonly bill?: Entry;
  readonly records?: Entry;
}

/** The rows of both sides that have one key. */
export interface KeyRows {
  readonly bill: readonly Entry[];
  readonly records: readonly Entry[];
}

/** Maximum rows of a key on one side: they are all in memory at once. */
const MAX_ROWS_OF_KEY = 100_000;

/**
 * The rows of both sides, key by key. Both cursors must be in the order of keys.
 *
 * @throws {MopError} `usage` for a key with more than 100,000 rows on one side.
 */
export async function* rowsByKey(bill: EntryCursor, records: EntryCursor): AsyncGenerator<KeyRows> {
  for (let key = nextKey(bill, records); key !== undefined; key = nextKey(bill, records)) {
    yield { bill: await takeRows(bill, key), records: await takeRows(records, key) };
  }
}

function nextKey({ entry: a }: EntryCursor, { entry: b }: EntryCursor): string | undefined {
  if (a === undefined || b === undefined) return (a ?? b)?.sortKey;
  return a.sortKey < b.sortKey ? a.sortKey : b.sortKey;
}

async function takeRows(cursor: EntryCursor, key: string): Promise<Entry[]> {
  const rows: Entry[] = [];
  for (let { entry } = cursor; entry?.sortKey === key; { entry } = cursor) {
    if (rows.length === MAX_ROWS_OF_KEY) throw tooManyRows(entry);
    rows.push(entry);
    const nextBatch = cursor.advance();
    if (nextBatch) await nextBatch;
  }
  return rows;
}

function tooManyRows({ key }: Entry): MopError {
  const shown = key.map((field) => JSON.stringify(field)).join(', ');
  const message = `more than ${MAX_ROWS_OF_KEY} rows have the key ${shown}`;
  return new MopError('usage', message, {
    hint: 'choose a column that identifies an order: --key',
  });
}

export interface PairedRows {
  /** The number of pairs whose amounts are equal. */
  readonly matched: number;
  readonly differences: readonly Difference[];
}

/**
 * Pairs the rows of a key: those with equal amounts first, then the others in the order of their
 * amounts. The order of the rows does not matter, and swapping the sides gives the same pairs. Equal
 * amounts are found in one pass over both sorted sides, which can miss a pair if there are several
 * amounts and a tolerance.
 *
 * @param tolerance Amounts are equal when they differ by at most this.
 */
export function pairRows({ bill, records }: KeyRows, tolerance: Decimal): PairedRows {
  if (records.length === 0) {
    return { matched: 0, differences: bill.map((row) => ({ kind: 'only-in-bill', bill: row })) };
  }
  if (bill.length === 0) {
    const differences = records.map((row) => ({ kind: 'only-in-records', records: row }) as const);
    return { matched: 0, differences };
  }
  const [restOfBill, restOfRecords] = withoutEqual(byAmounts(bill), byAmounts(records), tolerance);
  const count = Math.max(restOfBill.length, restOfRecords.length);
  const differences = Array.from({ length: count }, (_, index) =>
    differenceOf(restOfBill[index], restOfRecords[index]),
  );
  return { matched: bill.length - restOfBill.length, differences };
}

function differenceOf(bill: Entry | undefined, records: Entry | undefined): Difference {
  if (bill && records) return { kind: 'different', bill, records };
  return { kind: 'duplicate', ...(bill && { bill }), ...(records && { records }) };
}

/** The rows that remain after pairing equal amounts. Both lists are sorted by amounts. */
function withoutEqual(
  bill: readonly Entry[],
  records: readonly Entry[],
  tolerance: Decimal,
): [restOfBill: Entry[], restOfRecords: Entry[]] {
  const restOfBill: Entry[] = [];
  const restOfRecords: Entry[] = [];
  let [i, j] = [0, 0];
  for (;;) {
    const [a, b] = [bill[i], records[j]];
    if (!a || !b) break;
    if (areEqual(a, b, tolerance)) {
      i++;
      j++;
    } else if (compareAmounts(a, b) < 0) {
      restOfBill.push(a);
      i++;
    } else {
      restOfRecords.push(b);
      j++;
    }
  }
  return [
    [...restOfBill, ...bill.slice(i)],
    [...restOfRecords, ...records.slice(j)],
  ];
}

function byAmounts(rows: readonly Entry[]): readonly Entry[] {
  return rows.length === 1 ? rows : rows.toSorted(compareAmounts);
}

function compareAmounts(a: Entry, b: Entry): number {
  for (const [index, text] of a.amounts.entries()) {
    const order = compareTexts(text, b.amounts[index] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

/** Empty amounts come first. */
function compareTexts(a: string, b: string): number {
  const [left, right] = [parseDecimal(a), parseDecimal(b)];
  if (left && right) return compareDecimals(left, right);
  return Number(left !== undefined) - Number(right !== undefined);
}

function areEqual(a: Entry, b: Entry, tolerance: Decimal): boolean {
  return a.amounts.every((text, index) => {
    const other = b.amounts[index] ?? '';
    if (text === other) return true;
    const [left, right] = [parseDecimal(text), parseDecimal(other)];
    return left !== undefined && right !== undefined && isWithin(left, right, tolerance);
  });
}
