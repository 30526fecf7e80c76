import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { BillType } from '../../src/protocol/operations.ts';
import { billContent } from '../../src/sandbox/bill-content.ts';
import { orderRecords } from '../../src/sandbox/order-records.ts';

/** The amounts of each order, in cents. */
async function billAmounts(date: string, type: BillType, rows: number) {
  const csv = await text(billContent({ date, type }, rows));
  const [header = [], ...lines] = csv
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  const amount = (line: string[], name: string): number =>
    Math.round(Number(line[header.indexOf(name)]) * 100);
  return new Map(
    lines.map((line) => [
      line[header.indexOf('order_id')] ?? '',
      [amount(line, 'paid_amount'), amount(line, 'refund_amount')],
    ]),
  );
}

async function listed<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function recordAmounts(date: string, type: BillType, rows: number, differences: number) {
  const records = await listed(orderRecords({ date, type }, rows, differences));
  const amounts = new Map(
    records.map(({ order_id, paid_amount, refund_amount }) => [
      order_id,
      [paid_amount, refund_amount].map((amount) => Math.round(Number(amount) * 100)),
    ]),
  );
  expect(amounts.size, 'no order twice').toBe(records.length);
  return amounts;
}

it('has exactly the requested differences, of three alternating kinds', async () => {
  const cases = fc.record({
    day: fc.integer({ min: 10, max: 28 }),
    type: fc.constantFrom<BillType>('all', 'paid', 'refund'),
    rows: fc.integer({ min: 60, max: 400 }),
    share: fc.double({ min: 0, max: 1.5, noNaN: true }),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ day, type, rows, share }) => {
      const date = `2026-11-${day}`;
      const bill = await billAmounts(date, type, rows);
      const count = Math.floor(bill.size * share);
      const records = await recordAmounts(date, type, rows, count);
      const missing = [...bill.keys()].filter((id) => !records.has(id));
      const extra = [...records.keys()].filter((id) => !bill.has(id));
      const different = [...bill].filter(
        ([id, amounts]) => records.has(id) && `${records.get(id)}` !== `${amounts}`,
      );
      const cents = different.map(([id, [paid = 0]]) => (records.get(id)?.[0] ?? 0) - paid);
      for (const each of cents) expect(each >= 1 && each <= count, `${each} cents`).toBe(true);
      expect([different, missing, extra].map(({ length }) => length)).toEqual([
        Math.ceil(count / 3),
        Math.floor((count + 1) / 3),
        Math.floor(count / 3),
      ]);
    }),
    { numRuns: 40 },
  );
});

it('lists the newest order first, for any number of orders', async () => {
  const records = orderRecords({ date: '2026-11-19', type: 'all' }, 12_001, 0);
  const ids = (await listed(records)).map(({ order_id }) => order_id);
  expect(ids).toHaveLength(12_001);
  expect(ids).toEqual(ids.toSorted().reverse());
});

it('refuses more differences than the orders allow', async () => {
  const bill = { date: '2026-11-19', type: 'all' } as const;
  await expect(orderRecords(bill, 201, 302).next()).rejects.toMatchObject({
    code: 'usage',
    message: '201 orders allow 301 differences, not 302',
  });
  await expect(orderRecords(bill, 0, 1).next()).rejects.toMatchObject({ code: 'usage' });
});
