/** A place in a text, in UTF-16 code units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A text that maps each of its UTF-16 code units to a range of its source. */
export class MappedText {
  readonly text: string;
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;

  private constructor(text: string, starts: Int32Array, ends: Int32Array) {
    this.text = text;
    this.#starts = starts;
    this.#ends = ends;
  }

  static of(source: string): MappedText {
    const starts = new Int32Array(source.length);
    const ends = new Int32Array(source.length);
    for (let at = 0; at < source.length; at++) {
      starts[at] = at;
      ends[at] = at + 1;
    }
    return new MappedText(source, starts, ends);
  }

  /** The source range of the code units from `start` to `end` (exclusive, above `start`). */
  sourceRange(start: number, end: number): Span {
    return { start: this.#starts[start] ?? 0, end: this.#ends[end - 1] ?? 0 };
  }

  /**
   * Like `String.replace` with a global pattern that matches no empty text. A replacement maps to
   * the whole match, or unit by unit if the lengths are equal.
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
    const [oldStarts, oldEnds] = [this.#starts, this.#ends];
    const starts = new Int32Array(this.text.length + grown);
    const ends = new Int32Array(starts.length);
    let text = '';
    let done = 0;
    let to = 0;
    const keepUpTo = (end: number): void => {
      text += this.text.slice(done, end);
      for (; done < end; done++, to++) {
        starts[to] = oldStarts[done] ?? 0;
        ends[to] = oldEnds[done] ?? 0;
      }
    };
    for (const { start, end, put } of changes) {
      keepUpTo(start);
      text += put;
      // A two-unit character may become two characters: never map to half of it.
      const isAsLong =
        put.length === end - start &&
        (put.length === 1 || [...put].length === [...this.text.slice(start, end)].length);
      for (let unit = 0; unit < put.length; unit++, to++) {
        starts[to] = oldStarts[isAsLong ? start + unit : start] ?? 0;
        ends[to] = oldEnds[isAsLong ? start + unit : end - 1] ?? 0;
      }
      done = end;
    }
    keepUpTo(this.text.length);
    return new MappedText(text, starts, ends);
  }
}
