import { Templates, VALUE } from './templates.ts';

/** The translations of one language (`locales/`), by English text. */
export interface Catalog {
  /** Texts with `{}` for each value; in a translation `{1}`, `{2}` … put values in another order. */
  readonly texts: Readonly<Record<string, string>>;
  /** Texts that the code composes, in the same form. */
  readonly composed: Readonly<Record<string, string>>;
  /** Headings of tables and states, which are words that occur in data too. */
  readonly words: Readonly<Record<string, string>>;
}

/** Translates the English texts of mop. A text without a translation is returned unchanged. */
export class Translator {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #words: ReadonlyMap<string, string>;
  readonly #templates = new Templates();

  constructor({ texts, composed, words }: Catalog) {
    const entries = Object.entries({ ...texts, ...composed });
    this.#texts = new Map(entries);
    this.#words = new Map(Object.entries(words));
    for (const [text, translation] of entries) {
      if (text.search(VALUE) >= 0) this.#templates.add(text, translation);
    }
  }

  /**
   * The translation of a message. Its values are translated only if they are messages or parts of
   * messages themselves.
   */
  text(message: string): string {
    return this.#translated(message, 0) ?? message;
  }

  /** The translation of a heading or a state, or else of a text. */
  word(text: string): string {
    return this.#words.get(text) ?? this.text(text);
  }

  /** The translation of exactly this text. */
  known(text: string): string | undefined {
    return this.#texts.get(text) ?? this.#words.get(text);
  }

  #translated(text: string, depth: number): string | undefined {
    const core = text.trim();
    const isLong = core.length > MAX_PART;
    const isData = depth > 0 && (isLong || OBJECT.test(core));
    if (depth > MAX_DEPTH || isData || !LETTERS.test(core)) return undefined;
    const found = this.#whole(core, depth);
    if (found === undefined) return undefined;
    const start = text.length - text.trimStart().length;
    return text.slice(0, start) + found + text.slice(start + core.length);
  }

  /** Translates a text by an entry for all of it. */
  #whole(text: string, depth: number): string | undefined {
    const exact = this.#texts.get(text);
    if (exact !== undefined) return text.includes('{}') ? exact : exact.replace('{}', '');
    let doubtful: string | undefined;
    for (const { translation, values, quoted, start, length } of this.#templates.matches(text)) {
      const inserted = values.map((value, at) =>
        quoted[at] ? value : (this.#translated(value, depth + 1) ?? value),
      );
      const english = inserted.findIndex((value, at) => !quoted[at] && isProse(value));
      if (english < 0) return filled(translation, inserted);
      // A value in English may be the text of a server, or the template fits by chance.
      const isLast = english === inserted.length - 1 && length >= CERTAIN_LENGTH;
      if (depth === 0 && (isLast || start >= CERTAIN_START)) {
        doubtful ??= filled(translation, inserted);
      }
    }
    return this.#composed(text, depth) ?? doubtful;
  }

  #composed(text: string, depth: number): string | undefined {
    if (text.length > MAX_PART) return undefined;
    return (
      this.#concatenated(text, depth) ??
      this.#annotated(text, depth) ??
      alternatives(text) ??
      this.#split(text, depth)
    );
  }

  /** Translates two texts with a space between, such as a subject and its predicate. */
  #concatenated(text: string, depth: number): string | undefined {
    if (depth > 1) return undefined;
    const [subjectData] = DATA_WORD.exec(text) ?? [];
    if (subjectData !== undefined) {
      const predicate = this.#translated(text.slice(subjectData.length), depth + 1);
      if (predicate !== undefined) return subjectData + predicate;
    }
    const ends = [...text.slice(0, MAX_SUBJECT).matchAll(/,? /g)].map(({ index }) => index);
    for (const end of ends.reverse()) {
      const subject = this.#texts.get(text.slice(0, end));
      const predicate = text.slice(end).trimStart();
      const rest =
        subject && (LETTERS.test(predicate) ? this.#translated(predicate, depth + 1) : predicate);
      if (!subject || !rest) continue;
      return subject.includes('{}') ? filled(subject, [rest]) : spaced(`${subject} `, rest);
    }
    return undefined;
  }

  /** Translates a text with another one in parentheses. */
  #annotated(text: string, depth: number): string | undefined {
    const start = text.indexOf(' (');
    if (start < 0 || !text.endsWith(')')) return undefined;
    const parts = [text.slice(0, start), text.slice(start + 2, -1)];
    const [subject, note] = parts.map((part) => this.#translated(part, depth + 1));
    if (subject === undefined && note === undefined) return undefined;
    if (subject === undefined && isProse(parts[0] ?? '')) return undefined;
    return `${subject ?? parts[0]}（${note ?? parts[1]}）`;
  }

  /** Translates the sentences or the clauses of a text, if there is an entry for each of them. */
  #split(text: string, depth: number): string | undefined {
    for (const [separator, translation] of SEPARATORS) {
      const parts = text.split(separator);
      if (parts.length === 1 || parts.length > MAX_CLAUSES) continue;
      const translated = this.#clauses(parts, separator, depth);
      if (translated?.some((part) => !text.includes(part))) return translated.join(translation);
    }
    return undefined;
  }

  /** Translates as many clauses together as one entry contains. */
  #clauses(parts: readonly string[], separator: string, depth: number): string[] | undefined {
    const found: string[] = [];
    for (let start = 0, end = parts.length; start < parts.length; end--) {
      const run = parts.slice(start, end).join(separator);
      const isSingle = end - start === 1;
      const isAll = end - start === parts.length;
      const translated = isAll ? undefined : this.#translated(run, depth + (isSingle ? 1 : 2));
      if (translated === undefined && !isSingle) continue;
      if (translated === undefined && isProse(run)) return undefined;
      found.push(translated ?? run);
      start = end;
      end = parts.length + 1;
    }
    return found;
  }
}

/** A value of a message may be a message with a reason, which names a fragment. */
const MAX_DEPTH = 5;

/** Longer values are data, and longer messages are translated only as a whole. */
const MAX_PART = 2000;

/** The least length of a beginning by which a template is recognised, whatever its values are. */
const CERTAIN_START = 6;

/** The least length of the fixed parts of a template whose last value may be English. */
const CERTAIN_LENGTH = 20;

/** More clauses are data, such as a list. */
const MAX_CLAUSES = 12;

/** The longest subject of a predicate, in characters. */
const MAX_SUBJECT = 200;

/** A word that cannot be English, such as a path, and the space after it; not a style. */
const DATA_WORD = /^(?!\p{Cc})(?:[^a-z\s]\S*|\S+[\d./"_]\S*) /iu;

/** An object or a list of JSON or GraphQL. */
const OBJECT = /^(?:\{.*\}|\[.*\])$/s;

const LETTERS = /[a-z]{2}/i;

/** The signs between sentences and clauses, from strong to weak. */
const SEPARATORS = [
  ['; ', '；'],
  ['. ', '。'],
  [': ', '：'],
  [', ', '，'],
] as const;

/** Names with "or" or "and", such as `body or header`. */
function alternatives(text: string): string | undefined {
  const [, first = '', conjunction, last = ''] =
    /^(\S+(?:, \S+)*) (or|and) (\S+)$/.exec(text) ?? [];
  if (conjunction === undefined) return undefined;
  return `${first.replaceAll(', ', '、')} ${conjunction === 'or' ? '或' : '和'} ${last}`;
}

/** Two English words in lower case. */
function isProse(text: string): boolean {
  return /(?:^|[\s(])[a-z]{2,} [a-z]{2,}(?:$|[\s,.;:)])/.test(text);
}

/** A translation with its values. */
function filled(translation: string, values: readonly string[]): string {
  let next = 0;
  return translation.split(/(\{\d?\})/).reduce((text, part) => {
    const [, position] = /^\{(\d?)\}$/.exec(part) ?? [];
    if (position === undefined) return spaced(text, part);
    const at = position === '' ? next++ : Number(position) - 1;
    return spaced(text, values[at] ?? '');
  }, '');
}

const WIDE = String.raw`[\p{Script=Han}\u3000-\u303f\uff01-\uff5e“”]`;
const WIDE_END = new RegExp(`${WIDE}$`, 'u');
const WIDE_START = new RegExp(`^${WIDE}`, 'u');

/** Two texts, without the space between them if both sides are Chinese. */
function spaced(before: string, after: string): string {
  if (before.endsWith(' ') && !before.endsWith('  ')) {
    const text = before.slice(0, -1);
    if (WIDE_END.test(text) && WIDE_START.test(after)) return text + after;
  }
  if (/^ \S/.test(after) && WIDE_END.test(before) && WIDE_START.test(after.slice(1))) {
    return before + after.slice(1);
  }
  return before + after;
}
