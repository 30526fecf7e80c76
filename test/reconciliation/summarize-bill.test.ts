import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { summarizeBill } from '../../src/reconciliation/summarize-bill.ts';
import { csv, decimalText, FORMS, field, rowsFile, unitsOf } from './support.ts';

const HEADER = ['id', 'city', 'amount', 'mixed'];

const row = fc.tuple(
  fc.integer({ min: 1, max: 9 }).map(String),
  field,
  fc.oneof(decimalText, fc.constant('')),
  fc.oneof(decimalText, fc.constant('n/a')),
);

const sumOf = (texts: readonly string[]): bigint =>
  texts.filter((text) => text !== '').reduce((sum, text) => sum + unitsOf(text), 0n);

describe.each(Object.entries(FORMS))('%s', (form, fileOf) => {
  const [, city = '', amount = ''] = form.includes('without a header') ? ['1', '2', '3'] : HEADER;

  it('has the sums and bounds of a BigInt reference', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
        const options = { by: city, sum: [amount] };
        const { files, groups, total } = await summarizeBill([fileOf(HEADER, rows)], options);
        const numbers = rows.map((each) => each[2]).filter((text) => text !== '');
        const column = files[0]?.columns.find(({ name }) => name === amount);
        expect(files[0]?.rows).toBe(rows.length);
        expect(unitsOf(column?.sum ?? '')).toBe(sumOf(numbers));
        if (numbers.length > 0) {
          const units = numbers.map(unitsOf).sort((a, b) => (a < b ? -1 : Number(a > b)));
          expect(unitsOf(column?.min ?? '')).toBe(units[0]);
          expect(unitsOf(column?.max ?? '')).toBe(units.at(-1));
        }
        expect(total).toEqual({ rows: rows.length, columns: files[0]?.columns });
        for (const { value, rows: count, sums } of groups) {
          const own = rows.filter((each) => each[1] === value);
          expect(count).toBe(own.length);
          expect(unitsOf(sums[amount] ?? '')).toBe(sumOf(own.map((each) => each[2])));
        }
        expect(groups.map(({ value }) => value)).toEqual([...new Set(rows.map((each) => each[1]))]);
      }),
      { numRuns: 30 },
    );
  });
});

it('counts a column as one of numbers when it has nothing else', async () => {
  const file = rowsFile('id,a,b,c,empty\n1,1.5,x,2,\n2,,3,0.25,\n');
  const { files } = await summarizeBill([file]);
  expect(files[0]?.columns).toEqual([
    { name: 'id', sum: '3', min: '1', max: '2' },
    { name: 'a', sum: '1.5', min: '1.5', max: '1.5' },
    { name: 'b' },
    { name: 'c', sum: '2.25', min: '0.25', max: '2' },
    { name: 'empty' },
  ]);
});

it('adds up several files by the names of their columns', async () => {
  const files = [rowsFile('a,b\n1,2\n'), rowsFile('b,c\n10.5,x\n'), rowsFile('c\n')];
  const { total, files: each } = await summarizeBill(files);
  expect(each.map(({ rows }) => rows)).toEqual([1, 1, 0]);
  expect(total).toEqual({
    rows: 2,
    columns: [
      { name: 'a', sum: '1', min: '1', max: '1' },
      { name: 'b', sum: '12.5', min: '2', max: '10.5' },
      { name: 'c' },
    ],
  });
});

it('keeps the digits of JSON numbers', async () => {
  const lines = '{"id":9007199254740993,"a":12.50}\n\n{"id":1,"a":null,"b":[1]}\n{"c":true}\n';
  const { files } = await summarizeBill([rowsFile(lines)]);
  expect(files[0]).toEqual({
    path: 'bill.csv',
    rows: 3,
    columns: [
      { name: 'id', sum: '9007199254740994', min: '1', max: '9007199254740993' },
      { name: 'a', sum: '12.50', min: '12.50', max: '12.50' },
      { name: 'b' },
      { name: 'c' },
    ],
  });
});

it('finds the columns of JSON in a pipe that brings a row at a time', async () => {
  const lines = '\n\n{"id":1}\n{"id":2,"fee":0.5}\n';
  const { files } = await summarizeBill([rowsFile(lines, { chunkBytes: 1 })], { sum: ['fee'] });
  expect(files[0]?.columns).toContainEqual({ name: 'fee', sum: '0.5', min: '0.5', max: '0.5' });
});

it('reports its progress, and ends with its signal', async () => {
  const rows = csv([['a'], ...Array.from({ length: 50_000 }, (_, at) => [String(at)])]);
  const seen: number[] = [];
  await summarizeBill([rowsFile(rows), rowsFile('a\n1\n')], { onProgress: (n) => seen.push(n) });
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(seen.at(-1)).toBe(50_001);
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(summarizeBill([rowsFile(rows)], { signal })).rejects.toThrow('enough');
});

it('refuses more groups than fit into memory', async () => {
  const rows = Array.from({ length: 100_001 }, (_, at) => `${at}\n`).join('');
  await expect(summarizeBill([rowsFile(`id\n${rows}`)], { by: 'id' })).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringMatching(/column "?id"? has more than 100000 values/),
  });
});
