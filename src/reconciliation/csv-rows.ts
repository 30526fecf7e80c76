import { finished } from 'node:stream/promises';
import { CsvError, type Parser, parse } from 'csv-parse';
import { MopError } from '../errors.ts';
import type { LineBlock } from './read-lines.ts';
import type { Row, RowBatch } from './row-batch.ts';

/** A longer row probably has an unclosed quotation mark. */
const MAX_ROW_BYTES = 1024 ** 2;

/**
 * The rows of CSV (RFC 4180), including the header. Empty lines are skipped.
 *
 * @throws {MopError} `usage` for text that is not CSV, with its line.
 */
export async function* csvRows(
  blocks: AsyncIterable<LineBlock>,
  path: string,
): AsyncGenerator<RowBatch> {
  const parser = parse({
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: MAX_ROW_BYTES,
  });
  // Errors are thrown below, after the rows before them.
  parser.on('error', () => {});
  let line = 1;
  const nextBatch = (): CsvBatch => {
    const batch = new CsvBatch(parsedRows(parser), line, parser.info.lines);
    line = batch.nextLine;
    if (parser.errored) throw csvFault(parser.errored, line, path);
    return batch;
  };
  for await (const { bytes } of blocks) {
    // write() parses synchronously: a third faster than a pipeline.
    parser.write(bytes);
    yield nextBatch();
  }
  parser.end();
  await finished(parser, { readable: false }).catch(() => {});
  yield nextBatch();
}

function parsedRows(parser: Parser): Row[] {
  const rows: Row[] = [];
  for (let row = parser.read(); row !== null; row = parser.read()) rows.push(row);
  return rows;
}

class CsvBatch implements RowBatch {
  readonly rows: readonly Row[];
  readonly nextLine: number;
  readonly #first: number;
  /** The line of each row; undefined when each row takes one line, which is faster. */
  readonly #lines: readonly number[] | undefined;

  /**
   * @param first The line of the first row.
   * @param reached The line that the parser has reached; it may be inside the next row.
   */
  constructor(parsed: readonly Row[], first: number, reached: number) {
    this.#first = first;
    this.rows = parsed.filter((row) => !isEmpty(row));
    if (this.rows.length === parsed.length && parsed.length === reached - first) {
      this.nextLine = reached;
      return;
    }
    const lines: number[] = [];
    let line = first;
    for (const row of parsed) {
      if (!isEmpty(row)) lines.push(line);
      line += 1 + lineBreaksIn(row);
    }
    this.#lines = lines;
    this.nextLine = line;
  }

  lineOf(index: number): number {
    return this.#lines?.[index] ?? this.#first + index;
  }
}

/** The parser returns an empty line as a row with one empty field. */
function isEmpty(row: Row): boolean {
  return row.length === 1 && row[0] === '';
}

/** The number of line breaks in quoted fields. */
function lineBreaksIn(row: Row): number {
  return row.reduce((sum, field) => sum + (field?.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
}

const NOT_CLOSED = 'a quotation mark is not closed';

const FAULTS: Readonly<Record<string, string | undefined>> = {
  CSV_QUOTE_NOT_CLOSED: NOT_CLOSED,
  CSV_MAX_RECORD_SIZE: NOT_CLOSED,
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quotation mark',
  INVALID_OPENING_QUOTE: 'a quotation mark is inside a field without quotes',
};

/** @param start The line where the row begins: the parser detects an unclosed mark much later. */
function csvFault(error: Error, start: number, path: string): unknown {
  if (!(error instanceof CsvError)) return error;
  const subject = FAULTS[error.code] ?? error.message;
  const line = subject === NOT_CLOSED ? start : error.lines;
  return new MopError('usage', `${path}, line ${line}: ${subject}`, {
    hint: 'quote a field that contains quotation marks, and double them: "a ""b"" c"; fetch or export a truncated file again',
  });
}
