import { expect, it } from 'vitest';
import { Cell, cellsOf, isBlank, isBlankText } from '../../src/reconciliation/cell.ts';
import { LF, RowScanner } from '../../src/reconciliation/row-scanner.ts';
import { checkRows } from '../support/rows.ts';

/** The first row of a CSV text. */
function rowOf(text: string): RowScanner {
  const row = new RowScanner({ separator: 0x2c, lineEnd: LF });
  const bytes = Buffer.from(text);
  row.load(bytes, bytes.length, true);
  row.next();
  return row;
}

const FIELDS = [
  ['a', 'a'],
  [' a b ', 'a b'],
  ['\ta\t', 'a'],
  ['a\r', 'a'],
  ['""', ''],
  ['" a "', 'a'],
  ['"a ""b"""', 'a "b"'],
  ['"""a"""', '"a"'],
  ['"a" \t', 'a'],
  ['a"b', 'a"b'],
  ['5"', '5"'],
  ['`12', '12'],
  ['` 12 ', '12'],
  ["'007", '007'],
  ['"\'007"', '007'],
  ["it's", "it's"],
  ["''x", "'x"],
  ['="007"', '007'],
  ['"=""007"""', '007'],
  ['=" 007 "', '007'],
  ['=007', '=007'],
  ['=', '='],
  ['`', ''],
  ['上海', '上海'],
  ['"上""海"', '上"海'],
  ['\u00a0x', '\u00a0x'],
] as const;

it('reads a value without quotation marks, white space and marks', () =>
  checkRows(FIELDS, ([field, value]) => {
    expect(cellsOf(rowOf(`x,${field},y\n`))).toEqual(['x', value, 'y']);
  }));

it('reads a field that the row lacks as empty', () => {
  const cell = new Cell();
  cell.read(rowOf('a,b\n'), 2);
  expect([cell.isEmpty, cell.text, isBlank(cell)]).toEqual([true, '', true]);
});

const BLANKS = ['', '-', '--', '—', 'N/A', 'n/a', '#N/A', 'NULL', 'Null', '(null)', '\\N'];
const VALUES = ['0', '- ', '-1', '---', 'NA', 'none', 'nullable', 'x', '无', '\\\\N'];

it('knows the texts of absent values', () =>
  checkRows(
    [
      ...BLANKS.map((text) => [text, true] as const),
      ...VALUES.map((text) => [text, false] as const),
    ],
    ([text, blank]) => {
      const cell = new Cell();
      cell.bytes = Buffer.from(text);
      cell.end = cell.bytes.length;
      expect([isBlankText(text), isBlank(cell)]).toEqual([blank, blank]);
    },
  ));
