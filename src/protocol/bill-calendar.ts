import { Temporal } from 'temporal-polyfill';
import { MopError } from '../errors.ts';
import { DEFAULT_LATE_HOURS, DEFAULT_READY_TIME, DEFAULT_TIME_ZONE, zoneOf } from './defaults.ts';
import { BILL_WINDOW_MONTHS } from './limits.ts';

/** When bills appear, in the platform's own time (D1 4.1 rule 3). */
export interface BillSchedule {
  /** IANA name, such as `Asia/Shanghai`. */
  readonly timeZone: string;
  /** `HH:MM` on T+1: the earliest time of a bill. */
  readonly readyTime: string;
  /** Hours after `readyTime` until a missing bill means "no trades". */
  readonly lateHours: number;
  /**
   * Number of days, ending yesterday, whose bills can be requested. Default: three calendar months.
   */
  readonly windowDays?: number | undefined;
}

export const DEFAULT_SCHEDULE: BillSchedule = {
  timeZone: DEFAULT_TIME_ZONE,
  readyTime: DEFAULT_READY_TIME,
  lateHours: DEFAULT_LATE_HOURS,
};

/** Days as `YYYY-MM-DD`, both included. */
export interface DateRange {
  readonly first: string;
  readonly last: string;
}

/** @throws {MopError} `usage` unless the text is `YYYY-MM-DD` and a day of the calendar. */
export function checkDate(text: string): string {
  try {
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return Temporal.PlainDate.from(text).toString();
  } catch {
    // Not a calendar day: reported below.
  }
  throw new MopError('usage', `${JSON.stringify(text)} is not a date`, {
    hint: 'write it as YYYY-MM-DD, such as 2026-11-19, or yesterday',
    unknown: { word: text, names: ['yesterday'] },
  });
}

/** The days whose bills can be requested (D1 4.1). */
export function billWindow(schedule: BillSchedule, now: number): DateRange {
  const today = todayIn(schedule, now);
  const days = schedule.windowDays;
  return {
    first: today.subtract(days ? { days } : { months: BILL_WINDOW_MONTHS }).toString(),
    last: today.subtract({ days: 1 }).toString(),
  };
}

export function today(schedule: BillSchedule, now: number): string {
  return todayIn(schedule, now).toString();
}

export function lastDays(count: number, schedule: BillSchedule, now: number): DateRange {
  const { last } = billWindow(schedule, now);
  return {
    first: Temporal.PlainDate.from(last)
      .subtract({ days: count - 1 })
      .toString(),
    last,
  };
}

export function daysOf({ first, last }: DateRange): string[] {
  const start = Temporal.PlainDate.from(first);
  const length = start.until(last, { largestUnit: 'days' }).days;
  return Array.from({ length: Math.max(0, length + 1) }, (_, days) =>
    start.add({ days }).toString(),
  );
}

export function previousDay(date: string): string {
  return Temporal.PlainDate.from(date).subtract({ days: 1 }).toString();
}

export function dayNumber(date: string): number {
  return Temporal.PlainDate.from('1970-01-01').until(date, { largestUnit: 'days' }).days;
}

/** The earliest time of the bill for a day, in milliseconds since 1970: `readyTime` on T+1. */
export function readyAt(date: string, { timeZone, readyTime }: BillSchedule): number {
  return Temporal.PlainDate.from(date)
    .add({ days: 1 })
    .toZonedDateTime({ timeZone: zoneOf(timeZone), plainTime: readyTime }).epochMilliseconds;
}

export function newestReadyDay(schedule: BillSchedule, now: number): string {
  const { last } = billWindow(schedule, now);
  return readyAt(last, schedule) <= now ? last : previousDay(last);
}

/** The time in milliseconds since 1970 after which a missing bill means a day without trades. */
export function lateAt(date: string, schedule: BillSchedule): number {
  return readyAt(date, schedule) + schedule.lateHours * 3_600_000;
}

/** A time in the platform's time zone, such as `2026-11-20 10:00`. */
export function clockTime(moment: number, { timeZone }: BillSchedule): string {
  return Temporal.Instant.fromEpochMilliseconds(moment)
    .toZonedDateTimeISO(zoneOf(timeZone))
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' ');
}

function todayIn({ timeZone }: BillSchedule, now: number): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(now)
    .toZonedDateTimeISO(zoneOf(timeZone))
    .toPlainDate();
}
