import { listed, MopError, own, quoted } from '../errors.ts';
import type { AmountColumn } from './amount-column.ts';
import { sourceName } from './rows-file.ts';

const COMMA = 0x2c;

/** The maximum columns of a file: each costs memory, and time in each row of JSON. */
export const MAX_COLUMNS = 4096;

export function tooManyColumns(path: string): MopError {
  return new MopError('usage', `${sourceName(path)} has more than ${MAX_COLUMNS} columns`, {
    hint: 'give a table with fewer columns; if its separator is another one, name it with --delimiter',
  });
}

interface TableColumns {
  readonly path: string;
  readonly columns: readonly string[];
  /** The names that several columns have. */
  readonly doubled: ReadonlySet<string>;
  readonly separator: number;
  readonly row: { readonly line: number };
}

/** The index of a column; throws `usage` when no column has the name, or several have. */
export function columnIndex(
  { path, columns, doubled }: Pick<TableColumns, 'path' | 'columns' | 'doubled'>,
  name: string,
  advice = '',
): number {
  const index = columns.indexOf(name);
  if (index === -1) {
    throw new MopError('usage', `${path} has no column ${JSON.stringify(name)}`, {
      hint: quoted`its columns are: ${listed(columns)}${own(advice)}`,
      unknown: { word: name, names: columns },
    });
  }
  if (!doubled.has(name)) return index;
  const others = columns.filter((column) => column.startsWith(`${name}#`));
  throw new MopError('usage', `${path} has several columns ${JSON.stringify(name)}`, {
    hint: quoted`the others are named ${listed(others)}: rename the columns in the file, or remove the header line and add --no-header to choose columns by number`,
  });
}

export function notAnAmount(
  { path, columns, row }: TableColumns,
  column: number,
  text: string,
  fault: string,
): MopError {
  const place = `${path}, line ${row.line}, column ${columns[column]}`;
  return new MopError('usage', `${place}: ${JSON.stringify(text)} ${fault}`, {
    hint: 'choose a column of amounts; leave out rows without one with --where COLUMN=VALUE',
  });
}

/** A note about amounts that have no decimals, or no thousands, if they were read differently. */
export function guessNotes(
  { separator }: Pick<TableColumns, 'separator'>,
  column: string,
  guess: AmountColumn['guess'],
): string[] {
  // Where commas separate fields, plain digits have a decimal point.
  const isUsual = separator === COMMA && !/[^\d.+-]/.test(guess?.text ?? '');
  if (!guess || (guess.mark === '.' && isUsual)) return [];
  const meaning = guess.mark === ',' ? 'thousands' : 'decimals';
  const text = JSON.stringify(guess.text);
  return [
    `${column}: ${text} is read with a separator of ${meaning}; if decimals have a comma, add --decimal ,`,
  ];
}
