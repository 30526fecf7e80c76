import { csvLine } from './csv-line.ts';
import { type Decimal, DecimalSum, parseDecimal } from './decimal.ts';
import type { RowBatch } from './row-batch.ts';
import { columnIndex, notANumber, type Table } from './table.ts';

/** The parts of a row that a comparison needs. */
export interface Entry {
  /** The normalised key: equal for rows with the same key, on both sides. */
  readonly sortKey: string;
  /** The line of the row in its file. */
  readonly line: number;
  /** The fields of the key, as written. */
  readonly key: readonly string[];
  /** The fields of the amounts, as written. */
  readonly amounts: readonly string[];
  /** The whole row as CSV; empty unless rows are kept. */
  readonly row: string;
}

/** The names of the columns that are compared. */
export interface EntryColumns {
  readonly key: readonly string[];
  readonly amounts: readonly string[];
}

export interface EntryOptions extends EntryColumns {
  /** Ignore the case of keys. */
  readonly ignoreCase?: boolean | undefined;
  /** Ignore white space around keys. */
  readonly trim?: boolean | undefined;
  /** Keep whole rows, as CSV. */
  readonly keepRows?: boolean | undefined;
}

/** Turns the rows of a file into entries and adds up their amounts. */
export class EntryReader {
  /** The columns of whole rows, without columns that first occur later in a JSON file. */
  readonly columns: readonly string[];
  readonly #table: Table;
  readonly #key: readonly number[];
  readonly #amounts: readonly number[];
  readonly #sums: readonly DecimalSum[];
  readonly #options: EntryOptions;

  /** @throws {MopError} `usage` for a column that does not exist. */
  constructor(table: Table, options: EntryOptions) {
    this.#table = table;
    this.columns = [...table.columns];
    this.#key = options.key.map((name) => columnIndex(table, name, columnAdvice('--key', name)));
    this.#amounts = options.amounts.map((name) =>
      columnIndex(table, name, columnAdvice('--amount', name)),
    );
    this.#sums = options.amounts.map(() => new DecimalSum());
    this.#options = options;
  }

  /** @throws {MopError} `usage` for an amount that is neither empty nor a decimal number. */
  read(batch: RowBatch): Entry[] {
    return batch.rows.map((row, index) => {
      const line = batch.lineOf(index);
      const key = this.#key.map((column) => row[column] ?? '');
      return {
        sortKey: this.#sortKey(key),
        line,
        key,
        amounts: this.#amounts.map((column, at) =>
          this.#amount(row[column] ?? '', column, at, line),
        ),
        row: this.#options.keepRows ? csvLine(this.columns.map((_, at) => row[at])) : '',
      };
    });
  }

  #sortKey(key: readonly string[]): string {
    const { trim, ignoreCase } = this.#options;
    const fields = trim ? key.map((field) => field.trim()) : key;
    const text = fields.length === 1 ? (fields[0] ?? '') : JSON.stringify(fields);
    return ignoreCase ? text.toLowerCase() : text;
  }

  #amount(text: string, column: number, at: number, line: number): string {
    if (text === '') return text;
    const number = parseDecimal(text);
    if (!number) throw notANumber(this.#table, line, column, text);
    this.#sums[at]?.add(number);
    return text;
  }

  /** The exact sum of each amount so far. */
  get sums(): Decimal[] {
    return this.#sums.map(({ total }) => total);
  }
}

function columnAdvice(option: string, name: string): string {
  return name.includes(',')
    ? `for several columns, repeat ${option}`
    : `if your records have another name for it: ${option} BILL_NAME=RECORDS_NAME`;
}
