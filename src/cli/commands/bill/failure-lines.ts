import type { MopError } from '../../../errors.ts';
import { dayNumber } from '../../../protocol/bill-calendar.ts';
import { reasonOf } from '../../context/error-json.ts';
import type { PlannedBill } from './plan.ts';

/** From this number on, bills that failed for the same reason share a line. */
const SHARED_FROM = 4;

export interface FailedBill {
  readonly bill: Pick<PlannedBill, 'settings' | 'job'>;
  readonly error: MopError;
}

/**
 * A line for each failed bill. Many bills that failed for the same reason share a line.
 *
 * @param byProfile Whether to name the profile of each bill.
 */
export function failureLines(failed: readonly FailedBill[], byProfile: boolean): string[] {
  return groups(failed, commonReason).flatMap(([reason, alike]) => {
    if (alike.length < SHARED_FROM) {
      return alike.map(({ bill: { settings, job }, error }) => {
        const profile = byProfile ? `${settings.profile} ` : '';
        return `${profile}${job.date} ${job.type}: ${reasonOf(error)}`;
      });
    }
    const seqId = alike[0]?.error.details.seqId;
    const first = seqId === undefined ? '' : ` (first seq_id ${seqId})`;
    const series = groups(alike, ({ bill: { settings, job } }) =>
      byProfile ? `${settings.profile} ${job.type}` : job.type,
    );
    const days = series.map(
      ([name, some]) => `${name} ${ranges(some.map(({ bill }) => bill.job.date))}`,
    );
    return `${alike.length} bills: ${reason}${first}: ${days.join('; ')}`;
  });
}

/** The message of a failure without the words that differ between bills. */
function commonReason({ bill: { job }, error }: FailedBill): string {
  return error.message.replaceAll(job.target, 'the file').replaceAll(job.date, 'DATE');
}

/** Days in order, consecutive ones as a range: `2026-11-01 to 2026-11-03, 2026-11-07`. */
function ranges(dates: readonly string[]): string {
  const runs: string[][] = [];
  for (const date of dates.toSorted()) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (last !== undefined && dayNumber(date) === dayNumber(last) + 1) run?.push(date);
    else runs.push([date]);
  }
  return runs
    .map((run) => (run.length > 1 ? `${run[0]} to ${run.at(-1)}` : `${run[0]}`))
    .join(', ');
}

/** Items by their name, in the order of the first of each. */
function groups<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): [name: string, items: Item[]][] {
  const byName = new Map<string, Item[]>();
  for (const item of items) {
    const name = nameOf(item);
    byName.set(name, [...(byName.get(name) ?? []), item]);
  }
  return [...byName];
}
