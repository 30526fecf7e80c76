import { dirname, join } from 'node:path';
import { AtomicFile, sweepAtomicFiles } from '../files/atomic-file.ts';
import { spreadsheetLine } from './csv-line.ts';
import { amountDifference } from './decimal.ts';
import type { Difference } from './pair-rows.ts';
import type { Cell, Sheet } from './write-workbook.ts';

export interface DifferenceFilesOptions {
  /** The permissions of the files. */
  readonly mode?: number | undefined;
  /** Begin CSV files with a byte order mark, for Excel. */
  readonly bom?: boolean | undefined;
}

const BUFFERED_CHARACTERS = 64 * 1024;
const BYTE_ORDER_MARK = '\ufeff';

/** Writes CSV files that replace those of an earlier comparison at the end, all or none. */
export async function writeCsvFiles(
  directory: string,
  sheets: readonly Sheet[],
  { mode, bom }: DifferenceFilesOptions,
): Promise<void> {
  await sweepAtomicFiles(directory, Date.now());
  const files: AtomicFile[] = [];
  try {
    for (const { rows } of sheets) {
      const file = await AtomicFile.open(directory, mode);
      files.push(file);
      let lines = bom ? BYTE_ORDER_MARK : '';
      for await (const row of rows) {
        lines += spreadsheetLine(row.map(csvCell));
        if (lines.length < BUFFERED_CHARACTERS) continue;
        await file.write(Buffer.from(lines));
        lines = '';
      }
      await file.write(Buffer.from(lines));
    }
    // The table of pairs comes last: it shows that the others are in place.
    for (const [index, { name }] of [...sheets.entries()].reverse()) {
      await files[index]?.place(join(directory, `${name}.csv`));
    }
  } finally {
    for (const file of files) await file.discard();
  }
}

export async function writeWorkbook(
  path: string,
  sheets: readonly Sheet[],
  { mode }: DifferenceFilesOptions,
): Promise<void> {
  const { workbookBytes } = await import('./write-workbook.ts');
  await sweepAtomicFiles(dirname(path), Date.now());
  const file = await AtomicFile.open(dirname(path), mode);
  try {
    await file.write(await workbookBytes(sheets));
    await file.place(path);
  } finally {
    await file.discard();
  }
}

function csvCell(cell: Cell): string | undefined {
  return typeof cell === 'object' ? cell.number : cell;
}

/** The columns that a comparison uses, by their names in the bill. */
export interface DifferenceColumns {
  readonly key: readonly string[];
  readonly amounts: readonly string[];
}

/** The table of pairs of rows with different amounts, and of surplus rows. */
export async function* differentRows(
  differences: AsyncIterable<Difference> | Iterable<Difference>,
  { key, amounts }: DifferenceColumns,
): AsyncGenerator<Cell[]> {
  const sides = ['bill', 'records', 'difference'];
  const amountNames = amounts.flatMap((name) => sides.map((side) => `${name}_${side}`));
  yield [...key, ...amountNames, 'bill_line', 'records_line', 'kind'];
  for await (const { kind, bill, records } of differences) {
    const fields = amounts.flatMap((_, index) => {
      const [inBill, inRecords] = [bill?.amounts[index], records?.amounts[index]];
      return [inBill, inRecords, amountDifference(inBill, inRecords)].map(amountCell);
    });
    const shown = bill ?? records;
    yield [
      ...(shown?.key ?? []),
      ...fields,
      amountCell(bill?.line),
      amountCell(records?.line),
      kind,
    ];
  }
}

function amountCell(value: string | number | undefined): Cell {
  return value === undefined || value === '' ? undefined : { number: String(value) };
}
