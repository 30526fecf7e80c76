import fastStringWidth from 'fast-string-width';
import { Translator } from '../../locale/translator.ts';
import { ZH } from '../../locale/zh.ts';
import { translatedLines } from './translated-lines.ts';
import { wrapChinese } from './wrap-chinese.ts';

/** Translates the output for people into Chinese. Only a Chinese run loads it. */
export class Translation {
  readonly #translator = new Translator(ZH);

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
