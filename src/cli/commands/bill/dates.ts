import { MopError } from '../../../errors.ts';
import type { BillSchedule, DateRange } from '../../../protocol/bill-calendar.ts';

/** How a command line names days; at most one way of it is used. */
export interface DateOptions {
  readonly from?: string;
  readonly to?: string;
  readonly last?: number;
  /** Take days outside the window. */
  readonly force?: boolean | undefined;
}

/**
 * The days that a command line names: yesterday when it names none.
 *
 * @throws {MopError} `usage` for what is no day, and without `force` for one outside the window.
 */
export async function selectDates(
  dates: readonly string[],
  { from, to, last, force = false }: DateOptions,
  schedule: BillSchedule,
  now: number,
): Promise<string[]> {
  const { daysOf, lastDays } = await import('../../../protocol/bill-calendar.ts');
  const readDate = await dateReader(schedule, now, force);
  // The ends of a range are checked before its days are listed: there may be very many.
  const checked = ({ first, last }: DateRange): DateRange => ({
    first: readDate(first),
    last: readDate(last),
  });

  if (last !== undefined) return daysOf(checked(lastDays(last, schedule, now)));
  if (from === undefined) return (dates.length > 0 ? dates : ['yesterday']).map(readDate);
  const range = checked({ first: from, last: to ?? 'yesterday' });
  if (range.first <= range.last) return daysOf(range);
  throw new MopError('usage', `--from ${range.first} is after --to ${range.last}`, {
    hint: 'swap the two',
  });
}

/**
 * The one day that a command line names.
 *
 * @throws {MopError} `usage` for what is no day, and without `force` for one outside the window.
 */
export async function selectDate(
  date = 'yesterday',
  { force = false }: Pick<DateOptions, 'force'>,
  schedule: BillSchedule,
  now: number,
): Promise<string> {
  const readDate = await dateReader(schedule, now, force);
  return readDate(date);
}

async function dateReader(
  schedule: BillSchedule,
  now: number,
  force: boolean,
): Promise<(text: string) => string> {
  const { billWindow, checkDate } = await import('../../../protocol/bill-calendar.ts');
  const { assertInWindow } = await import('../../../platform/bills/selection.ts');
  return (text) => {
    const date = text === 'yesterday' ? billWindow(schedule, now).last : checkDate(text);
    if (!force) assertInWindow(date, schedule, now);
    return date;
  };
}
