import { MopError } from '../errors.ts';
import { resumed } from '../http/chunks.ts';
import { csvRows } from './csv-rows.ts';
import { jsonRows } from './json-rows.ts';
import { type LineBlock, readLines } from './read-lines.ts';
import type { RowBatch } from './row-batch.ts';
import type { RowsFile } from './rows-file.ts';

/** A file of rows with named columns. */
export interface Table {
  readonly path: string;
  /** JSON rows may add columns during reading. */
  readonly columns: readonly string[];
  /** Can be read once. */
  readonly batches: AsyncIterable<RowBatch>;
}

/**
 * Opens a file of CSV or JSON lines, recognised by its first character.
 *
 * @param signal Closes the file.
 * @throws {MopError} `usage` for an empty file, and while reading for a row with another number of
 *   fields than the first line; see {@link readLines} for other errors.
 */
export async function openTable(file: RowsFile, signal?: AbortSignal): Promise<Table> {
  const { path, header = true } = file;
  const [first, blocks] = await firstCharacter(readLines(file, signal));
  if (first === '{' || first === '[') return jsonTable(blocks, path);
  const batches = csvRows(blocks, path);
  const start = await firstBatch(batches);
  if (!start) throw emptyFile(path);
  const [names = []] = start.rows;
  const columns = header ? names.map((name) => name ?? '') : names.map((_, at) => `${at + 1}`);
  const rest = header ? withoutFirst(start) : start;
  return { path, columns, batches: checked(resumed([rest], batches), columns.length, path) };
}

async function jsonTable(blocks: AsyncIterable<LineBlock>, path: string): Promise<Table> {
  const columns: string[] = [];
  const batches = jsonRows(blocks, path, columns);
  const start = await firstBatch(batches);
  if (!start) throw emptyFile(path);
  return { path, columns, batches: resumed([start], batches) };
}

/** The first character that is not white space, and all blocks. */
async function firstCharacter(
  blocks: AsyncGenerator<LineBlock>,
): Promise<[first: string | undefined, blocks: AsyncIterable<LineBlock>]> {
  const { value, done } = await blocks.next();
  if (done) return [undefined, blocks];
  return [value.bytes.toString().trimStart()[0], resumed([value], blocks)];
}

async function firstBatch(batches: AsyncGenerator<RowBatch>): Promise<RowBatch | undefined> {
  for (let next = await batches.next(); !next.done; next = await batches.next()) {
    if (next.value.rows.length > 0) return next.value;
  }
  return undefined;
}

function withoutFirst(batch: RowBatch): RowBatch {
  return { rows: batch.rows.slice(1), lineOf: (index) => batch.lineOf(index + 1) };
}

/** @throws {MopError} `usage` for a row with more or fewer fields than `width`. */
async function* checked(
  batches: AsyncIterable<RowBatch>,
  width: number,
  path: string,
): AsyncGenerator<RowBatch> {
  for await (const batch of batches) {
    const index = batch.rows.findIndex((row) => row.length !== width);
    if (index !== -1) {
      const count = batch.rows[index]?.length ?? 0;
      const fields = `${count} field${count === 1 ? '' : 's'}`;
      const message = `${sourceName(path)}: line ${batch.lineOf(index)} has ${fields}, and the first line has ${width}`;
      const hint =
        count > width
          ? 'put a field that contains a comma into quotation marks'
          : 'the file may be truncated: fetch or export it again';
      throw new MopError('usage', message, { hint });
    }
    yield batch;
  }
}

function emptyFile(path: string): MopError {
  return new MopError('usage', `${sourceName(path)} is empty`, {
    hint:
      path === '-' ? 'check the program that writes the input' : 'fetch or export the file again',
  });
}

function sourceName(path: string): string {
  return path === '-' ? 'standard input' : path;
}

/**
 * The index of a column.
 *
 * @param advice The alternative to choosing an existing column, for the hint.
 * @throws {MopError} `usage` when no column has the name, or several have.
 */
export function columnIndex({ path, columns }: Table, name: string, advice?: string): number {
  const index = columns.indexOf(name);
  if (index === -1) {
    const [only = ''] = columns.length === 1 ? columns : [];
    const separator = /[\t;|]/.exec(only)?.[0];
    const known =
      separator === undefined
        ? `its columns are: ${columns.join(', ')}`
        : `separate its columns with commas, not ${JSON.stringify(separator)}`;
    throw new MopError('usage', `${path} has no column ${JSON.stringify(name)}`, {
      hint: [known, advice].filter(Boolean).join('; '),
    });
  }
  if (columns.lastIndexOf(name) === index) return index;
  throw new MopError('usage', `${path} has several columns ${JSON.stringify(name)}`, {
    hint: 'give each column its own name, or remove the header line and add --no-header to choose columns by number',
  });
}

/** The error for a field that is not a number, by its line and the index of its column. */
export function notANumber(
  { path, columns }: Table,
  line: number,
  column: number,
  text: string,
): MopError {
  const place = `${path}, line ${line}, column ${columns[column]}`;
  return new MopError('usage', `${place}: ${JSON.stringify(text)} is not a decimal number`, {
    hint: 'choose a column of amounts, each written as 1234.56, without separators or a unit',
  });
}
