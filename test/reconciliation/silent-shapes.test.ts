/** Files that were read wrongly without a note. Each has the right result, or is named in a note or an error. */
import { expect, it } from 'vitest';
import { MopError } from '../../src/errors.ts';
import { compareBill } from '../../src/reconciliation/compare-bill.ts';
import type { CompareOptions } from '../../src/reconciliation/compare-options.ts';
import type { RowsFile } from '../../src/reconciliation/rows-file.ts';
import { summarizeBill } from '../../src/reconciliation/summarize-bill.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { testTable } from '../support/rows.ts';
import { expectFailure, fileOf, tableOf, textsOf } from './support.ts';

interface Shape {
  readonly title: string;
  readonly content: string | Buffer;
  readonly rows: number;
  readonly sums?: Readonly<Record<string, string>>;
  /** The note or the error that may stand for the result. */
  readonly named?: RegExp;
  readonly file?: Partial<RowsFile>;
}

const SHAPES: readonly Shape[] = [
  {
    title: 'whole amounts in a column whose name ends in "id"',
    content: 'city,paid\nA,100\nB,250\n',
    rows: 2,
    sums: { paid: '350' },
    named: /paid/,
  },
  {
    title: 'whole amounts in a column whose name contains "order"',
    content: 'city,order_amount\nA,100\nB,250\n',
    rows: 2,
    sums: { order_amount: '350' },
    named: /order_amount/,
  },
  {
    title: 'amounts that all have an unknown unit',
    content: 'id;amount\nA1;12,50 kr\nA2;13,00 kr\n',
    rows: 2,
    named: /amount.*line 2.*12,50 kr/,
  },
  {
    title: 'amounts that all have a mark of debit or credit',
    content: 'id,amount\nA1,12.50 DR\nA2,13.00 CR\n',
    rows: 2,
    named: /amount.*line 2.*12\.50 DR/,
  },
  {
    title: 'amounts that are all formulas',
    content: 'id,amount\nA1,=12.50\nA2,=13.00\n',
    rows: 2,
    sums: { amount: '25.50' },
    named: /amount.*line 2/,
  },
  {
    title: 'amounts after invisible marks of direction',
    content: 'id,amount\nA1,\u200e12.50\nA2,\u200e13.00\n',
    rows: 2,
    sums: { amount: '25.50' },
    named: /amount.*line 2/,
  },
  {
    title: 'numbers of JSON with an exponent',
    content: '{"id":"a","amount":1.5e3}\n{"id":"b","amount":2.5e3}\n',
    rows: 2,
    sums: { amount: '4000' },
    named: /amount.*line 1.*1\.5e3/,
  },
  {
    title: 'points that may separate thousands, between tabs',
    content: 'id\tBetrag\nA1\t1.234\nA2\t2.500\n',
    rows: 2,
    named: /Betrag.*1\.234/,
  },
  {
    title: 'points that may separate thousands, before a euro',
    content: 'id,Betrag\nA1,1.234 €\nA2,2.500 €\n',
    rows: 2,
    named: /Betrag.*1\.234/,
  },
  {
    title: 'lines that end with CR, with LF in a field',
    content: 'id,note,amount\r1,"a\nb",1.00\r2,x,2.00\r',
    rows: 2,
    sums: { amount: '3.00' },
  },
  {
    title: 'lines that end with CR, and LF at the end of the file',
    content: 'id,note,amount\r1,a,1.00\r2,x,2.00\r\n',
    rows: 2,
    sums: { amount: '3.00' },
  },
  {
    title: 'a tab after each value, between commas',
    content: 'id\t,amount\t\nA1\t,1.00\t\nA2\t,2.00\t\n',
    rows: 2,
    sums: { amount: '3.00' },
  },
  {
    title: 'a tab after each value, between semicolons',
    content: 'id\t;city\t;amount\t\nA1\t;x\t;1,50\t\nA2\t;y\t;2,00\t\n',
    rows: 2,
    sums: { amount: '3.50' },
  },
  {
    title: 'rows that all lack their last fields',
    content: 'id,amount,note,remark\nA1,1.00\nA2,2.00\n',
    rows: 2,
    sums: { amount: '3.00' },
  },
  {
    title: 'rows that all lack their last fields, the first one without an amount',
    content: 'id,amount,note\nA1,pending\nA2,5.00\n',
    rows: 2,
    named: /amount.*line 2: "pending"/,
  },
  {
    title: 'rows that are all longer than the header',
    content: 'id,amount\nA1,1.00,x\nA2,2.00,y\n',
    rows: 2,
    named: /^rows: line 2 has 3 fields/,
  },
  {
    title: 'a last row that lacks a field and has no amount',
    content: 'id,amount,time,note\nA1,8.10,2026-11-20 10:00:00,x\nA2,pending,2026-11-06 10:00:00\n',
    rows: 2,
    named: /line 3: "pending" is not an amount/,
  },
  {
    title: 'GB18030 whose only character is 元',
    content: Buffer.concat([
      Buffer.from('id,amount\nA1,12.50'),
      Buffer.from([0xd4, 0xaa]),
      Buffer.from('\nA2,1.00'),
      Buffer.from([0xd4, 0xaa, 0x0a]),
    ]),
    rows: 2,
    sums: { amount: '13.50' },
    named: /amount.*line 2/,
  },
  {
    title: 'a subtotal in the second column',
    content: 'date,name,amount\n1,x,5.00\n,小计,5.00\n2,y,6.00\n,合计,11.00\n',
    rows: 2,
    sums: { amount: '11.00' },
    named: /line 3/,
  },
  ...['Total amount', 'TOTAL (CNY)', '本页合计', 'Total: 2'].map((word) => ({
    title: `the sum of all rows below ${word}`,
    content: `name,amount\nx,5.00\ny,6.00\n${word},11.00\n`,
    rows: 2,
    sums: { amount: '11.00' },
    named: /line 4/,
  })),
  {
    title: 'the sum of all rows, with its word in the last column',
    content: 'amount,name\n5.00,x\n6.00,y\n11.00,合计\n',
    rows: 2,
    sums: { amount: '11.00' },
    named: /line 4/,
  },
  ...[
    'date,name,amount\n2026-11-20,x,5.00\n2026-11-20,y,6.00\nNumber of records: 2,,\nTotal amount,,11.00\n',
    'seq,name,amount\n1,x,5.00\n2,y,6.00\n3,Total,11.00\n',
    'day,amount,type\n2026-11-20,5.00,x\n2026-11-21,6.00,x\n,11.00,Total\n',
    'name,city,amount\nx,BJ,5.00\ny,SH,6.00\n2 rows,,11.00\n',
    'name,amount,note\nx,"5円",a\ny,"6円",b\n合計,"11円",\n',
  ].map((content) => ({
    title: `the sum of all rows in ${JSON.stringify(content)}`,
    content,
    rows: 2,
    sums: {},
    named: /closing line/,
  })),
  {
    title: 'a subtotal in traditional characters',
    content: 'name,amount\nx,5.00\n總計,5.00\ny,6.00\n',
    rows: 2,
    sums: { amount: '11.00' },
    named: /line 3/,
  },
  {
    title: 'rows whose name is the word of a total',
    content: 'merchant,order_id,amount\nTotal Energies,A1,10.00\nTotal,A2,20.00\nSum,A3,5.00\n',
    rows: 3,
    sums: { amount: '35.00' },
  },
  {
    title: 'rows whose name begins like the word of a total',
    content: '套餐,city,amount\n总计划,BJ,10.00\n合计餐饮,SH,20.00\n',
    rows: 2,
    sums: { amount: '30.00' },
  },
  {
    title: 'a byte order mark that is written twice',
    content: '\ufeff\ufeffid,amount\nA,1.50\n',
    rows: 1,
    sums: { amount: '1.50' },
  },
  {
    title: 'columns with the name of a second column',
    content: 'id,amount,amount#2,amount\n1,1.00,2.00,4.00\n',
    rows: 1,
    sums: { amount: '1.00', 'amount#2': '2.00' },
    named: /several columns "amount/,
  },
  {
    title: 'no header, and a first row that is longer',
    content: '1,x,3\n4,5\n6,7\n8,9\n',
    file: { header: false },
    rows: 4,
    named: /line 1/,
  },
  {
    title: 'no header, and a first row that is shorter',
    content: 'A\nB,1.50\nC,2.50\n',
    file: { header: false },
    rows: 3,
    named: /line 1/,
  },
  {
    title: 'a JSON document on one line',
    content: '{"rows":[{"id":1,"amount":2.50},{"id":2,"amount":1}]}\n',
    rows: 2,
    named: /is a JSON document|rows.*line 1/,
  },
  {
    title: 'UTF-32',
    content: Buffer.concat(
      ['\ufeff', ...'id,a\n1,2.00\n'].map((each) => {
        const bytes = Buffer.alloc(4);
        bytes.writeUInt32LE(each.codePointAt(0) ?? 0);
        return bytes;
      }),
    ),
    rows: 1,
    sums: { a: '2.00' },
    named: /UTF-32/,
  },
];

testTable(
  'reads the file, or names the cell that it cannot read',
  SHAPES,
  ({ title }) => title,
  async ({ content, rows, sums = {}, named, file }) => {
    const summary = await summarizeBill([fileOf(content, file)]).catch((error: unknown) => {
      if (error instanceof MopError) return error;
      throw error;
    });
    const texts = summary instanceof MopError ? [summary.message] : summary.files[0]?.notes;
    if (named && texts?.some((text) => named.test(text))) return;
    if (summary instanceof MopError) throw summary;
    expect(summary.total.rows, texts?.join('; ')).toBe(rows);
    const found = Object.fromEntries(
      summary.total.columns.map((column) => [column.name, column.sum]),
    );
    expect(found, texts?.join('; ')).toMatchObject(sums);
    // Without the sums, only a note is right.
    if (Object.keys(sums).length === 0) expect(texts?.join('; ')).toMatch(named ?? /./);
  },
);

it('does not add up files in different currencies', async () => {
  const files = [fileOf('id,amount\n1,$1.00\n'), fileOf('id,amount\n1,€1.00\n', { path: 'more' })];
  const { files: each, total } = await summarizeBill(files);
  const notes = each.flatMap((file) => file.notes).join('; ');
  if (!/USD|EUR/.test(notes)) {
    expect(total.columns.find(({ name }) => name === 'amount')?.sum).toBeUndefined();
  }
});

function compare(bill: string, records: string, options: Partial<CompareOptions> = {}) {
  return compareBill({
    bill: fileOf(bill),
    records: fileOf(records, { path: 'records' }),
    key: ['id'],
    amounts: ['a'],
    ...options,
  });
}

it('does not match amounts in different currencies without a note', async () => {
  const { matched, notes } = await compare('id,a\n1,$1.00\n', 'id,a\n1,€1.00\n');
  if (matched > 0) expect(notes.join('; ')).toMatch(/USD.*EUR/);
});

it('writes all rows that only the bill has, also those with a blank first column', async () => {
  const out = await temporaryDirectory();
  await compare('note,id,a\nx,1,1\n,2,5\n,3,6\n', 'id,a\n9,1\n', { out });
  const [text] = await textsOf(out, ['only-in-bill.csv']);
  expect(text).toBe('note,id,a\nx,1,1\n,2,5\n,3,6\n');
});

it('names only options that make rows match, also beside a factor', async () => {
  for (const factor of ['0.01', '-1', '100', '-100']) {
    const { notes } = await compare('id,a\n1,2.50\n', 'id,a\n1,2.50\n', { factor });
    const option = /--factor (-?[\d.]+)/.exec(notes.join('; '))?.[1];
    if (option === undefined) continue;
    const again = await compare('id,a\n1,2.50\n', 'id,a\n1,2.50\n', { factor: option });
    expect(again.matched, notes.join('; ')).toBe(1);
  }
});

it('ignores zeros in full width', async () => {
  const options = { ignoreZeros: true, ignoreFormat: true };
  const { matched } = await compare('id,a\n００７,1\n', 'id,a\n7,1\n', options);
  expect(matched).toBe(1);
});

it('counts the blank amounts that --blank replaces in the sums', async () => {
  const options = { blank: '5' };
  const { matched, bill, records } = await compare('id,a\n1,\n', 'id,a\n1,5\n', options);
  expect({ matched, bill: bill.sums.a, records: records.sums.a }).toEqual({
    matched: 1,
    bill: '5',
    records: '5',
  });
});

it('refuses a factor of 0, with which every amount is equal', () =>
  expectFailure(compare('id,a\n1,0\n', 'id,a\n1,5\n', { factor: '0' }), /factor "0"/));

it('says that one side has no rows', async () => {
  const { notes } = await compare('id,a\n', 'id,a\n1,5\n');
  expect(notes.join('; ')).toMatch(/no rows/);
});

it('separates fields by the separator of the rows when there is no header', async () => {
  const { rows } = await tableOf(fileOf('Export\n\nB,1.5\nC,2.5\n', { header: false }));
  expect(rows.slice(-2)).toEqual([
    ['B', '1.5'],
    ['C', '2.5'],
  ]);
});
