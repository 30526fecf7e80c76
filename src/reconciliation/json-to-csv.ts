import { MopError } from '../errors.ts';
import { parseJson } from '../json/parse.ts';
import { printJson } from '../json/print.ts';
import { JsonSyntaxError } from '../json/reader.ts';
import { describe, type JsonObject, type JsonValue } from '../json/value.ts';
import { csvLine } from './csv-line.ts';
import { MAX_COLUMNS, tooManyColumns } from './table-columns.ts';

const NEWLINE = 0x0a;
/** A file with a longer line is not a file of rows. */
const MAX_LINE_BYTES = 16 * 1024 ** 2;

/**
 * JSON lines as CSV without a header: a row for each line. `columns` receives the names of members.
 */
export async function* jsonToCsv(
  chunks: AsyncIterable<Buffer>,
  path: string,
  columns: string[],
): AsyncGenerator<Buffer> {
  const indexes = new Map<string, number>();
  let line = 0;
  const rowOf = (text: string): string => {
    line++;
    if (text.trim() === '') return '\n';
    const row: string[] = [];
    for (const { name, value } of parseLine(text, `${path}, line ${line}`).members) {
      let column = indexes.get(name);
      if (column === undefined) {
        column = columns.push(name) - 1;
        if (column === MAX_COLUMNS) throw tooManyColumns(path);
        indexes.set(name, column);
      }
      row[column] = valueText(value);
    }
    const csv = csvLine(Array.from(row));
    // An object without values is a row, unlike an empty line.
    return csv === '\n' ? '""\n' : csv;
  };
  for await (const lines of wholeLines(chunks, path)) {
    yield Buffer.from(lines.toString().replace(/\n$/, '').split('\n').map(rowOf).join(''));
  }
}

async function* wholeLines(chunks: AsyncIterable<Buffer>, path: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > 0) yield bytes.subarray(0, end);
    rest = bytes.subarray(end);
    if (rest.length > MAX_LINE_BYTES) {
      const message = `${path} has a line of more than ${MAX_LINE_BYTES} bytes`;
      throw new MopError('usage', message, { hint: LINES_HINT });
    }
  }
  if (rest.length > 0) yield rest;
}

const LINES_HINT = 'write one whole object on each line; convert a JSON document with: jq -c ".[]"';

function parseLine(line: string, place: string): JsonObject {
  try {
    const value = parseJson(line);
    if (value.kind === 'object') return value;
    throw new MopError('usage', `${place}: the line is ${describe(value)}, not a JSON object`, {
      hint: LINES_HINT,
    });
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const message = `${place}, column ${error.column}: invalid JSON: ${error.subject}`;
    throw new MopError('usage', message, { hint: LINES_HINT, cause: error });
  }
}

/** A value as a CSV field; numbers keep their digits. */
function valueText(value: JsonValue): string {
  if (value.kind === 'string') return value.value;
  return value.kind === 'null' ? '' : printJson(value);
}
