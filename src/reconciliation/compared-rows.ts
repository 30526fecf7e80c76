import { formatDecimal } from './decimal.ts';
import { EntryCursor } from './entry-cursor.ts';
import { type EntryOptions, EntryReader } from './entry-reader.ts';
import type { RowsFile } from './rows-file.ts';
import { SortedEntries } from './sorted-entries.ts';
import { openTable, type Table } from './table.ts';

/** The rows of one side of a comparison. */
export interface ComparedSide {
  readonly rows: number;
  /** The exact sum of each amount, by the name of its column on this side. */
  readonly sums: Readonly<Record<string, string>>;
}

/** Reads one side of a comparison, and sorts it. */
export class ComparedRows {
  readonly #table: Table;
  readonly #options: EntryOptions;
  readonly #reader: EntryReader;
  readonly #sorted: SortedEntries;
  #rows = 0;

  private constructor(table: Table, options: EntryOptions) {
    this.#table = table;
    this.#options = options;
    this.#reader = new EntryReader(table, options);
    this.#sorted = new SortedEntries(options);
  }

  /** @throws {MopError} `usage` for a file that cannot be read, or a column that does not exist. */
  static async open(
    file: RowsFile,
    options: EntryOptions,
    signal: AbortSignal,
  ): Promise<ComparedRows> {
    return new ComparedRows(await openTable(file, signal), options);
  }

  /**
   * Reads all rows.
   *
   * @param onRows Receives the number of rows of each batch.
   * @throws {MopError} `usage` for an amount that is neither empty nor a decimal number, `io`.
   */
  async read(onRows: (count: number) => void): Promise<void> {
    for await (const batch of this.#table.batches) {
      await this.#sorted.add(this.#reader.read(batch));
      this.#rows += batch.rows.length;
      onRows(batch.rows.length);
    }
  }

  /** The columns of whole rows. */
  get columns(): readonly string[] {
    return this.#reader.columns;
  }

  /** The rows that were read, in the order of their keys. */
  cursor(): Promise<EntryCursor> {
    return EntryCursor.open(this.#sorted.sorted());
  }

  get totals(): ComparedSide {
    const names = this.#options.amounts;
    const sums = this.#reader.sums.map((sum, index) => [names[index], formatDecimal(sum)]);
    return { rows: this.#rows, sums: Object.fromEntries(sums) };
  }

  /** Removes the temporary file. */
  async close(): Promise<void> {
    await this.#sorted.close();
  }
}
