import { MopError, quoted, withDetails } from '../../../errors.ts';
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

/** The days that a command line selects; by default yesterday. */
export function selectDates(
  dates: readonly string[],
  { from, to, last, force }: DateOptions,
  schedule: BillSchedule,
  now: number,
): string[] {
  const read = (text: string): string => selectDate(text, { force }, schedule, now);
  if (last !== undefined) {
    if (!force) assertLastInWindow(last, schedule, now);
    return daysOf(lastDays(last, schedule, now));
  }
  if (from === undefined) return (dates.length > 0 ? dates : ['yesterday']).map(read);
  // Check the ends before listing the days of a range: it may be very long.
  const range: DateRange = { first: read(from), last: read(to ?? 'yesterday') };
  if (range.first <= range.last) return daysOf(range);
  throw new MopError('usage', `--from ${range.first} is after --to ${range.last}`, {
    hint: 'swap the two dates',
  });
}

/** Reads a day: `YYYY-MM-DD` or `yesterday`. */
export function selectDate(
  text = 'yesterday',
  { force = false }: Pick<DateOptions, 'force'>,
  schedule: BillSchedule,
  now: number,
): string {
  const date = text === 'yesterday' ? billWindow(schedule, now).last : readDate(text);
  if (!force) assertInWindow(date, schedule, now);
  return date;
}

function assertLastInWindow(last: number, schedule: BillSchedule, now: number): void {
  const window = billWindow(schedule, now);
  const { length } = daysOf(window);
  if (last <= length) return;
  throw new MopError('usage', `--last ${last} is too long: bills go back to ${window.first}`, {
    hint: quoted`use --last ${length}, or add --force to ask the platform anyway`,
  });
}

/** {@link checkDate}, with a hint for other forms of days. */
function readDate(text: string): string {
  try {
    return checkDate(text);
  } catch (error) {
    throw withDetails(error, { hint: DATE_HINT });
  }
}

export const DATE_HINT =
  'write a day as YYYY-MM-DD or yesterday (the newest bill), and a range as --from DATE --to DATE';
