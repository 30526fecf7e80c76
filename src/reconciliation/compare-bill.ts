import { own, quoted } from '../errors.ts';
import { counted } from '../files/counts.ts';
import type { TemporaryFile } from '../files/temporary-file.ts';
import {
  type CompareOptions,
  columnsOf,
  type RowsFiles,
  readOptions,
  type Side,
} from './compare-options.ts';
import { Comparison, type ComparisonCounts } from './comparison.ts';
import { DifferenceReport, type ReadableFile, rereadable } from './difference-report.ts';
import type { Difference } from './pair-rows.ts';
import type { RowsFile } from './rows-file.ts';
import { SideReader, type SideTable } from './side-reader.ts';
import { writeReport } from './write-report.ts';

/** The rows of one side of a comparison. */
export interface ComparedSide {
  readonly rows: number;
  /** The exact sum of each amount, by the name of its column on this side. */
  readonly sums: Readonly<Record<string, string>>;
}

export interface BillComparison extends Readonly<ComparisonCounts> {
  readonly bill: ComparedSide;
  readonly records: ComparedSide;
  /** The first differences in the order of their keys, up to `limit`. */
  readonly differences: readonly Difference[];
  /** The number of all differences, surplus rows included. */
  readonly differenceCount: number;
  /** The guesses about the files, and the causes of differences. */
  readonly notes: readonly string[];
}

/**
 * Compares a bill with the caller's own records, by key and exact decimal amounts. Large sides are
 * kept in temporary files: memory does not grow with their size.
 *
 * @throws {MopError} `usage` for a file that is not a table, an unknown column, and a cell that is
 *   neither blank nor an amount; `io` when a disk is full. After an error, `out` is unchanged.
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
 *   type RowFilter,
 *   type RowsFiles,
 * } from 'mop-cli';
 *
 * await writeFile('bill.csv', 'order_id,paid\n1,2.5\n2,4.00\n');
 * await writeFile('orders.jsonl', '{"id":1,"paid":2.50}\n{"id":2,"paid":3.00}\n');
 * const key: readonly ColumnPair[] = [{ bill: 'order_id', records: 'id' }];
 * const where: readonly RowFilter[] = [];
 * const records: RowsFiles = { path: 'orders.jsonl', where };
 * const options: CompareOptions = {
 *   bill: 'bill.csv',
 *   records,
 *   key,
 *   amounts: [{ bill: 'paid', records: 'paid' }],
 * };
 * const comparison: BillComparison = await compareBill(options);
 * const side: ComparedSide = comparison.bill;
 * const [difference]: readonly Difference[] = comparison.differences;
 * const row: ComparedRow | undefined = difference?.bill;
 * console.log(comparison.matched, comparison.different, row?.key, side.rows);
 * // 1 1 [ '2' ] 2
 * ```
 */
export async function compareBill(options: CompareOptions): Promise<BillComparison> {
  const { signal, net = false, out, limit = DEFAULT_LIMIT } = options;
  const { forms, tolerance, blank, factor } = readOptions(options);
  const sides = {
    bill: new SideReader({ ...columnsOf('bill', options), forms, blank }),
    records: new SideReader({ ...columnsOf('records', options), forms, blank, factor }),
  };
  const closing = new AbortController();
  const spooled: TemporaryFile[] = [];
  try {
    const files = {
      bill: await filesOf(options.bill, out, spooled),
      records: await filesOf(options.records, out, spooled),
    };
    const tables = await readSides(sides, files, options, closing.signal);
    const amounts = options.amounts?.length ?? 0;
    const comparison = new Comparison(sides.bill, sides.records, amounts, {
      forms,
      tolerance,
      net,
      factor,
    });
    const report = new DifferenceReport(limit);
    const differences = report.add(comparison.differences(signal));
    await writeReport({ differences, report, comparison, sides, files }, options, closing.signal);
    const { bill, records } = sides;
    return {
      ...comparison.counts,
      bill: { rows: bill.rows, sums: bill.sums },
      records: { rows: records.rows, sums: records.sums },
      differences: report.first,
      differenceCount: report.count,
      notes: [
        ...bill.notes,
        ...records.notes,
        ...sideNotes(bill, records, options),
        ...comparison.notes(otherKeyNote(tables.bill[0], tables.records[0])),
      ],
    };
  } finally {
    closing.abort();
    await sides.bill.store.close();
    await sides.records.store.close();
    for (const file of spooled) await file.close();
  }
}

function sideNotes(bill: SideReader, records: SideReader, options: CompareOptions): string[] {
  const names = columnsOf('bill', options).amounts;
  const currencies = names.flatMap((name, index) => {
    const [ours, theirs] = [bill.currencies.get(index), records.currencies.get(index)];
    const differ = ours !== undefined && theirs !== undefined && ours !== theirs;
    return differ ? [`${name} is in ${ours} in the bill, and in ${theirs} in the records`] : [];
  });
  return [
    ...(bill.rows === 0 ? ['the bill has no rows'] : []),
    ...(records.rows === 0 ? ['the records have no rows'] : []),
    ...currencies,
  ];
}

const DEFAULT_LIMIT = 20;
const SIDES: readonly Side[] = ['bill', 'records'];

async function filesOf(
  given: RowsFiles,
  out: string | undefined,
  spooled: TemporaryFile[],
): Promise<ReadableFile[]> {
  const files: ReadableFile[] = [];
  for (const each of Array.isArray(given) ? given : [given]) {
    const file: RowsFile = typeof each === 'string' ? { path: each } : each;
    // Whole rows are read again at the end.
    files.push(
      out === undefined ? { path: file.path, open: () => file } : await rereadable(file, spooled),
    );
  }
  return files;
}

/** Opens all files before it reads them: a missing column is reported at once, not after millions of rows. */
async function readSides(
  sides: Readonly<Record<Side, SideReader>>,
  files: Readonly<Record<Side, readonly ReadableFile[]>>,
  { signal, onProgress }: CompareOptions,
  closing: AbortSignal,
): Promise<Record<Side, SideTable[]>> {
  const tables: Record<Side, SideTable[]> = { bill: [], records: [] };
  for (const side of SIDES) {
    for (const file of files[side]) {
      tables[side].push(await sides[side].open(file.open(), closing));
    }
  }
  let rows = 0;
  for (const side of SIDES) {
    for (const table of tables[side]) {
      await sides[side].read(table, (count) => {
        signal?.throwIfAborted();
        rows += count;
        onProgress?.(rows);
      });
    }
  }
  return tables;
}

/**
 * A note about other columns with common values in the first rows: the key may be the wrong one.
 */
function otherKeyNote(
  bill: SideTable | undefined,
  records: SideTable | undefined,
): string | undefined {
  const [ourKey, theirKey] = [bill?.key[0], records?.key[0]];
  if (!bill || !records || ourKey === undefined || theirKey === undefined) return undefined;
  const columns = (side: SideTable): number[] => [...side.table.columns.keys()];
  const pairs = [
    ...columns(records).map((column) => [ourKey, column] as const),
    ...columns(bill).map((column) => [column, theirKey] as const),
  ];
  let best = { count: 0, option: '' };
  for (const [ours, theirs] of pairs) {
    if (ours === ourKey && theirs === theirKey) continue;
    const known = new Set(valuesOf(records, theirs));
    const count = valuesOf(bill, ours).filter((value) => known.has(value)).length;
    if (count <= best.count) continue;
    best = { count, option: `${bill.table.columns[ours]}=${records.table.columns[theirs]}` };
  }
  if (best.count === 0) return undefined;
  return quoted`no key matches; ${own(counted(best.count, 'row'))} of the first ${bill.table.samples.length} would match with --key ${best.option}`;
}

/** The values in the first rows that may be keys: amounts and short texts match by chance. */
function valuesOf({ table }: SideTable, column: number): string[] {
  return table.samples.flatMap((row) => {
    const value = row[column] ?? '';
    return value.length > 1 && !/^-?\d+[.,]\d+$/.test(value) ? [value] : [];
  });
}
