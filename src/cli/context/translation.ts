import fastStringWidth from 'fast-string-width';
import catalog from '../../../locales/zh.json' with { type: 'json' };
import { Translator } from '../../locale/translator.ts';
import { RESULT_CODES } from '../../protocol/result-codes.ts';
import { RESULT_CODES_ZH } from '../../protocol/result-codes-zh.ts';
import HINTS from '../../protocol/result-hints.json' with { type: 'json' };
import { translatedLines } from './translated-lines.ts';
import { wrapChinese } from './wrap-chinese.ts';

/** The texts on result codes, by the English ones in messages and hints. */
const RESULT_TEXTS: Readonly<Record<string, string>> = {
  ...translations(
    RESULT_CODES.map(({ meaning }) => meaning),
    RESULT_CODES_ZH.map(({ meaning }) => meaning),
  ),
  ...translations(Object.values(HINTS.en), Object.values(HINTS.zh)),
};

function translations(english: readonly string[], chinese: readonly string[]): object {
  return Object.fromEntries(english.map((text, at) => [text, chinese[at] ?? text]));
}

/** What is printed for people, in Chinese. Only a Chinese run loads it. */
export class Translation {
  readonly #translator = new Translator({
    ...catalog,
    composed: { ...RESULT_TEXTS, ...catalog.composed },
  });

  /** A message, or its part. */
  text = (message: string): string => this.#translator.text(message);

  /** A heading of a table, or a state. */
  word = (word: string): string => this.#translator.word(word);

  /** The lines of a report, with their styles and columns. */
  lines = (text: string): string => translatedLines(text, this.#translator);

  wrap = wrapChinese;

  /** Removes the spaces after full-width colons, which are wide themselves. */
  withoutSpaces = (text: string): string => text.replace(/(：(?:\p{Cc}\[[\d;]+m)*) (?! )/gu, '$1');

  /** The columns of a text on a terminal. */
  width = (text: string): number => fastStringWidth(text);

  /** Paragraphs, tables and indented lines of a help topic. */
  prose(text: string, width: number): string {
    return text
      .split('\n\n')
      .map((block) => this.#block(block, width))
      .join('\n\n');
  }

  #block(block: string, width: number): string {
    // Indented lines are code, and lines with gaps are tables.
    if (/^ |\S {2,}\S/m.test(block)) return this.#rows(block, width);
    return wrapChinese(this.text(block.replaceAll('\n', ' ')), width);
  }

  #rows(block: string, width: number): string {
    return block
      .split('\n')
      .map((row) => {
        const translated = this.lines(row);
        if (translated === row) return row;
        const column = translated.search(/(?<=\S {2,})\S/);
        const indent = column < 0 ? 0 : column;
        return wrapChinese(translated.slice(indent), width - indent)
          .split('\n')
          .map((line, at) => (at === 0 ? translated.slice(0, indent) : ' '.repeat(indent)) + line)
          .join('\n');
      })
      .join('\n');
  }
}
