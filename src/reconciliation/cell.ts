import { EQUALS, QUOTE, type RowScanner, SPACE } from './row-scanner.ts';

const [BACKTICK, APOSTROPHE, DELETE] = [0x60, 0x27, 0x7f];

/**
 * The value of a field, without quotation marks, white space and the marks that keep Excel from
 * changing it (`` ` ``, `'`, `="…"`). It is reused for each field.
 */
export class Cell {
  /** The value is `bytes[start..end]`, in UTF-8. */
  bytes: Uint8Array = new Uint8Array();
  start = 0;
  end = 0;

  /** Reads a field of the current row. A field that the row lacks is empty. */
  read(row: RowScanner, column: number): void {
    this.bytes = row.bytes;
    if (column >= row.width) {
      this.start = 0;
      this.end = 0;
      return;
    }
    this.start = row.starts[column] as number;
    this.end = row.ends[column] as number;
    if (this.end === this.start || isPlain(this.bytes, this.start, this.end)) return;
    this.#trim();
    this.#unquote();
    this.#unmark();
  }

  get isEmpty(): boolean {
    return this.end === this.start;
  }

  get text(): string {
    const { buffer, byteOffset } = this.bytes;
    return Buffer.from(buffer, byteOffset + this.start, this.end - this.start).toString();
  }

  #trim(): void {
    const { bytes } = this;
    while (this.start < this.end && (bytes[this.start] as number) <= SPACE) this.start++;
    while (this.start < this.end && (bytes[this.end - 1] as number) <= SPACE) this.end--;
  }

  #unquote(): void {
    const { bytes, start, end } = this;
    if (bytes[start] !== QUOTE || end - start < 2 || bytes[end - 1] !== QUOTE) return;
    this.start = start + 1;
    this.end = end - 1;
    const doubled = bytes.indexOf(QUOTE, this.start);
    if (doubled !== -1 && doubled < this.end) {
      const value = this.text.replaceAll('""', '"');
      this.bytes = Buffer.from(value);
      this.start = 0;
      this.end = this.bytes.length;
    }
    this.#trim();
  }

  #unmark(): void {
    const { bytes, start } = this;
    const first = bytes[start];
    if (first === EQUALS && bytes[start + 1] === QUOTE && bytes[this.end - 1] === QUOTE) {
      this.start++;
      this.#unquote();
    } else if (first === BACKTICK || first === APOSTROPHE) {
      this.start++;
      this.#trim();
    }
  }
}

/** Whether a field begins and ends with characters that are part of any value. */
function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] as number;
  const last = bytes[end - 1] as number;
  return (
    first > QUOTE &&
    first !== APOSTROPHE &&
    first !== EQUALS &&
    first !== BACKTICK &&
    last > QUOTE &&
    last !== DELETE
  );
}

/** The texts that stand for an absent value, in lower case. */
const BLANKS = new Set(['', '-', '--', '—', 'n/a', '#n/a', 'null', '(null)', '\\n']);
const LONGEST_BLANK = 6;
/** Their first bytes: most short values are not decoded. */
const BLANK_STARTS = new Set(
  [...BLANKS].flatMap((text) => [Buffer.from(text)[0], Buffer.from(text.toUpperCase())[0]]),
);

/** Whether a value is blank: empty, or a text such as `-`, `N/A` or `NULL`. */
export function isBlankText(text: string): boolean {
  return text.length <= LONGEST_BLANK && BLANKS.has(text.toLowerCase());
}

export function isBlank(cell: Cell): boolean {
  const length = cell.end - cell.start;
  if (length === 0) return true;
  if (length > LONGEST_BLANK) return false;
  return BLANK_STARTS.has(cell.bytes[cell.start]) && isBlankText(cell.text);
}

export function cellsOf(row: RowScanner): string[] {
  const cell = new Cell();
  return Array.from({ length: row.width }, (_, column) => {
    cell.read(row, column);
    return cell.text;
  });
}
