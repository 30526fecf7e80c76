/** The encodings of bills and records. GB18030 includes GBK and GB 2312. */
export const ENCODINGS = ['utf-8', 'gb18030', 'utf-16le', 'utf-16be', 'windows-1252'] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** Chooses the rows with this value in a column. */
export interface RowFilter {
  readonly column: string;
  readonly value: string;
}

/** A file of rows, with the options that replace a guess. */
export interface RowsFile {
  /** The path, also for results and errors. */
  readonly path: string;
  /** The bytes, instead of those at `path`; read once. */
  readonly content?: AsyncIterable<Uint8Array> | undefined;
  /** Default: UTF-8, UTF-16 with a byte order mark, or GB18030, by the bytes. */
  readonly encoding?: Encoding | undefined;
  /** The separator of fields, one ASCII character. Default: comma, semicolon, tab or `|`, by the lines. */
  readonly delimiter?: string | undefined;
  /** False for CSV without a header line: columns are named by their numbers, from 1. Default true. */
  readonly header?: boolean | undefined;
  /** The line of the header, from 1. Default: by the lines. */
  readonly headerLine?: number | undefined;
  /** The decimal mark of amounts such as `1,234` and `1.234`, where no other amount of the column shows it. */
  readonly decimal?: '.' | ',' | undefined;
  /** The sheet of a workbook: a name, or a number from 1. Default: the first visible one with rows. */
  readonly sheet?: string | undefined;
  /** Filters of one column are alternatives; filters of several columns must all match. */
  readonly where?: readonly RowFilter[] | undefined;
}

/** The name of a file in messages. */
export function sourceName(path: string): string {
  return path === '-' ? 'standard input' : path;
}

/** The separator that a text names: one ASCII character, or `tab`; undefined for any other text. */
export function delimiterOf(text: string): string | undefined {
  if (/^(?:tab|\\t)$/i.test(text)) return '\t';
  return /^[\t\x20-\x7e]$/.test(text) && !/["\w]/.test(text) ? text : undefined;
}
