import { expect, test } from 'vitest';
import { billContent } from '../../src/sandbox/bill-content.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { content, start } from './support.ts';

const COLUMNS =
  'order_id,trade_no,order_type,city,car_type,passenger_mobile,started_at,paid_at,' +
  'distance_km,amount,discount,paid_amount,refund_amount,pay_channel,status';

type Row = Readonly<Record<string, string>>;

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  expect(lines.shift()).toBe(COLUMNS);
  expect(lines.pop()).toBe('');
  return lines;
}

function rowOf(line: string): Row {
  const values = line.split(',');
  return Object.fromEntries(COLUMNS.split(',').map((name, index) => [name, values[index] ?? '']));
}

/** The rows of a bill by their order_id. */
async function rowsOf(sandbox: Sandbox, fields: object = {}): Promise<Map<string, Row>> {
  const rows = linesOf(await content(sandbox, fields)).map(rowOf);
  return new Map(rows.map((row) => [row.order_id ?? '', row]));
}

const isRefunded = (row: Row): boolean => row.refund_amount !== '0.00';

test('a bill has a header line and consistent columns', async () => {
  const lines = linesOf(await content(await start()));
  expect(lines).toHaveLength(200);
  expect(lines.join()).toContain('杭州');
  let last = '';
  for (const line of lines) {
    expect(line.split(',')).toHaveLength(COLUMNS.split(',').length);
    const row = rowOf(line);
    const cents = (name: string): number => {
      expect(row[name]).toMatch(/^(?:0|[1-9]\d*)\.\d\d$/);
      return Math.round(Number(row[name]) * 100);
    };
    const { started_at: started = '', paid_at: paid = '' } = row;
    const paidOn = paid.slice(0, 10);
    expect(paidOn).toMatch(/^2026-11-1[89]$/);
    expect(row.order_id).toMatch(/^20261119\d{9}$/);
    expect(row.trade_no).toMatch(new RegExp(`^4200${paidOn.replaceAll('-', '')}\\d{9}$`));
    // No top-ups.
    expect(row.order_type).toMatch(/^(?:realtime|booking|airport|charter)$/);
    expect(row.passenger_mobile).toMatch(/^1\d\d\*{4}\d{4}$/);
    for (const time of [started, paid]) {
      expect(time).toMatch(new RegExp(`^${paidOn} [0-2]\\d:[0-5]\\d:[0-5]\\d$`));
    }
    expect(paid > started && started >= last).toBe(true);
    last = started;
    expect(cents('distance_km')).toBeGreaterThan(0);
    expect(cents('amount') - cents('discount')).toBe(cents('paid_amount'));
    expect(cents('refund_amount')).toBeLessThanOrEqual(cents('paid_amount'));
    expect(row.status).toBe(isRefunded(row) ? 'REFUNDED' : 'PAID');
  }
});

test('paid lists payments of the day, refund lists refunds, and all lists both', async () => {
  const sandbox = await start();
  const [all, paid, refund] = await Promise.all([
    rowsOf(sandbox),
    rowsOf(sandbox, { bill_type: 1 }),
    rowsOf(sandbox, { bill_type: 2 }),
  ]);
  const those = (filter: (row: Row) => boolean) =>
    new Map([...all].filter(([, row]) => filter(row)));
  expect(paid).toEqual(those(({ paid_at }) => paid_at?.startsWith('2026-11-19') ?? false));
  expect(refund).toEqual(those(isRefunded));
  expect(new Map([...refund, ...paid]).size).toBe(all.size);
  const refunded = [...paid.values()].filter(isRefunded);
  const isWhole = (row: Row): boolean => row.refund_amount === row.paid_amount;
  expect(new Set(refunded.map(isWhole))).toEqual(new Set([true, false]));
  expect(paid.size).toBeLessThan(all.size);
});

test('an order that is refunded a day later is in the bill of its payment, unrefunded', async () => {
  const sandbox = await start();
  const before = [...(await rowsOf(sandbox, { bill_date: '2026-11-18' })).values()];
  const late = [...(await rowsOf(sandbox)).values()].filter(({ paid_at }) =>
    paid_at?.startsWith('2026-11-18'),
  );
  expect(late).toHaveLength(7);
  for (const { order_id: _, refund_amount: refund, status, ...order } of late) {
    const payments = before.filter(({ trade_no }) => trade_no === order.trade_no);
    expect(payments).toMatchObject([{ ...order, refund_amount: '0.00', status: 'PAID' }]);
    expect(Number(refund)).toBeGreaterThan(0);
  }
  // A client may keep no bill of the 13th.
  const after = await rowsOf(sandbox, { bill_date: '2026-11-14' });
  expect([...after.values()].every(({ paid_at }) => paid_at?.startsWith('2026-11-14'))).toBe(true);
});

test.each([1, 2, 20])('a bill of %i rows has as many lines', async (rows) => {
  const sandbox = await start({ rows });
  const sizes = await Promise.all(
    [0, 1].map(async (bill_type) => (await rowsOf(sandbox, { bill_type })).size),
  );
  expect(sizes).toEqual([rows, rows === 1 ? 1 : rows - 1]);
});

test('a bill is the same in every sandbox, and differs from other days', async () => {
  const [one, two] = [await start(), await start()];
  expect(await content(one)).toBe(await content(two));
  const others = linesOf(await content(one, { bill_date: '2026-11-18' }));
  expect(others.map(withoutDate)).not.toEqual(linesOf(await content(one)).map(withoutDate));
});

const withoutDate = (line: string): string => line.replace(/2026-?11-?1\d/g, '');

test('a bill without rows has only the header line', async () => {
  expect(linesOf(await content(await start({ rows: 0 })))).toEqual([]);
});

test('generating a large bill yields to the event loop', async () => {
  let turns = 0;
  const immediate = (): void => {
    turns++;
    handle = setImmediate(immediate);
  };
  let handle = setImmediate(immediate);
  let chunks = 0;
  const ids = new Set<string>();
  let rest = '';
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of billContent({ date: '2026-11-19', type: 'all' }, 10_000)) {
    chunks++;
    expect(chunk.length).toBeLessThan(130 * 1024);
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) ids.add(line.slice(0, 17));
  }
  clearImmediate(handle);
  expect(ids.size).toBe(10_001);
  expect(chunks).toBeGreaterThan(10);
  expect(turns).toBeGreaterThanOrEqual(chunks - 1);
});
