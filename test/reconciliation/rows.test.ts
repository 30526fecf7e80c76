import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RowsFile } from '../../src/reconciliation/rows-file.ts';
import { summarizeBill } from '../../src/reconciliation/summarize-bill.ts';
import { openTable } from '../../src/reconciliation/table.ts';
import { checkRows } from '../support/rows.ts';
import { type CsvStyle, csvText, fileOf, gzipped, jsonText } from './support.ts';

const NAMES = ['order', 'note', 'amount'] as const;

const field = fc.oneof(
  fc.constantFrom(
    '',
    '12.50',
    'x',
    '"',
    '""',
    ',',
    '\n',
    '\r\n',
    'a\nb',
    'a\r\nb"',
    '上海',
    '🚕',
    ' ',
  ),
  fc.string({ maxLength: 5 }),
);
/** Rows without empty lines. */
const rowsOf = fc.array(fc.tuple(fc.nat(999).map(String), field, field), { maxLength: 12 });

const style: fc.Arbitrary<CsvStyle> = fc.record({
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  mark: fc.boolean(),
  quotes: fc.boolean(),
  emptyLines: fc.boolean(),
  lastEnd: fc.boolean(),
});

const size = fc.integer({ min: 1, max: 7 });

it('reads CSV rows with their lines, in any notation and any chunks', () =>
  fc.assert(
    fc.asyncProperty(rowsOf, style, size, fc.boolean(), async (rows, how, bytes, zip) => {
      const text = csvText([NAMES, ...rows], how);
      const table = await readTable(fileOf(zip ? gzipped(text) : text, { size: bytes }));
      expect(table.columns).toEqual(NAMES);
      expect(table.rows).toEqual(rows);
      expect(table.lines).toEqual(linesOf(rows, how));
    }),
    { seed: 20261123, numRuns: 150 },
  ));

it('reads JSON lines with their line numbers, in any chunks', () =>
  fc.assert(
    fc.asyncProperty(
      rowsOf,
      size,
      fc.nat(9),
      fc.boolean(),
      async (rows, bytes, blank, isMarked) => {
        fc.pre(rows.length > 0);
        const text = `${isMarked ? '\ufeff' : ''}${' \n'.repeat(blank)}${jsonText([NAMES, ...rows])}`;
        const table = await readTable(fileOf(text, { size: bytes }));
        expect(table.columns).toEqual(NAMES);
        expect(table.rows).toEqual(rows);
        expect(table.lines).toEqual(rows.map((_, at) => blank + at + 1));
      },
    ),
    { seed: 20261123, numRuns: 100 },
  ));

const JSON_VALUES = [
  ['12.50', '12.50'],
  ['-0.10', '-0.10'],
  ['1234567890123456789.01', '1234567890123456789.01'],
  ['"12.50"', '12.50'],
  ['"上\\u6d77"', '上海'],
  ['null', ''],
  ['false', 'false'],
  ['{"a": [1.0]}', '{"a":[1.0]}'],
] as const;

it('converts JSON values to CSV fields, with all digits', () =>
  checkRows(JSON_VALUES, async ([json, text]) => {
    const { rows } = await readTable(fileOf(`{"value":${json}}\n`));
    expect(rows).toEqual([[text]]);
  }));

it.each([1, 100])('adds the columns of later JSON rows, in chunks of %i', async (size) => {
  const text = '{"order":1}\n{"order":2,"fee":3}\n\n{"note":"x","order":4}';
  const table = await openTable(fileOf(text, { size }));
  expect(table.columns).toEqual(['order', 'fee', 'note']);
  const { rows } = await readTable(fileOf(text, { size }));
  expect(rows.map((row) => ['', '', ''].map((none, at) => row[at] ?? none))).toEqual([
    ['1', '', ''],
    ['2', '3', ''],
    ['4', '', 'x'],
  ]);
});

/** 上海,12 in GB18030. */
const GB18030 = Buffer.from('c9cfbaa32c31320a', 'hex');

it('reads GB18030, also when it is detected from the first non-ASCII text', () =>
  checkRows(['gb18030', 'utf-8-or-gb18030'] as const, async (encoding) => {
    for (const size of [1, 2, 3, 100]) {
      const gb18030 = await readTable(fileOf(GB18030, { size, encoding, header: false }));
      expect(gb18030.columns).toEqual(['1', '2']);
      expect(gb18030.rows).toEqual([['上海', '12']]);
    }
  }));

it('reads UTF-8 when it is detected from the first non-ASCII text', async () => {
  const { rows } = await readTable(fileOf('a\n上海\n', { encoding: 'utf-8-or-gb18030' }));
  expect(rows).toEqual([['上海']]);
});

it('removes a byte order mark only at the beginning', async () => {
  for (const size of [1, 100]) {
    const table = await readTable(fileOf('\ufeffa\n\ufeff1\n', { size }));
    expect(table).toEqual({ columns: ['a'], rows: [['\ufeff1']], lines: [2] });
  }
});

it('names the columns of CSV without a header by their numbers', async () => {
  const table = await readTable(fileOf('\n1,"2\n",3\n4,5,6\n', { header: false }));
  expect(table).toEqual({
    columns: ['1', '2', '3'],
    rows: [
      ['1', '2\n', '3'],
      ['4', '5', '6'],
    ],
    lines: [2, 4],
  });
});

it('has no rows after a header alone', async () => {
  const table = await readTable(fileOf('order,amount\n\n'));
  expect(table).toEqual({ columns: ['order', 'amount'], rows: [], lines: [] });
});

/** The line of each row after the header, counted in the text before it. */
function linesOf(rows: readonly (readonly string[])[], how: CsvStyle): number[] {
  return rows.map((_, at) => {
    const before = csvText([NAMES, ...rows.slice(0, at)], { ...how, lastEnd: true });
    const line = before.split(/\r\n|\n|\r/).length;
    return how.emptyLines ? line + 1 : line;
  });
}

async function readTable(file: RowsFile) {
  const table = await openTable(file);
  const rows: (readonly (string | undefined)[])[] = [];
  const lines: number[] = [];
  for await (const batch of table.batches) {
    rows.push(...batch.rows);
    lines.push(...batch.rows.map((_, index) => batch.lineOf(index)));
  }
  return { columns: [...table.columns], rows, lines };
}

it('removes the byte order mark of GB18030', async () => {
  const bytes = Buffer.from([0x84, 0x31, 0x95, 0x33, 0x61, 0x0a, 0x31, 0x0a]);
  const content = Readable.from([bytes]);
  const { files } = await summarizeBill([{ path: 'rows', content, encoding: 'gb18030' }]);
  expect(files[0]?.columns.map(({ name }) => name)).toEqual(['a']);
});
