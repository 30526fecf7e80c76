import {
  CLAUSE_SIGNS,
  filled,
  listOf,
  SENTENCE_SIGNS,
  spaced,
  withoutRepetition,
} from './chinese.ts';
import {
  annotated,
  dataWord,
  hasClause,
  hasProse,
  hasWord,
  isBalanced,
  isLiteral,
  isPartlyStyled,
  isStyled,
  itemsOf,
  namesOf,
  peeled,
} from './english.ts';
import type { Entries } from './entries.ts';
import { KeptTexts } from './kept-texts.ts';
import type { Match } from './templates.ts';

/** Translates the English texts of mop. A text without a translation is returned unchanged. */
export class Translator {
  readonly #entries: Entries;
  #kept = new KeptTexts();
  /** The parts of the current message: they occur in many of its divisions. */
  readonly #parts = new Map<string, string | undefined>();

  constructor(entries: Entries) {
    this.#entries = entries;
  }

  /** Until the next call, these texts are data in messages. */
  keep(texts: Iterable<string>): void {
    this.#kept = new KeptTexts(texts);
  }

  /**
   * The translation of a message. Its values are translated only if they are messages or parts of
   * messages themselves.
   */
  text(message: string): string {
    this.#parts.clear();
    if (this.isKept(message)) return message;
    return this.#kept.around(message, (text) => this.#translated(text, 0) ?? text);
  }

  /** The translation of a heading or a state, or else of a text. */
  word(text: string): string {
    return this.#entries.words.get(text) ?? this.text(text);
  }

  /** The translation of exactly this text. */
  known(text: string): string | undefined {
    return this.#entries.texts.get(text) ?? this.#entries.words.get(text);
  }

  /** Whether a message fits an entry whose values are all in quotes: other texts hardly do. */
  quotes(message: string): boolean {
    return this.#entries.templates
      .matches(message)
      .some(({ isQuoted }) => isQuoted.every((isQuoted) => isQuoted));
  }

  /** Whether a text is data by {@link keep}. */
  isKept(text: string): boolean {
    return this.#kept.has(text);
  }

  /** With a separator, only an entry that contains it matches: the text is several clauses. */
  #translated(text: string, depth: number, separator?: string): string | undefined {
    const [start, core] = peeled(text);
    const isData = depth > 0 && (core.length > MAX_PART || isLiteral(core) || this.isKept(core));
    if (depth > MAX_DEPTH || isData || !hasWord(core)) return undefined;
    const key = `${depth}${separator ?? ''}\0${core}`;
    const found = this.#parts.has(key) ? this.#parts.get(key) : this.#whole(core, depth, separator);
    this.#parts.set(key, found);
    if (found === undefined) return undefined;
    return text.slice(0, start) + found + text.slice(start + core.length);
  }

  #whole(text: string, depth: number, separator: string | undefined): string | undefined {
    const exact = this.#entries.texts.get(text);
    // A subject has a placeholder for its predicate.
    if (exact !== undefined) return text.includes('{}') ? exact : exact.replace('{}', '');
    let annotation: string | undefined;
    let doubtful: string | undefined;
    for (const match of this.#entries.templates.matches(text)) {
      if (separator && hasSeparator(match, separator)) continue;
      // The first value would contain the label before the text.
      if (match.parts[0] === '' && isPartlyStyled(match.values[0] ?? '')) continue;
      const values = match.values.map((_, at) => this.#valueOf(match, at, depth + 1));
      const isKept = (at: number): boolean => values[at] === match.values[at] && !match.isList[at];
      const result = withoutRepetition(filled(match.translation, values, isKept), values);
      if (isCertain(match, values)) {
        if (!this.#takesNote(match)) return this.#asList(text, match, values, depth) ?? result;
        // The note is about the whole text.
        annotation ??= this.#annotated(text, depth);
      }
      if (depth === 0 && isLikely(match, values)) doubtful ??= result;
    }
    return annotation ?? this.#composed(text, depth, separator) ?? doubtful;
  }

  /** The translation of a value, or of each item of a list. Data stays. */
  #valueOf({ values, isData, isList }: Match, at: number, depth: number): string {
    const value = values[at] ?? '';
    const stays = isData[at] || value.length > MAX_PART;
    const translate = (text: string): string =>
      stays ? text : (this.#translated(text, depth) ?? text);
    return isList[at] ? itemsOf(value).map(translate).join('、') : translate(value);
  }

  /** Translates a list of texts, which also fits a template as a whole. */
  #asList(
    text: string,
    { values, isData }: Match,
    translated: readonly string[],
    depth: number,
  ): string | undefined {
    const isList = (value: string, at: number): boolean =>
      !isData[at] && value === translated[at] && value.includes(', ');
    if (!values.some(isList)) return undefined;
    const items = text.split(', ').map((item) => this.#translated(item, depth + 1));
    return items.every((item) => item !== undefined) ? items.join('，') : undefined;
  }

  /** Whether the last value ends with a note on the whole text, such as `(seq_id …)`. */
  #takesNote({ values, isData }: Match): boolean {
    const last = values.at(-1) ?? '';
    const [, note] = annotated(last) ?? [];
    if (note === undefined || this.#entries.texts.has(last)) return false;
    // The text of a server may have a note of its own.
    if (isData.at(-1)) return note.startsWith('seq_id ');
    return !this.#entries.templates.matches(last).some(({ parts }) => parts.at(-1)?.endsWith(')'));
  }

  #composed(text: string, depth: number, separator: string | undefined): string | undefined {
    if (text.length > MAX_PART || isStyled(text)) return undefined;
    const list = namesOf(text);
    const isSplit = separator === undefined;
    return (
      (isSplit ? this.#split(text, SENTENCE_SIGNS, depth) : undefined) ??
      this.#concatenated(text, depth) ??
      this.#annotated(text, depth) ??
      (list && listOf(list.names, list.conjunction)) ??
      (isSplit ? this.#split(text, CLAUSE_SIGNS, depth) : undefined)
    );
  }

  /** Translates two texts with a space between, such as a subject and its predicate. */
  #concatenated(text: string, depth: number): string | undefined {
    if (depth > 1) return undefined;
    const data = dataWord(text);
    const predicate = data && this.#translated(text.slice(data.length), depth + 1);
    if (data && predicate) return data.replace(/: $/, '：') + predicate;
    // A note is not a predicate.
    const ends = [...text.slice(0, MAX_SUBJECT).matchAll(/,? (?!\()/g)].map(({ index }) => index);
    for (const end of ends.reverse()) {
      const subject = this.#entries.texts.get(text.slice(0, end));
      const rest = subject && this.#translated(text.slice(end).trimStart(), depth + 1);
      if (!subject || !rest) continue;
      return subject.includes('{}') ? filled(subject, [rest]) : spaced(subject, rest);
    }
    return undefined;
  }

  /** Translates a text with a note in parentheses. */
  #annotated(text: string, depth: number): string | undefined {
    const [before, within] = annotated(text) ?? [];
    if (before === undefined || within === undefined) return undefined;
    const subject = this.#translated(before, depth);
    const whole = this.#translated(`(${within})`, depth + 1);
    const note = whole ?? this.#translated(within, depth + 1);
    if (subject === undefined && (note === undefined || hasProse(before))) return undefined;
    return spaced(`${subject ?? before} `, whole ?? `（${note ?? within}）`);
  }

  /** Translates the sentences or the clauses of a text, if there is an entry for each of them. */
  #split(text: string, signs: typeof CLAUSE_SIGNS, depth: number): string | undefined {
    for (const [separator, translation] of signs) {
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
      const [runDepth, sign] = isSingle ? [depth + 1] : [depth + 2, separator];
      const translated = isAll ? undefined : this.#translated(run, runDepth, sign);
      if (translated === undefined && !isSingle) continue;
      // Else the sign is within parentheses.
      if (!isBalanced(run) || (translated === undefined && hasProse(run))) return undefined;
      found.push(translated ?? run);
      start = end;
      end = parts.length + 1;
    }
    return found;
  }
}

/** Whether a value, which may be several clauses, contains the separator of clauses. */
function hasSeparator({ values, isData }: Match, separator: string): boolean {
  return values.some((value, at) => !isData[at] && value.includes(separator));
}

/** Whether a template fits a text not only by chance. */
function isCertain(match: Match, translated: readonly string[]): boolean {
  const { values, isData, isList, parts, length } = match;
  // The clause before it has an entry of its own.
  const takesClause = parts[0] === '' && hasClause(values[0] ?? '');
  // A template such as `{} of {}` fits the names of users.
  const isPhrase = (value: string, at: number): boolean =>
    length < SHORT_LENGTH && value === values[at] && !isLiteral(value) && /\S\s+\S/.test(value);
  const isLanguage = (value: string, at: number): boolean =>
    !isData[at] && (hasProse(value) || isPhrase(value, at));
  return (
    !takesClause &&
    values.every(
      (value, at) => isData[at] || (isBalanced(value) && !(isList[at] && hasClause(value))),
    ) &&
    !translated.some(isLanguage)
  );
}

/** Whether a template with a value in English probably fits: the value may be a server's text. */
function isLikely({ parts, isData, length }: Match, values: readonly string[]): boolean {
  const english = values.findIndex((value, at) => !isData[at] && hasProse(value));
  const isLast = english === values.length - 1 && length >= CERTAIN_LENGTH;
  return isLast || (parts[0] ?? '').length >= CERTAIN_START;
}

/** A value of a message may be a message with a reason, which names a fragment. */
const MAX_DEPTH = 5;

/** Longer values are data, and longer messages are translated only as a whole. */
const MAX_PART = 2000;

/** A template may fit by chance if its start, or the sum of its fixed parts, is shorter. */
const SHORT_LENGTH = 7;
const CERTAIN_START = 6;
const CERTAIN_LENGTH = 20;

/** More clauses are data, such as a list. */
const MAX_CLAUSES = 30;

/** The longest subject of a predicate, in characters. */
const MAX_SUBJECT = 200;
