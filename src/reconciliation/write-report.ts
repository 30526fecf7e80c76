import { type CompareOptions, columnsOf, type Side } from './compare-options.ts';
import type { Comparison, ComparisonCounts } from './comparison.ts';
import { amountDifference } from './decimal.ts';
import { differentRows, writeCsvFiles, writeWorkbook } from './difference-files.ts';
import { type DifferenceReport, wholeRows } from './difference-report.ts';
import type { Difference } from './pair-rows.ts';
import type { ReadableFile } from './readable-file.ts';
import type { SideReader } from './side-reader.ts';
import type { Cell, Sheet } from './write-workbook.ts';

/** The parts of a comparison that its files are made of. */
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
