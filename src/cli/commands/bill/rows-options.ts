import { statSync } from 'node:fs';
import type { Encoding, RowFilter, RowsFile } from '../../../reconciliation/rows-file.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import { inputChunks, splitAssignment } from '../../context/input.ts';
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
  assertNoConflict([
    [!header && headerLine !== undefined, '--no-header and --header-line exclude each other'],
  ]);
}

/** A file of rows on the command line: `-` is standard input. */
export function rowsFile(path: string, io: Io, options: Partial<RowsFile>): RowsFile {
  return { ...options, path, ...(isStream(path) && { content: inputChunks(path, io) }) };
}

/** Whether a path can be read only once: standard input, or a pipe such as `<(…)`. */
function isStream(path: string): boolean {
  return path === '-' || statSync(path, { throwIfNoEntry: false })?.isFIFO() === true;
}

/** @throws {MopError} `usage` for a text that is not `COLUMN=VALUE`. */
export function rowFilters(texts: readonly string[], option: string): RowFilter[] {
  return texts.map((text) => {
    const [column, value] = splitAssignment(text, option, 'COLUMN=VALUE');
    return { column, value };
  });
}
