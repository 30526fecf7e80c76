export interface Separators {
  readonly separator: number;
  /** The byte at the end of a line: LF, or CR in files that have no LF. */
  readonly lineEnd: number;
  /** False when each row counts as one line, also with line breaks in its fields. */
  readonly countsBreaks?: boolean;
}

export const [LF, CR, QUOTE, EQUALS, SPACE] = [0x0a, 0x0d, 0x22, 0x3d, 0x20] as const;
const TAB = 0x09;

export class RowFault extends Error {}

/**
 * Finds the fields of CSV rows (RFC 4180) in blocks of UTF-8, without decoding them. A quotation
 * mark has a meaning only at the beginning of a field, also after `=`.
 */
export class RowScanner {
  /** The current row: the fields are `bytes[starts[i]..ends[i]]`, quotation marks included. */
  bytes: Uint8Array = new Uint8Array();
  starts = new Int32Array(64);
  ends = new Int32Array(64);
  width = 0;
  /** The line at which the row begins, from 1. */
  line = 0;
  start = 0;
  /** Whether the block ended within quotation marks. */
  isInQuotes = false;
  readonly #separators: Separators;
  #at = 0;
  #end = 0;
  #isLast = false;
  #nextLine: number;

  constructor(separators: Separators, line = 1) {
    this.#separators = separators;
    this.#nextLine = line;
  }

  /** Continues with the next block, which begins with the rest of the one before. */
  load(bytes: Uint8Array, end: number, isLast: boolean): void {
    this.bytes = bytes;
    this.#at = 0;
    this.#end = end;
    this.#isLast = isLast;
  }

  /** The offset of the first row that {@link next} has not returned: the end of the rows so far. */
  get rest(): number {
    return this.#at;
  }

  get nextLine(): number {
    return this.#nextLine;
  }

  /** Moves to the next row; false at the end of the block, where a row may be incomplete. */
  next(): boolean {
    const { bytes } = this;
    const { separator, lineEnd } = this.#separators;
    const end = this.#end;
    let at = this.#at;
    if (at >= end) return false;
    this.start = at;
    this.line = this.#nextLine;
    this.isInQuotes = false;
    let breaks = 0;
    let width = 0;
    for (;;) {
      if (width === this.starts.length) this.#grow();
      const start = at;
      const first = bytes[at];
      if (first === QUOTE || (first === EQUALS && bytes[at + 1] === QUOTE)) {
        at = this.#closingQuote(first === QUOTE ? at : at + 1);
        if (at === -1) {
          this.isInQuotes = true;
          return false;
        }
        breaks += this.#breaksIn(start, at);
      }
      let byte = -1;
      while (at < end) {
        byte = bytes[at] as number;
        if (byte === separator || byte === lineEnd) break;
        at++;
      }
      if (at === end && !this.#isLast) return false;
      this.starts[width] = start;
      this.ends[width++] = at;
      if (at === end || byte === lineEnd) break;
      at++;
    }
    // A line may end with CR and LF.
    const last = width - 1;
    const lastEnd = this.ends[last] as number;
    if (lineEnd === LF && lastEnd > (this.starts[last] as number) && bytes[lastEnd - 1] === CR) {
      this.ends[last] = lastEnd - 1;
    }
    this.width = width;
    this.#at = at + 1 > end ? end : at + 1;
    this.#nextLine = this.line + 1 + breaks;
    return true;
  }

  /** The offset after the quotation mark that closes the one at `open`; -1 in an incomplete row. */
  #closingQuote(open: number): number {
    const { bytes } = this;
    let at = open + 1;
    for (;;) {
      const close = bytes.indexOf(QUOTE, at);
      const isInside = close !== -1 && close < this.#end;
      if (!isInside || (close + 1 === this.#end && !this.#isLast)) {
        if (!this.#isLast) return -1;
        throw new RowFault('a quotation mark is not closed');
      }
      if (bytes[close + 1] !== QUOTE || close + 1 === this.#end) return this.#afterQuote(close + 1);
      at = close + 2;
    }
  }

  /** White space may follow the closing quotation mark, but no text. */
  #afterQuote(after: number): number {
    const { separator, lineEnd } = this.#separators;
    for (let at = after; at < this.#end; at++) {
      const byte = this.bytes[at];
      if (byte === separator || byte === lineEnd) break;
      if (byte === SPACE || byte === TAB || byte === CR || byte === 0) continue;
      throw new RowFault('text follows a closing quotation mark');
    }
    return after;
  }

  #breaksIn(start: number, end: number): number {
    const { lineEnd, countsBreaks = true } = this.#separators;
    if (!countsBreaks) return 0;
    let count = 0;
    let at = this.bytes.indexOf(lineEnd, start);
    for (; at !== -1 && at < end; at = this.bytes.indexOf(lineEnd, at + 1)) count++;
    return count;
  }

  #grow(): void {
    const grown = (old: Int32Array): Int32Array<ArrayBuffer> => {
      const array = new Int32Array(old.length * 2);
      array.set(old);
      return array;
    };
    this.starts = grown(this.starts);
    this.ends = grown(this.ends);
  }
}
