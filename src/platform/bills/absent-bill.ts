import { MopError } from '../../errors.ts';
import {
  type BillSchedule,
  billWindow,
  clockTime,
  lateAt,
  previousDay,
  readyAt,
} from '../../protocol/bill-calendar.ts';
import type { BillKey } from './bill-key.ts';

/**
 * The failure of a bill that cannot be ready yet (D1 4.1 rule 3).
 *
 * @param now Milliseconds since 1970.
 */
export function tooEarly(bill: BillKey, schedule: BillSchedule, now: number): MopError {
  const ready = timeText(readyAt(bill.date, schedule), schedule);
  return notReady(bill, `is not available until ${ready}`, schedule, now);
}

/**
 * The failure of a bill that the platform does not have: `not-ready` until it is late, then
 * `no-bill`, since a bill exists only for a day with trades (D1 4.1 rule 2).
 */
export function absentBill(
  bill: BillKey,
  schedule: BillSchedule,
  now: number,
  seqId: string,
): MopError {
  const late = lateAt(bill.date, schedule);
  if (now < late) {
    const until = timeText(late, schedule);
    const meaning = `if it is still absent at ${until}, there were no trades that day`;
    return notReady(bill, `is not available yet; ${meaning}`, schedule, now, seqId);
  }
  return new MopError('no-bill', `${describeBill(bill)} does not exist: no trades that day`, {
    hint: 'nothing to do; a bill exists only for days on which trades took place',
    seqId,
  });
}

function notReady(
  bill: BillKey,
  fault: string,
  schedule: BillSchedule,
  now: number,
  seqId?: string,
): MopError {
  const hint = 'run the command again later; mop bill fetch waits for the bill with --wait MINUTES';
  const isYesterday = bill.date === billWindow(schedule, now).last;
  const newest = `; the newest available bill is for ${previousDay(bill.date)}`;
  return new MopError('not-ready', `${describeBill(bill)} ${fault}`, {
    hint: isYesterday ? hint + newest : hint,
    seqId,
  });
}

function describeBill({ date, type }: BillKey): string {
  return `the "${type}" bill for ${date}`;
}

function timeText(moment: number, schedule: BillSchedule): string {
  return `${clockTime(moment, schedule)} (${schedule.timeZone})`;
}
