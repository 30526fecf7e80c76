import { wrapAnsi } from 'fast-wrap-ansi';

/** A line without indentation and without columns. */
const PROSE = '(?! |.*\\S {2,}\\S).+';
const PARAGRAPH = new RegExp(`^${PROSE}(?:\\n${PROSE})*`, 'gm');
/** The row of a table, with an indented second line or without. */
const ROW = /^(\S.*? {2,})(\S.*)(?:\n +(\S.*))?$/gm;
const INDENT = 4;

/**
 * Fits a text of 80 columns into a narrower terminal: wraps its paragraphs, and the rows of its
 * tables to the right of the first column. Other indented lines, such as commands, stay unchanged.
 */
export function fitProse(text: string, columns: number): string {
  return text
    .replace(PARAGRAPH, (lines) => wrapAnsi(lines.replaceAll('\n', ' '), columns))
    .replace(ROW, (_, name: string, ...lines: (string | undefined)[]) => {
      const isWide = name.length > columns / 2;
      const indent = ' '.repeat(isWide ? INDENT : name.length);
      const cell = lines
        .slice(0, 2)
        .filter((line) => line !== undefined)
        .map((line) => wrapAnsi(line, columns - indent.length))
        .join('\n')
        .replace(/^(?=.)/gm, indent);
      return isWide ? `${name.trimEnd()}\n${cell}` : name + cell.slice(indent.length);
    });
}
