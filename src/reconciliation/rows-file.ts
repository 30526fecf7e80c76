/** The encodings of bills and records. GB18030 includes GBK and GB 2312. */
export const ENCODINGS = ['utf-8', 'gb18030'] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** A file of rows. */
export interface RowsFile {
  /** The path, also for results and errors. */
  readonly path: string;
  /** The bytes, instead of those at `path`; read once. */
  readonly content?: AsyncIterable<Uint8Array> | undefined;
  /**
   * Default `utf-8`. `utf-8-or-gb18030` detects the encoding at the first non-ASCII text. A byte
   * order mark of UTF-8 takes precedence.
   */
  readonly encoding?: Encoding | 'utf-8-or-gb18030' | undefined;
  /** False for CSV without a header line: columns are named by their numbers, from 1. Default true. */
  readonly header?: boolean | undefined;
}
