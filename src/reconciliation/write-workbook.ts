import { writeXlsx } from 'hucre/xlsx';
import { MopError } from '../errors.ts';

/** A text, or a number by its decimal digits. */
export type Cell = string | { readonly number: string } | undefined;

/** A table, of which the first row is the header. */
export interface Sheet {
  readonly name: string;
  /** Can be read once. */
  readonly rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>;
}

const MAX_ROWS = 1_048_576;
const MAX_DIGITS = 15;

/** An Excel workbook. Numbers of more than 15 digits, which Excel would round, stay texts. */
export async function workbookBytes(sheets: readonly Sheet[]): Promise<Uint8Array> {
  const written = [];
  for (const { name, rows } of sheets) {
    const values: (string | number | null)[][] = [];
    for await (const row of rows) {
      if (values.length === MAX_ROWS) throw tooManyRows(name);
      values.push(row.map(cellValue));
    }
    const columns = (values[0] ?? []).map(() => ({ autoWidth: true }));
    written.push({ name, rows: values, columns, freezePane: { rows: 1 } });
  }
  return writeXlsx({ sheets: written });
}

function cellValue(cell: Cell): string | number | null {
  if (cell === undefined || typeof cell === 'string') return cell ?? null;
  const isExact = cell.number.replace(/\D/g, '').length <= MAX_DIGITS;
  return isExact ? Number(cell.number) : cell.number;
}

function tooManyRows(name: string): MopError {
  return new MopError('usage', `sheet ${name} has more than ${MAX_ROWS} rows`, {
    hint: 'write CSV files instead: --out DIR',
  });
}
