import fastStringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';
import { largest } from '../../any-length.ts';
import { keyedStyles, outsideStyles, plainStyles } from './style.ts';
import { visibleLine } from './visible-text.ts';

const GAP = '  ';
/** A longer word, such as a path, is broken if the terminal is too narrow. */
const LONGEST_UNBROKEN = 20;

type Wrap = (text: string, width: number) => string;

export const wrapHard: Wrap = (text, width) => wrapAnsi(text, width, { hard: true });

/**
 * Formats a table with aligned columns. Cells may contain styles; their control characters are
 * printed visibly.
 */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  columns = Number.POSITIVE_INFINITY,
  wrap: Wrap = wrapHard,
): string {
  const all = [headings, ...rows].map((row) => row.map(shownCell));
  const cellsOf = (column: number): string[] => all.map((row) => row[column] ?? '');
  const widths = headings.map((_, column) => largest(cellsOf(column).map(widthOf)));
  const narrowest = headings.map((_, column) => largest(cellsOf(column).map(narrowestWidth)));
  const room = columns - GAP.length * (headings.length - 1);
  if (sum(narrowest) > room) return lists(all[0] ?? [], all.slice(1), columns, wrap);
  narrow(widths, narrowest, room);
  // The first column is a name, even if it consists of digits.
  const isNumeric = headings.map(
    (_, column) => column > 0 && areNumbers(rows.map((row) => row[column] ?? '')),
  );
  return all
    .flatMap((row) => {
      const cells = headings.map((_, column) =>
        wrapped(row[column] ?? '', widths[column] ?? 0, wrap),
      );
      return Array.from({ length: largest(cells.map(({ length }) => length)) }, (_, line) =>
        cells
          .map((lines, column) =>
            padded(lines[line] ?? '', widths[column] ?? 0, isNumeric[column] ?? false),
          )
          .join(GAP)
          .trimEnd(),
      );
    })
    .join('\n');
}

/** Narrows the widest columns until the row fits. */
function narrow(widths: number[], narrowest: readonly number[], room: number): void {
  for (let excess = sum(widths) - room; excess > 0; excess--) {
    const spare = widths.map((width, column) => (width > (narrowest[column] ?? 0) ? width : 0));
    const widest = spare.indexOf(largest(spare));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
}

/** Formats each row as lines of heading and cell, with an empty line between rows. */
function lists(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number,
  wrap: Wrap,
): string {
  const indent = largest(headings.map(widthOf)) + GAP.length;
  const room = Math.max(columns - indent, 1);
  return rows
    .map((row) =>
      headings
        .map((heading, column) => {
          const lines = wrapped(row[column] ?? '', room, wrap);
          return padded(heading, indent) + lines.join(`\n${' '.repeat(indent)}`);
        })
        .join('\n'),
    )
    .join('\n\n');
}

function narrowestWidth(cell: string): number {
  return Math.min(largest(cell.split(' ').map(widthOf)), LONGEST_UNBROKEN);
}

function wrapped(cell: string, width: number, wrap: Wrap): string[] {
  return widthOf(cell) <= width ? [cell] : wrapCell(cell, width, wrap);
}

function shownCell(cell: string): string {
  return outsideStyles(cell, visibleLine);
}

/** Styles end at the end of a line, and begin again in the next one. */
function wrapCell(cell: string, width: number, wrap: Wrap): string[] {
  return keyedStyles(wrap(plainStyles(cell), width)).split('\n');
}

/** The width of a text on a terminal, in columns. */
function widthOf(text: string): number {
  return fastStringWidth(text);
}

/** A text with spaces up to a width on a terminal, before it or behind it. */
export function padded(text: string, width: number, toTheRight = false): string {
  const padding = ' '.repeat(Math.max(width - widthOf(text), 0));
  return toTheRight ? padding + text : text + padding;
}

/** Numbers in groups of three digits; `-` marks a missing number. */
function areNumbers(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell !== '-');
  return filled.length > 0 && filled.every((cell) => /^-?\d{1,3}(?:,\d{3})*(?:\.\d+)?$/.test(cell));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
