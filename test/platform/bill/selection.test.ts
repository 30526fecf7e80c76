import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assertInWindow,
  billFileName,
  billKeys,
  inShard,
} from '../../../src/platform/bill/selection.ts';
import { type BillSchedule, billWindow, daysOf } from '../../../src/protocol/bill-calendar.ts';
import { NOW } from '../../support/cli.ts';

const SCHEDULE: BillSchedule = { timeZone: 'Asia/Shanghai', readyTime: '10:00', lateHours: 12 };

describe('billKeys', () => {
  it('crosses days and types, each once, in order', () => {
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

  it('gives each bill to exactly one worker, counted from 0 or from 1', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.constantFrom(0, 1), (count, base) => {
        const workers = Array.from({ length: count }, (_, n) => ({ index: n + base, count }));
        for (const key of all) {
          expect(workers.filter((worker) => inShard(key, worker))).toHaveLength(1);
        }
      }),
      { seed: 7, numRuns: 40 },
    );
  });

  it('shares the days of one type evenly', () => {
    const days = all.filter(({ type }) => type === 'all');
    const shares = [0, 1, 2].map(
      (index) => days.filter((key) => inShard(key, { index, count: 3 })).length,
    );
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
  });
});

describe('assertInWindow', () => {
  it.each(['2026-08-20', '2026-11-19', '2026-11-20'])('lets %s pass', (date) => {
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
