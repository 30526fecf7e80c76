import { MopError } from '../errors.ts';
import { readAmountText } from './amount-text.ts';
import { cellsOf, isBlankText } from './cell.ts';
import { isClosingStart } from './closing-lines.ts';
import { CR, LF, RowFault, RowScanner, type Separators } from './row-scanner.ts';
import { type RowsFile, sourceName } from './rows-file.ts';

export interface Dialect extends Separators {
  readonly header: readonly string[];
  readonly headerLine: number;
  /** The offset of the first row, and its line. */
  readonly rowsStart: number;
  readonly rowsLine: number;
  readonly samples: readonly (readonly string[])[];
}

const SEPARATORS = [',', ';', '\t', '|'];
const SAMPLE_LINES = 300;
const SAMPLE_ROWS = 200;
const LINE_END_BYTES = 64 * 1024;
const NEAR_ROWS = 10;

interface Line {
  readonly cells: readonly string[];
  readonly line: number;
  readonly start: number;
  /** The offset and the number of the line after it. */
  readonly end: number;
  readonly nextLine: number;
}

/** The lines of a sample, read with one separator, and the line that is taken for the header. */
interface Candidate {
  readonly separators: Separators;
  readonly lines: readonly Line[];
  readonly header: number;
  readonly rank: readonly number[];
}

/**
 * Recognises the separator and the header: the first line with the columns `named`, otherwise the
 * first of the longest run of lines with one width. Totals and padding do not count.
 */
export function detectDialect(
  { bytes, isWhole }: { readonly bytes: Buffer; readonly isWhole: boolean },
  file: RowsFile,
  named: readonly string[],
): Dialect {
  const { path, delimiter, headerLine, header = true } = file;
  const lineEnd = lineEndOf(bytes);
  const given = delimiter ?? excelSeparator(bytes);
  const candidates = (given === undefined ? SEPARATORS : [given]).flatMap((separator) => {
    const separators = { separator: separator.charCodeAt(0), lineEnd };
    const lines = readLines(bytes, separators, isWhole);
    if (lines.length === 0) return [];
    return [
      { separators, lines, ...(header ? chooseHeader(lines, named, headerLine) : firstRow(lines)) },
    ];
  });
  if (candidates.length === 0) throw emptyFile(path);
  const best = candidates.reduce((a, b) => (compareRanks(b.rank, a.rank) > 0 ? b : a));
  return dialectOf(best, file, named);
}

function lineEndOf(bytes: Buffer): number {
  const text = bytes.subarray(0, LINE_END_BYTES).toString('latin1');
  const alone = text.match(/\r(?!\n)/g)?.length ?? 0;
  return alone > (text.match(/\n/g)?.length ?? 0) ? CR : LF;
}

function dialectOf(
  { separators, lines, header: index }: Candidate,
  { path, header = true, headerLine }: RowsFile,
  named: readonly string[],
): Dialect {
  const head = lines[index];
  if (!head) {
    throw new MopError('usage', `${sourceName(path)} has no line ${headerLine}`, {
      hint: 'give the line of the header, from 1',
    });
  }
  assertIsTable(lines, index, named, path);
  // Without a header, each line is a row, also one of another width than most.
  const first = lines.find(isFilled) ?? head;
  const cells = [...head.cells];
  // A separator at the end of each line does not begin a column.
  const rows = lines.slice(header ? index + 1 : index);
  while (cells.length > 1 && header && cells.at(-1) === '' && isUnused(rows, cells.length - 1)) {
    cells.pop();
  }
  return {
    ...separators,
    header: cells,
    headerLine: head.line,
    rowsStart: header ? head.end : first.start,
    rowsLine: header ? head.nextLine : first.line,
    samples: rows.slice(0, SAMPLE_ROWS).map((line) => line.cells),
  };
}

function isUnused(rows: readonly Line[], column: number): boolean {
  return rows.every(({ cells }) => (cells[column] ?? '') === '');
}

/** Excel reads a first line `sep=;` as the separator. */
function excelSeparator(sample: Buffer): string | undefined {
  return /^"?sep=(.)"?\r?\n/i.exec(sample.subarray(0, 16).toString('latin1'))?.[1];
}

/** The lines up to a fault: such a line is reported when it is reached as a row. */
function readLines(sample: Buffer, separators: Separators, isWhole: boolean): Line[] {
  const scanner = new RowScanner(separators);
  scanner.load(sample, sample.length, isWhole);
  const lines: Line[] = [];
  try {
    while (lines.length < SAMPLE_LINES && scanner.next()) {
      const { line, start, rest: end, nextLine } = scanner;
      lines.push({ cells: cellsOf(scanner), line, start, end, nextLine });
    }
  } catch (error) {
    if (!(error instanceof RowFault)) throw error;
  }
  return lines;
}

function chooseHeader(
  lines: readonly Line[],
  named: readonly string[],
  headerLine: number | undefined,
): Pick<Candidate, 'header' | 'rank'> {
  const naming =
    named.length === 0
      ? -1
      : lines.findIndex(({ cells }) => named.every((name) => cells.includes(name)));
  const ranks = lines.map((line, index) => rankOf(line, lines, index));
  let header = naming;
  if (headerLine !== undefined) header = lines.findIndex(({ line }) => line === headerLine);
  else if (header === -1) {
    header = 0;
    for (const [at, rank] of ranks.entries()) {
      // The width only decides between separators: of two tables, the first one counts.
      if (compareRanks(rank.slice(0, -1), ranks[header] ?? []) > 0) header = at;
    }
  }
  return { header, rank: [Number(naming !== -1), ...(ranks[header] ?? [])] };
}

/** The first row of a file without a header, among the lines of the most common width. */
function firstRow(lines: readonly Line[]): Pick<Candidate, 'header' | 'rank'> {
  const counts = new Map<number, number>();
  for (const { cells } of lines.filter(isFilled)) {
    counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  }
  const [[width, count] = [1, 0]] = [...counts].sort(([, a], [, b]) => b - a);
  const header = lines.findIndex((line) => isFilled(line) && line.cells.length === width);
  return { header, rank: [0, Number(width > 1), count, width] };
}

function isFilled({ cells }: Line): boolean {
  return cells.some(Boolean);
}

/**
 * Whether a line could be a header above rows with amounts or dates; then the number of these rows.
 */
function rankOf({ cells }: Line, lines: readonly Line[], index: number): number[] {
  const width = cells.length;
  const rows: (readonly string[])[] = [];
  const shorter: (readonly string[])[] = [];
  for (let at = index + 1; at < lines.length; at++) {
    const other = lines[at]?.cells ?? [];
    if (other.length > width || isClosingStart(other[0] ?? '')) break;
    if (other.length === width) rows.push(other);
    else if (other.length > 1) shorter.push(other);
  }
  const near = rows.slice(0, NEAR_ROWS);
  const filled = Math.max(0, ...near.map((row) => filledWidth({ cells: row })));
  const isHeader = cells.every(isName) && filledWidth({ cells }) >= filled;
  const hasValues = [...near, ...shorter.slice(0, NEAR_ROWS)].some((row) =>
    row.some((cell) => cell !== '' && !isName(cell)),
  );
  // Another separator beside the value shows that this one only pads it.
  const isSeparated = !cells.some((cell) => /^[,;|]/.test(cell));
  // Rows may lack their last, empty fields.
  const count = rows.length + shorter.length / 2;
  return [width > 1, isSeparated, isHeader, hasValues, count, width].map(Number);
}

function filledWidth({ cells }: Pick<Line, 'cells'>): number {
  return cells.findLastIndex((cell) => cell !== '') + 1;
}

/** Whether a cell may be the name of a column: not an amount, a date or a total. */
function isName(cell: string): boolean {
  if (cell === '') return true;
  return (
    !isBlankText(cell) && !/^[\d(+−-]/.test(cell) && !readAmountText(cell) && !isClosingStart(cell)
  );
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (const [at, rank] of a.entries()) if (rank !== b[at]) return rank - (b[at] ?? 0);
  return 0;
}

const MAX_NAME = 200;
const MAX_WORDS = 8;

function assertIsTable(
  lines: readonly Line[],
  index: number,
  named: readonly string[],
  path: string,
): void {
  const { cells = [] } = lines[index] ?? {};
  if (named.length > 0 && named.every((name) => cells.includes(name))) return;
  const isSentence = cells.some(
    (cell) => cell.length > MAX_NAME || cell.split(' ').length > MAX_WORDS,
  );
  const isText =
    lines.length === 1
      ? cells.length === 1 || cells.some((cell) => cell.split(' ').length > MAX_WORDS / 2)
      : cells.length === 1 && lines.some(hasSpaces);
  if (!isSentence && !isText) return;
  const text = lines.find(({ cells: [cell = ''] }) => cell !== '')?.cells.join(', ') ?? '';
  const message = `${sourceName(path)} is not a table: its text begins with ${excerpt(text)}`;
  throw new MopError('usage', message, {
    hint: 'give CSV, JSON lines or a workbook; if it is a table, name its separator and header: --delimiter ";" --header-line 1',
  });
}

function hasSpaces({ cells }: Line): boolean {
  return cells.some((cell) => /\S\s+\S/.test(cell));
}

const EXCERPT = 60;

export function excerpt(text: string): string {
  return JSON.stringify(text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text);
}

export function emptyFile(path: string): MopError {
  return new MopError('usage', `${sourceName(path)} is empty`, {
    hint: 'fetch or export it again, or check the program that writes it',
  });
}
