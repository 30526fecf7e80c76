import { posix } from 'node:path';
import { type CellValue, readXlsx, streamXlsxRows } from 'hucre/xlsx';
import { withoutEnd } from '../any-length.ts';
import { listed, MopError, quoted } from '../errors.ts';
import { csvLine } from './csv-line.ts';
import { sourceName } from './rows-file.ts';

/** Formats that look like a workbook, by a file in the archive. */
const OTHER_FORMATS: Readonly<Record<string, string>> = {
  'xl/workbook.bin': 'a binary workbook (.xlsb)',
  'content.xml': 'an OpenDocument file (.ods)',
  'Index/Document.iwa': 'a Numbers file',
};

/** Whether an archive with these files is an Excel workbook; throws `usage` for other formats. */
export function isWorkbook(names: readonly string[], path: string): boolean {
  const other = names.find((name) => OTHER_FORMATS[name] !== undefined);
  if (other !== undefined) {
    throw new MopError('usage', `${sourceName(path)} is ${OTHER_FORMATS[other]}`, {
      hint: 'save it as .xlsx or as CSV',
    });
  }
  return names.some((name) => posix.basename(name) === 'workbook.xml');
}

/** Excel shows 15 digits of a number; the others are noise of binary fractions. */
const SHOWN_DIGITS = 15;
const CHUNK_CHARACTERS = 64 * 1024;

/** The rows of a sheet as CSV: line N is row N. Default: the first visible sheet that has rows. */
export async function* sheetCsv(
  workbook: Uint8Array,
  path: string,
  wanted: string | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    const sheets: { readonly name: string; readonly isHidden: boolean }[] = [];
    await readXlsx(workbook, {
      sheets: ({ name, hidden, veryHidden }) => {
        sheets.push({ name, isHidden: Boolean(hidden || veryHidden) });
        return false;
      },
    });
    const names = sheets.map(({ name }) => name);
    for (const name of wanted === undefined ? visible(sheets) : [namedSheet(wanted, names, path)]) {
      let isEmpty = true;
      for await (const lines of csvLines(workbook, names.indexOf(name))) {
        isEmpty = false;
        yield Buffer.from(lines);
      }
      if (!isEmpty) return;
    }
  } catch (error) {
    if (error instanceof MopError) throw error;
    throw new MopError('usage', `${sourceName(path)}: the workbook is damaged`, {
      hint: 'export it again, or save it as CSV',
      cause: error,
    });
  }
}

function visible(
  sheets: readonly { readonly name: string; readonly isHidden: boolean }[],
): string[] {
  return sheets.filter(({ isHidden }) => !isHidden).map(({ name }) => name);
}

function namedSheet(wanted: string, names: readonly string[], path: string): string {
  const name = names.includes(wanted) ? wanted : names[Number(wanted) - 1];
  if (name !== undefined) return name;
  throw new MopError('usage', `${sourceName(path)} has no sheet ${JSON.stringify(wanted)}`, {
    hint: quoted`its sheets are: ${listed(names)}`,
  });
}

async function* csvLines(workbook: Uint8Array, sheet: number): AsyncGenerator<string> {
  let lines = '';
  let count = 0;
  for await (const { index, values } of streamXlsxRows(workbook, { sheet })) {
    // The file omits empty rows.
    for (; count < index; count++) lines += '\n';
    lines += csvLine(values.map(cellText));
    count++;
    if (lines.length < CHUNK_CHARACTERS) continue;
    yield lines;
    lines = '';
  }
  if (lines !== '') yield lines;
}

/** The text of a cell: a number as plain digits, a date as `2026-11-20` or `2026-11-20 08:00:01`. */
function cellText(value: CellValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (value instanceof Date)
    return value
      .toISOString()
      .replace('T', ' ')
      .replace(/(?: 00:00:00)?\.\d+Z$/, '');
  return String(value).replace(/\r\n|\r|\n/g, ' ');
}

function numberText(value: number): string {
  const text = String(Number(value.toPrecision(SHOWN_DIGITS)));
  if (!/e/i.test(text)) return text;
  return Number.isInteger(value)
    ? String(BigInt(value))
    : withoutEnd(withoutEnd(value.toFixed(SHOWN_DIGITS), '0'), '.');
}
