import { MopError } from '../../../errors.ts';
import { assertInWindow } from '../../../platform/bills/bill-key.ts';
import {
  type BillSchedule,
  billWindow,
  checkDate,
  type DateRange,
  daysOf,
  lastDays,
} from '../../../protocol/bill-calendar.ts';

/** The options that select days. They exclude each other, except `from` with `to`. */
export interface DateOptions {
  readonly from?: string;
  readonly to?: string;
  readonly last?: number;
  /** Accept days outside the window. */
  readonly force?: boolean | undefined;
}

/**
 * The days that a command line selects; by default yesterday.
 *
 * @throws {MopError} `usage` for an invalid day, and without `force` for one outside the window.
 */
export function selectDates(
  dates: readonly string[],
  { from, to, last, force }: DateOptions,
  schedule: BillSchedule,
  now: number,
): string[] {
  const read = (text: string): string => selectDate(text, { force }, schedule, now);
  // Check the ends before listing the days of a range: it may be very long.
  const checked = ({ first, last }: DateRange): DateRange => ({
    first: read(first),
    last: read(last),
  });

  if (last !== undefined) return daysOf(checked(lastDays(last, schedule, now)));
  if (from === undefined) return (dates.length > 0 ? dates : ['yesterday']).map(read);
  const range = checked({ first: from, last: to ?? 'yesterday' });
  if (range.first <= range.last) return daysOf(range);
  throw new MopError('usage', `--from ${range.first} is after --to ${range.last}`, {
    hint: 'swap the two dates',
  });
}

/**
 * Reads a day: `YYYY-MM-DD` or `yesterday`.
 *
 * @throws {MopError} `usage` for an invalid day, and without `force` for one outside the window.
 */
export function selectDate(
  text = 'yesterday',
  { force = false }: Pick<DateOptions, 'force'>,
  schedule: BillSchedule,
  now: number,
): string {
  const date = text === 'yesterday' ? billWindow(schedule, now).last : checkDate(text);
  if (!force) assertInWindow(date, schedule, now);
  return date;
}
