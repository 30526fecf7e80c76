import { MopError } from '../errors.ts';
import { counted } from '../files/counts.ts';
import { AmountColumn } from './amount-column.ts';
import { Cell, cellsOf } from './cell.ts';
import { type ClosingLines, findClosingLines, isTotalCell, isTotalRow } from './closing-lines.ts';
import { excerpt } from './dialect.ts';
import { InvalidBytes } from './encoding.ts';
import { RowFault, RowScanner } from './row-scanner.ts';
import { type RowsFile, sourceName } from './rows-file.ts';
import { columnIndex } from './table-columns.ts';
import {
  blocksOf,
  invalidBytes,
  MAX_ROW_BYTES,
  openSource,
  type TableSource,
} from './table-source.ts';

/** A file of rows with named columns, which is read once. */
export class Table {
  readonly path: string;
  /** Rows of JSON may add columns during reading. */
  readonly columns: readonly string[];
  readonly doubled: ReadonlySet<string>;
  readonly samples: readonly (readonly string[])[];
  /** The current row, while {@link blocks} is read. */
  readonly row: RowScanner;
  /** The columns that are not blank in rows: lines with sums only are not rows. */
  key: readonly number[] = [0];
  readonly #file: RowsFile;
  readonly #source: TableSource;
  readonly #filters: ReadonlyMap<number, ReadonlySet<string>>;
  readonly #cell = new Cell();
  #closing: ClosingLines | undefined;
  #emptyRows = 0;
  #totals = 0;
  #firstTotal = '';
  #shortRows = 0;
  #firstShortRow = 0;
  #filteredRows = 0;
  #rows = 0;

  private constructor(file: RowsFile, source: TableSource) {
    this.path = file.path;
    this.columns = source.columns;
    this.doubled = source.doubled;
    this.samples = source.samples;
    this.row = new RowScanner(source.separators, source.line);
    this.#file = file;
    this.#source = source;
    const filters = new Map<number, Set<string>>();
    for (const { column, value } of file.where ?? []) {
      const index = columnIndex(this, column);
      filters.set(index, (filters.get(index) ?? new Set()).add(value));
    }
    this.#filters = filters;
  }

  static async open(
    file: RowsFile,
    named: readonly string[],
    signal?: AbortSignal,
  ): Promise<Table> {
    const filtered = (file.where ?? []).map(({ column }) => column);
    return new Table(file, await openSource(file, [...named, ...filtered], signal));
  }

  get separator(): number {
    return this.#source.separators.separator;
  }

  /** A reader of the amounts in a column, which knows the decimal mark of the first rows. */
  amountColumn(index: number): AmountColumn {
    const amounts = new AmountColumn(this.#file.decimal, this.separator);
    for (const row of this.samples) amounts.learn(row[index] ?? '');
    return amounts;
  }

  /** The guesses about the file, and the lines that are left out. Complete at the end of the rows. */
  get notes(): readonly string[] {
    const notes = [...this.#source.notes];
    const skipped = this.#skipped();
    if (skipped !== '') notes.push(`skipped: ${skipped}`);
    if (this.#shortRows > 0) {
      const verb = this.#shortRows === 1 ? 'has' : 'have';
      notes.push(
        `${counted(this.#shortRows, 'row')} ${verb} fewer fields than the header, first line ${this.#firstShortRow}: the missing fields are blank`,
      );
    }
    if (this.#filters.size > 0) {
      const values = (this.#file.where ?? []).map(({ column, value }) => `${column}=${value}`);
      const [chosen, all] = [this.#rows, this.#rows + this.#filteredRows];
      notes.push(`${chosen} of ${all} rows chosen: ${values.join(', ')}`);
    }
    return notes;
  }

  #skipped(): string {
    const { count = 0, line = 0, text = '' } = this.#closing ?? {};
    const before = this.#source.headerLine - 1;
    return [
      before > 0 &&
        (before === 1 ? 'line 1, before the header' : `lines 1 to ${before}, before the header`),
      this.#emptyRows > 0 && `${counted(this.#emptyRows, 'line')} with only separators`,
      this.#totals > 0 && `${counted(this.#totals, 'line')} with totals (${this.#firstTotal})`,
      count > 0 && `${counted(count, 'closing line')} from line ${line}: ${excerpt(text)}`,
    ]
      .filter(Boolean)
      .join('; ');
  }

  /** Reads block after block. After each `yield`, {@link next} moves through its rows. */
  async *blocks(): AsyncGenerator<void> {
    let rest: Uint8Array = new Uint8Array();
    let held: Buffer[] = [];
    let length = 0;
    try {
      for await (const { bytes, isLast } of blocksOf(this.#source.chunks)) {
        held.push(bytes);
        length += bytes.length;
        // Reading a long row again with each block would take quadratic time.
        if (length < rest.length && !isLast) continue;
        rest = yield* this.#read(rest, held, isLast);
        [held, length] = [[], 0];
      }
    } catch (error) {
      if (!(error instanceof InvalidBytes)) throw error;
      rest = yield* this.#read(rest, held, false);
      // In JSON, the text before the bytes has been rewritten.
      throw invalidBytes(
        this.path,
        error,
        this.row.nextLine,
        this.#source.isJson ? undefined : rest,
      );
    }
  }

  /** @returns The beginning of a row at the end of the block. */
  async *#read(
    rest: Uint8Array,
    blocks: readonly Buffer[],
    isLast: boolean,
  ): AsyncGenerator<void, Uint8Array> {
    const { row } = this;
    const [first = Buffer.alloc(0), ...others] = blocks;
    const isWhole = rest.length === 0 && others.length === 0;
    const bytes = isWhole ? first : Buffer.concat([rest, ...blocks]);
    let end = bytes.length;
    if (isLast && !this.#source.isJson) {
      const closing = this.#closingLines(bytes);
      end = closing.start;
      this.#closing = closing;
    }
    row.load(bytes, end, isLast);
    yield;
    const left = bytes.subarray(row.rest);
    if (left.length > MAX_ROW_BYTES) {
      if (row.isInQuotes) throw this.#fault('a quotation mark is not closed', row.nextLine);
      throw new MopError('usage', `${this.path}, line ${row.nextLine}: a row of more than 16 MiB`, {
        hint: 'give a table with fewer or shorter columns',
      });
    }
    return left;
  }

  #closingLines(bytes: Buffer): ClosingLines {
    try {
      const { key } = this;
      const place = { width: this.columns.length, key, line: this.row.nextLine };
      return findClosingLines(bytes, this.#source.separators, place);
    } catch (error) {
      // The fault is reported when its row is reached.
      if (!(error instanceof RowFault)) throw error;
      return { start: bytes.length, count: 0, line: 0, text: '' };
    }
  }

  /** Moves to the next row that the filters choose; false at the end of the block. */
  next(): boolean {
    const { row } = this;
    const width = this.columns.length;
    while (this.#scan()) {
      if (row.width !== width && !this.#acceptsWidth(width)) continue;
      // A line of nothing but separators is padding.
      if ((row.ends[row.width - 1] as number) - row.start < row.width && this.#isPadding()) {
        this.#emptyRows++;
        continue;
      }
      if (this.#filters.size > 0 && !this.#isChosen()) {
        this.#filteredRows++;
        continue;
      }
      if (this.#isTotal()) continue;
      this.#rows++;
      return true;
    }
    return false;
  }

  /** Whether the row is a subtotal among the rows. */
  #isTotal(): boolean {
    const cell = this.#cell;
    let column = 0;
    do cell.read(this.row, column++);
    while (cell.isEmpty && column < this.row.width);
    if (!isTotalCell(cell) || !isTotalRow(cellsOf(this.row))) return false;
    this.#firstTotal ||= `line ${this.row.line}, ${JSON.stringify(cell.text)}`;
    this.#totals++;
    return true;
  }

  #scan(): boolean {
    try {
      return this.row.next();
    } catch (error) {
      throw error instanceof RowFault ? this.#fault(error.message, this.row.line) : error;
    }
  }

  /** Whether a line with another number of fields than the header is a row. */
  #acceptsWidth(width: number): boolean {
    const { row } = this;
    if (row.width === 1) {
      this.#cell.read(row, 0);
      // An object of JSON without values is a row, written as two quotation marks.
      const isBlank = this.#source.isJson ? row.ends[0] === row.starts[0] : this.#cell.isEmpty;
      if (isBlank) return false;
    }
    if (row.width < width) {
      if (this.#source.isJson) return true;
      if (this.#shortRows++ === 0) this.#firstShortRow = row.line;
      return true;
    }
    for (let column = width; column < row.width; column++) {
      this.#cell.read(row, column);
      if (!this.#cell.isEmpty) throw this.#tooWide(width);
    }
    return true;
  }

  #tooWide(width: number): MopError {
    const { width: found, line } = this.row;
    const message = `${sourceName(this.path)}: line ${line} has ${found} fields, and the header has ${width}`;
    return new MopError('usage', message, {
      hint: 'put a field that contains the separator into quotation marks; if the header is another line, name it with --header-line',
    });
  }

  #isPadding(): boolean {
    const { row } = this;
    for (let column = 0; column < row.width; column++) {
      if (row.ends[column] !== row.starts[column]) return false;
    }
    return !this.#source.isJson;
  }

  #isChosen(): boolean {
    for (const [column, values] of this.#filters) {
      this.#cell.read(this.row, column);
      if (!values.has(this.#cell.text)) return false;
    }
    return true;
  }

  #fault(subject: string, line: number): MopError {
    return new MopError('usage', `${this.path}, line ${line}: ${subject}`, {
      hint: 'quote a field that contains quotation marks, and double them: "a ""b"" c"; fetch or export a truncated file again',
    });
  }
}
