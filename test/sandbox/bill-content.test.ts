import { expect, test } from 'vitest';
import { billContent } from '../../src/sandbox/bill-content.ts';
import { content, start } from './support.ts';

const COLUMNS =
  'order_id,trade_no,order_type,city,car_type,passenger_mobile,started_at,paid_at,' +
  'distance_km,amount,discount,paid_amount,refund_amount,pay_channel,status';

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  expect(lines.shift()).toBe(COLUMNS);
  expect(lines.pop()).toBe('');
  return lines;
}

test('a bill has a header line and the columns that belong together', async () => {
  const lines = linesOf(await content(await start()));
  expect(lines).toHaveLength(200);
  expect(lines.join()).toContain('杭州');
  let last = '';
  for (const line of lines) {
    const values = line.split(',');
    const field = (name: string): string => values[COLUMNS.split(',').indexOf(name)] ?? '';
    const cents = (name: string): number => {
      expect(field(name)).toMatch(/^(?:0|[1-9]\d*)\.\d\d$/);
      return Math.round(Number(field(name)) * 100);
    };
    expect(values).toHaveLength(COLUMNS.split(',').length);
    expect(field('order_id')).toMatch(/^20261119\d{9}$/);
    expect(field('trade_no')).toMatch(/^420020261119\d{9}$/);
    expect(field('passenger_mobile')).toMatch(/^1\d\d\*{4}\d{4}$/);
    const [started, paid] = [field('started_at'), field('paid_at')];
    expect(started).toMatch(/^2026-11-19 [0-2]\d:[0-5]\d:[0-5]\d$/);
    expect(paid).toMatch(/^2026-11-19 [0-2]\d:[0-5]\d:[0-5]\d$/);
    expect(paid > started && started >= last).toBe(true);
    last = started;
    expect(cents('distance_km')).toBeGreaterThan(0);
    expect(cents('amount') - cents('discount')).toBe(cents('paid_amount'));
    expect(cents('refund_amount')).toBeLessThanOrEqual(cents('paid_amount'));
    expect(['PAID', 'REFUNDED']).toContain(field('status'));
    expect(cents('refund_amount') > 0).toBe(field('status') === 'REFUNDED');
  }
});

test('paid and refund are the rows of all, each in one of the two', async () => {
  const sandbox = await start();
  const [all = [], paid = [], refund = []] = await Promise.all(
    [0, 1, 2].map(async (bill_type) => linesOf(await content(sandbox, { bill_type }))),
  );
  expect(refund.length).toBeGreaterThan(0);
  expect(paid.every((line) => line.endsWith(',PAID'))).toBe(true);
  expect(refund.every((line) => line.endsWith(',REFUNDED'))).toBe(true);
  expect([...paid, ...refund].sort()).toEqual([...all].sort());
});

test('a bill is the same in every sandbox, and another on another day', async () => {
  const [one, two] = [await start(), await start()];
  expect(await content(one)).toBe(await content(two));
  const others = linesOf(await content(one, { bill_date: '2026-11-18' }));
  expect(others.map(withoutDate)).not.toEqual(linesOf(await content(one)).map(withoutDate));
});

const withoutDate = (line: string): string => line.replace(/2026-?11-?1\d/g, '');

test('without rows there is the header line', async () => {
  expect(linesOf(await content(await start({ rows: 0 })))).toEqual([]);
});

test('a large bill comes in chunks between which the event loop turns', async () => {
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
