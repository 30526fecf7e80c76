import { expect, it } from 'vitest';
import { mop } from '../../../support/cli.ts';

const records = (...argv: string[]) => mop(['sandbox', 'records', ...argv]);

it('prints the same CSV each time, by default of yesterday', async () => {
  const { code, stdout } = await records();
  expect(code).toBe(0);
  const [header, ...lines] = stdout.trimEnd().split('\n');
  expect(header).toBe('order_id,user_id,city,paid_at,paid_amount,refund_amount');
  expect(lines).toHaveLength(200);
  expect(lines[0]).toMatch(/^20261119000000199,/);
  expect((await records('2026-11-19')).stdout).toBe(stdout);
});

it('prints one document with --json, for the selected orders', async () => {
  const { stdout } = await records('2026-11-19', '--json', '--rows', '50', '--type', 'refund');
  const refunds = JSON.parse(stdout);
  expect(refunds.length).toBeGreaterThan(0);
  for (const { refund_amount } of refunds) expect(Number(refund_amount)).toBeGreaterThan(0);
});

it('prints no order of a day without trades', async () => {
  const { stdout, stderr } = await records('2026-10-13');
  expect(stdout.trim().split('\n')).toHaveLength(1);
  expect(stderr).toBe('2026-10-13 has no trades\n');
  expect((await records('2026-10-13', '--json')).stdout).toBe('[]\n');
});

it.each([
  [['2026-11-31'], '"2026-11-31" is not a date'],
  [['2026-11-19', '--differences', '301'], '200 orders allow 300 differences, not 301'],
])('%j ends with 2, and nothing on standard output', async (argv, message) => {
  const { code, stdout, stderr } = await records(...argv);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
});
