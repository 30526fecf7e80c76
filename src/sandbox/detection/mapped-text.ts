import type { Span } from './sentences.ts';

/** Text with the place in its source that each of its UTF-16 code units comes from. */
export class MappedText {
  readonly text: string;
  /** The range in the source of each code unit; undefined while the text is the source. */
  readonly #starts: Int32Array | undefined;
  readonly #ends: Int32Array | undefined;

  private constructor(text: string, starts?: Int32Array, ends?: Int32Array) {
    this.text = text;
    this.#starts = starts;
    this.#ends = ends;
  }

  static of(source: string): MappedText {
    return new MappedText(source);
  }

  /** The place in the source of the code units from `start` up to `end`, which are at least one. */
  sourceRange(start: number, end: number): Span {
    return { start: this.#startOf(start), end: this.#endOf(end - 1) };
  }

  /**
   * As `String.replace` with a global pattern that matches no empty text. A replacement maps to the
   * whole match, or unit for unit when it is as long.
   */
  replace(pattern: RegExp, replacement: (match: RegExpExecArray) => string): MappedText {
    const changes: { readonly start: number; readonly end: number; readonly put: string }[] = [];
    pattern.lastIndex = 0;
    for (let match = pattern.exec(this.text); match; match = pattern.exec(this.text)) {
      const put = replacement(match);
      if (put === match[0]) continue;
      changes.push({ start: match.index, end: match.index + match[0].length, put });
    }
    if (changes.length === 0) return this;

    const grown = changes.reduce((sum, { start, end, put }) => sum + put.length - end + start, 0);
    const starts = new Int32Array(this.text.length + grown);
    const ends = new Int32Array(starts.length);
    let text = '';
    let done = 0;
    let to = 0;
    const keepUpTo = (end: number): void => {
      text += this.text.slice(done, end);
      for (; done < end; done++, to++) {
        starts[to] = this.#startOf(done);
        ends[to] = this.#endOf(done);
      }
    };
    for (const { start, end, put } of changes) {
      keepUpTo(start);
      text += put;
      // A character of two units may become two of one; do not map to half of it.
      const isAsLong =
        put.length === end - start &&
        (put.length === 1 || [...put].length === [...this.text.slice(start, end)].length);
      for (let unit = 0; unit < put.length; unit++, to++) {
        starts[to] = this.#startOf(isAsLong ? start + unit : start);
        ends[to] = this.#endOf(isAsLong ? start + unit : end - 1);
      }
      done = end;
    }
    keepUpTo(this.text.length);
    return new MappedText(text, starts, ends);
  }

  #startOf(unit: number): number {
    return this.#starts ? (this.#starts[unit] ?? 0) : unit;
  }

  #endOf(unit: number): number {
    return this.#ends ? (this.#ends[unit] ?? 0) : unit + 1;
  }
}
