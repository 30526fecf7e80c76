import { MopError } from '../errors.ts';
import { type ColumnSummary, ColumnTotal } from './column-total.ts';
import { type Decimal, parseDecimal } from './decimal.ts';
import type { RowBatch } from './row-batch.ts';
import type { RowsFile } from './rows-file.ts';
import { columnIndex, notANumber, openTable, type Table } from './table.ts';

/** The rows of one or more files. */
export interface RowsSummary {
  /** The number of rows, without headers. */
  readonly rows: number;
  readonly columns: readonly ColumnSummary[];
}

export interface FileSummary extends RowsSummary {
  readonly path: string;
}

/** The rows of all files with the same value in the column `by`. */
export interface GroupSummary {
  readonly value: string;
  readonly rows: number;
  /** The exact sum of each numeric column, by its name. */
  readonly sums: Readonly<Record<string, string>>;
}

export interface BillSummary {
  readonly files: readonly FileSummary[];
  readonly total: RowsSummary;
  /** In the order of their first rows; empty without `by`. */
  readonly groups: readonly GroupSummary[];
}

export interface SummarizeOptions {
  /** Group by the values of this column. */
  readonly by?: string | undefined;
  /** The columns to add up. Default: each column that has only decimal numbers and empty fields. */
  readonly sum?: readonly string[] | undefined;
  /** Stops the summary, which throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the number of rows read so far, of all files together. */
  readonly onProgress?: ((rows: number) => void) | undefined;
}

/** All groups are in memory at once. */
const MAX_GROUPS = 100_000;

/**
 * Counts the rows of bills and adds up their columns, exactly. Files of any size are streamed.
 *
 * @param files CSV or JSON lines, plain or gzip: paths, or paths with options.
 * @throws {MopError} `usage` for a file without rows, an unknown column, a `sum` column with text,
 *   and more than 100,000 groups; `io`.
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
 * const options: SummarizeOptions = { by: 'city', sum: ['paid'] };
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
  const total = new Totals();
  const groups = new Map<string, Totals>();
  const summaries: FileSummary[] = [];
  const closing = new AbortController();
  try {
    for (const file of files) {
      const table = await openTable(
        typeof file === 'string' ? { path: file } : file,
        closing.signal,
      );
      const totals = new TableTotals(table, groups, options);
      const rowsBefore = total.rows;
      for await (const batch of table.batches) {
        options.signal?.throwIfAborted();
        totals.add(batch);
        total.rows += batch.rows.length;
        options.onProgress?.(total.rows);
      }
      const columns = totals.columns;
      total.addColumns(columns);
      summaries.push({
        path: table.path,
        rows: total.rows - rowsBefore,
        columns: columnSummaries(columns, options),
      });
    }
  } finally {
    closing.abort();
  }
  return {
    files: summaries,
    total: { rows: total.rows, columns: columnSummaries(total.columns, options) },
    groups: [...groups].map(([value, group]) => groupSummary(value, group, total, options)),
  };
}

function groupSummary(
  value: string,
  { rows, columns }: Totals,
  total: Totals,
  options: SummarizeOptions,
): GroupSummary {
  const numeric = columnSummaries(total.columns, options).filter(({ sum }) => sum !== undefined);
  const sums = numeric.map(({ name }) => [name, columns.get(name)?.sum ?? '0'] as const);
  return { value, rows, sums: Object.fromEntries(sums) };
}

/** A number of rows, and the total of each column by its name; undefined for a column of text. */
class Totals {
  rows = 0;
  readonly columns = new Map<string, ColumnTotal | undefined>();

  /** Adds the columns of a file. A column that is text in one file is text in the sum. */
  addColumns(columns: Iterable<NamedTotal>): void {
    for (const [name, column] of columns) {
      const own = this.columns.has(name) ? this.columns.get(name) : new ColumnTotal();
      if (column) own?.addTotal(column);
      this.columns.set(name, column && own);
    }
  }

  addNumber(name: string, number: Decimal): void {
    const column = this.columns.get(name) ?? new ColumnTotal();
    this.columns.set(name, column);
    column.add(number);
  }
}

/** The name and the total of a column; undefined for a column of text. */
type NamedTotal = readonly [name: string, total: ColumnTotal | undefined];

function columnSummaries(
  totals: Iterable<NamedTotal>,
  { sum = [] }: SummarizeOptions,
): ColumnSummary[] {
  return [...totals].map(([name, total]) =>
    total && (total.bounds || sum.includes(name)) ? total.summary(name) : { name },
  );
}

/** The totals of the columns of one file. It also adds the rows to the totals of their groups. */
class TableTotals {
  readonly #table: Table;
  readonly #groups: Map<string, Totals>;
  readonly #by: number | undefined;
  readonly #selected: readonly number[] | undefined;
  readonly #totals: ColumnTotal[] = [];
  /** The indexes of columns with a value that is not a number. */
  readonly #textColumns = new Set<number>();

  constructor(table: Table, groups: Map<string, Totals>, { by, sum }: SummarizeOptions) {
    this.#table = table;
    this.#groups = groups;
    this.#by = by === undefined ? undefined : columnIndex(table, by);
    this.#selected = sum && [...new Set(sum)].map((name) => columnIndex(table, name));
  }

  add(batch: RowBatch): void {
    const { columns: names } = this.#table;
    let columns = this.#selected ?? this.#numericColumns();
    for (const [index, row] of batch.rows.entries()) {
      const group = this.#by === undefined ? undefined : this.#group(row[this.#by] ?? '');
      const textsBefore = this.#textColumns.size;
      for (const column of columns) {
        const text = row[column];
        if (!text) continue;
        const number = parseDecimal(text);
        if (number) {
          this.#totals[column] ??= new ColumnTotal();
          this.#totals[column].add(number);
          group?.addNumber(names[column] ?? '', number);
        } else if (this.#selected) {
          throw notANumber(this.#table, batch.lineOf(index), column, text);
        } else {
          this.#textColumns.add(column);
        }
      }
      if (this.#textColumns.size > textsBefore) columns = this.#numericColumns();
      if (group) group.rows++;
    }
  }

  /** The columns in which every value so far is a number. */
  #numericColumns(): number[] {
    return [...this.#table.columns.keys()].filter((column) => !this.#textColumns.has(column));
  }

  #group(value: string): Totals {
    const known = this.#groups.get(value);
    if (known) return known;
    const { path, columns } = this.#table;
    if (this.#groups.size === MAX_GROUPS) {
      const name = columns[this.#by ?? 0];
      throw new MopError('usage', `${path}: column ${name} has more than ${MAX_GROUPS} values`, {
        hint: 'group by a column with fewer values',
      });
    }
    const group = new Totals();
    this.#groups.set(value, group);
    return group;
  }

  get columns(): NamedTotal[] {
    return this.#table.columns.map((name, column) => {
      const isText = this.#textColumns.has(column) || this.#selected?.includes(column) === false;
      return [name, isText ? undefined : (this.#totals[column] ?? new ColumnTotal())];
    });
  }
}
