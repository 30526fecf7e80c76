import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BillComparison,
  type CompareOptions,
  compareBill,
} from '../../src/reconciliation/compare-bill.ts';
import type { Difference } from '../../src/reconciliation/match-rows.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { csv, decimalText, field, rowsFile } from './support.ts';

type Rows = readonly (readonly string[])[];

const HEADER = ['id', 'note', 'paid', 'refund'];

/** Compares rows with the columns of {@link HEADER}. */
function compare(
  bill: Rows,
  records: Rows,
  options: Partial<CompareOptions> = {},
): Promise<BillComparison> {
  return compareBill({
    bill: rowsFile(csv([HEADER, ...bill])),
    records: rowsFile(csv([HEADER, ...records]), { path: 'records.csv' }),
    key: ['id'],
    amounts: ['paid', 'refund'],
    ...options,
  });
}

/** Few keys, so that there are duplicates; amounts that are equal now and then. */
const rows = fc.array(
  fc.tuple(
    fc.nat({ max: 12 }).map((key) => `k${key}`),
    field,
    fc.oneof(fc.constantFrom('1', '1.0', '1.005', '2', ''), decimalText),
    fc.constantFrom('0', '0.00', '5'),
  ),
  { maxLength: 30 },
);
const tolerance = fc.constantFrom('0', '0.01', '1');

const SWAPPED = {
  'only-in-bill': 'only-in-records',
  'only-in-records': 'only-in-bill',
  different: 'different',
  duplicate: 'duplicate',
} as const;

/** A difference without the lines of its rows. */
const shown = ({ kind, bill, records }: Difference, swap = false) => {
  const sides = [bill, records].map((row) => row && [row.key, row.amounts]);
  return JSON.stringify([swap ? SWAPPED[kind] : kind, ...(swap ? sides.reverse() : sides)]);
};

describe('a comparison', () => {
  it('finds no difference between a file and itself, in any order', async () => {
    const shuffled = rows.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, tolerance, async ([bill, records], margin) => {
        const {
          bill: ours,
          records: theirs,
          ...counts
        } = await compare(bill, records, { tolerance: margin });
        expect(counts).toEqual({
          matched: bill.length,
          onlyInBill: 0,
          onlyInRecords: 0,
          different: 0,
          duplicates: 0,
        });
        expect(ours).toEqual(theirs);
      }),
      { numRuns: 60 },
    );
  });

  it('swaps its report with its sides', async () => {
    await fc.assert(
      fc.asyncProperty(rows, rows, tolerance, async (a, b, margin) => {
        const found: Difference[] = [];
        const swapped: Difference[] = [];
        const there = await compare(a, b, {
          tolerance: margin,
          onDifference: (d) => found.push(d),
        });
        const back = await compare(b, a, {
          tolerance: margin,
          onDifference: (d) => swapped.push(d),
        });
        expect(back).toEqual({
          ...there,
          onlyInBill: there.onlyInRecords,
          onlyInRecords: there.onlyInBill,
          bill: there.records,
          records: there.bill,
        });
        expect(swapped.map((each) => shown(each, true)).sort()).toEqual(
          found.map((each) => shown(each)).sort(),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('accounts for every row, and agrees with a count of equal rows', async () => {
    await fc.assert(
      fc.asyncProperty(rows, rows, async (bill, records) => {
        const found: Difference[] = [];
        const result = await compare(bill, records, { onDifference: (d) => found.push(d) });
        const rowsOf = (side: 'bill' | 'records'): number =>
          result.matched + found.filter((difference) => difference[side]).length;
        expect([rowsOf('bill'), rowsOf('records')]).toEqual([bill.length, records.length]);
        const keys = new Set(records.map(([key]) => key));
        expect(result.onlyInBill).toBe(bill.filter(([key]) => !keys.has(key ?? '')).length);
        const surplus = found.filter(({ kind }) => kind === 'duplicate');
        expect(result.duplicates).toBe(
          new Set(surplus.map(({ bill: ours, records: theirs }) => (ours ?? theirs)?.key[0])).size,
        );
      }),
      { numRuns: 60 },
    );
  });

  it('is the same when rows must be stored', async () => {
    // Three runs of the sort on each side.
    const count = 60_000;
    const bill = Array.from({ length: count }, (_, at) => [
      `k${(at * 7919) % count}`,
      '',
      `${at}.50`,
      '0',
    ]);
    const records = bill.map(([id = '', , paid = '']) => [id, '', paid, '0.0']).reverse();
    const out = await temporaryDirectory();
    const before = await temporaryFiles();
    const result = await compare([...bill, ['new', 'x', '1', '0']], records, { out });
    expect(result).toMatchObject({ matched: count, onlyInBill: 1, onlyInRecords: 0, different: 0 });
    expect(await readFile(join(out, 'only-in-bill.csv'), 'utf8')).toBe(
      'id,note,paid,refund\nnew,x,1,0\n',
    );
    expect(await temporaryFiles()).toEqual(before);
  });
});

/** The directories of temporary files that exist. */
async function temporaryFiles(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith('mop-temporary-'));
}

const NO_DIFFERENCE = { onlyInBill: 0, onlyInRecords: 0, different: 0, duplicates: 0 };

/** Rows of a bill and of records, options, and what differs. */
const CASES: Readonly<
  Record<string, readonly [Rows, Rows, Partial<CompareOptions>, Partial<BillComparison>]>
> = {
  'amounts with another number of decimals': [
    [['a', '', '12.5', '-0']],
    [['a', '', '12.50', '0.00']],
    {},
    { matched: 1, ...NO_DIFFERENCE },
  ],
  'an empty amount equals an empty one only': [
    [
      ['a', '', '', ''],
      ['b', '', '', '1'],
    ],
    [
      ['a', '', '', ''],
      ['b', '', '0', '1'],
    ],
    {},
    { matched: 1, different: 1 },
  ],
  'amounts within the tolerance': [
    [
      ['a', '', '1.00', '0'],
      ['b', '', '1.00', '0'],
    ],
    [
      ['a', '', '1.01', '0'],
      ['b', '', '1.011', '0'],
    ],
    { tolerance: '0.01' },
    { matched: 1, different: 1 },
  ],
  'keys in another case': [
    [['Ab', '', '1', '0']],
    [['aB', '', '1', '0']],
    { ignoreCase: true },
    { matched: 1, ...NO_DIFFERENCE },
  ],
  'keys with white space around them': [
    [
      ['a', '', '1', '0'],
      [' b', '', '1', '0'],
    ],
    [
      ['\ta ', '', '1', '0'],
      ['b', '', '1', '0'],
    ],
    { trim: true },
    { matched: 2, ...NO_DIFFERENCE },
  ],
  'a key of two columns': [
    [
      ['a', '1', '1', '0'],
      ['a', '2', '2', '0'],
    ],
    [
      ['a', '2', '2', '0'],
      ['a', '3', '1', '0'],
    ],
    { key: ['id', 'note'] },
    { matched: 1, onlyInBill: 1, onlyInRecords: 1, different: 0 },
  ],
  'a key that one side has twice': [
    [
      ['a', '', '1', '0'],
      ['a', '', '2', '0'],
    ],
    [['a', '', '2.0', '0']],
    {},
    { matched: 1, ...NO_DIFFERENCE, duplicates: 1 },
  ],
  'no amounts: keys alone': [
    [
      ['a', '', '1', '0'],
      ['b', '', '1', '0'],
    ],
    [['a', '', '9', '9']],
    { amounts: [] },
    { matched: 1, ...NO_DIFFERENCE, onlyInBill: 1 },
  ],
};

it.each(Object.entries(CASES))('compares %s', async (_, [bill, records, options, expected]) => {
  expect(await compare(bill, records, options)).toMatchObject(expected);
});

it('compares columns with other names, in JSON with the digits of numbers', async () => {
  const comparison = await compareBill({
    bill: rowsFile('order_id,paid\n9007199254740993,0.10\n9007199254740992,3\n'),
    records: rowsFile('{"id":9007199254740993,"sum":0.1}\n{"id":"9007199254740992","sum":3.0}\n'),
    key: [{ bill: 'order_id', records: 'id' }],
    amounts: [{ bill: 'paid', records: 'sum' }],
  });
  expect(comparison).toEqual({
    matched: 2,
    ...NO_DIFFERENCE,
    bill: { rows: 2, sums: { paid: '3.10' } },
    records: { rows: 2, sums: { sum: '3.1' } },
  });
});

it('writes every difference, with the lines of both files', async () => {
  const out = join(await temporaryDirectory(), 'new', 'differences');
  const bill = [
    ['gone', 'a,b', '1', '0'],
    ['other', 'two\nlines', '2.00', '0'],
    ['twice', '', '3', '0'],
    ['twice', '', '4', '0'],
  ];
  const records = [
    ['other', '', '1.5', '0'],
    ['twice', '', '3', '0'],
    ['more', '"', '', ''],
  ];
  await compare(bill, records, { out, outMode: 0o640 });
  const files = await readdir(out);
  expect(files.sort()).toEqual(['different.csv', 'only-in-bill.csv', 'only-in-records.csv']);
  const content = (name: string): Promise<string> => readFile(join(out, name), 'utf8');
  expect(await content('only-in-bill.csv')).toBe('id,note,paid,refund\ngone,"a,b",1,0\n');
  expect(await content('only-in-records.csv')).toBe('id,note,paid,refund\nmore,"""",,\n');
  expect((await content('different.csv')).split('\n')).toEqual([
    'id,paid_bill,paid_records,paid_difference,refund_bill,refund_records,refund_difference,bill_line,records_line,kind',
    'other,2.00,1.5,0.50,0,0,0,3,2,different',
    'twice,4,,,0,,,6,,duplicate',
    '',
  ]);
  expect((await stat(join(out, 'different.csv'))).mode & 0o777).toBe(0o640);
});

it('writes rows of JSON with the columns of its first lines', async () => {
  const out = await temporaryDirectory();
  const later = `{"id":"${'x'.repeat(600_000)}"}\n{"id":2,"later":1}\n`;
  await compareBill({
    bill: rowsFile(`{"id":1}\n{"id":3,"city":"a"}\n${later}`),
    records: rowsFile('id\n'),
    key: ['id'],
    out,
  });
  const text = await readFile(join(out, 'only-in-bill.csv'), 'utf8');
  expect(text.split('\n').map((line) => line.slice(0, 9))).toEqual([
    'id,city',
    '1,',
    '2,',
    '3,a',
    'xxxxxxxxx',
    '',
  ]);
});

it('leaves the files of an earlier comparison after an error', async () => {
  const out = await temporaryDirectory();
  await writeFile(join(out, 'different.csv'), 'earlier');
  const broken = compare([['a', '', '1', '0']], [['a', '', 'x', '0']], { out });
  await expect(broken).rejects.toMatchObject({ code: 'usage' });
  const controller = new AbortController();
  const aborted = compare([['a', '', '1', '0']], [['b', '', '1', '0']], {
    out,
    signal: controller.signal,
    onDifference: () => controller.abort(new Error('enough')),
  });
  await expect(aborted).rejects.toThrow('enough');
  expect(await readdir(out)).toEqual(['different.csv']);
  expect(await readFile(join(out, 'different.csv'), 'utf8')).toBe('earlier');
});
