import { expect, it } from 'vitest';
import { AmountColumn } from '../../src/reconciliation/amount-column.ts';
import { readAmountText } from '../../src/reconciliation/amount-text.ts';
import { Cell } from '../../src/reconciliation/cell.ts';
import { formatDecimal } from '../../src/reconciliation/decimal.ts';
import { checkRows } from '../support/rows.ts';

const AMOUNTS = [
  ['1,234.50', '1234.50'],
  ['1,234,567', '1234567'],
  ['12,34,567.50', '1234567.50'],
  ['1.234,50', '1234.50'],
  ['-30,78', '-30.78'],
  ['0,123', '0.123'],
  ["1'234.50", '1234.50'],
  ['1 234,50', '1234.50'],
  ['1\u00a0234,50', '1234.50'],
  ['.50', '0.50'],
  ['(12.50)', '-12.50'],
  ['($1,250.00)', '-1250.00'],
  ['12.50-', '-12.50'],
  ['−12.50', '-12.50'],
  ['+12.50', '12.50'],
  ['１２．５０', '12.50'],
  ['$12.50', '12.50'],
  ['-$12.50', '-12.50'],
  ['$-12.50', '-12.50'],
  ['HK$ 12.50', '12.50'],
  ['￥12.50', '12.50'],
  ['12.50元', '12.50'],
  ['人民币 12.50', '12.50'],
  ['12.50 CNY', '12.50'],
  ['EUR12,50', '12.50'],
  ['12.50 €', '12.50'],
] as const;

it('reads amounts as people and spreadsheets write them', () =>
  checkRows(AMOUNTS, ([text, digits]) => expect(readAmountText(text)?.digits).toBe(digits)));

const TEXTS = [
  '',
  'x',
  '12.50x',
  'ABC 12.50',
  '0.60%',
  '1e3',
  '2.02611E+17',
  '2026-11-20',
  '20.11.2026',
  '08:00:01',
  '1.2.3',
  '192.168.0.1',
  '138-0013-8000',
  '138****1234',
  '1,23',
  '1,2345,678',
  '12,345,67',
  '--1',
  '-(1)',
  '(1',
  '$1€',
  '1 2',
  '1.2万',
  '.',
  '1O.00',
] as const;

it('reads no other text as an amount', () =>
  checkRows(
    TEXTS.filter((text) => text !== '1,23'),
    (text) => expect(readAmountText(text)).toBeUndefined(),
  ));

/** The amounts of a column; the fault of a cell that is not an amount. */
function columnOf(texts: readonly string[], preferred?: '.' | ','): string[] {
  const column = new AmountColumn(preferred);
  const cell = new Cell();
  return texts.map((text) => {
    cell.bytes = Buffer.from(text);
    cell.end = cell.bytes.length;
    const kind = column.read(cell);
    if (kind === 'text') return column.fault;
    if (kind === 'blank') return kind;
    const { units, scale, large } = column;
    return formatDecimal(kind === 'small' ? { units, scale } : large);
  });
}

const COLUMNS = [
  [
    ['1.234', '2.5', '1,234'],
    ['1.234', '2.5', '1234'],
  ],
  [
    ['12,50', '1.234', '1,234'],
    ['12.50', '1234', '1.234'],
  ],
  [
    ['$1', '2', '3 USD'],
    ['1', '2', '3'],
  ],
  [
    ['-', 'N/A', 'null', '\\N', '0'],
    ['blank', 'blank', 'blank', 'blank', '0'],
  ],
  [
    ['20261119000000001', '1234567890123456789.01'],
    ['20261119000000001', '1234567890123456789.01'],
  ],
  [
    ['12.50', '3,10'],
    ['12.50', 'has the decimal mark ,, after amounts with .'],
  ],
  [
    ['$1', '€2'],
    ['1', 'is in EUR, after amounts in USD'],
  ],
  [
    ['1.234', '3,10'],
    ['1.234', 'has a decimal comma, but "1.234" before it was read without one: add --decimal ,'],
  ],
] as const;

it('has one decimal mark and one currency in a column', () =>
  checkRows(COLUMNS, ([texts, amounts]) => expect(columnOf(texts)).toEqual(amounts)));

it('follows the preferred decimal mark where the column does not show one', () => {
  expect(columnOf(['1.234', '1,234'], ',')).toEqual(['1234', '1.234']);
  expect(columnOf(['1.234', '1,234'], '.')).toEqual(['1.234', '1234']);
  expect(columnOf(['12.50', '1,234'], ',')).toEqual(['12.50', '1234']);
});

it('learns the decimal mark from later values', () => {
  const column = new AmountColumn();
  column.learn('x');
  column.learn('2,50');
  const cell = new Cell();
  cell.bytes = Buffer.from('1.234');
  cell.end = 5;
  expect([column.read(cell), column.units, column.scale]).toEqual(['small', 1234, 0]);
});

// With several optional spaces in a row, the pattern would take the fifth power of this length.
it('refuses a long text of spaces at once', () => {
  const spaces = ' '.repeat(900);
  for (const text of [`1${spaces}y`, `-${spaces}y1`, `1${' 1'.repeat(450)}y`, `$${spaces}1y`]) {
    expect(readAmountText(text)).toBe(undefined);
  }
  expect(readAmountText(`$${spaces}1.00`)).toMatchObject({ digits: '1.00' });
});
