import fastStringWidth from 'fast-string-width';
import type { Translator } from '../../locale/translator.ts';
import { translatedColumns } from './translated-lines.ts';
import { wrapChinese } from './wrap-chinese.ts';

/** The translation of a help topic: paragraphs, tables and indented lines, wrapped to a width. */
export function translatedProse(text: string, width: number, translator: Translator): string {
  return text
    .split('\n\n')
    .map((block) => translatedBlock(block, width, translator))
    .join('\n\n');
}

function translatedBlock(block: string, width: number, translator: Translator): string {
  // Indented lines are code or lists, and lines with gaps are tables.
  if (!/^ |\S {2,}\S/m.test(block)) {
    return wrapChinese(translator.text(block.replaceAll('\n', ' ')), width);
  }
  const isCode = block.startsWith(' ');
  return joinedRows(block, translator)
    .map((row) => {
      const texts = isHead(row) ? headings(translator) : translator;
      const translated = translatedColumns(row, isCode ? onlyKnown(translator) : texts);
      return isCode && translated === row ? row : wrappedRow(translated, width, isCode);
    })
    .join('\n');
}

/** The translation of the rows of a list or a table. */
export function translatedRows(block: string, translator: Translator): string {
  return joinedRows(block, translator)
    .map((row) => translatedColumns(row, translator))
    .join('\n');
}

/** The headings of a table are words in upper case. */
function isHead(row: string): boolean {
  return /^[A-Z ]+$/.test(row);
}

function headings(translator: Translator) {
  const word = (text: string): string => translator.word(text);
  return { text: word, word };
}

/** Translates no part of a text: it may be code. */
function onlyKnown(translator: Translator) {
  const text = (text: string): string => translator.known(text) ?? text;
  return { text, word: text };
}

/** The rows of a block. Lines below the last column of a row belong to it, if they are one text. */
function joinedRows(block: string, translator: Translator): string[] {
  const rows: string[] = [];
  const lines = block.split('\n');
  while (lines.length > 0) {
    const row = lines.shift() ?? '';
    const { start, column } = columnsOf(row);
    const other = lines.findIndex((line) => line.search(/\S/) !== column);
    const continued = lines.slice(0, other < 0 ? lines.length : other);
    const joined = [row, ...continued.map((line) => line.trim())].join(' ');
    const isText = translator.known(joined.slice(start.length)) !== undefined;
    rows.push(isText ? joined : row);
    if (isText) lines.splice(0, continued.length);
  }
  return rows;
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

/** The start of a row before its last column, and the place of that text, after the number of an item. */
function columnsOf(row: string): { start: string; column: number } {
  const [start = ''] = /^.*\S {2,}(?=\S)|^ */.exec(row) ?? [];
  const [number = ''] = /^\d+\. /.exec(row.slice(start.length)) ?? [];
  return { start, column: start.length + number.length };
}
