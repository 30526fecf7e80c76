import { Templates, VALUE } from './templates.ts';

/** The translations of one language (`locales/`), by English text. */
export interface Catalog {
  /**
   * Texts with `{}` for each value; in a translation `{1}`, `{2}` … put values in another order, and
   * `{=}` is data, and `{,}` or `{=,}` a list.
   */
  readonly texts: Readonly<Record<string, string>>;
  /** Texts that the code composes, in the same form. */
  readonly composed: Readonly<Record<string, string>>;
  /** Headings of tables and states, which are words that occur in data too. */
  readonly words: Readonly<Record<string, string>>;
}

/** A catalog, prepared for searches. */
export class Entries {
  readonly texts: ReadonlyMap<string, string>;
  readonly words: ReadonlyMap<string, string>;
  readonly templates = new Templates();

  constructor({ texts, composed, words }: Catalog) {
    const entries = Object.entries({ ...texts, ...composed });
    this.texts = new Map(entries);
    this.words = new Map(Object.entries(words));
    for (const [text, translation] of entries) {
      if (text.search(VALUE) >= 0) this.templates.add(text, translation);
    }
  }
}
