import { counted, grouped, groupedDecimal } from '../../../files/counts.ts';
import type { BillComparison } from '../../../reconciliation/compare-bill.ts';
import type { ColumnPair } from '../../../reconciliation/compare-options.ts';
import { amountDifference } from '../../../reconciliation/decimal.ts';
import type { ComparedRow, Difference } from '../../../reconciliation/pair-rows.ts';
import type { Context } from '../../context/context.ts';
import type { Output } from '../../context/output.ts';
import type { Style } from '../../context/style.ts';
import { visibleLine } from '../../context/visible-text.ts';

export interface ComparisonReport {
  /** The day of the bill, or its path. */
  readonly bill: string;
  readonly records: string;
  readonly key: readonly ColumnPair[];
  readonly amounts: readonly ColumnPair[];
  readonly comparison: BillComparison;
}

/** Prints whether the bill balances, the totals of both sides, the first differences and the notes. */
export async function reportComparison(
  report: ComparisonReport,
  { output }: Context,
): Promise<void> {
  const { differences, differenceCount, notes } = report.comparison;
  if (output.json) return output.document(comparisonObject(report));
  if (output.quiet) return;
  const styles = output.styles('stdout');
  const parts = [output.lines(verdict(report, styles)), await totalsTable(report, output)];
  if (differences.length > 0) parts.push(await differenceTable(report, styles, output));
  await output.data(parts.join('\n\n'));
  const more = differenceCount - differences.length;
  if (more > 0) output.note(counted(more, 'more difference'));
  for (const note of notes) output.note(note);
}

/** The JSON document of a comparison (contract section 4). */
function comparisonObject({ key, amounts, comparison }: ComparisonReport): Record<string, unknown> {
  const { matched, onlyInBill, onlyInRecords, different, duplicates, bill, records } = comparison;
  const columns = [...key, ...amounts];
  const rowObject = (side: keyof ColumnPair, row: ComparedRow | undefined) =>
    row && {
      [side]: Object.fromEntries(
        [...row.key, ...row.amounts].map((text, at) => [columns[at]?.[side], text]),
      ),
      [`${side}_line`]: row.line,
    };
  return {
    matched,
    only_in_bill: onlyInBill,
    only_in_records: onlyInRecords,
    different,
    duplicates,
    sums: { bill: bill.sums, records: records.sums },
    differences: comparison.differences.map((difference) => ({
      kind: difference.kind,
      key: (difference.bill ?? difference.records)?.key,
      ...rowObject('bill', difference.bill),
      ...rowObject('records', difference.records),
    })),
    notes: comparison.notes,
  };
}

function verdict({ bill, amounts, comparison }: ComparisonReport, { green, red }: Style): string {
  const { matched, onlyInBill, onlyInRecords, different, duplicates } = comparison;
  const name = visibleLine(bill);
  if (comparison.differenceCount === 0) {
    const rows = `${counted(matched, 'row')} in both`;
    if (amounts.length > 0) return green(`${name} balances: ${rows}, with equal amounts`);
    return `${name}: ${rows}; amounts were not compared (add --amount)`;
  }
  const found = [
    [onlyInBill, 'only in the bill'],
    [onlyInRecords, 'only in the records'],
    [different, 'with different amounts'],
    [duplicates, `duplicate ${duplicates === 1 ? 'key' : 'keys'}`],
  ] as const;
  const texts = found.flatMap(([rows, text]) => (rows > 0 ? [`${grouped(rows)} ${text}`] : []));
  return `${red(`${name} does not balance`)}: ${texts.join(', ')}; ${grouped(matched)} match`;
}

function totalsTable({ amounts, comparison }: ComparisonReport, output: Output): Promise<string> {
  const { bill, records } = comparison;
  const line = (name: string, ours = '', theirs = ''): string[] => [
    name,
    ...[ours, theirs, amountDifference(ours, theirs)].map(groupedDecimal),
  ];
  const lines = [
    line(output.word('rows'), `${bill.rows}`, `${records.rows}`),
    ...amounts.map((column) =>
      line(columnName(column), bill.sums[column.bill], records.sums[column.records]),
    ),
  ];
  return output.table(['TOTAL', 'BILL', 'RECORDS', 'DIFFERENCE'], lines);
}

function columnName({ bill, records }: ColumnPair): string {
  return bill === records ? bill : `${bill}=${records}`;
}

const LABELS = {
  'only-in-bill': 'only in bill',
  'only-in-records': 'only in records',
  different: 'different',
  duplicate: 'duplicate',
} as const;

/** A line for each difference; for a pair of rows, a line for each amount that differs. */
function differenceTable(
  { amounts, comparison }: ComparisonReport,
  { yellow }: Style,
  output: Output,
): Promise<string> {
  const lines = comparison.differences.flatMap((difference) => {
    const { kind, bill, records } = difference;
    const key = (bill ?? records)?.key.join(', ') ?? '';
    return amountsShown(difference).map((index) => {
      const column = amounts[index];
      const [ours, theirs] = [bill?.amounts[index], records?.amounts[index]];
      return [
        key,
        yellow(output.word(LABELS[kind])),
        column ? columnName(column) : '-',
        ...[ours, theirs, amountDifference(ours, theirs)].map(amountCell),
      ];
    });
  });
  return output.table(['KEY', 'KIND', 'COLUMN', 'BILL', 'RECORDS', 'DIFFERENCE'], lines);
}

/** The indexes of the amounts that differ; 0 for a row without a counterpart. */
function amountsShown({ bill, records }: Difference): number[] {
  if (!bill || !records) return [0];
  return [...bill.amounts.keys()].filter((index) => {
    const [ours, theirs] = [bill.amounts[index], records.amounts[index]];
    return ours !== theirs && !/^-?[0.]+$/.test(amountDifference(ours, theirs));
  });
}

function amountCell(text: string | undefined): string {
  return text ? groupedDecimal(text) : '-';
}
