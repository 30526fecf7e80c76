import { MopError } from '../../errors.ts';
import { type BillSchedule, clockTime, lateAt, readyAt } from '../../protocol/bill-calendar.ts';
import type { BillKey } from './bill-key.ts';

/** The failure of a bill that cannot be ready yet (D1 4.1 rule 3). */
export function tooEarly(bill: BillKey, schedule: BillSchedule): MopError {
  return notReady(bill, `it is made after ${clockTime(readyAt(bill.date, schedule), schedule)}`);
}

/**
 * The failure of a bill that the platform does not have: `not-ready` at first, `no-bill` once it is
 * late, since a bill exists only for a day with trades (D1 4.1 rule 2).
 */
export function absentBill(
  bill: BillKey,
  schedule: BillSchedule,
  now: number,
  seqId: string,
): MopError {
  const late = lateAt(bill.date, schedule);
  if (now < late) {
    const why = `absent after ${clockTime(late, schedule)} means that it had no trades`;
    return notReady(bill, why, seqId);
  }
  return new MopError(
    'no-bill',
    `there is no ${bill.type} bill of ${bill.date}: no trades that day`,
    { hint: 'nothing to do; a bill exists only for days on which trades took place', seqId },
  );
}

function notReady({ date, type }: BillKey, why: string, seqId?: string): MopError {
  return new MopError('not-ready', `the ${type} bill of ${date} is not there yet: ${why}`, {
    hint: 'run it again later; mop bill fetch --wait MINUTES waits for a bill',
    seqId,
  });
}
