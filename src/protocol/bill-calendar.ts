import { Temporal } from 'temporal-polyfill';
import { MopError } from '../errors.ts';
import { BILL_WINDOW_MONTHS } from './limits.ts';
import { zoneOf } from './time-zone.ts';

/** When bills appear, in the platform's own time (D1 4.1 rule 3). */
export interface BillSchedule {
  /** IANA name, such as `Asia/Shanghai`. */
  readonly timeZone: string;
  /** `HH:MM` on T+1, from when a bill can be there. */
  readonly readyTime: string;
  /** Hours after that until a bill that is still absent counts as "no trades". */
  readonly lateHours: number;
  /** Days for which bills can be asked for, up to yesterday; default three calendar months. */
  readonly windowDays?: number | undefined;
}

/** Days as `YYYY-MM-DD`, both included. */
export interface DateRange {
  readonly first: string;
  readonly last: string;
}

/**
 * A day as the platform writes it.
 *
 * @throws {MopError} `usage` unless `text` is `YYYY-MM-DD` and a day of the calendar.
 */
export function checkDate(text: string): string {
  try {
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return Temporal.PlainDate.from(text).toString();
  } catch {
    // Not a day of the calendar: the error below says so.
  }
  throw new MopError('usage', `${JSON.stringify(text)} is not a date`, {
    hint: 'write it as YYYY-MM-DD, such as 2026-11-19, or say yesterday',
    unknown: { word: text, names: ['yesterday'] },
  });
}

/** The days that can be asked for: by default the calendar three months up to yesterday (D1 4.1). */
export function billWindow(schedule: BillSchedule, now: number): DateRange {
  const today = todayIn(schedule, now);
  const days = schedule.windowDays;
  return {
    first: today.subtract(days ? { days } : { months: BILL_WINDOW_MONTHS }).toString(),
    last: today.subtract({ days: 1 }).toString(),
  };
}

/** Today where the platform is. */
export function today(schedule: BillSchedule, now: number): string {
  return todayIn(schedule, now).toString();
}

/** The `count` days that end yesterday. */
export function lastDays(count: number, schedule: BillSchedule, now: number): DateRange {
  const { last } = billWindow(schedule, now);
  return {
    first: Temporal.PlainDate.from(last)
      .subtract({ days: count - 1 })
      .toString(),
    last,
  };
}

/** Every day of a range, in order. */
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

/** A number for each day, one higher than the day before. */
export function dayNumber(date: string): number {
  return Temporal.PlainDate.from('1970-01-01').until(date, { largestUnit: 'days' }).days;
}

/** From when the bill of a day can be there, in milliseconds since 1970: `readyTime` on T+1. */
export function readyAt(date: string, { timeZone, readyTime }: BillSchedule): number {
  return Temporal.PlainDate.from(date)
    .add({ days: 1 })
    .toZonedDateTime({ timeZone: zoneOf(timeZone), plainTime: readyTime }).epochMilliseconds;
}

/** The newest day whose bill can be there. */
export function newestReadyDay(schedule: BillSchedule, now: number): string {
  const { last } = billWindow(schedule, now);
  return readyAt(last, schedule) <= now ? last : previousDay(last);
}

/** From when an absent bill means that the day had no trades, in milliseconds since 1970. */
export function lateAt(date: string, schedule: BillSchedule): number {
  return readyAt(date, schedule) + schedule.lateHours * 3_600_000;
}

/** A moment as the platform's clock shows it, such as `2026-11-20 10:00`. */
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
