import { MopError } from '../errors.ts';
import type { TemporaryFile } from '../files/temporary-file.ts';
import { Comparison, type ComparisonCounts } from './comparison.ts';
import { amountDifference, type Decimal, parseDecimal } from './decimal.ts';
import { differentRows, writeCsvFiles, writeWorkbook } from './difference-files.ts';
import { DifferenceReport, wholeRows } from './difference-report.ts';
import { otherKeyNote } from './key-columns.ts';
import { KEY_FORMS, type KeyForm } from './key-forms.ts';
import type { Difference, Tolerance } from './pair-rows.ts';
import { type ReadableFile, rereadable } from './readable-file.ts';
import type { RowsFile } from './rows-file.ts';
import { SideReader, type SideTable } from './side-reader.ts';
import type { Cell, Sheet } from './write-workbook.ts';

/** A column by its names in the bill and in the records. */
export interface ColumnPair {
  readonly bill: string;
  readonly records: string;
}

/** Files of rows: paths, or paths with options. */
export type RowsFiles = string | RowsFile | readonly (string | RowsFile)[];

export interface CompareOptions {
  /** CSV, JSON lines or workbooks, plain, gzip or ZIP. */
  readonly bill: RowsFiles;
  readonly records: RowsFiles;
  /** The columns that identify an order; a name for both sides, or one for each. */
  readonly key: readonly (string | ColumnPair)[];
  /** The columns whose amounts must be equal. Default: none, so that only keys are compared. */
  readonly amounts?: readonly (string | ColumnPair)[] | undefined;
  /** Amounts are equal when they differ by at most this: `0.01`, or `1%` of the bill's. Default `0`. */
  readonly tolerance?: string | undefined;
  /** Multiply the amounts of the records by this, such as `0.01` for hundredths. */
  readonly factor?: string | undefined;
  /** Read blank amounts as this, such as `0`. Default: a blank amount equals only a blank one. */
  readonly blank?: string | undefined;
  /** Add up the rows of a key, on each side, before they are compared. */
  readonly net?: boolean | undefined;
  /** Ignore the case of keys. */
  readonly ignoreCase?: boolean | undefined;
  /** Ignore zeros at the beginning of keys. */
  readonly ignoreZeros?: boolean | undefined;
  /** Ignore the forms of dates, a decimal part `.0` and full-width characters in keys. */
  readonly ignoreFormat?: boolean | undefined;
  /** A directory for `only-in-bill.csv`, `only-in-records.csv` and `different.csv`, or a file `.xlsx`. */
  readonly out?: string | undefined;
  /** The permissions of those files, such as `0o600`. Default: decided by the umask. */
  readonly outMode?: number | undefined;
  /** Begin the CSV files with a byte order mark, for Excel. */
  readonly bom?: boolean | undefined;
  /** The number of differences to return. Default 20. */
  readonly limit?: number | undefined;
  /** Stops the comparison, which throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the number of rows read so far, on both sides together. */
  readonly onProgress?: ((rows: number) => void) | undefined;
}

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
  /** How the files were read, and the causes of differences. */
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
  const forms = ignoredForms(options);
  const tolerance = parseTolerance(options.tolerance);
  const blank =
    options.blank === undefined
      ? undefined
      : readNumber('value of blank cells', options.blank, '0');
  const factor =
    options.factor === undefined ? undefined : readNumber('factor', options.factor, '0.01');
  if (factor && Number(factor.units) === 0) throw zeroFactor(options.factor);
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

/** Notes about sides without rows, and about amounts in different currencies. */
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
const SIDES = ['bill', 'records'] as const;

type Side = (typeof SIDES)[number];

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

function columnsOf(side: Side, { key, amounts = [] }: CompareOptions) {
  const named = (column: string | ColumnPair) =>
    typeof column === 'string' ? column : column[side];
  return { key: key.map(named), amounts: amounts.map(named) };
}

function ignoredForms({ ignoreCase, ignoreZeros, ignoreFormat }: CompareOptions): KeyForm[] {
  const ignored: Readonly<Record<string, boolean | undefined>> = {
    '--ignore-case': ignoreCase,
    '--ignore-zeros': ignoreZeros,
    '--ignore-format': ignoreFormat,
  };
  return KEY_FORMS.filter(({ option }) => ignored[option]);
}

function zeroFactor(text: string | undefined): MopError {
  return new MopError('usage', `the factor ${JSON.stringify(text)} makes all amounts equal`, {
    hint: 'write a factor such as 0.01',
  });
}

/** @throws {MopError} `usage` for a text that is not a decimal number. */
function readNumber(name: string, text: string, example: string): Decimal {
  const number = parseDecimal(text);
  if (number) return number;
  throw new MopError('usage', `the ${name} ${JSON.stringify(text)} is not a decimal number`, {
    hint: `write it as digits, such as ${example}`,
  });
}

/** @throws {MopError} `usage` for a text that is neither a decimal number of 0 or more, nor a percentage. */
function parseTolerance(text: string | undefined): Tolerance | undefined {
  if (text === undefined) return undefined;
  const isPart = text.trim().endsWith('%');
  const number = parseDecimal(isPart ? text.trim().slice(0, -1) : text);
  if (number && number.units >= 0) {
    if (!isPart) return { kind: 'amount', amount: number };
    return { kind: 'part', part: { ...number, scale: number.scale + 2 } };
  }
  const message = `the tolerance ${JSON.stringify(text)} is not a decimal number of 0 or more`;
  throw new MopError('usage', message, { hint: 'write a tolerance such as 0.01 or 1%' });
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

interface ReportParts {
  readonly differences: AsyncIterable<Difference>;
  readonly report: DifferenceReport;
  readonly comparison: Comparison;
  readonly sides: Readonly<Record<Side, SideReader>>;
  readonly files: Readonly<Record<Side, readonly ReadableFile[]>>;
}

/** Reads all differences, and writes them to the files of `out`. */
async function writeReport(
  { differences, report, comparison, sides, files }: ReportParts,
  options: CompareOptions,
  signal: AbortSignal,
): Promise<void> {
  const { out, outMode: mode, bom } = options;
  const only = (side: Side, lines: DifferenceReport['onlyInBill']): Sheet => {
    const columns = sides[side].files.map((file) => file.columns);
    const { key, amounts } = columnsOf(side, options);
    const rows = wholeRows(files[side], columns, { key, amounts }, lines, signal);
    return { name: `only-in-${side}`, rows };
  };
  const sheets = (different: AsyncIterable<Difference> | Iterable<Difference>): Sheet[] => [
    // The rows of the other two are known when all differences have been read.
    { name: 'different', rows: differentRows(different, columnsOf('bill', options)) },
    only('bill', report.onlyInBill),
    only('records', report.onlyInRecords),
  ];
  if (out !== undefined && !out.toLowerCase().endsWith('.xlsx')) {
    await writeCsvFiles(out, sheets(differences), { mode, bom });
    return;
  }
  const different: Difference[] = [];
  for await (const difference of differences) if (out !== undefined) different.push(difference);
  if (out === undefined) return;
  const { counts } = comparison;
  const summary: Sheet = { name: 'summary', rows: summaryRows(counts, sides, options) };
  await writeWorkbook(out, [summary, ...sheets(different)], { mode });
}

function summaryRows(
  counts: Readonly<ComparisonCounts>,
  { bill, records }: Readonly<Record<Side, SideReader>>,
  options: CompareOptions,
): Cell[][] {
  const number = (value: number | string | undefined): Cell => ({ number: String(value ?? 0) });
  const names = {
    bill: columnsOf('bill', options).amounts,
    records: columnsOf('records', options).amounts,
  };
  return [
    ['', 'bill', 'records', 'difference'],
    ['rows', number(bill.rows), number(records.rows), number(bill.rows - records.rows)],
    ...names.bill.map((name, index) => {
      const [ours, theirs] = [bill.sums[name], records.sums[names.records[index] ?? '']];
      return [name, number(ours), number(theirs), number(amountDifference(ours, theirs))];
    }),
    ['matched', number(counts.matched), '', ''],
    ['only in the bill', number(counts.onlyInBill), '', ''],
    ['only in the records', '', number(counts.onlyInRecords), ''],
    ['different', number(counts.different), '', ''],
    ['duplicate keys', number(counts.duplicates), '', ''],
  ];
}
