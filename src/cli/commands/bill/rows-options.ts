import { statSync } from 'node:fs';
import { MopError } from '../../../errors.ts';
import type { Encoding, RowFilter, RowsFile } from '../../../reconciliation/rows-file.ts';
import { inputChunks } from '../../context/input.ts';
import type { Io } from '../../context/io.ts';

/** The values of `readingOptions`. */
export interface ReadingOptions {
  readonly encoding?: Encoding;
  readonly delimiter?: string;
  readonly header: boolean;
  readonly headerLine?: number;
  readonly decimal?: '.' | ',';
  readonly sheet?: string;
}

/** @throws {MopError} `usage` for options that contradict each other. */
export function checkReadingOptions({ header, headerLine }: ReadingOptions): void {
  if (header || headerLine === undefined) return;
  throw new MopError('usage', '--no-header and --header-line exclude each other', {
    hint: 'leave out one of the two',
  });
}

/** A file of rows on the command line: `-` is standard input. */
export function rowsFile(path: string, io: Io, options: Partial<RowsFile>): RowsFile {
  return { ...options, path, ...(isStream(path) && { content: inputChunks(path, io) }) };
}

/** Whether a path can be read only once: standard input, or a pipe such as `<(…)`. */
function isStream(path: string): boolean {
  return path === '-' || statSync(path, { throwIfNoEntry: false })?.isFIFO() === true;
}

/**
 * The `COLUMN=VALUE` of `--where`, split at the first `=`.
 *
 * @throws {MopError} `usage` without a column.
 */
export function rowFilters(texts: readonly string[], option: string): RowFilter[] {
  return texts.map((text) => {
    const at = text.indexOf('=');
    if (at > 0) return { column: text.slice(0, at), value: text.slice(at + 1) };
    throw new MopError('usage', `${option} takes COLUMN=VALUE, not ${JSON.stringify(text)}`, {
      hint: `write it as ${option} status=PAID`,
    });
  });
}
