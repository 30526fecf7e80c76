import fastStringWidth from 'fast-string-width';
import catalog from '../../../locales/zh.json' with { type: 'json' };
import { Translator } from '../../locale/translator.ts';
import { translatedColumns, translatedLines } from './translated-lines.ts';
import { wrapChinese } from './wrap-chinese.ts';

/** What is printed for people, in Chinese. Only a Chinese run loads it. */
export class Translation {
  readonly #translator = new Translator(catalog);

  /** A message, or its part. */
  text = (message: string): string => this.#translator.text(message);

  /** A heading of a table, or a state. */
  word = (word: string): string => this.#translator.word(word);

  /** The lines of a report, with their styles and columns. */
  lines = (text: string): string => translatedLines(text, this.#translator);

  wrap = wrapChinese;

  /** Removes the spaces after titles with full-width colons, which are wide themselves. */
  withoutSpaces = (text: string): string => text.replace(/(：(?:\p{Cc}\[[\d;]+m)+) (?! )/gu, '$1');

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
    // Indented lines are code or lists, and lines with gaps are tables.
    if (/^ |\S {2,}\S/m.test(block)) return this.#rows(block, width);
    return wrapChinese(this.text(block.replaceAll('\n', ' ')), width);
  }

  /** The lines of a list or a table in a help. */
  rows = (block: string): string =>
    this.#joinedRows(block)
      .map((row) => translatedColumns(row, this.#translator))
      .join('\n');

  /** The rows of a block. In an indented one, which may be code, only known texts are translated. */
  #rows(block: string, width: number): string {
    const isCode = block.startsWith(' ');
    const translator = isCode ? this.#known : this.#translator;
    return this.#joinedRows(block)
      .map((row) => {
        const translated = translatedColumns(row, translator);
        return isCode && translated === row ? row : wrappedRow(translated, width, isCode);
      })
      .join('\n');
  }

  readonly #known = {
    text: (text: string): string => this.#translator.known(text) ?? text,
    word: (text: string): string => this.#translator.known(text) ?? text,
  };

  /** The rows of a block. Lines below the last column of a row belong to it, if they are one text. */
  #joinedRows(block: string): string[] {
    const rows: string[] = [];
    const lines = block.split('\n');
    while (lines.length > 0) {
      const row = lines.shift() ?? '';
      const { start, column } = columnsOf(row);
      const other = lines.findIndex((line) => line.search(/\S/) !== column);
      const continued = lines.slice(0, other < 0 ? lines.length : other);
      const joined = [row, ...continued.map((line) => line.trim())].join(' ');
      const isText = this.#translator.known(joined.slice(start.length)) !== undefined;
      rows.push(isText ? joined : row);
      if (isText) lines.splice(0, continued.length);
    }
    return rows;
  }
}

/** The indent below a name that is too wide. */
const INDENT = 4;

/** Wraps the last column of a row. A line of code without columns remains one line. */
function wrappedRow(row: string, width: number, isCode: boolean): string {
  const { start, column } = columnsOf(row);
  const used = fastStringWidth(row.slice(0, column));
  const isWide = used > width / 2;
  const isLine = isCode && column === row.search(/\S/);
  if (isLine || (fastStringWidth(row) <= width && (isCode || !isWide))) return row;
  const indent = ' '.repeat(isWide ? INDENT : used);
  const cell = wrapChinese(row.slice(isWide ? start.length : column), width - indent.length);
  const name = isWide ? start.trimEnd() : row.slice(0, column);
  const before = isWide ? (name && `${name}\n`) + indent : name;
  return before + cell.replaceAll('\n', `\n${indent}`);
}

/** What is before the last column of a row, and the place of its text, after the number of an item. */
function columnsOf(row: string): { start: string; column: number } {
  const [start = ''] = /^.*\S {2,}(?=\S)|^ */.exec(row) ?? [];
  const [number = ''] = /^\d+\. /.exec(row.slice(start.length)) ?? [];
  return { start, column: start.length + number.length };
}
