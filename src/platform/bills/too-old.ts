import { MopError } from '../../errors.ts';
import { type BillSchedule, dayNumber, today } from '../../protocol/bill-calendar.ts';
import { BILL_WINDOW_DAYS } from '../../protocol/limits.ts';
import { TIME_RANGE_INVALID } from '../../protocol/result-codes.ts';

/**
 * Whether a platform that counts three months as 90 days, including today, may have deleted the bill
 * of a day (D1 4.1).
 *
 * @param now Milliseconds since 1970.
 */
export function mayBeTooOld(date: string, schedule: BillSchedule, now: number): boolean {
  return dayNumber(today(schedule, now)) - dayNumber(date) >= BILL_WINDOW_DAYS;
}

/** The error for a day that is too old, made from the error of the platform's answer. */
export function tooOld(date: string, { code, message, details }: MopError): MopError {
  return new MopError(code, `the date ${date} is too old: ${message}`, {
    ...details,
    hint: `bills are kept for three months, or ${BILL_WINDOW_DAYS} days; choose a later date (--missing skips such days)`,
  });
}

/** Whether the platform refused a bill because it is too old. */
export function isTooOld(error: MopError, bill: { readonly mayBeTooOld: boolean }): boolean {
  return bill.mayBeTooOld && error.details.platformCode === TIME_RANGE_INVALID;
}
