import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assertInWindow,
  type BillKey,
  billFileName,
  billKeys,
  inShard,
} from '../../../src/platform/bills/bill-key.ts';
import { type BillSchedule, billWindow, daysOf } from '../../../src/protocol/bill-calendar.ts';
import type { BillType } from '../../../src/protocol/operations.ts';
import { NOW } from '../../support/cli.ts';

const SCHEDULE: BillSchedule = { timeZone: 'Asia/Shanghai', readyTime: '10:00', lateHours: 12 };

describe('billKeys', () => {
  it('combines days and types, each once, in order', () => {
    expect(billKeys(['2026-11-19', '2026-11-18', '2026-11-19'], ['paid', 'all', 'paid'])).toEqual([
      { date: '2026-11-19', type: 'paid' },
      { date: '2026-11-19', type: 'all' },
      { date: '2026-11-18', type: 'paid' },
      { date: '2026-11-18', type: 'all' },
    ]);
  });
});

describe('inShard', () => {
  const all = billKeys(daysOf(billWindow(SCHEDULE, NOW)), ['all', 'paid', 'refund']);

  const DAY_MS = 86_400_000;
  const dayAt = (n: number): string => new Date(n * DAY_MS).toISOString().slice(0, 10);
  // From 1970 to 2243.
  const dayNumbers = fc.nat(100_000);
  const types = fc.uniqueArray(fc.constantFrom<BillType>('all', 'paid', 'refund'), {
    minLength: 1,
  });
  const counts = fc.integer({ min: 1, max: 40 });

  /** The share of each worker, when all workers have the same list. */
  const sharesOf = (keys: readonly BillKey[], count: number, base = 0): BillKey[][] =>
    Array.from({ length: count }, (_, n) =>
      keys.filter((key) => inShard(key, { index: n + base, count })),
    );
  const named = (keys: readonly BillKey[]): string[] =>
    keys.map(({ date, type }) => `${date} ${type}`).sort();

  it('assigns each bill to exactly one worker, counted from 0 or from 1', () => {
    const days = fc.uniqueArray(dayNumbers, { maxLength: 30 });
    fc.assert(
      fc.property(days, types, counts, fc.constantFrom(0, 1), (days, types, count, base) => {
        const keys = billKeys(days.map(dayAt), types);
        const shares = sharesOf(keys, count, base);
        expect(named(shares.flat())).toEqual(named(keys));
        // A worker with a shorter list does not take a bill of another worker.
        const isSeen = (key: BillKey): boolean => keys.indexOf(key) % 2 === 0;
        expect(sharesOf(keys.filter(isSeen), count, base)).toEqual(
          shares.map((share) => share.filter(isSeen)),
        );
      }),
      { seed: 7, numRuns: 40 },
    );
  });

  it('distributes consecutive days evenly, up to one day of each type', () => {
    fc.assert(
      fc.property(dayNumbers, fc.nat(60), types, counts, (first, length, types, count) => {
        const days = Array.from({ length }, (_, n) => dayAt(first + n));
        const sizes = sharesOf(billKeys(days, types), count).map((share) => share.length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(types.length);
      }),
      { seed: 7, numRuns: 40 },
    );
  });

  // With --force, any day can be requested.
  it('also assigns days before 1970', () => {
    const keys = billKeys(['1969-12-30', '1969-12-31'], ['all', 'paid', 'refund']);
    expect(named(sharesOf(keys, 4).flat())).toEqual(named(keys));
  });

  it('assigns the bills of many profiles for one day to different workers', () => {
    const [key] = billKeys(['2026-11-19'], ['all']);
    const workersOf = (profile: string): number[] =>
      [0, 1, 2, 3].filter((index) => inShard(key as BillKey, { index, count: 4 }, profile));
    const shares = ['m1', 'm2', 'm3', 'm4', 'default', '杭州'].map(workersOf);
    for (const workers of shares) expect(workers).toHaveLength(1);
    expect(new Set(shares.flat()).size).toBe(4);
  });

  it('distributes the types of one day to different workers', () => {
    const day = billKeys(['2026-11-19'], ['all', 'paid', 'refund']);
    expect(sharesOf(day, 3).map((share) => share.length)).toEqual([1, 1, 1]);
  });

  it('distributes the days of one type evenly', () => {
    const days = all.filter(({ type }) => type === 'all');
    const shares = [0, 1, 2].map(
      (index) => days.filter((key) => inShard(key, { index, count: 3 })).length,
    );
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
  });
});

describe('assertInWindow', () => {
  it.each(['2026-08-20', '2026-11-19', '2026-11-20'])('accepts %s', (date) => {
    expect(() => assertInWindow(date, SCHEDULE, NOW)).not.toThrow();
  });

  it.each([
    ['2026-08-19', /older than 3 months/],
    ['2026-11-21', /in the future/],
  ])('refuses %s', (date, message) => {
    expect(() => assertInWindow(date, SCHEDULE, NOW)).toThrow(message);
  });
});

describe('billFileName', () => {
  const values = { date: '2026-11-19', type: 'all', profile: 'p', env: 'test' };

  it.each([
    ['bill_{date}_{type}.csv', 'bill_2026-11-19_all.csv'],
    ['{env}-{profile}-{date}{date}', 'test-p-2026-11-192026-11-19'],
    ['plain', 'plain'],
    ['a..b', 'a..b'],
  ])('%s is %s', (template, name) => {
    expect(billFileName(template, values)).toBe(name);
  });

  it.each([
    '../{date}',
    '/etc/{date}',
    'a/b',
    '..',
    '.',
    '',
    'a\\b',
    '{day}',
    '{}',
    '{__proto__}',
    'a\0b',
  ])('refuses %j', (template) => {
    expect(() => billFileName(template, values)).toThrow(
      expect.objectContaining({ code: 'usage' }),
    );
  });
});
