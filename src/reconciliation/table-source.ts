import { MopError } from '../errors.ts';
import { resumed } from '../files/chunks.ts';
import { type Content, openContent } from './container.ts';
import { type Dialect, detectDialect, emptyFile, excerpt } from './dialect.ts';
import { asUtf8, type DetectedEncoding, InvalidBytes } from './encoding.ts';
import { jsonToCsv } from './json-to-csv.ts';
import { CR, LF, type Separators } from './row-scanner.ts';
import { type RowsFile, sourceName } from './rows-file.ts';
import { MAX_COLUMNS, tooManyColumns } from './table-columns.ts';

const SEPARATOR_NAMES: Readonly<Record<string, string>> = {
  ';': 'semicolons',
  '\t': 'tabs',
  '|': '"|"',
};

/** The text of a table as CSV, and the results of the detection. */
export interface TableSource {
  readonly columns: readonly string[];
  /** The names that several columns have. */
  readonly doubled: ReadonlySet<string>;
  readonly samples: readonly (readonly string[])[];
  readonly chunks: AsyncIterable<Buffer>;
  readonly separators: Separators;
  readonly line: number;
  /** The line of the header; 1 without a header. */
  readonly headerLine: number;
  readonly isJson: boolean;
  readonly notes: readonly string[];
}

/** Opens a file and recognises its container, encoding, separator and header. */
export async function openSource(
  file: RowsFile,
  named: readonly string[],
  signal?: AbortSignal,
): Promise<TableSource> {
  const content = await openContent(file, signal);
  const detected: DetectedEncoding = { encoding: undefined };
  const encoding = content.isSheet ? 'utf-8' : file.encoding;
  const text = await withStart(asUtf8(content.chunks, encoding, file.path, detected), file.path);
  if (isJsonText(text.start, file, content)) {
    return jsonSource(resumed([text.start], text.rest), file);
  }
  return csvSource(text, file, named, { content, detected });
}

const HEAD_BYTES = 64 * 1024;

/** Whether the text is JSON lines; throws `usage` for HTML, XML and JSON documents. */
function isJsonText(start: Buffer, { path, headerLine }: RowsFile, { isSheet }: Content): boolean {
  if (isSheet || headerLine !== undefined) return false;
  const text = start.subarray(0, HEAD_BYTES).toString().trimStart();
  const refuse = (name: string, hint: string): never => {
    throw new MopError('usage', `${sourceName(path)} is ${name}, not a table`, { hint });
  };
  if (/^<(?:!doctype|html|head|body|table|!--)/i.test(text)) {
    const title = /<title>([^<]*)</i.exec(text)?.[1]?.trim();
    refuse(
      title ? `an HTML page (${JSON.stringify(title)})` : 'an HTML page',
      'export the file again, or open it in Excel and save it as .xlsx or CSV',
    );
  }
  if (text.startsWith('<')) refuse('an XML document', 'export it as CSV, JSON lines or .xlsx');
  if (text.startsWith('[')) refuse('a JSON document', 'convert it to JSON lines: jq -c ".[]"');
  if (!text.startsWith('{')) return false;
  if (/^\{\s*\n/.test(text)) {
    refuse('a JSON document', 'write each object on one line: jq -c .');
  }
  const isOneLine = /^\{[^\n]*\n?$/.test(text);
  if (isOneLine && /:\s*\[\s*\{/.test(text)) {
    refuse('a JSON document', 'convert its rows to JSON lines: jq -c ".NAME[]"');
  }
  if (
    isOneLine &&
    /"(?:code|errcode|error|errors)"\s*:/.test(text) &&
    /"(?:msg|message|errmsg|error|errors)"\s*:/.test(text)
  ) {
    refuse(`an answer with an error (${excerpt(text.trim())})`, 'export the file again');
  }
  return true;
}

async function jsonSource(blocks: AsyncIterable<Buffer>, file: RowsFile): Promise<TableSource> {
  const columns: string[] = [];
  const separators = { separator: 0x2c, lineEnd: LF, countsBreaks: false };
  const rows = jsonToCsv(blocks, file.path, columns);
  // The first block has the columns that the caller looks up.
  const { value, done } = await rows.next();
  const all = resumed(done ? [] : [value], rows);
  return {
    columns,
    doubled: new Set(),
    samples: [],
    chunks: all,
    separators,
    line: 1,
    headerLine: 1,
    isJson: true,
    notes: [],
  };
}

function csvSource(
  { start, isWhole, rest }: TextStart,
  file: RowsFile,
  named: readonly string[],
  source: { readonly content: Content; readonly detected: DetectedEncoding },
): TableSource {
  const { header = true } = file;
  // Without a header line, the names of columns are numbers.
  const dialect = detectDialect({ bytes: start, isWhole }, file, header ? named : []);
  const names = header ? dialect.header : dialect.header.map((_, at) => `${at + 1}`);
  if (names.length > MAX_COLUMNS) throw tooManyColumns(file.path);
  const rows = start.subarray(dialect.rowsStart);
  const columns = distinct(names);
  const doubled = new Set(names.filter((name, at) => columns[at] !== name));
  return {
    columns,
    doubled,
    samples: dialect.samples,
    chunks: resumed([rows], rest),
    separators: { ...dialect, countsBreaks: !source.content.isSheet },
    line: dialect.rowsLine,
    headerLine: header ? dialect.headerLine : 1,
    isJson: false,
    notes: [...detectionNotes(dialect, names, file, source), ...doubledNotes(names, columns)],
  };
}

/** Adds a number to the names of columns that occur again: `amount`, `amount#2`. */
function distinct(names: readonly string[]): string[] {
  const taken = new Set(names);
  const counts = new Map<string, number>();
  return names.map((name) => {
    let count = counts.get(name) ?? 0;
    do count++;
    while (count > 1 && taken.has(`${name}#${count}`));
    counts.set(name, count);
    return count === 1 ? name : `${name}#${count}`;
  });
}

/** One note about all unusual guesses, and one about a doubtful header. */
function detectionNotes(
  dialect: Dialect,
  names: readonly string[],
  { header = true, headerLine, encoding, delimiter }: RowsFile,
  { content, detected }: { readonly content: Content; readonly detected: DetectedEncoding },
): string[] {
  const notes: string[] = [];
  const separator = String.fromCharCode(dialect.separator);
  const name = SEPARATOR_NAMES[separator];
  const found = [
    content.note,
    !encoding && detected.encoding !== 'utf-8' && detected.encoding?.toUpperCase(),
    delimiter === undefined && name && `separated by ${name}`,
    dialect.lineEnd === CR && 'lines end with CR',
    header &&
      headerLine === undefined &&
      dialect.headerLine > 1 &&
      `the header in line ${dialect.headerLine}`,
  ].filter(Boolean);
  if (found.length > 0) notes.push(`read as: ${found.join(', ')}`);
  if (header) {
    const amount = names.find((each) => /^[-+(]?[¥$€]?\d[\d.,]*\)?$/.test(each));
    if (amount !== undefined && headerLine === undefined) {
      notes.push(
        `line ${dialect.headerLine} is read as the header although it contains ${JSON.stringify(amount)}: if it is a row, add --no-header`,
      );
    }
  }
  return notes;
}

function doubledNotes(names: readonly string[], columns: readonly string[]): string[] {
  return names.flatMap((name, at) =>
    name === columns[at] || name === ''
      ? []
      : [`several columns are named ${JSON.stringify(name)}: another one is ${columns[at]}`],
  );
}

/** A longer row probably has an unclosed quotation mark. */
export const MAX_ROW_BYTES = 16 * 1024 ** 2;
/** The end of a file in which closing lines are looked for. */
const TAIL_BYTES = 64 * 1024;

export interface Block {
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/** Blocks of which the last has at least {@link TAIL_BYTES}, if there are as many. */
export async function* blocksOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Block> {
  let held: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of chunks) {
      if (held.length >= TAIL_BYTES && chunk.length >= TAIL_BYTES) {
        yield { bytes: held, isLast: false };
        held = chunk;
        continue;
      }
      const both = Buffer.concat([held, chunk]);
      const isLong = both.length > 4 * TAIL_BYTES;
      if (isLong) yield { bytes: both.subarray(0, -TAIL_BYTES), isLast: false };
      held = isLong ? both.subarray(-TAIL_BYTES) : both;
    }
  } catch (error) {
    // The rows before invalid bytes lead to their line.
    yield { bytes: held, isLast: false };
    throw error;
  }
  yield { bytes: held, isLast: true };
}

interface TextStart {
  readonly start: Buffer;
  readonly isWhole: boolean;
  readonly rest: AsyncIterator<Buffer>;
}

/** The beginning of a text, with at least one line, and its other chunks. */
async function withStart(chunks: AsyncGenerator<Buffer>, path: string): Promise<TextStart> {
  const held: Buffer[] = [];
  const beginning = (isWhole: boolean, rest: AsyncIterator<Buffer> = chunks): TextStart => {
    const start = Buffer.concat(held);
    if (isWhole && /^[\s\0]*$/.test(start.toString('latin1'))) throw emptyFile(path);
    return { start, isWhole, rest };
  };
  let [length, hasLine] = [0, false];
  try {
    while (length < TAIL_BYTES || (!hasLine && length < MAX_ROW_BYTES)) {
      const { value, done } = await chunks.next();
      if (done) return beginning(true);
      held.push(value);
      length += value.length;
      hasLine ||= value.includes(LF) || value.includes(CR);
    }
    return beginning(false);
  } catch (error) {
    if (!(error instanceof InvalidBytes)) throw error;
    if (!hasLine) throw invalidBytes(path, error, 1, Buffer.concat(held));
    return beginning(false, { next: () => Promise.reject(error) });
  }
}

/** The error for invalid bytes after `before`, which begins at `line`. */
export function invalidBytes(
  path: string,
  { message }: InvalidBytes,
  line: number,
  before: Uint8Array | undefined,
): MopError {
  const lines = Buffer.from(before ?? [])
    .toString()
    .split('\n');
  const column = before ? `, column ${[...(lines.at(-1) ?? '')].length + 1}` : '';
  return new MopError('usage', `${path}, line ${line + lines.length - 1}${column}: ${message}`, {
    hint: 'save the file as UTF-8, or name its encoding, such as --encoding gb18030',
  });
}
