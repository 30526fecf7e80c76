import { type ColumnSummary, ColumnTotal, type GroupSummary, RowGroups } from './column-total.ts';
import type { RowsFile } from './rows-file.ts';
import { Table } from './table.ts';
import { type SummaryColumns, TableSummary } from './table-summary.ts';

/** The rows of one or more files. */
export interface RowsSummary {
  /** The number of rows, without headers. */
  readonly rows: number;
  readonly columns: readonly ColumnSummary[];
}

export interface FileSummary extends RowsSummary {
  readonly path: string;
  /** The guesses about the file, and the lines and columns that are left out. */
  readonly notes: readonly string[];
}

export interface BillSummary {
  readonly files: readonly FileSummary[];
  readonly total: RowsSummary;
  /** In the order of their first rows; empty without `by`. */
  readonly groups: readonly GroupSummary[];
}

export interface SummarizeOptions extends SummaryColumns {
  /** Stops the summary, which throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the number of rows read so far, of all files together. */
  readonly onProgress?: ((rows: number) => void) | undefined;
}

/**
 * Counts the rows of bills and adds up their columns, exactly. Files of any size are streamed.
 * Columns of identifiers and columns with other text than amounts have no sum, unless `sum` names
 * them; a note says so.
 *
 * @param files CSV, JSON lines or workbooks, plain, gzip or ZIP: paths, or paths with options.
 * @throws {MopError} `usage` for a file that is not a table, an unknown column, a `sum` column with
 *   text, and more than 100,000 groups; `io`.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises';
 * import {
 *   type BillSummary,
 *   type ColumnSummary,
 *   type FileSummary,
 *   type GroupSummary,
 *   type RowsFile,
 *   type RowsSummary,
 *   type SummarizeOptions,
 *   summarizeBill,
 * } from 'mop-cli';
 *
 * await writeFile('bill.csv', 'city,paid\nA,0.1\nA,0.2\nB,5\n');
 * const file: RowsFile = { path: 'bill.csv' };
 * const options: SummarizeOptions = { by: ['city'], sum: ['paid'] };
 * const summary: BillSummary = await summarizeBill([file], options);
 * const [first]: readonly FileSummary[] = summary.files;
 * const total: RowsSummary = summary.total;
 * const column: ColumnSummary | undefined = total.columns.find(({ name }) => name === 'paid');
 * const groups: readonly GroupSummary[] = summary.groups;
 * console.log(first?.rows, column?.sum, groups.map(({ value }) => value));
 * // 3 5.3 [ 'A', 'B' ]
 * ```
 */
export async function summarizeBill(
  files: readonly (string | RowsFile)[],
  options: SummarizeOptions = {},
): Promise<BillSummary> {
  const groups = new RowGroups();
  const summaries: FileSummary[] = [];
  const totals = new Map<string, ColumnTotal | undefined>();
  const currencies = new Map<string, string>();
  const closing = new AbortController();
  const { by = [], sum = [] } = options;
  let rows = 0;
  try {
    for (const file of files) {
      const given = typeof file === 'string' ? { path: file } : file;
      const table = await Table.open(given, [...by, ...sum], closing.signal);
      const summary = new TableSummary(table, groups, options);
      for await (const _ of table.blocks()) {
        summary.readBlock();
        options.onProgress?.(rows + summary.rows);
        options.signal?.throwIfAborted();
      }
      rows += summary.rows;
      const columns = summary.columns();
      addColumns(totals, columns);
      const currencyNotes = otherCurrencies(currencies, summary.currencies(), totals);
      summaries.push({
        path: table.path,
        rows: summary.rows,
        columns: columnSummaries(columns, options),
        notes: [...table.notes, ...summary.notes(), ...currencyNotes],
      });
    }
  } finally {
    closing.abort();
  }
  const columns = columnSummaries(totals, options);
  return { files: summaries, total: { rows, columns }, groups: groups.summaries(columns) };
}

/** Adds the columns of a file. A column without a sum in one file has no total. */
function addColumns(totals: Map<string, ColumnTotal | undefined>, columns: NamedTotals): void {
  for (const [name, column] of columns) {
    const own = totals.has(name) ? totals.get(name) : new ColumnTotal();
    if (column) own?.addTotal(column);
    totals.set(name, column && own);
  }
}

/** Removes the totals of columns that have another currency in an earlier file. Returns notes. */
function otherCurrencies(
  known: Map<string, string>,
  own: ReadonlyMap<string, string>,
  totals: Map<string, ColumnTotal | undefined>,
): string[] {
  return [...own].flatMap(([name, currency]) => {
    const other = known.get(name) ?? currency;
    known.set(name, other);
    if (other === currency) return [];
    totals.set(name, undefined);
    return [`${name} is in ${currency}, and in ${other} in another file: it has no total`];
  });
}

type NamedTotals = Iterable<readonly [name: string, total: ColumnTotal | undefined]>;

function columnSummaries(totals: NamedTotals, { sum = [] }: SummarizeOptions): ColumnSummary[] {
  return [...totals].map(([name, total]) =>
    total && (total.bounds || sum.includes(name)) ? total.summary(name) : { name },
  );
}
