import { MopError } from '../../errors.ts';
import {
  type BillSchedule,
  clockTime,
  dayNumber,
  lateAt,
  readyAt,
  today,
} from '../../protocol/bill-calendar.ts';
import { BILL_WINDOW_DAYS } from '../../protocol/limits.ts';
import { BILL_PATH } from '../../protocol/operations.ts';
import { TIME_RANGE_INVALID } from '../../protocol/result-codes.ts';
import type { OperationClient } from '../operation-client.ts';
import type { BillKey } from './bill-key.ts';
import type { ResolvedOptions } from './fetch-options.ts';

/** The failure of a bill that cannot be ready yet (D1 4.1 rule 3). */
function tooEarly(bill: BillKey, schedule: BillSchedule): MopError {
  return notReady(
    bill,
    `is not available until ${timeText(readyAt(bill.date, schedule), schedule)}`,
  );
}

/** `not-ready` until the bill is late, then `no-bill`: the day had no trades (D1 4.1 rule 2). */
export function absentBill(
  bill: BillKey,
  schedule: BillSchedule,
  now: number,
  seqId: string,
): MopError {
  const late = lateAt(bill.date, schedule);
  if (now < late) {
    const until = timeText(late, schedule);
    const fault = `is not available yet; if it is still absent at ${until}, there were no trades that day`;
    return notReady(bill, fault, seqId);
  }
  return new MopError('no-bill', `${describeBill(bill)} does not exist: no trades that day`, {
    hint: 'nothing to do; a bill exists only for days on which trades took place',
    seqId,
  });
}

function notReady(bill: BillKey, fault: string, seqId?: string): MopError {
  return new MopError('not-ready', `${describeBill(bill)} ${fault}`, {
    hint: 'fetch it again later, let the fetch wait longer (--wait), or take the bill of an earlier day',
    seqId,
  });
}

function describeBill({ date, type }: BillKey): string {
  return `the "${type}" bill for ${date}`;
}

function timeText(moment: number, schedule: BillSchedule): string {
  return `${clockTime(moment, schedule)} (${schedule.timeZone})`;
}

/** The time between two requests for a bill that is not ready yet. */
const POLL_MS = 60_000;

/** Waits until a bill can be ready (D1 4.1 rule 3); throws `not-ready` after the deadline. */
export async function waitUntilReady(
  client: OperationClient,
  bill: BillKey,
  options: ResolvedOptions,
): Promise<void> {
  const { schedule, force, deadline } = options;
  // Fail now for a missing address, not when the bill is ready.
  client.sign({ path: BILL_PATH, body: '{}' });
  const ready = readyAt(bill.date, schedule);
  if (force || client.source.now() >= ready) return;
  if (ready > deadline) throw tooEarly(bill, schedule);
  await waitUntil(ready, client, options);
}

/** Waits a minute, or until the deadline; throws `absent` after it. */
export async function waitForNextPoll(
  absent: MopError,
  client: OperationClient,
  options: ResolvedOptions,
): Promise<void> {
  const now = client.source.now();
  if (now >= options.deadline) throw absent;
  await waitUntil(Math.min(now + POLL_MS, options.deadline), client, options);
}

async function waitUntil(
  moment: number,
  client: OperationClient,
  { schedule, waitSignal, onEvent }: ResolvedOptions,
): Promise<void> {
  onEvent({ kind: 'wait', until: clockTime(moment, schedule) });
  await client.sleep(moment - client.source.now(), waitSignal);
}

/** Whether a platform that counts three months as 90 days may have deleted the bill (D1 4.1). */
export function mayBeTooOld(date: string, schedule: BillSchedule, now: number): boolean {
  return dayNumber(today(schedule, now)) - dayNumber(date) >= BILL_WINDOW_DAYS;
}

/** The error for a day that is too old, made from the error of the platform's answer. */
export function tooOld(date: string, { code, message, details }: MopError): MopError {
  return new MopError(code, `the date ${date} is too old: ${message}`, {
    ...details,
    hint: 'bills are kept for three months, or 90 days: choose a later date',
  });
}

/** Whether the platform refused a bill because it is too old. */
export function isTooOld(error: MopError, bill: { readonly mayBeTooOld: boolean }): boolean {
  return bill.mayBeTooOld && error.details.platformCode === TIME_RANGE_INVALID;
}
