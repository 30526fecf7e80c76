import { dirname, join } from 'node:path';
import { AtomicFile, sweepAtomicFiles } from '../files/atomic-file.ts';
import { type CompareOptions, columnsOf, type Side } from './compare-options.ts';
import type { Comparison, ComparisonCounts } from './comparison.ts';
import { spreadsheetLine } from './csv-line.ts';
import { amountDifference } from './decimal.ts';
import { type DifferenceReport, type ReadableFile, wholeRows } from './difference-report.ts';
import type { Difference } from './pair-rows.ts';
import type { SideReader } from './side-reader.ts';
import type { Cell, Sheet } from './write-workbook.ts';

export interface ReportParts {
  readonly differences: AsyncIterable<Difference>;
  readonly report: DifferenceReport;
  readonly comparison: Comparison;
  readonly sides: Readonly<Record<Side, SideReader>>;
  readonly files: Readonly<Record<Side, readonly ReadableFile[]>>;
}

/**
 * Reads all differences, and writes them to the files of `out`: CSV in a directory, or a workbook.
 */
export async function writeReport(
  { differences, report, comparison, sides, files }: ReportParts,
  options: CompareOptions,
  signal: AbortSignal,
): Promise<void> {
  const { out, label: labelOf = String } = options;
  const isWorkbook = out?.toLowerCase().endsWith('.xlsx') ?? false;
  // Programs read the CSV files.
  const label = isWorkbook ? labelOf : String;
  const only = (side: Side, lines: DifferenceReport['onlyInBill']): Sheet => {
    const columns = sides[side].files.map((file) => file.columns);
    const { key, amounts } = columnsOf(side, options);
    const rows = wholeRows(files[side], columns, { key, amounts }, lines, signal);
    return { name: label(`only-in-${side}`), rows };
  };
  const sheets = (different: AsyncIterable<Difference> | Iterable<Difference>): Sheet[] => [
    // The rows of the other two are known when all differences have been read.
    { name: label('different'), rows: differentRows(different, columnsOf('bill', options), label) },
    only('bill', report.onlyInBill),
    only('records', report.onlyInRecords),
  ];
  if (out !== undefined && !isWorkbook) {
    await writeCsvFiles(out, sheets(differences), options);
    return;
  }
  const different: Difference[] = [];
  for await (const difference of differences) if (out !== undefined) different.push(difference);
  if (out === undefined) return;
  const { counts } = comparison;
  const summary: Sheet = {
    name: label('summary'),
    rows: summaryRows(counts, sides, options, label),
  };
  await writeWorkbook(out, [summary, ...sheets(different)], options);
}

function summaryRows(
  counts: Readonly<ComparisonCounts>,
  { bill, records }: Readonly<Record<Side, SideReader>>,
  options: CompareOptions,
  label: (text: string) => string,
): Cell[][] {
  const number = (value: number | string | undefined): Cell => ({ number: String(value ?? 0) });
  const names = {
    bill: columnsOf('bill', options).amounts,
    records: columnsOf('records', options).amounts,
  };
  return [
    ['', ...['bill', 'records', 'difference'].map(label)],
    [label('rows'), number(bill.rows), number(records.rows), number(bill.rows - records.rows)],
    ...names.bill.map((name, index) => {
      const [ours, theirs] = [bill.sums[name], records.sums[names.records[index] ?? '']];
      return [name, number(ours), number(theirs), number(amountDifference(ours, theirs))];
    }),
    [label('matched'), number(counts.matched), '', ''],
    [label('only in the bill'), number(counts.onlyInBill), '', ''],
    [label('only in the records'), '', number(counts.onlyInRecords), ''],
    [label('different'), number(counts.different), '', ''],
    [label('duplicate keys'), number(counts.duplicates), '', ''],
  ];
}

const BUFFERED_CHARACTERS = 64 * 1024;
const BYTE_ORDER_MARK = '\ufeff';

/** Writes CSV files that replace those of an earlier comparison at the end, all or none. */
async function writeCsvFiles(
  directory: string,
  sheets: readonly Sheet[],
  { outMode: mode, bom }: CompareOptions,
): Promise<void> {
  await sweepAtomicFiles(directory, Date.now());
  const files: AtomicFile[] = [];
  try {
    for (const { rows } of sheets) {
      const file = await AtomicFile.open(directory, mode);
      files.push(file);
      let lines = bom ? BYTE_ORDER_MARK : '';
      for await (const row of rows) {
        lines += spreadsheetLine(row.map(csvCell));
        if (lines.length < BUFFERED_CHARACTERS) continue;
        await file.write(Buffer.from(lines));
        lines = '';
      }
      await file.write(Buffer.from(lines));
    }
    // The table of pairs comes last: it shows that the others are in place.
    for (const [index, { name }] of [...sheets.entries()].reverse()) {
      await files[index]?.place(join(directory, `${name}.csv`));
    }
  } finally {
    for (const file of files) await file.discard();
  }
}

async function writeWorkbook(
  path: string,
  sheets: readonly Sheet[],
  { outMode: mode }: CompareOptions,
): Promise<void> {
  const { workbookBytes } = await import('./write-workbook.ts');
  await sweepAtomicFiles(dirname(path), Date.now());
  const file = await AtomicFile.open(dirname(path), mode);
  try {
    await file.write(await workbookBytes(sheets));
    await file.place(path);
  } finally {
    await file.discard();
  }
}

function csvCell(cell: Cell): string | undefined {
  return typeof cell === 'object' ? cell.number : cell;
}

async function* differentRows(
  differences: AsyncIterable<Difference> | Iterable<Difference>,
  { key, amounts }: ReturnType<typeof columnsOf>,
  label: (text: string) => string,
): AsyncGenerator<Cell[]> {
  const sides = ['bill', 'records', 'difference'].map(label);
  const amountNames = amounts.flatMap((name) => sides.map((side) => `${name}_${side}`));
  yield [...key, ...amountNames, ...['bill_line', 'records_line', 'kind'].map(label)];
  for await (const { kind, bill, records } of differences) {
    const fields = amounts.flatMap((_, index) => {
      const [inBill, inRecords] = [bill?.amounts[index], records?.amounts[index]];
      return [inBill, inRecords, amountDifference(inBill, inRecords)].map(amountCell);
    });
    const shown = bill ?? records;
    yield [
      ...(shown?.key ?? []),
      ...fields,
      amountCell(bill?.line),
      amountCell(records?.line),
      label(kind),
    ];
  }
}

function amountCell(value: string | number | undefined): Cell {
  return value === undefined || value === '' ? undefined : { number: String(value) };
}
