import { describe, expect, it } from 'vitest';
import {
  type BillSchedule,
  billWindow,
  checkDate,
  clockTime,
  dayNumber,
  daysOf,
  lastDays,
  lateAt,
  newestReadyDay,
  readyAt,
  today,
} from '../../src/protocol/bill-calendar.ts';

const SHANGHAI: BillSchedule = { timeZone: 'Asia/Shanghai', readyTime: '10:00', lateHours: 12 };
const at = (iso: string): number => Date.parse(iso);

describe('billWindow', () => {
  it.each([
    // Three calendar months: the day is clamped to the end of the month.
    ['2026-05-31T12:00:00+08:00', '2026-02-28', '2026-05-30'],
    ['2028-05-31T12:00:00+08:00', '2028-02-29', '2028-05-30'],
    ['2026-05-28T12:00:00+08:00', '2026-02-28', '2026-05-27'],
    ['2026-01-15T12:00:00+08:00', '2025-10-15', '2026-01-14'],
    ['2026-03-01T00:00:00+08:00', '2025-12-01', '2026-02-28'],
  ])('at %s is %s to %s', (now, first, last) => {
    expect(billWindow(SHANGHAI, at(now))).toEqual({ first, last });
  });

  it('with a number of days also ends yesterday', () => {
    const days = { ...SHANGHAI, windowDays: 90 };
    const window = billWindow(days, at('2026-05-31T12:00:00+08:00'));
    expect(window).toEqual({ first: '2026-03-02', last: '2026-05-30' });
    expect(daysOf(window)).toHaveLength(90);
  });

  it("changes at the platform's midnight, not at the machine's", () => {
    expect(billWindow(SHANGHAI, at('2026-11-19T15:59:59Z')).last).toBe('2026-11-18');
    expect(billWindow(SHANGHAI, at('2026-11-19T16:00:00Z')).last).toBe('2026-11-19');
    expect(today(SHANGHAI, at('2026-11-19T16:00:00Z'))).toBe('2026-11-20');
  });
});

describe('readyAt', () => {
  it('is the ready time on the next day', () => {
    expect(readyAt('2026-11-19', SHANGHAI)).toBe(at('2026-11-20T10:00:00+08:00'));
    expect(readyAt('2026-12-31', SHANGHAI)).toBe(at('2027-01-01T10:00:00+08:00'));
    expect(lateAt('2026-11-19', SHANGHAI)).toBe(at('2026-11-20T22:00:00+08:00'));
  });

  it('follows the zone through a change of its clocks', () => {
    const newYork = { ...SHANGHAI, timeZone: 'America/New_York' };
    expect(readyAt('2026-03-06', newYork)).toBe(at('2026-03-07T10:00:00-05:00'));
    expect(readyAt('2026-03-07', newYork)).toBe(at('2026-03-08T10:00:00-04:00'));
  });

  it('uses the end of the gap for a time that a clock change skips', () => {
    const newYork = { timeZone: 'America/New_York', readyTime: '02:30', lateHours: 12 };
    expect(readyAt('2026-03-07', newYork)).toBe(at('2026-03-08T03:30:00-04:00'));
  });
});

it('newestReadyDay is yesterday from the ready time on, and the day before until then', () => {
  const ready = at('2026-11-20T10:00:00+08:00');
  expect(newestReadyDay(SHANGHAI, ready - 1)).toBe('2026-11-18');
  expect(newestReadyDay(SHANGHAI, ready)).toBe('2026-11-19');
});

describe('days', () => {
  it('lists a range with both ends', () => {
    expect(daysOf({ first: '2026-02-27', last: '2026-03-02' })).toEqual([
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
      '2026-03-02',
    ]);
    expect(daysOf({ first: '2026-03-02', last: '2026-03-02' })).toEqual(['2026-03-02']);
    expect(daysOf({ first: '2026-03-02', last: '2026-03-01' })).toEqual([]);
  });

  it('counts the last days back from yesterday', () => {
    const range = lastDays(3, SHANGHAI, at('2026-11-20T13:00:00+08:00'));
    expect(range).toEqual({ first: '2026-11-17', last: '2026-11-19' });
  });

  it('numbers consecutive days consecutively', () => {
    expect(dayNumber('1970-01-02')).toBe(1);
    expect(dayNumber('2026-03-01') - dayNumber('2026-02-28')).toBe(1);
  });

  it("prints a time in the platform's time zone", () => {
    expect(clockTime(at('2026-11-20T02:00:00Z'), SHANGHAI)).toBe('2026-11-20 10:00');
  });
});

describe('checkDate', () => {
  it('accepts a calendar day', () => {
    expect(checkDate('2028-02-29')).toBe('2028-02-29');
  });

  it.each([
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '20261119',
    '2026-11-19T00:00',
    ' 2026-11-19',
    'tomorrow',
    '',
  ])('rejects %j', (text) => {
    expect(() => checkDate(text)).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});
