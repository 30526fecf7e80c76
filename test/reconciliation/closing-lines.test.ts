import { expect, it } from 'vitest';
import { findClosingLines, isClosingStart } from '../../src/reconciliation/closing-lines.ts';
import { LF } from '../../src/reconciliation/row-scanner.ts';
import { checkRows } from '../support/rows.ts';

const TOTALS = [
  'Total',
  'TOTAL:',
  'totals',
  'Subtotal',
  'Sub-Total',
  'Grand Total',
  'Sum',
  'Summe',
  'Gesamtsumme',
  'Итого',
  '合计',
  '合 计：',
  '总计',
  '小计',
  '汇总',
  '共计',
  '总金额',
  '总交易单数',
  '共2笔',
  '共 12 条',
];
const OTHERS = [
  '',
  'Totals of x',
  'TotalEnergies',
  'Summer',
  '上海',
  '合同',
  '总店',
  '共享',
  'x Total',
];

it('knows the words of totals', () =>
  checkRows(
    [
      ...TOTALS.map((word) => [word, true] as const),
      ...OTHERS.map((word) => [word, false] as const),
    ],
    ([word, expected]) => expect(isClosingStart(word)).toBe(expected),
  ));

/** Lines after the header `key,text,amount`; the number of rows; other columns of the key. */
const ENDS: readonly (readonly [title: string, lines: string[], rows: number, key?: number[]])[] = [
  ['no closing line', ['A1,x,1.00', 'A2,y,2.00'], 2],
  ['no line', [], 0],
  ['empty lines', ['A1,x,1.00', '', '', ''], 1],
  ['lines of separators', ['A1,x,1.00', ',,', '""," ",'], 1],
  ['a total', ['A1,x,1.00', 'Total,,1.00'], 1],
  ['a total in another column', ['A1,x,1.00', ',合计,1.00'], 1],
  ['a total of another width', ['A1,x,1.00', '合计,1.00'], 1],
  ['a subtotal, a total and a remark', ['A1,x,1.00', '小计,,1.00', '总计,,1.00', '', '#x'], 1],
  ['sums without a key', ['A1,x,1.00', ',,1.00'], 1],
  ['sums below a blank key', ['A1,x,1.00', '-,N/A,"1,234.00"'], 1],
  ['a text without a key', ['A1,x,1.00', ',y,1.00'], 2],
  ['a key in another column', ['A1,x,1.00', ',y,1.00', ',,3.00'], 2, [1]],
  ['amounts as keys', ['1,x,1.00', ',2,1.00'], 2, [1]],
  ['rows that are blank in the key', [',x,1.00', ',,2.00'], 2],
  ['a remark', ['A1,x,1.00', '#导出时间：[2026-11-20]'], 1],
  ['a longer remark', ['A1,x,1.00', '#a,b,c,d,e'], 1],
  ['a row that is too long', ['A1,x,1.00', 'A2,y,z,2.00'], 2],
  ['a row without its last fields', ['A1,2026-11-20,x', 'A2,2026-11-21'], 2],
  ['a row with separators at its end', ['A1,x,1.00', 'A2,y,2.00,,'], 2],
  ['a row after a total', ['A1,x,1.00', 'Total,,1.00', 'A2,y,2.00'], 3],
  ['a quoted line break', ['A1,x,1.00', '"A\n2",y,2.00', 'Total,,3.00'], 2],
];

it('finds the lines after the last row', () =>
  checkRows(ENDS, ([, lines, rows, key = [0]]) => {
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    const separators = { separator: 0x2c, lineEnd: LF };
    const { start } = findClosingLines(bytes, separators, { width: 3, key, line: 2 });
    const kept = lines.slice(0, rows).map((line) => `${line}\n`);
    expect(bytes.subarray(0, start).toString()).toBe(kept.join(''));
  }));

it('counts the lines that are not empty, and names the first', () => {
  const bytes = Buffer.from('A1,"x\n",1.00\n\nTotal,,1.00\n,,\n#x\n');
  const place = { width: 3, key: [0], line: 2 };
  const closing = findClosingLines(bytes, { separator: 0x2c, lineEnd: LF }, place);
  expect(closing).toMatchObject({ count: 2, line: 5, text: 'Total, 1.00' });
});
