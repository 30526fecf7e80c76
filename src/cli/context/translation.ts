import fastStringWidth from 'fast-string-width';
import { textsOfArguments } from '../../locale/kept-texts.ts';
import type { Translator } from '../../locale/translator.ts';
import { translatedLines } from './translated-lines.ts';
import { translatedProse, translatedRows } from './translated-prose.ts';
import { wrapChinese } from './wrap-chinese.ts';

/** Translates the output for people into Chinese. Only a Chinese run loads it. */
export class Translation {
  readonly #translator: Translator;
  readonly #texts: ReadonlySet<string>;

  /** @param argv The command line, whose texts are data in messages. */
  constructor(translator: Translator, argv: readonly string[]) {
    this.#translator = translator;
    this.#texts = textsOfArguments(argv);
    translator.keep(this.#texts);
  }

  /**
   * From the next message on, these messages of a server are data, except those of libraries that
   * have a translation. They replace the messages of an earlier call.
   */
  keep(messages: readonly string[]): void {
    const own = messages.filter((message) => !this.#translator.quotes(message));
    if (own.length > 0) this.#translator.keep([...this.#texts, ...own]);
  }

  /** A message, or its part. */
  text = (message: string): string => this.#translator.text(message);

  /** A heading of a table, or a state. */
  word = (word: string): string => this.#translator.word(word);

  /** The lines of a report, with their styles and columns. */
  lines = (text: string): string => translatedLines(text, this.#translator);

  wrap = wrapChinese;

  /** Names or numbers, separated. */
  list = (names: readonly string[]): string => names.join('、');

  /** Removes the spaces after titles with full-width colons, which are wide themselves. */
  withoutSpaces = (text: string): string => text.replace(/(：(?:\p{Cc}\[[\d;]+m)+) (?! )/gu, '$1');

  /** The columns of a text on a terminal. */
  width = (text: string): number => fastStringWidth(text);

  /** Paragraphs, tables and indented lines of a help topic. */
  prose = (text: string, width: number): string => translatedProse(text, width, this.#translator);

  /** The lines of a list or a table in a help. */
  rows = (block: string): string => translatedRows(block, this.#translator);
}
