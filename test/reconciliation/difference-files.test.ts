import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareBill } from '../../src/reconciliation/compare-bill.ts';
import type { CompareOptions } from '../../src/reconciliation/compare-options.ts';
import { spreadsheetLine } from '../../src/reconciliation/csv-line.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { testTable } from '../support/rows.ts';
import { csvText, expectFailure, failureOf, fileOf, tableOf, textsOf } from './support.ts';

const FILES = ['only-in-bill.csv', 'only-in-records.csv', 'different.csv'] as const;

const BILL = `\ufefforder,"the, note",amount,fee
1,"a ""b"", c",12.50,
2,x,1.00,0.1
3,"line
break",7,
4,y,1,
4,z,2,
`;

const RECORDS = `{"order":"1","paid":12.5,"fee":null}
{"order":"2","paid":0.9,"fee":0.10,"shop":"上海"}
{"order":"4","paid":2.0,"fee":""}
{"order":"5","paid":-3,"fee":1}
{"order":"6","paid":1,"shop":"a,b"}
`;

const OPTIONS = {
  key: ['order'],
  amounts: [{ bill: 'amount', records: 'paid' }, 'fee'],
} satisfies Partial<CompareOptions>;

function compare(out: string, more: Partial<CompareOptions> = {}) {
  const records = fileOf(RECORDS, { path: 'records' });
  return compareBill({ bill: fileOf(BILL), records, ...OPTIONS, out, ...more });
}

it('contains the unchanged rows of one side, and the amounts of both', async () => {
  const out = join(await temporaryDirectory(), 'new', 'out');
  await compare(out);
  expect(await readdir(out)).toEqual(FILES.toSorted());
  const [onlyInBill, onlyInRecords, different] = await textsOf(out, FILES);
  expect(onlyInBill).toBe('order,"the, note",amount,fee\n3,"line\nbreak",7,\n');
  expect(onlyInRecords).toBe('order,paid,fee,shop\n5,-3,1,\n6,1,,"a,b"\n');
  expect(different).toBe(
    [
      'order,amount_bill,amount_records,amount_difference,fee_bill,fee_records,fee_difference,bill_line,records_line,kind',
      '2,1.00,0.9,0.10,0.1,0.10,0.00,3,2,different',
      '4,1,,,,,,6,,duplicate',
      '',
    ].join('\n'),
  );
});

it('gives every row all columns of the header, including those of later JSON rows', async () => {
  const out = await temporaryDirectory();
  const text = '{"id":1}\n{"id":2,"a":3}\n{"a":4,"id":5}\n{"id":6,"b":"\\""}\n';
  const records = fileOf(text, { path: 'records', size: 3 });
  // The other side has no differences.
  await compareBill({ bill: fileOf('id\n'), records, key: ['id'], out });
  const [, onlyInRecords] = await textsOf(out, FILES);
  expect(onlyInRecords).toBe('id,a,b\n1,,\n2,3,\n5,4,\n6,,""""\n');
});

it('can be read again without loss', async () => {
  const out = await temporaryDirectory();
  const field = fc.oneof(
    fc.constantFrom('"', ',', '\n', '\r', '\r\n', ' ', '上', '\ufeff'),
    fc.string({ maxLength: 4 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(field, field), { maxLength: 6 }), async (fields) => {
      // Marks and white space around a value are not part of it.
      const rows = fields.map((texts, at) => [`${at}`, ...texts.map((text) => `x${text}x`)]);
      const bill = fileOf(csvText([['id', 'a', 'b'], ...rows]));
      await compareBill({ bill, records: fileOf('id\n'), key: ['id'], out });
      const { rows: read } = await tableOf({ path: join(out, 'only-in-bill.csv') });
      expect(read).toEqual(rows);
    }),
    { seed: 20261123, numRuns: 30 },
  );
});

it('begins no cell like a formula, and loses no value', async () => {
  const out = await temporaryDirectory();
  const piece = fc.constantFrom(
    ...'=+-@＝＋－＠\'`" \t\u00a0\u3000\u200b\ufeff',
    '\r',
    '1',
    '2.5',
    'a',
    '=1+1',
    '="x"',
  );
  const field = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(field, field), { minLength: 1, maxLength: 8 }),
      async (fields) => {
        const rows = fields.map((texts, at) => [`${at}`, ...texts]);
        const text = csvText([['id', '=a', '@b'], ...rows], { quotes: true });
        await compareBill({ bill: fileOf(text), records: fileOf('id\n'), key: ['id'], out });
        const path = join(out, 'only-in-bill.csv');
        const [written = ''] = await textsOf(out, ['only-in-bill.csv']);
        const cells: string[][] = parse(written);
        const isFormula = (cell: string) => /^[\s\p{C}"'`]*[=+@＝＋－＠-]/u.test(cell);
        const unsafe = cells
          .flat()
          .filter((cell) => isFormula(cell) && !/^(?:'|[-+]?[\d.]+$)/.test(cell));
        expect(unsafe).toEqual([]);
        expect(await tableOf({ path })).toEqual(await tableOf(fileOf(text)));
      },
    ),
    { seed: 20261128, numRuns: 60 },
  );
});

testTable(
  'a cell of a spreadsheet that is not a number begins with an apostrophe if it looks like a formula',
  [
    ['=1+1', "'=1+1"],
    ['+cmd', "'+cmd"],
    ['@x', "'@x"],
    ['-x', "'-x"],
    ['-', "'-"],
    ['  =1', "'  =1"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['\u3000＝1', "'\u3000＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠x', "'＠x"],
    ['"=1', '"\'""=1"'],
    ["'=1", "''=1"],
    ['\u200b=1', "'\u200b=1"],
    ['-1+1', "'-1+1"],
    ['-12.50', '-12.50'],
    ['+5', '+5'],
    ['-1,234.50', '"-1,234.50"'],
    ['-.5', '-.5'],
    ['-1.5E+10', '-1.5E+10'],
    ['-5%', '-5%'],
    ['a=1', 'a=1'],
    ['a-b', 'a-b'],
    ['', ''],
  ] as const,
  ([text]) => JSON.stringify(text),
  ([text, expected]) => expect(spreadsheetLine([text])).toBe(`${expected}\n`),
);

it('contains only headers without differences, and replaces earlier files', async () => {
  const out = await temporaryDirectory();
  await writeFile(join(out, 'mine.txt'), 'mine');
  await compare(out);
  await compareBill({ bill: fileOf('id\n1\n'), records: fileOf('id\n1\n'), key: ['id'], out });
  expect(await textsOf(out, FILES)).toEqual(['id\n', 'id\n', 'id,bill_line,records_line,kind\n']);
  expect(await textsOf(out, ['mine.txt'])).toEqual(['mine']);
  expect(await readdir(out)).toHaveLength(4);
});

it.skipIf(process.platform === 'win32')('has the requested permissions', async () => {
  const out = await temporaryDirectory();
  for (const outMode of [0o600, 0o644]) {
    await compare(out, { outMode });
    const modes = FILES.map(async (name) => (await stat(join(out, name))).mode & 0o777);
    expect(await Promise.all(modes)).toEqual([outMode, outMode, outMode]);
  }
});

it('keeps only the earlier files after an error or an aborted signal', async () => {
  const out = await temporaryDirectory();
  await compare(out);
  const before = await textsOf(out, FILES);
  const stop = new AbortController();
  const reason = new Error('enough');
  const amounts = [{ bill: 'order', records: 'shop' }];
  await expectFailure(compare(out, { amounts }), /"上海" is not an amount/);
  const onProgress = () => stop.abort(reason);
  expect(await failureOf(compare(out, { signal: stop.signal, onProgress }))).toBe(reason);
  expect(await textsOf(out, FILES)).toEqual(before);
  expect(await readdir(out)).toEqual(FILES.toSorted());
});

it('reports an error of the disk when the directory cannot be created', async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, 'file'), 'mine');
  await expectFailure(compare(join(directory, 'file')), /^cannot write in /, 'io');
  await expectFailure(compare(join(directory, 'file', 'out')), /^cannot write in /, 'io');
  expect(await textsOf(directory, ['file'])).toEqual(['mine']);
});

it('leaves no temporary file beside a target that cannot be replaced', async () => {
  const out = await temporaryDirectory();
  await mkdir(join(out, 'different.csv', 'mine'), { recursive: true });
  await expectFailure(compare(out), /^cannot write .*different\.csv: /, 'io');
  const names = await readdir(out);
  expect(names.filter((name) => name.startsWith('.'))).toEqual([]);
});
