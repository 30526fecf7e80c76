import { readAmountText } from './amount-text.ts';
import { type Cell, cellsOf, isBlankText } from './cell.ts';
import { RowScanner, type Separators } from './row-scanner.ts';

export interface ClosingLines {
  readonly start: number;
  readonly count: number;
  /** The first one that is not empty. */
  readonly line: number;
  readonly text: string;
}

/** Chinese words of totals, which are never names of other things. */
const SURE_WORDS = /^(?:合\s*[计計]|总\s*计|總\s*計|小\s*[计計]|汇\s*总|共\s*[计計])\s*[:：]?$/;
/** Words of totals that may also be names. */
const TOTAL_WORDS = /^(?:(?:grand |sub-?)?totals?|sum|summe|gesamt(?:summe)?|итого)\s*[:：]?$/i;
/** The beginnings of lines with totals, and of lines that say how many rows there are. */
const CLOSING_WORDS =
  /^(?:grand |sub-?)?totals?\s*(?:[:：(（]|amount|sum|net|gross|cny|rmb|usd|eur)|^.{0,4}(?:合\s*计|总\s*计)|^(?:总(?:交易)?(?:单数|笔数|金额|数)|共\s*\d+\s*(?:笔|条|行))|^\d+ rows?$/i;

/** The first bytes of these words in UTF-8, and their length: most rows need no closer look. */
const FIRST_BYTES = new Set<number | undefined>([...Buffer.from('TtSsGg'), 0xd0, 0xe5, 0xe6, 0xe7]);
const LONGEST_WORD = 24;

/** Whether a cell is the word of a total. Fast for other cells. */
export function isTotalCell(cell: Cell): boolean {
  const { bytes, start, end } = cell;
  return FIRST_BYTES.has(bytes[start]) && end - start <= LONGEST_WORD && isTotalWord(cell.text);
}

/** Whether a row is a line of totals: it has their word, and no other texts where the word may be a name. */
export function isTotalRow(cells: readonly string[]): boolean {
  if (cells.some((cell) => SURE_WORDS.test(cell))) return true;
  const words = cells.filter((cell) => TOTAL_WORDS.test(cell));
  return words.length === 1 && hasNoOtherTexts(cells, words);
}

function hasNoOtherTexts(cells: readonly string[], words: readonly string[]): boolean {
  return cells.every(
    (cell) => words.includes(cell) || isBlankText(cell) || readAmountText(cell) !== undefined,
  );
}

function isTotalWord(text: string): boolean {
  return SURE_WORDS.test(text) || TOTAL_WORDS.test(text);
}

export function isClosingStart(text: string): boolean {
  return isTotalWord(text) || CLOSING_WORDS.test(text);
}

/**
 * The totals, remarks, sums with a blank key and padding at the end of a file. `block` is the end
 * of the file, from the beginning of a row; `key` are the columns that are not blank in rows.
 */
export function findClosingLines(
  block: Uint8Array,
  separators: Separators,
  {
    width,
    key,
    line,
  }: { readonly width: number; readonly key: readonly number[]; readonly line: number },
): ClosingLines {
  const scanner = new RowScanner(separators, line);
  scanner.load(block, block.length, true);
  const lines: { start: number; line: number; cells: string[] }[] = [];
  let reference: readonly string[] | undefined;
  while (scanner.next()) {
    const all = cellsOf(scanner);
    // A separator at the end of each line does not begin a column.
    const cells = all.slice(width).every(isPadding) ? all.slice(0, width) : all;
    lines.push({ start: scanner.start, line: scanner.line, cells });
    if (cells.length === width && !isTotal(cells, width)) reference ??= cells;
  }
  let first = lines.length;
  while (first > 0 && isClosing(lines[first - 1]?.cells ?? [], width, key, reference)) first--;
  const closing = lines.slice(first).filter(({ cells }) => !cells.every(isPadding));
  const shown = closing[0];
  return {
    start: lines[first]?.start ?? block.length,
    count: closing.length,
    line: shown?.line ?? 0,
    text: shown?.cells.filter(Boolean).join(', ') ?? '',
  };
}

function isPadding(cell: string): boolean {
  return cell === '';
}

function isClosing(
  cells: readonly string[],
  width: number,
  key: readonly number[],
  reference: readonly string[] | undefined,
): boolean {
  if (cells.every(isPadding) || isTotal(cells, width)) return true;
  if (cells.length === width) {
    return hasSumsOnly(cells, key, reference) || isTextForDate(cells, reference);
  }
  if (cells.length < width) return !isShortRow(cells, width, reference);
  const [first = ''] = cells;
  // A row with an unquoted separator is longer as well, but begins like a row.
  return (
    isRemark(first) || (reference !== undefined && kindOf(first) !== kindOf(reference[0] ?? ''))
  );
}

const LONG_TEXT = 30;

function isRemark(text: string): boolean {
  return text.length > LONG_TEXT || /^[#*=-]|[::。]/.test(text);
}

/** Whether a closing line is one of totals: a shorter line may have other texts beside the word. */
function isTotal(cells: readonly string[], width: number): boolean {
  const first = cells.find((cell) => cell !== '') ?? '';
  if (cells.length < width && (isClosingStart(first) || cells.some(isTotalWord))) return true;
  if (isTotalRow(cells)) return true;
  return isClosingStart(first) && hasNoOtherTexts(cells, [first]);
}

/** Whether a line begins with a text, as in `Ending balance`, where rows begin with a date. */
function isTextForDate(
  [first = '']: readonly string[],
  reference: readonly string[] | undefined,
): boolean {
  return kindOf(reference?.[0] ?? '') === 'date' && kindOf(first) === 'text';
}

/** Whether a line has amounts but neither a key, unlike the rows, nor other texts. */
function hasSumsOnly(
  cells: readonly string[],
  key: readonly number[],
  reference: readonly string[] | undefined,
): boolean {
  const isBlankIn = (row: readonly string[]) => (column: number) => isBlankText(row[column] ?? '');
  if (!reference || key.some(isBlankIn(reference)) || !key.every(isBlankIn(cells))) return false;
  const filled = cells.filter((cell) => !isBlankText(cell));
  return filled.length > 0 && filled.every((cell) => readAmountText(cell) !== undefined);
}

/** Whether a line is a row without its last, empty fields: its cells are like those of another row. */
function isShortRow(
  cells: readonly string[],
  width: number,
  reference: readonly string[] | undefined,
): boolean {
  if (isBlankText(cells[0] ?? '')) return false;
  const isLong = cells.length * 2 > width;
  if (!reference) return cells.length > 1 && cells.length * 2 >= width;
  const kinds = cells.map((cell, at) => [kindOf(cell), kindOf(reference[at] ?? '')] as const);
  const [[first, expected] = ['blank', 'blank']] = kinds;
  const alike = kinds.filter(([kind, other]) => kind === other || kind === 'blank');
  const isProven = alike.some(([kind]) => kind !== 'text' && kind !== 'blank');
  return first === expected && alike.length * 2 >= cells.length && (isProven || isLong);
}

function kindOf(cell: string): 'blank' | 'amount' | 'date' | 'text' {
  if (isBlankText(cell)) return 'blank';
  if (readAmountText(cell)) return 'amount';
  return /^\d{2,4}[-/.]\d{1,2}[-/.]\d{1,4}/.test(cell) ? 'date' : 'text';
}
