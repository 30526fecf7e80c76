import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type BillComparison, compareBill } from '../../src/reconciliation/compare-bill.ts';
import type { CompareOptions } from '../../src/reconciliation/compare-options.ts';
import type { Difference } from '../../src/reconciliation/pair-rows.ts';
import { checkRows } from '../support/rows.ts';
import {
  aligned,
  csvText,
  exactOf,
  expectFailure,
  failureOf,
  fileOf,
  filesWriter,
  openFiles,
  sumOf,
} from './support.ts';

type Rows = readonly (readonly string[])[];

const NAMES = ['order', 'shop', 'amount', 'fee'] as const;

/** Only a few keys and amounts, so that many are equal. */
const amount = fc.constantFrom('', '1', '1.0', '01.00', '1.01', '1.5', '2', '-1', '0', '-0.00');
const rowsOf = fc.array(
  fc.tuple(
    fc.constantFrom('A', 'a', ' a', 'B', '上海', 'x"y,z', 'z'),
    fc.constantFrom('1', '2'),
    amount,
    amount,
  ),
  { maxLength: 12 },
);
const settings = fc.record({
  key: fc.constantFrom(['order'], ['order', 'shop']),
  amounts: fc.constantFrom([], ['amount'], ['fee', 'amount']),
  ignoreCase: fc.boolean(),
});
const tolerance = fc.constantFrom('0', '0.01', '0.5', '1');

type Settings = Pick<CompareOptions, 'key' | 'amounts' | 'ignoreCase' | 'tolerance'>;

const runs = { seed: 20261123, numRuns: 100 };

interface Run {
  readonly comparison: Omit<BillComparison, 'differences' | 'differenceCount' | 'notes'>;
  readonly differences: readonly Difference[];
}

async function compare(bill: Rows, records: Rows, options: Settings): Promise<Run> {
  const { differences, differenceCount, notes, ...comparison } = await compareBill({
    ...options,
    bill: fileOf(csvText([NAMES, ...bill])),
    records: fileOf(csvText([NAMES, ...records]), { size: 50 }),
    limit: Number.POSITIVE_INFINITY,
  });
  expect(differences).toHaveLength(differenceCount);
  return { comparison, differences };
}

it('finds no differences between a file and itself, in any order of rows', async () => {
  await fc.assert(
    fc.asyncProperty(
      rowsOf.chain(withOrder),
      settings,
      tolerance,
      async ([rows, others], ...all) => {
        const [options, within] = all;
        const rewritten = others.map(([order, shop, ...numbers]) => [
          order,
          shop,
          ...numbers.map((text) => (text.includes('.') ? `+${text}0`.replace('+-', '-') : text)),
        ]);
        const run = await compare(rows, rewritten as Rows, { ...options, tolerance: within });
        expect(run.comparison).toMatchObject({ ...NONE, matched: rows.length });
        expect(run.differences).toEqual([]);
      },
    ),
    runs,
  );
});

it('swaps its report when the sides are swapped', async () => {
  await fc.assert(
    fc.asyncProperty(
      rowsOf,
      rowsOf,
      settings,
      tolerance,
      async (bill, records, options, within) => {
        const run = await compare(bill, records, { ...options, tolerance: within });
        const swapped = await compare(records, bill, { ...options, tolerance: within });
        expect(swapped.comparison).toEqual({
          ...run.comparison,
          onlyInBill: run.comparison.onlyInRecords,
          onlyInRecords: run.comparison.onlyInBill,
          bill: run.comparison.records,
          records: run.comparison.bill,
        });
        // Several pairs may be equally good.
        const kinds = run.differences.map(({ kind }) => SWAPPED[kind]);
        expect(swapped.differences.map(({ kind }) => kind).sort()).toEqual(kinds.sort());
      },
    ),
    runs,
  );
});

it('accounts for every row of each side', async () => {
  await fc.assert(
    fc.asyncProperty(
      rowsOf,
      rowsOf,
      settings,
      tolerance,
      async (bill, records, options, within) => {
        const { comparison, differences } = await compare(bill, records, {
          ...options,
          tolerance: within,
        });
        const { matched, onlyInBill, onlyInRecords, different } = comparison;
        const surplus = differences.filter(({ kind }) => kind === 'duplicate');
        const ofBill = surplus.filter((difference) => difference.bill).length;
        expect(matched + onlyInBill + different + ofBill).toBe(bill.length);
        const ofRecords = surplus.length - ofBill;
        expect(matched + onlyInRecords + different + ofRecords).toBe(records.length);
        expect(kindsOf(differences)).toEqual({ onlyInBill, onlyInRecords, different });
        for (const [side, rows] of Object.entries({ bill, records } as const)) {
          const lines = differences.flatMap((difference) => difference[side as 'bill']?.line ?? []);
          expect(new Set(lines).size).toBe(lines.length);
          expect(comparison[side as 'bill']).toEqual({
            rows: rows.length,
            sums: sumsOf(rows, options.amounts),
          });
        }
      },
    ),
    runs,
  );
});

it('counts the same as a comparison of sets', async () => {
  await fc.assert(
    fc.asyncProperty(rowsOf, rowsOf, settings, async (bill, records, options) => {
      const { comparison } = await compare(bill, records, options);
      expect(comparison).toMatchObject(reference(bill, records, options));
    }),
    runs,
  );
});

it('does not depend on the order of rows', async () => {
  await fc.assert(
    fc.asyncProperty(
      rowsOf.chain(withOrder),
      rowsOf.chain(withOrder),
      settings,
      tolerance,
      async ([bill, otherBill], [records, otherRecords], options, within) => {
        const all = { ...options, tolerance: within };
        const run = await compare(bill, records, all);
        const other = await compare(otherBill, otherRecords, all);
        expect(other.comparison).toEqual(run.comparison);
        expect(withoutOrder(other, options)).toEqual(withoutOrder(run, options));
      },
    ),
    runs,
  );
});

it('pairs the maximum number of rows of a key within the tolerance', async () => {
  const texts = fc.array(fc.constantFrom('', '1', '1.4', '1.5', '2', '2.5', '3'), {
    minLength: 1,
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(texts, texts, async (bill, records) => {
      const rows = (amounts: readonly string[]) => amounts.map((text) => ['1', '', text, '']);
      const options = { key: ['order'], amounts: ['amount'], tolerance: '0.5' };
      const { comparison } = await compare(rows(bill), rows(records), options);
      expect(comparison.matched).toBe(mostPairs(bill, records));
    }),
    runs,
  );
});

const NONE = { onlyInBill: 0, onlyInRecords: 0, different: 0, duplicates: 0 };

function withOrder<T>(rows: T[]): fc.Arbitrary<readonly [T[], T[]]> {
  const { length } = rows;
  const others = fc.shuffledSubarray(rows, { minLength: length, maxLength: length });
  return fc.tuple(fc.constant(rows), others);
}

const SWAPPED = {
  'only-in-bill': 'only-in-records',
  'only-in-records': 'only-in-bill',
  different: 'different',
  duplicate: 'duplicate',
} as const;

function kindsOf(differences: readonly Difference[]) {
  const count = (wanted: Difference['kind']) =>
    differences.filter(({ kind }) => kind === wanted).length;
  return {
    onlyInBill: count('only-in-bill'),
    onlyInRecords: count('only-in-records'),
    different: count('different'),
  };
}

function sumsOf(rows: Rows, amounts: readonly string[]) {
  const column = (name: string) => rows.map((row) => row[NAMES.indexOf(name as 'fee')] ?? '');
  const numbers = (name: string) => column(name).filter((text) => text !== '');
  return Object.fromEntries(amounts.map((name) => [name, sumOf(numbers(name))]));
}

type Chosen = Settings & { readonly key: readonly string[]; readonly amounts: readonly string[] };

function normalKey(fields: readonly string[], { ignoreCase }: Settings): string {
  const trimmed = fields.map((field) => field.trim());
  return JSON.stringify(ignoreCase ? trimmed.map((field) => field.toLowerCase()) : trimmed);
}

/** A text that is the same for equal numbers. */
function normalAmount(text: string): string {
  if (text === '') return text;
  const { units, scale } = exactOf(text);
  return `${units * 10n ** BigInt(9 - scale)}`;
}

function withoutOrder({ differences }: Run, options: Settings): string[] {
  const row = (entry: Difference['bill']) =>
    entry && [normalKey(entry.key, options), ...entry.amounts.map(normalAmount)];
  return differences
    .map(({ kind, bill, records }) => JSON.stringify([kind, row(bill), row(records)]))
    .sort();
}

/** The counts without tolerance, from the numbers of equal rows. */
function reference(bill: Rows, records: Rows, options: Chosen) {
  const pick = (row: readonly string[], names: readonly string[]) =>
    names.map((name) => row[NAMES.indexOf(name as 'fee')] ?? '');
  const groups = (rows: Rows) => {
    const byKey = new Map<string, Map<string, number>>();
    for (const row of rows) {
      const key = normalKey(pick(row, options.key), options);
      const numbers = pick(row, options.amounts).map(normalAmount).join();
      const group = byKey.get(key) ?? new Map<string, number>();
      byKey.set(key, group.set(numbers, (group.get(numbers) ?? 0) + 1));
    }
    return byKey;
  };
  const size = (group: ReadonlyMap<string, number>) =>
    [...group.values()].reduce((sum, count) => sum + count, 0);
  const [ours, theirs] = [groups(bill), groups(records)];
  const counts = { matched: 0, ...NONE };
  for (const key of new Set([...ours.keys(), ...theirs.keys()])) {
    const [a, b] = [ours.get(key), theirs.get(key)];
    if (!b) counts.onlyInBill += size(a ?? new Map());
    else if (!a) counts.onlyInRecords += size(b);
    else {
      let equal = 0;
      for (const [numbers, count] of a) equal += Math.min(count, b.get(numbers) ?? 0);
      counts.matched += equal;
      counts.different += Math.min(size(a), size(b)) - equal;
      counts.duplicates += Number(size(a) !== size(b));
    }
  }
  return counts;
}

/** The maximum number of pairs within 0.5, by augmenting paths. */
function mostPairs(bill: readonly string[], records: readonly string[]): number {
  const isPair = (a: string, b: string) => {
    if (a === '' || b === '') return a === b;
    const [left, right, scale] = aligned(exactOf(a), exactOf(b));
    const distance = left < right ? right - left : left - right;
    return distance * 2n <= 10n ** BigInt(scale);
  };
  const partner = new Map<number, number>();
  const take = (at: number, seen: Set<number>): boolean =>
    records.some((text, other) => {
      if (seen.has(other) || !isPair(bill[at] ?? '', text)) return false;
      seen.add(other);
      const taken = partner.get(other);
      if (taken !== undefined && !take(taken, seen)) return false;
      partner.set(other, at);
      return true;
    });
  return bill.filter((_, at) => take(at, new Set())).length;
}

const EQUAL_AMOUNTS = [
  ['12.5', '12.50', '0'],
  ['+12.5', '012.500', '0'],
  ['-0', '0.00', '0'],
  ['', '', '0'],
  ['1.00', '1.01', '0.01'],
  ['1.01', '1.00', '0.010'],
  ['-0.005', '0.005', '0.01'],
  ['1234567890123456789.01', '1234567890123456789.02', '0.01'],
] as const;

const OTHER_AMOUNTS = [
  ['12.5', '12.51', '0'],
  ['0.1', '0.10000000000000000001', '0'],
  ['9007199254740993', '9007199254740992', '0'],
  ['', '0', '0'],
  ['', '0', '5'],
  ['1.00', '1.0101', '0.01'],
  ['-1', '1', '1.99'],
] as const;

it('compares amounts by value, up to the tolerance', () =>
  checkRows(
    [
      ...EQUAL_AMOUNTS.map((row) => [...row, 0] as const),
      ...OTHER_AMOUNTS.map((row) => [...row, 1] as const),
    ],
    async ([a, b, within, different]) => {
      const options = { key: ['order'], amounts: ['amount'], tolerance: within };
      const { comparison } = await compare([['1', '', a, '']], [['1', '', b, '']], options);
      expect(comparison).toMatchObject({ ...NONE, matched: 1 - different, different });
    },
  ));

it('compares the digits of JSON numbers with those of CSV', async () => {
  const bill = fileOf('id,amount\n1,12.5\n2,1234567890123456789.10\n3,\n4,\n');
  const text = [
    '{"order":{"a":1},"paid":0}',
    '{"order":"1","paid":12.50}',
    '{"order":2,"paid":1234567890123456789.1}',
    '{"paid":null,"order":"3"}',
    '{"order":"4"}',
  ].join('\n');
  const comparison = await compareBill({
    bill,
    records: fileOf(text, { path: 'records', size: 5 }),
    key: [{ bill: 'id', records: 'order' }],
    amounts: [{ bill: 'amount', records: 'paid' }],
  });
  expect(comparison).toMatchObject({
    ...NONE,
    matched: 4,
    onlyInRecords: 1,
    bill: { rows: 4, sums: { amount: '1234567890123456801.60' } },
    records: { rows: 5, sums: { paid: '1234567890123456801.60' } },
  });
});

it('does not confuse keys of several columns', async () => {
  const rows = [['a', 'b1', '', '']];
  const { comparison } = await compare(rows, [['ab', '1', '', '']], { key: ['order', 'shop'] });
  expect(comparison).toMatchObject({ matched: 0, onlyInBill: 1, onlyInRecords: 1 });
});

it('compares columns by number when a side has no header', async () => {
  const comparison = await compareBill({
    bill: fileOf('5,1\n5,2\n', { header: false }),
    records: fileOf('{"id":1,"paid":5.0}\n', { path: 'records' }),
    key: [{ bill: '2', records: 'id' }],
    amounts: [{ bill: '1', records: 'paid' }],
  });
  expect(comparison).toMatchObject({ ...NONE, matched: 1, onlyInBill: 1 });
});

it('reports differences in the order of keys, with lines and fields as written', async () => {
  const bill = [
    ['b', '', '1.0', ''],
    ['c', '', '2', ''],
    ['c', '', '3', ''],
  ];
  const records = [
    ['C ', '', '3.00', ''],
    ['a', '', '', ''],
    ['B', '', '2', ''],
  ];
  const options = { key: ['order'], amounts: ['amount'], ignoreCase: true };
  const { differences } = await compare(bill, records, options);
  const entry = (line: number, key: string, text: string) =>
    expect.objectContaining({ line, key: [key], amounts: [text] });
  expect(differences).toEqual([
    { kind: 'only-in-records', records: entry(3, 'a', '') },
    { kind: 'different', bill: entry(2, 'b', '1.0'), records: entry(4, 'B', '2') },
    { kind: 'duplicate', bill: entry(3, 'c', '2') },
  ]);
});

it('refuses a tolerance that is not a number of 0 or more', () =>
  checkRows(['', 'x', '-0.01', '%', '-1%', '1e-2'], (within) =>
    expectFailure(
      compare([], [], { key: ['order'], tolerance: within }),
      `the tolerance ${JSON.stringify(within)} is not a decimal number of 0 or more`,
    ),
  ));

it('refuses a key with more than 100,000 rows', async () => {
  const rows = 'x\n'.repeat(100_001);
  const work = compareBill({
    bill: fileOf(`id\n${rows}`),
    records: fileOf('id\nx\n', { path: 'records' }),
    key: ['id'],
  });
  await expectFailure(work, 'more than 100000 rows have the key "x"');
});

it('reports the number of rows read on both sides', async () => {
  const seen: number[] = [];
  const file = () => fileOf('id\n1\n2\n3\n', { size: 2 });
  const onProgress = (rows: number) => void seen.push(rows);
  await compareBill({ bill: file(), records: file(), key: ['id'], onProgress });
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(seen.at(-1)).toBe(6);
});

it('ends with the reason of its signal', async () => {
  const reason = new Error('enough');
  const file = (path: string) => fileOf(`${path}\n1\n2\n3\n`, { size: 2 });
  const stop = new AbortController();
  const work = compareBill({
    bill: file('a'),
    records: file('b'),
    key: [{ bill: 'a', records: 'b' }],
    signal: stop.signal,
    onProgress: () => stop.abort(reason),
  });
  expect(await failureOf(work)).toBe(reason);
});

it.skipIf(process.platform !== 'linux')('closes both files after an error', async () => {
  const write = await filesWriter();
  const bill = await write(`a\n${'1\n'.repeat(1_000_000)}`);
  const records = await write('b\n1\n');
  const work = compareBill({ bill, records, key: ['a'] });
  const { details } = await expectFailure(work, `${records} has no column "a"`);
  expect(details.hint).toBe(
    'its columns are: b; repeat --key for each column, as --key BILL_NAME=RECORDS_NAME if the names differ',
  );
  await expect
    .poll(async () => [await openFiles(bill), await openFiles(records)])
    .toEqual([[], []]);
});
