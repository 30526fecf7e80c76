import fastStringWidth from 'fast-string-width';
import { enumerated } from '../../locale/chinese.ts';
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
    this.keep([]);
  }

  /** Until the next call, these texts of a server are data in messages. */
  keep(texts: readonly string[]): void {
    this.#translator.keep([...this.#texts, ...texts]);
  }

  /** A message, or its part. */
  text = (message: string): string => this.#translator.text(message);

  /** A heading of a table, or a state. */
  word = (word: string): string => this.#translator.word(word);

  /** The lines of a report, with their styles and columns. */
  lines = (text: string): string => translatedLines(text, this.#translator);

  wrap = wrapChinese;

  /** A list such as `a, b`, of names or numbers. */
  list = enumerated;

  /** Removes the spaces after titles with full-width colons, which are wide themselves. */
  withoutSpaces = (text: string): string => text.replace(/(：(?:\p{Cc}\[[\d;]+m)+) (?! )/gu, '$1');

  /** The columns of a text on a terminal. */
  width = (text: string): number => fastStringWidth(text);

  /** Paragraphs, tables and indented lines of a help topic. */
  prose = (text: string, width: number): string => translatedProse(text, width, this.#translator);

  /** The lines of a list or a table in a help. */
  rows = (block: string): string => translatedRows(block, this.#translator);
}
