import { MopError } from '../errors.ts';
import { parseJson } from '../json/parse.ts';
import { printJson } from '../json/print.ts';
import { JsonSyntaxError } from '../json/reader.ts';
import { describe, type JsonObject, type JsonValue } from '../json/value.ts';
import type { LineBlock } from './read-lines.ts';
import type { RowBatch } from './row-batch.ts';

/**
 * The rows of JSON lines (an object on each line). Empty lines are skipped.
 *
 * @param columns Receives the names of members when they first occur.
 * @throws {MopError} `usage` for a line that is not a JSON object, with its number.
 */
export async function* jsonRows(
  blocks: AsyncIterable<LineBlock>,
  path: string,
  columns: string[],
): AsyncGenerator<RowBatch> {
  const indexes = new Map<string, number>();
  for await (const { bytes, firstLine } of blocks) {
    const rows: string[][] = [];
    const lines: number[] = [];
    for (const [index, line] of bytes.toString().split('\n').entries()) {
      if (line.trim() === '') continue;
      const number = firstLine + index;
      const row: string[] = new Array(columns.length).fill('');
      for (const { name, value } of parseLine(line, `${path}, line ${number}`).members) {
        let column = indexes.get(name);
        if (column === undefined) {
          column = columns.push(name) - 1;
          indexes.set(name, column);
        }
        row[column] = valueText(value);
      }
      rows.push(row);
      lines.push(number);
    }
    yield { rows, lineOf: (index) => lines[index] ?? firstLine };
  }
}

function parseLine(line: string, place: string): JsonObject {
  try {
    const value = parseJson(line);
    if (value.kind === 'object') return value;
    throw new MopError('usage', `${place}: the line is ${describe(value)}, not a JSON object`, {
      hint: 'write one object on each line; convert an array with: jq -c ".[]"',
    });
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new MopError(
      'usage',
      `${place}, column ${error.column}: invalid JSON: ${error.subject}`,
      {
        hint: 'write one whole object on each line',
        cause: error,
      },
    );
  }
}

/** A value as a CSV field; numbers keep their digits. */
function valueText(value: JsonValue): string {
  if (value.kind === 'string') return value.value;
  return value.kind === 'null' ? '' : printJson(value);
}
