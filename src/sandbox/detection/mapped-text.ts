import type { Span } from './sentences.ts';

/** Text with the place in its source that each of its UTF-16 code units comes from. */
export class MappedText {
  readonly text: string;
  /** The range in the source of each code unit. */
  readonly #starts: readonly number[];
  readonly #ends: readonly number[];

  private constructor(text: string, starts: readonly number[], ends: readonly number[]) {
    this.text = text;
    this.#starts = starts;
    this.#ends = ends;
  }

  static of(source: string): MappedText {
    const starts: number[] = [];
    const ends: number[] = [];
    for (let at = 0; at < source.length; at++) {
      starts.push(at);
      ends.push(at + 1);
    }
    return new MappedText(source, starts, ends);
  }

  /** The place in the source of the code units from `start` up to `end`, which are at least one. */
  sourceRange(start: number, end: number): Span {
    return { start: this.#starts[start] ?? 0, end: this.#ends[end - 1] ?? 0 };
  }

  /**
   * As `String.replace` with a global pattern. A replacement maps to the whole match, or unit for
   * unit when it is as long.
   */
  replace(pattern: RegExp, replacement: (match: RegExpExecArray) => string): MappedText {
    let text = '';
    const starts: number[] = [];
    const ends: number[] = [];
    let done = 0;
    const keepUpTo = (end: number): void => {
      text += this.text.slice(done, end);
      for (let at = done; at < end; at++) {
        starts.push(this.#starts[at] ?? 0);
        ends.push(this.#ends[at] ?? 0);
      }
    };
    for (const match of this.text.matchAll(pattern)) {
      keepUpTo(match.index);
      done = match.index + match[0].length;
      const put = replacement(match);
      text += put;
      // A character of two units may become two of one; do not map to half of it.
      const isAsLong = put.length === match[0].length && [...put].length === [...match[0]].length;
      for (let unit = 0; unit < put.length; unit++) {
        const from = isAsLong ? match.index + unit : match.index;
        starts.push(this.#starts[from] ?? 0);
        ends.push(this.#ends[isAsLong ? from : done - 1] ?? 0);
      }
    }
    if (done === 0) return this;
    keepUpTo(this.text.length);
    return new MappedText(text, starts, ends);
  }
}
