import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import fastStringWidth from 'fast-string-width';
import { expect, it } from 'vitest';
import { createStyle, loadStyles } from '../../../src/cli/context/style.ts';
import { table } from '../../../src/cli/context/table.ts';
import { grouped } from '../../../src/files/counts.ts';

const lines = (...text: string[]): string => text.join('\n');

await loadStyles();
const { red, green } = createStyle(true);
const BILLS = [
  ['2026-11-18', 'downloaded', '1,234,567', '/var/lib/bills/bill_2026-11-18_all.csv'],
  ['2026-11-19', red('failed'), '-', '-'],
];
const HEADINGS = ['DATE', 'STATUS', 'BYTES', 'PATH'];

it('aligns columns, numbers to the right, without trailing white space', () => {
  const rows = [
    ['1', '7', ''],
    ['22', '1,024', 'z'],
  ];
  expect(table(['A', 'BYTES', 'C'], rows)).toBe(lines('A   BYTES  C', '1       7', '22  1,024  z'));
  expect(table(['A', 'B'], [])).toBe('A  B');
});

it('measures visible columns: 0 for colour codes, 2 for a Chinese character', () => {
  const rows = [
    [green('订单'), 'a'],
    ['order', 'b'],
  ];
  expect(stripVTControlCharacters(table(['KIND', ''], rows))).toBe(
    lines('KIND', '订单   a', 'order  b'),
  );
});

it('wraps cells between words, and breaks a path if necessary', () => {
  const rows = [['1002', 'Authentication error', 'Check parameters, retry']];
  expect(table(['CODE', 'MEANING', 'ACTION'], rows, 40)).toBe(
    lines(
      'CODE  MEANING           ACTION',
      '1002  Authentication    Check',
      '      error             parameters,',
      '                        retry',
    ),
  );
  expect(stripVTControlCharacters(table(HEADINGS, BILLS, 60))).toBe(
    lines(
      'DATE        STATUS          BYTES  PATH',
      '2026-11-18  downloaded  1,234,567  /var/lib/bills/bill_2026-',
      '                                   11-18_all.csv',
      '2026-11-19  failed              -  -',
    ),
  );
});

it('prints each row as a list if the columns do not fit', () => {
  expect(stripVTControlCharacters(table(HEADINGS, BILLS, 40))).toBe(
    lines(
      'DATE    2026-11-18',
      'STATUS  downloaded',
      'BYTES   1,234,567',
      'PATH    /var/lib/bills/bill_2026-11-18_a',
      '        ll.csv',
      '',
      'DATE    2026-11-19',
      'STATUS  failed',
      'BYTES   -',
      'PATH    -',
    ),
  );
});

it('is never wider than the terminal, and keeps every character', () => {
  const word = fc.stringMatching(/^[a-z0-9/]{1,30}$/);
  const cell = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '));
  const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(rows, fc.integer({ min: 20, max: 120 }), (rows, columns) => {
      const printed = table(['A', 'B', 'C'], rows, columns);
      for (const line of printed.split('\n')) {
        expect(fastStringWidth(line)).toBeLessThanOrEqual(columns);
      }
      const characters = (text: string): string => [...text.replace(/\s/g, '')].sort().join('');
      const expected = characters(rows.flat().join(''));
      expect(characters(printed.replaceAll(/[ABC]/g, ''))).toBe(expected);
    }),
  );
});

it.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [-1234567, '-1,234,567'],
  [12345678901234567890n, '12,345,678,901,234,567,890'],
])('%s is grouped as %s', (number, text) => {
  expect(grouped(number)).toBe(text);
});
