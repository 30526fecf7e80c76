import { MopError } from '../errors.ts';
import { ComparedRows, type ComparedSide } from './compared-rows.ts';
import { type Decimal, parseDecimal } from './decimal.ts';
import { DifferenceFiles } from './difference-files.ts';
import type { EntryOptions } from './entry-reader.ts';
import { type Difference, pairRows, rowsByKey } from './match-rows.ts';
import type { RowsFile } from './rows-file.ts';

/** A column by its names in the bill and in the records. */
export interface ColumnPair {
  readonly bill: string;
  readonly records: string;
}

export interface CompareOptions {
  /** CSV or JSON lines, plain or gzip: a path, or a path with options. */
  readonly bill: string | RowsFile;
  readonly records: string | RowsFile;
  /** The columns that identify an order; a name for both sides, or one for each. */
  readonly key: readonly (string | ColumnPair)[];
  /** The columns whose amounts must be equal. Default: none, so that only keys are compared. */
  readonly amounts?: readonly (string | ColumnPair)[] | undefined;
  /** Amounts are equal when they differ by at most this, such as `0.01`. Default `0`. */
  readonly tolerance?: string | undefined;
  /** Ignore the case of keys. */
  readonly ignoreCase?: boolean | undefined;
  /** Ignore white space around keys. */
  readonly trim?: boolean | undefined;
  /** A directory for `only-in-bill.csv`, `only-in-records.csv` and `different.csv`. */
  readonly out?: string | undefined;
  /** The permissions of those files, such as `0o600`. Default: decided by the umask. */
  readonly outMode?: number | undefined;
  /** Stops the comparison, which throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Receives each difference, in the order of keys. */
  readonly onDifference?: ((difference: Difference) => void) | undefined;
  /** Receives the number of rows read so far, on both sides together. */
  readonly onProgress?: ((rows: number) => void) | undefined;
}

export interface BillComparison {
  /** Rows of the bill whose key and amounts are in the records. */
  readonly matched: number;
  /** Rows whose key is only in the bill. */
  readonly onlyInBill: number;
  /** Rows whose key is only in the records. */
  readonly onlyInRecords: number;
  /** Pairs of rows with the same key and different amounts. */
  readonly different: number;
  /** Keys that both sides have, but in a different number of rows. */
  readonly duplicates: number;
  readonly bill: ComparedSide;
  readonly records: ComparedSide;
}

/**
 * Compares a bill with the caller's own records, by key and exact decimal amounts. Large sides are
 * sorted in temporary files: memory does not grow with their size.
 *
 * @throws {MopError} `usage` for a file without rows, an unknown column, and an amount that is neither
 *   empty nor a decimal number; `io` when a disk is full. After an error, `out` is unchanged.
 * @throws The reason of `signal`.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises';
 * import {
 *   type BillComparison,
 *   type ColumnPair,
 *   type ComparedRow,
 *   type ComparedSide,
 *   type CompareOptions,
 *   compareBill,
 *   type Difference,
 * } from 'mop-cli';
 *
 * await writeFile('bill.csv', 'order_id,paid\n1,2.5\n2,4.00\n');
 * await writeFile('orders.jsonl', '{"id":1,"paid":2.50}\n{"id":2,"paid":3.00}\n');
 * const key: readonly ColumnPair[] = [{ bill: 'order_id', records: 'id' }];
 * const differences: Difference[] = [];
 * const options: CompareOptions = {
 *   bill: 'bill.csv',
 *   records: 'orders.jsonl',
 *   key,
 *   amounts: [{ bill: 'paid', records: 'paid' }],
 *   onDifference: (difference) => void differences.push(difference),
 * };
 * const comparison: BillComparison = await compareBill(options);
 * const side: ComparedSide = comparison.bill;
 * const row: ComparedRow | undefined = differences[0]?.bill;
 * console.log(comparison.matched, comparison.different, row?.key, side.rows);
 * // 1 1 [ '2' ] 2
 * ```
 */
export async function compareBill(options: CompareOptions): Promise<BillComparison> {
  const { signal, onProgress } = options;
  const tolerance = parseTolerance(options.tolerance ?? '0');
  const closing = new AbortController();
  const open = (side: Side): Promise<ComparedRows> =>
    ComparedRows.open(fileOf(options[side]), entryOptions(side, options), closing.signal);
  const sides: ComparedRows[] = [];
  try {
    // Open both before reading: a missing column is reported at once, not after millions of rows.
    const bill = await open('bill');
    const records = await open('records');
    sides.push(bill, records);
    let rows = 0;
    const onRows = (count: number): void => {
      signal?.throwIfAborted();
      rows += count;
      onProgress?.(rows);
    };
    for (const side of sides) await side.read(onRows);
    const counts = await findDifferences(bill, records, tolerance, options);
    return { ...counts, bill: bill.totals, records: records.totals };
  } finally {
    closing.abort();
    for (const side of sides) await side.close();
  }
}

type Side = 'bill' | 'records';

function fileOf(file: string | RowsFile): RowsFile {
  return typeof file === 'string' ? { path: file } : file;
}

function entryOptions(
  side: Side,
  { key, amounts = [], ignoreCase, trim, out }: CompareOptions,
): EntryOptions {
  const named = (column: string | ColumnPair) =>
    typeof column === 'string' ? column : column[side];
  return {
    key: key.map(named),
    amounts: amounts.map(named),
    ignoreCase,
    trim,
    keepRows: out !== undefined,
  };
}

/** @throws {MopError} `usage` for a text that is not a decimal number of 0 or more. */
function parseTolerance(text: string): Decimal {
  const tolerance = parseDecimal(text);
  if (tolerance && tolerance.units >= 0) return tolerance;
  const message = `the tolerance ${JSON.stringify(text)} is not a decimal number of 0 or more`;
  throw new MopError('usage', message, { hint: 'write a tolerance such as 0.01' });
}

type Counts = Pick<
  BillComparison,
  'matched' | 'onlyInBill' | 'onlyInRecords' | 'different' | 'duplicates'
>;

/** Reports the differences of two sorted sides, and writes them to `out`. */
async function findDifferences(
  bill: ComparedRows,
  records: ComparedRows,
  tolerance: Decimal,
  options: CompareOptions,
): Promise<Counts> {
  const { signal, onDifference } = options;
  const counts = { matched: 0, onlyInBill: 0, onlyInRecords: 0, different: 0, duplicates: 0 };
  const files = await openFiles(bill, records, options);
  try {
    for await (const rows of rowsByKey(await bill.cursor(), await records.cursor())) {
      signal?.throwIfAborted();
      const { matched, differences } = pairRows(rows, tolerance);
      counts.matched += matched;
      for (const difference of differences) {
        if (difference.kind !== 'duplicate') counts[COUNTED_AS[difference.kind]]++;
        onDifference?.(difference);
        await files?.add(difference);
      }
      // A duplicate is the last difference of its key.
      if (differences.at(-1)?.kind === 'duplicate') counts.duplicates++;
    }
    await files?.place();
    return counts;
  } finally {
    await files?.discard();
  }
}

const COUNTED_AS = {
  'only-in-bill': 'onlyInBill',
  'only-in-records': 'onlyInRecords',
  different: 'different',
} as const;

async function openFiles(
  bill: ComparedRows,
  records: ComparedRows,
  options: CompareOptions,
): Promise<DifferenceFiles | undefined> {
  const { out, outMode } = options;
  if (out === undefined) return undefined;
  const { key, amounts } = entryOptions('bill', options);
  const columns = { bill: bill.columns, records: records.columns, key, amounts };
  return DifferenceFiles.open(out, columns, outMode);
}
