import fastStringWidth from 'fast-string-width';
import { largest } from '../../../any-length.ts';
import { counted, grouped, groupedDecimal } from '../../../files/counts.ts';
import type { ColumnSummary, GroupSummary } from '../../../reconciliation/column-total.ts';
import {
  type BillSummary,
  type SummarizeOptions,
  summarizeBill,
} from '../../../reconciliation/summarize-bill.ts';
import type { Context } from '../../context/context.ts';
import { isUtf8Locale } from '../../context/io.ts';
import type { Heading, Output } from '../../context/output.ts';
import { rowProgress } from '../../context/spinner.ts';
import { visibleLine } from '../../context/visible-text.ts';
import type { Call } from '../../frame/command.ts';
import { type BillFileOptions, findBills } from './bill-files.ts';
import { checkReadingOptions, type ReadingOptions, rowFilters, rowsFile } from './rows-options.ts';

interface BillSummaryOptions extends BillFileOptions, ReadingOptions {
  readonly by?: readonly string[];
  readonly sum?: readonly string[];
  readonly where?: readonly string[];
}

export async function run({
  args: [given],
  options,
  context,
}: Call<BillSummaryOptions, [readonly string[]]>): Promise<void> {
  const { io } = context;
  const { by, sum, encoding, delimiter, header, headerLine, decimal, sheet } = options;
  checkReadingOptions(options);
  const where = rowFilters(options.where ?? [], '--where');
  const bills = await findBills(given, options, context);
  const reading = { encoding, delimiter, header, headerLine, decimal, sheet, where };
  const files = bills.map(({ path }) => rowsFile(path, io, reading));
  const { onRows, end } = await rowProgress(context);
  const { signal } = io;
  const summary = await summarizeBill(files, { by, sum, signal, onProgress: onRows }).finally(end);
  await reportSummary(summary, { by }, context);
}

/**
 * Prints a summary: the columns of a single file, or a line for each of several and their total;
 * then the groups.
 */
async function reportSummary(
  summary: BillSummary,
  { by = [] }: Pick<SummarizeOptions, 'by'>,
  context: Context,
): Promise<void> {
  const { output } = context;
  if (output.json) return output.document(summary);
  const { files, total } = summary;
  const columns = total.columns.filter(({ sum }) => sum !== undefined);
  const names = columns.map(({ name }) => name);
  const parts = [
    files.length === 1
      ? await columnTable(files[0]?.path ?? '', total.rows, columns, output)
      : await fileTable(summary, names, output),
    ...(by.length === 0 ? [] : [await groupTable(summary.groups, by, names, context)]),
  ];
  await output.data(parts.join('\n\n'));
  for (const { path, notes } of files) {
    for (const note of notes) output.note(`${path}: ${note}`);
  }
}

async function columnTable(
  path: string,
  rows: number,
  columns: readonly ColumnSummary[],
  output: Output,
): Promise<string> {
  const title = output.lines(`${visibleLine(path)}: ${counted(rows, 'row')}`);
  if (columns.length === 0) return title;
  const lines = columns.map(({ name, sum = '-', min = '-', max = '-' }) => [
    name,
    ...[sum, min, max].map(groupedDecimal),
  ]);
  return `${title}\n\n${await output.table(['COLUMN', 'SUM', 'MIN', 'MAX'], lines)}`;
}

async function fileTable(
  { files, total }: BillSummary,
  names: readonly string[],
  output: Output,
): Promise<string> {
  const lines = [...files, { path: output.word('total'), ...total }].map(
    ({ path, rows, columns }) => {
      const sumsByName = new Map(columns.map(({ name, sum }) => [name, sum]));
      const sums = names.map((name) => sumsByName.get(name) ?? '-');
      return [path, grouped(rows), ...sums.map(groupedDecimal)];
    },
  );
  return output.table(['FILE', 'ROWS', ...dataHeadings(names)], lines);
}

/** The groups by their first sum, or else their rows, largest first; on a terminal with bars. */
async function groupTable(
  groups: readonly GroupSummary[],
  by: readonly string[],
  names: readonly string[],
  { io, output }: Context,
): Promise<string> {
  const sizeOf = ({ rows, sums }: GroupSummary): number => Number(sums[names[0] ?? ''] ?? rows);
  const sorted = groups.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const headings = [...by, 'ROWS', ...names];
  const lines = sorted.map(({ values, rows, sums }) => [
    ...values,
    grouped(rows),
    ...names.map((name) => groupedDecimal(sums[name] ?? '0')),
  ]);
  const room = roomBeside(headings, lines, output);
  const bars = barsOf(sorted.map(sizeOf), room, isUtf8Locale(io.env));
  const shown = [...dataHeadings(by), 'ROWS', ...dataHeadings(names)];
  if (!bars) return output.table(shown, lines);
  return output.table(
    [...shown, ''],
    lines.map((line, index) => [...line, bars[index] ?? '']),
  );
}

function dataHeadings(names: readonly string[]): Heading[] {
  return names.map((data) => ({ data }));
}

/** The maximum and minimum columns of the longest bar. */
const MAX_BAR = 30;
const MIN_BAR = 8;
const GAP = 2;

/** The columns of the terminal to the right of a table; less than 0 without a terminal. */
function roomBeside(
  headings: readonly string[],
  lines: readonly (readonly string[])[],
  { width = 0 }: Output,
): number {
  const widths = headings.map((heading, column) =>
    largest(
      [heading, ...lines.map((line) => line[column] ?? '')].map((cell) => fastStringWidth(cell)),
    ),
  );
  return width - widths.reduce((sum, each) => sum + each + GAP, 0);
}

/** Bars in proportion to sizes; undefined without enough room. */
function barsOf(sizes: readonly number[], room: number, isUtf8: boolean): string[] | undefined {
  if (room < MIN_BAR) return undefined;
  const scale = Math.min(room, MAX_BAR) / largest(sizes);
  const block = isUtf8 ? '█' : '#';
  return sizes.map((size) => block.repeat(Math.max(0, Math.round(size * scale) || 0)));
}
