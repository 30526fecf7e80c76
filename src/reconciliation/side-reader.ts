import { append } from '../any-length.ts';
import { MopError } from '../errors.ts';
import type { AmountColumn } from './amount-column.ts';
import { Cell } from './cell.ts';
import { ColumnTotal } from './column-total.ts';
import { type Decimal, formatDecimal, multiply } from './decimal.ts';
import { EntryStore, MAX_TEXT_BYTES } from './entry-store.ts';
import type { KeyForm } from './key-forms.ts';
import type { RowsFile } from './rows-file.ts';
import { Table } from './table.ts';
import { columnIndex, guessNotes, notAnAmount } from './table-columns.ts';

export interface SideOptions {
  readonly key: readonly string[];
  readonly amounts: readonly string[];
  readonly forms: readonly KeyForm[];
  readonly factor?: Decimal | undefined;
  readonly blank?: Decimal | undefined;
}

/** The memory of one side, above which rows are stored in a temporary file. */
const MAX_MEMORY = 128 * 1024 ** 2;
/** Separates the fields of a key: this byte does not occur in UTF-8. */
const KEY_SEPARATOR = 0xff;

/** A file of a side, and the number of the lines of the files before it. */
export interface SideFile {
  readonly path: string;
  readonly firstLine: number;
  readonly columns: readonly string[];
}

/**
 * Reads one side into an {@link EntryStore}: the normalised key, the amounts as plain digits, and
 * the key as written if forms change it.
 */
export class SideReader {
  readonly store = new EntryStore(MAX_MEMORY);
  readonly files: SideFile[] = [];
  readonly notes: string[] = [];
  /** The currency of each amount, by its index, where it is written beside the amounts. */
  readonly currencies = new Map<number, string>();
  rows = 0;
  readonly #options: SideOptions;
  readonly #totals: ColumnTotal[];
  readonly #cell = new Cell();
  #lines = 0;
  #key = Buffer.alloc(256);
  #amounts = Buffer.alloc(256);
  /** The end of each amount in `#amounts`. */
  readonly #ends: Int32Array;

  constructor(options: SideOptions) {
    this.#options = options;
    this.#totals = options.amounts.map(() => new ColumnTotal());
    this.#ends = new Int32Array(options.amounts.length);
  }

  async open(file: RowsFile, signal: AbortSignal): Promise<SideTable> {
    const { key, amounts } = this.#options;
    const table = await Table.open(file, [...key, ...amounts], signal);
    const columns = {
      key: key.map((name) => columnIndex(table, name, columnAdvice('--key'))),
      amounts: amounts.map((name) => columnIndex(table, name, columnAdvice('--amount'))),
    };
    table.key = columns.key;
    const readers = columns.amounts.map((index) => table.amountColumn(index));
    return { table, ...columns, readers };
  }

  /** Reads all rows; throws `usage` for a cell that is neither blank nor an amount. */
  async read(side: SideTable, onRows: (count: number) => void): Promise<void> {
    const { table } = side;
    const lines = this.#lines;
    this.files.push({ path: table.path, firstLine: lines, columns: table.columns });
    for await (const _ of table.blocks()) {
      const before = this.rows;
      while (table.next()) this.#readRow(side, lines);
      this.#lines = lines + table.row.nextLine;
      await this.store.limitMemory();
      onRows(this.rows - before);
    }
    append(this.notes, this.#notesOf(side));
    for (const [index, { currency }] of side.readers.entries()) {
      if (currency !== undefined) this.currencies.set(index, currency);
    }
  }

  #readRow(side: SideTable, lines: number): void {
    this.rows++;
    const { row } = side.table;
    const amountBytes = this.#readAmounts(side);
    const keyEnd = this.#readKey(side);
    const { forms } = this.#options;
    let key = this.#key;
    let end = keyEnd;
    if (forms.length > 0) {
      key = Buffer.from(normalised(this.#key.subarray(0, keyEnd), forms), 'latin1');
      end = key.length;
    }
    if (end > MAX_TEXT_BYTES || amountBytes > MAX_TEXT_BYTES) throw this.#tooLong(side);
    const original = forms.length > 0 ? keyEnd : 0;
    const texts = 2 + this.#ends.length;
    this.store.begin(hashOf(key, end), lines + row.line, end + amountBytes + original, texts);
    this.store.add(key, 0, end);
    let start = 0;
    for (const each of this.#ends) {
      this.store.add(this.#amounts, start, each);
      start = each;
    }
    this.store.add(this.#key, 0, original);
  }

  #readKey({ table, key }: SideTable): number {
    const cell = this.#cell;
    let at = 0;
    for (const [index, column] of key.entries()) {
      cell.read(table.row, column);
      const { bytes, start, end } = cell;
      const needed = at + 1 + end - start;
      if (needed > this.#key.length) this.#key = Buffer.concat([this.#key], 2 * needed);
      if (index > 0) this.#key[at++] = KEY_SEPARATOR;
      const target = this.#key;
      for (let from = start; from < end; from++) target[at++] = bytes[from] as number;
    }
    return at;
  }

  /** Reads the amounts as plain digits. Returns the length of all. */
  #readAmounts({ table, amounts, readers }: SideTable): number {
    const cell = this.#cell;
    const { factor, blank } = this.#options;
    let at = 0;
    for (let index = 0; index < amounts.length; index++) {
      const column = amounts[index] as number;
      const reader = readers[index] as AmountColumn;
      cell.read(table.row, column);
      const kind = cell.isEmpty ? 'blank' : reader.read(cell);
      if (kind === 'text') throw notAnAmount(table, column, cell.text, reader.fault);
      if (kind === 'small' && reader.isPlain && !factor) {
        this.#totals[index]?.add(kind, reader);
        this.#reserve(at + cell.end - cell.start);
        const { bytes, start, end } = cell;
        const target = this.#amounts;
        for (let from = start; from < end; from++) target[at++] = bytes[from] as number;
      } else {
        const amount = kind === 'blank' ? blank : this.#factored(reader.amount(kind));
        if (amount) at = this.#writeAmount(amount, index, at);
      }
      this.#ends[index] = at;
    }
    return at;
  }

  #factored(amount: Decimal): Decimal {
    const { factor } = this.#options;
    return factor ? multiply(amount, factor) : amount;
  }

  /** Adds an amount up, and writes its digits. Returns their end. */
  #writeAmount(amount: Decimal, index: number, at: number): number {
    this.#totals[index]?.addDecimal(amount);
    const digits = formatDecimal(amount);
    this.#reserve(at + digits.length);
    return at + this.#amounts.write(digits, at, 'latin1');
  }

  #reserve(length: number): void {
    if (length > this.#amounts.length) this.#amounts = Buffer.concat([this.#amounts], 2 * length);
  }

  #tooLong({ table }: SideTable): MopError {
    return new MopError('usage', `${table.path}, line ${table.row.line}: the key is too long`, {
      hint: 'choose a column that identifies an order: --key',
    });
  }

  #notesOf({ table, readers }: SideTable): string[] {
    const guesses = readers.flatMap(({ guess }, index) =>
      guessNotes(table, this.#options.amounts[index] ?? '', guess),
    );
    return [...table.notes, ...guesses].map((note) => `${table.path}: ${note}`);
  }

  get sums(): Record<string, string> {
    const { amounts } = this.#options;
    return Object.fromEntries(this.#totals.map((total, at) => [amounts[at] ?? '', total.sum]));
  }

  placeOf(line: number): { readonly path: string; readonly line: number } {
    const file = this.files.findLast(({ firstLine }) => firstLine < line);
    return { path: file?.path ?? '', line: line - (file?.firstLine ?? 0) };
  }
}

export interface SideTable {
  readonly table: Table;
  readonly key: readonly number[];
  readonly amounts: readonly number[];
  readonly readers: readonly AmountColumn[];
}

function columnAdvice(option: string): string {
  return `; repeat ${option} for each column, as ${option} BILL_NAME=RECORDS_NAME if the names differ`;
}

export function keyFields(key: Uint8Array): string[] {
  const fields: string[] = [];
  let start = 0;
  for (let at = 0; at <= key.length; at++) {
    if (at < key.length && key[at] !== KEY_SEPARATOR) continue;
    fields.push(Buffer.from(key.subarray(start, at)).toString());
    start = at + 1;
  }
  return fields;
}

/** The key in which differences of form are gone, as characters of one byte. */
function normalised(key: Uint8Array, forms: readonly KeyForm[]): string {
  const separator = String.fromCharCode(KEY_SEPARATOR);
  return keyFields(key)
    .map((field) =>
      Buffer.from(forms.reduce((text, { apply }) => apply(text), field)).toString('latin1'),
    )
    .join(separator);
}

/** FNV-1a, mixed so that all bits depend on all bytes. */
function hashOf(bytes: Uint8Array, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) | 0;
}
