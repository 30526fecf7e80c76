import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type RowsSummary, summarizeBill } from '../../src/reconciliation/summarize-bill.ts';
import {
  aligned,
  csvText,
  decimalText,
  exactOf,
  expectFailure,
  failureOf,
  fileOf,
  filesWriter,
  gzipped,
  jsonText,
  openFiles,
  sumOf,
} from './support.ts';

const NAMES = ['city', 'note', 'amount', 'fee', 'empty'] as const;

/** With decimals: whole numbers may be identifiers. */
const amount = fc.oneof(
  { weight: 4, arbitrary: decimalText.filter((text) => text.includes('.')) },
  fc.constant(''),
);
const rowsOf = fc.array(
  fc.tuple(
    fc.constantFrom('上海', 'z', 'a "b", c', 'line\nbreak', '__proto__'),
    fc.constantFrom('x', '"', '\r\n', ','),
    amount,
    amount,
    fc.constant(''),
  ),
  { minLength: 1, maxLength: 15 },
);

it('returns exact sums, independent of the notation of rows', async () => {
  const write = await filesWriter();
  await fc.assert(
    fc.asyncProperty(rowsOf, async (rows) => {
      const texts = [
        csvText([NAMES, ...rows]),
        csvText([NAMES, ...rows], { lineEnd: '\r\n', mark: true, lastEnd: false }),
        csvText([NAMES, ...rows], { quotes: true, emptyLines: true }),
        jsonText([NAMES, ...rows]),
      ];
      const expected = { rows: rows.length, columns: expectedColumns(rows) };
      const groups = expectedGroups(rows);
      for (const text of texts) {
        for (const content of [text, gzipped(text)]) {
          const path = await write(content);
          const summary = await summarizeBill([path], { by: ['city'] });
          expect(summary).toEqual({
            files: [{ path, ...expected, notes: expect.any(Array) }],
            total: expected,
            groups,
          });
        }
      }
    }),
    { seed: 20261123, numRuns: 30 },
  );
});

it('adds up several files with columns in different orders', async () => {
  await fc.assert(
    fc.asyncProperty(rowsOf, rowsOf, async (rows, more) => {
      const reversed = [NAMES, ...more].map((row) => row.toReversed());
      const files = [
        fileOf(csvText([NAMES, ...rows])),
        fileOf(csvText(reversed), { path: 'more' }),
        fileOf(jsonText([NAMES, ...rows]), { path: 'json' }),
      ];
      const { files: each, total, groups } = await summarizeBill(files, { by: ['city'] });
      const all = [...rows, ...more, ...rows];
      expect(total).toEqual({ rows: all.length, columns: expectedColumns(all) });
      expect(groups).toEqual(expectedGroups(all));
      expect(each.map(({ path, rows }) => ({ path, rows }))).toEqual([
        { path: 'rows', rows: rows.length },
        { path: 'more', rows: more.length },
        { path: 'json', rows: rows.length },
      ]);
      expect(each[1]?.columns).toEqual(expectedColumns(more).toReversed());
    }),
    { seed: 20261123, numRuns: 30 },
  );
});

function expectedColumns(rows: readonly (readonly string[])[]): RowsSummary['columns'] {
  return NAMES.map((name, at) => {
    const texts = numbersOf(rows, at);
    const isNumeric = (name === 'amount' || name === 'fee') && texts.length > 0;
    if (!isNumeric) return { name };
    const sorted = texts.toSorted(order);
    const [min = '', max = ''] = [sorted[0], sorted.at(-1)];
    return {
      name,
      sum: sumOf(texts),
      min: expect.toSatisfy((text: string) => order(text, min) === 0),
      max: expect.toSatisfy((text: string) => order(text, max) === 0),
    };
  });
}

function expectedGroups(rows: readonly (readonly string[])[]) {
  const numeric = (['amount', 'fee'] as const).filter(
    (name) => numbersOf(rows, NAMES.indexOf(name)).length > 0,
  );
  return [...new Set(rows.map(([city]) => city))].map((value) => {
    const own = rows.filter(([city]) => city === value);
    const sums = numeric.map((name) => [name, sumOf(numbersOf(own, NAMES.indexOf(name)))]);
    return { value, values: [value], rows: own.length, sums: Object.fromEntries(sums) };
  });
}

function numbersOf(rows: readonly (readonly string[])[], column: number): string[] {
  return rows.map((row) => row[column] ?? '').filter((text) => text !== '');
}

function order(a: string, b: string): number {
  const [left, right] = aligned(exactOf(a), exactOf(b));
  return left < right ? -1 : Number(left > right);
}

it('keeps the digits of the bounds', async () => {
  const { total } = await summarizeBill([fileOf('n\n+007.50\n-0.10\n-0.1\n7.5\n')]);
  expect(total.columns).toEqual([{ name: 'n', sum: '14.80', min: '-0.10', max: '7.50' }]);
});

it.each(['', '-'])('adds up large amounts with the sign "%s" exactly', async (sign) => {
  const amounts = Array.from({ length: 1001 }, (_, at) => `${sign}9999999999999.${'731'[at % 3]}`);
  const { total } = await summarizeBill([fileOf(`n\n${amounts.join('\n')}\n`)]);
  expect(total.columns[0]?.sum).toBe(sumOf(amounts));
});

it('has no sum for a column with one text in any row, batch or file', async () => {
  const numbers = 'a,b\n1,1\n';
  const rows = [
    [fileOf(`${numbers}x,1\n1,1\n`)],
    [fileOf(`${numbers}${'1,1\n'.repeat(20)}x,1\n`, { size: 8 })],
    [fileOf(numbers), fileOf('a,b\nx,1\n')],
    [fileOf('a,b\nx,1\n'), fileOf(numbers), fileOf('b,a\n1,\n')],
    [fileOf(numbers), fileOf('{"b":1.0,"a":"1 x"}')],
  ];
  for (const files of rows) {
    const { total, groups } = await summarizeBill(files, { by: ['b'] });
    expect(total.columns).toEqual([
      { name: 'a' },
      expect.objectContaining({ name: 'b', min: '1' }),
    ]);
    expect(groups.flatMap(({ sums }) => Object.keys(sums))).not.toContain('a');
  }
});

it('adds up only the columns of --sum, and fails for a text in one of them', async () => {
  const text = 'a,b,c\n1,2,\n3,x,\n';
  const { total } = await summarizeBill([fileOf(text)], { sum: ['c', 'a'] });
  expect(total.columns).toEqual([
    { name: 'a', sum: '4', min: '1', max: '3' },
    { name: 'b' },
    { name: 'c', sum: '0' },
  ]);
  const message = 'rows, line 3, column b: "x" is not an amount';
  await expectFailure(summarizeBill([fileOf(text)], { sum: ['a', 'b'] }), message);
});

it('names columns by number when a file has no header', async () => {
  const file = fileOf('上海,1.5\n上海,2\n', { header: false });
  const { total, groups } = await summarizeBill([file], { by: ['1'] });
  expect(total).toEqual({
    rows: 2,
    columns: [{ name: '1' }, { name: '2', sum: '3.5', min: '1.5', max: '2' }],
  });
  expect(groups).toEqual([{ value: '上海', values: ['上海'], rows: 2, sums: { 2: '3.5' } }]);
});

it('counts no rows in a file with only a header', async () => {
  const summary = await summarizeBill([fileOf('a,b\n')], { by: ['a'], sum: ['b'] });
  const columns = [{ name: 'a' }, { name: 'b', sum: '0' }];
  expect(summary.total).toEqual({ rows: 0, columns });
  expect(summary.groups).toEqual([]);
});

it('counts missing members of JSON rows as empty', async () => {
  const text = '{"a":1}\n{"b":12.50}\n{"a":null,"b":12345678901234567.89}\n{}\n';
  const { total, groups } = await summarizeBill([fileOf(text)], { by: ['a'] });
  expect(total.columns).toEqual([
    { name: 'a', sum: '1', min: '1', max: '1' },
    { name: 'b', sum: '12345678901234580.39', min: '12.50', max: '12345678901234567.89' },
  ]);
  expect(groups.map(({ value, rows }) => [value, rows])).toEqual([
    ['1', 1],
    ['', 3],
  ]);
});

it('fails for more than 100,000 groups', async () => {
  const rows = Array.from({ length: 100_000 }, (_, at) => `${at}\n`).join('');
  const { groups } = await summarizeBill([fileOf(`id\n${rows}`)], { by: ['id'] });
  expect(groups).toHaveLength(100_000);
  const more = summarizeBill([fileOf(`id\n${rows}0\nx\n`)], { by: ['id'] });
  await expectFailure(more, 'rows: column id has more than 100000 values');
});

it('reports the number of rows read in all files', async () => {
  const seen: number[] = [];
  const files = ['a\n1\n2\n3\n', 'a\n4\n'].map((text) => fileOf(text, { size: 2 }));
  await summarizeBill(files, { onProgress: (rows) => void seen.push(rows) });
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(seen.at(-1)).toBe(4);
});

it('ends with the reason of its signal', async () => {
  const stop = new AbortController();
  const reason = new Error('enough');
  const file = fileOf('a\n1\n2\n3\n', { size: 2 });
  const onProgress = () => stop.abort(reason);
  expect(await failureOf(summarizeBill([file], { signal: stop.signal, onProgress }))).toBe(reason);
});

it.skipIf(process.platform !== 'linux')('closes its file after an error', async () => {
  const write = await filesWriter();
  const path = await write(`a\n${'1\n'.repeat(1_000_000)}`);
  await expectFailure(summarizeBill([path], { by: ['b'] }), `${path} has no column "b"`);
  await expect.poll(() => openFiles(path)).toEqual([]);
});

it('has no sum for identifiers, unless it is asked for', async () => {
  const text = 'order_id,card,zip,amount\n1,123456789012,01,1.5\n2,123456789013,02,2\n';
  const { total, files } = await summarizeBill([fileOf(text)]);
  expect(total.columns.filter(({ sum }) => sum).map(({ name }) => name)).toEqual(['amount']);
  expect(files[0]?.notes).toEqual([
    'card is not added up: its whole numbers look like identifiers; to add it up: --sum card',
  ]);
  const chosen = await summarizeBill([fileOf(text)], { sum: ['card'] });
  expect(chosen.total.columns[1]).toMatchObject({ sum: '246913578025' });
  const mixed = await summarizeBill([fileOf('a,b\nx,1.5\ny,20261119000000001\n')]);
  expect(mixed.files[0]?.notes).toEqual([
    'b is not added up: line 3: "20261119000000001" looks like an identifier; to add it up: --sum b',
  ]);
});

it('names the line and the text of the first cell that is not an amount', async () => {
  const text = 'a,b,c\nx,1.5,-\ny,n/k,NULL\nz,2,\n';
  const { files } = await summarizeBill([fileOf(text)]);
  expect(files[0]?.notes).toEqual([
    'b is not added up: line 3: "n/k" is not an amount',
    'c has no amounts: line 2 and others are blank (-)',
  ]);
});

it('groups by several columns', async () => {
  const text = 'city,car,amount\nA,x,1.5\nA,y,2\nA,x,1\n';
  const { groups } = await summarizeBill([fileOf(text)], { by: ['city', 'car'] });
  expect(groups).toEqual([
    { value: 'A, x', values: ['A', 'x'], rows: 2, sums: { amount: '2.5' } },
    { value: 'A, y', values: ['A', 'y'], rows: 1, sums: { amount: '2' } },
  ]);
});

it('does not take a column named amount#2 for a second column amount', async () => {
  const { total } = await summarizeBill([fileOf('id,amount,amount#2\n1,1.5,2\n')], {
    sum: ['amount'],
  });
  expect(total.columns[1]).toMatchObject({ name: 'amount', sum: '1.5' });
});
