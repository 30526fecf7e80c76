import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareBill } from '../../src/reconciliation/compare-bill.ts';
import type { CompareOptions } from '../../src/reconciliation/compare-options.ts';
import { checkRows } from '../support/rows.ts';
import { csvText, fileOf } from './support.ts';

type Row = readonly [id: string, amount: string];

async function compare(
  bill: readonly Row[],
  records: readonly Row[],
  options: Partial<CompareOptions> = {},
) {
  const text = (rows: readonly Row[]) => csvText([['id', 'amount'], ...rows]);
  return compareBill({
    bill: fileOf(text(bill)),
    records: fileOf(text(records), { path: 'records' }),
    key: ['id'],
    amounts: ['amount'],
    ...options,
  });
}

interface Cause {
  readonly name: string;
  /** The row of the records for a row of the bill. */
  readonly change: (row: Row) => Row;
  readonly note: RegExp;
  readonly options: Partial<CompareOptions>;
}

const key = (change: (id: string) => string) => (row: Row) => [change(row[0]), row[1]] as const;
const amount = (change: (text: string) => string) => (row: Row) =>
  [row[0], change(row[1])] as const;
const hundredths = (text: string) => text.replace('.', '').replace(/^(-?)0+(?=\d)/, '$1');
const opposite = (text: string) => (text.startsWith('-') ? text.slice(1) : `-${text}`);

const CAUSES: readonly Cause[] = [
  {
    name: 'fen in the records',
    change: amount(hundredths),
    note: /^(\d+) rows? would match with --factor 0\.01: /,
    options: { factor: '0.01' },
  },
  {
    name: 'the opposite sign',
    change: amount(opposite),
    note: /^(\d+) rows? would match with --factor -1: /,
    options: { factor: '-1' },
  },
  {
    name: 'fen with the opposite sign',
    change: amount((text) => opposite(hundredths(text))),
    note: /^(\d+) rows? would match with --factor -0\.01: /,
    options: { factor: '-0.01' },
  },
  {
    name: 'one cent more',
    change: amount((text) =>
      text.replace(/\d\d$/, (cents) =>
        cents === '99' ? '98' : `${Number(cents) + 1}`.padStart(2, '0'),
      ),
    ),
    note: /^(\d+) rows? would match with --tolerance 0\.01: /,
    options: { tolerance: '0.01' },
  },
  {
    name: 'case',
    change: key((id) => id.toUpperCase()),
    note: /^(\d+) rows? of the bill .* would match with --ignore-case: /,
    options: { ignoreCase: true },
  },
  {
    name: 'leading zeros',
    change: key((id) => `000${id}`),
    note: /^(\d+) rows? of the bill .* would match with --ignore-zeros: /,
    options: { ignoreZeros: true },
  },
  {
    name: 'full-width characters',
    change: key((id) =>
      id.replace(/\w/g, (each) => String.fromCodePoint((each.codePointAt(0) ?? 0) + 0xfee0)),
    ),
    note: /^(\d+) rows? of the bill .* would match with --ignore-format: they differ in full-width/,
    options: { ignoreFormat: true },
  },
  {
    name: 'an invisible space',
    change: key((id) => `${id}\u200b`),
    note: /^(\d+) rows? of the bill .* would match with --ignore-format: they differ in full-width/,
    options: { ignoreFormat: true },
  },
];

const rows = fc
  .uniqueArray(fc.integer({ min: 1, max: 99_999 }), { minLength: 1, maxLength: 12 })
  .chain((ids) =>
    fc.tuple(
      ...ids.map((id) =>
        fc
          .tuple(fc.constantFrom('', '-'), fc.integer({ min: 1, max: 9999 }), fc.nat(99))
          .map(
            ([sign, whole, cents]): Row => [
              `x${id}`,
              `${sign}${whole}.${`${cents}`.padStart(2, '0')}`,
            ],
          ),
      ),
    ),
  );

it('counts the rows that a cause explains, and they match with its option', () =>
  fc.assert(
    fc.asyncProperty(
      rows,
      fc.constantFrom(...CAUSES),
      fc.nat(99),
      async (bill, { name, change, note, options }, part) => {
        // The other rows match without an option.
        const changed = bill.filter((_, at) => (at * 37 + part) % 3 > 0);
        fc.pre(changed.length > 0);
        const others = bill.filter((row) => !changed.includes(row));
        const isKey = options.factor === undefined && options.tolerance === undefined;
        const records = [...changed.map(change), ...(isKey ? others : [])];
        const { notes, matched } = await compare(isKey ? bill : changed, records);
        expect(matched).toBe(isKey ? others.length : 0);
        const found = notes.flatMap((text) => note.exec(text)?.[1] ?? []);
        expect(found, `${name}: ${notes.join('; ')}`).toEqual([`${changed.length}`]);
        const again = await compare(isKey ? bill : changed, records, options);
        expect(again).toMatchObject({ differenceCount: 0, notes: [] });
      },
    ),
    { seed: 20261128, numRuns: 150 },
  ));

/** Bill, records, options, and the note. */
const OTHERS: readonly (readonly [Row[], Row[], Partial<CompareOptions>, RegExp | undefined])[] = [
  [[['a', '5.00']], [['a', '500.00']], {}, /^1 row would match with --factor 0\.01/],
  [[['a', '500']], [['a', '5.00']], {}, /^1 row would match with --factor 100/],
  [[['a', '']], [['a', '0']], {}, /^1 row would match with --blank 0/],
  [[['a', '5']], [['a', '7']], {}, undefined],
  [
    [
      ['a', '5'],
      ['a', '2'],
    ],
    [['a', '7']],
    {},
    /^1 key has several rows whose sums are equal: add them up with --net$/,
  ],
  [
    [
      ['a', '5'],
      ['a', '2'],
    ],
    [['a', '7']],
    { net: true },
    /^--net added up 1 row with another row of the same key$/,
  ],
  [[['2026-11-05', '1']], [['20261105', '1']], {}, /--ignore-format: .* the form of dates$/],
  [[['5', '1']], [['5.0', '1']], {}, /--ignore-format: .* a decimal part \.0$/],
  [
    [['202611200000000001', '1']],
    [['2.02611E+17', '1']],
    {},
    /^Excel has removed digits from keys of the records, such as 2\.02611E\+17; 1 row/,
  ],
  [
    [['202611200000000000', '1']],
    [['202611200000000049', '1']],
    {},
    /^Excel has removed digits from keys of the bill, such as 202611200000000000; 1 row/,
  ],
  [[['007x', '1']], [['7X', '1']], {}, /would match with --ignore-case --ignore-zeros/],
  [[['p', '1']], [['q', '1']], {}, /^no key of the bill is in the records: .*"p".*"q"/],
  [[['p', '1']], [['q', '1']], { ignoreCase: true }, /^no key of the bill is in the records/],
];

it('names each cause once', () =>
  checkRows(OTHERS, async ([bill, records, options, note]) => {
    const { notes } = await compare(bill, records, options);
    if (note) expect(notes).toEqual([expect.stringMatching(note)]);
    else expect(notes).toEqual([]);
  }));

it('never ends without a note when no key matches', () => {
  const id = fc.oneof(
    fc.constantFrom('', '007', '5.0', '2026-1-5', 'x', '2.1E+17', '１', '-'),
    fc.string({ maxLength: 4 }),
  );
  const row = fc.tuple(id, fc.constantFrom('', '1', '-2.50'));
  const all = fc.array(row, { minLength: 1, maxLength: 4 });
  return fc.assert(
    fc.asyncProperty(all, all, async (bill, records) => {
      const {
        matched,
        different,
        duplicates,
        notes,
        bill: side,
        records: other,
      } = await compare(bill as Row[], records as Row[]);
      fc.pre(side.rows > 0 && other.rows > 0);
      if (matched + different + duplicates === 0) expect(notes).not.toEqual([]);
    }),
    { seed: 20261128, numRuns: 100 },
  );
});
