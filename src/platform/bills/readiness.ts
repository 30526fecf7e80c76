import { MopError, own, quoted, withDetails } from '../../errors.ts';
import {
  type BillSchedule,
  billWindow,
  clockTime,
  dayNumber,
  lateAt,
  previousDay,
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
export function tooEarly(bill: BillKey, schedule: BillSchedule, now: number): MopError {
  const ready = timeText(readyAt(bill.date, schedule), schedule);
  return notReady(bill, `is not available until ${ready}`, schedule, now);
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

/** Also the time between two requests for a bill that is not ready yet. */
const MINUTE_MS = 60_000;

/** Waits until a bill can be ready (D1 4.1 rule 3); throws `not-ready` after the deadline. */
export async function waitUntilReady(
  client: OperationClient,
  bill: BillKey,
  options: ResolvedOptions,
): Promise<void> {
  const { schedule, force, deadline, waitMs } = options;
  // Fail now for a missing address, not when the bill is ready.
  client.sign({ path: BILL_PATH, body: '{}' });
  const now = client.source.now();
  const ready = readyAt(bill.date, schedule);
  if (force || now >= ready) return;
  if (ready > deadline) {
    const minutes = Math.ceil((ready - now) / MINUTE_MS);
    const hint = quoted`--wait ends before that time: run it again later, or with --wait ${minutes}`;
    const failure = tooEarly(bill, schedule, now);
    throw waitMs > 0 ? withDetails(failure, { hint }) : failure;
  }
  await waitUntil(ready, client, options);
}

/** Waits a minute, or until the deadline; throws `absent` after it. */
export async function waitForNextPoll(
  absent: MopError,
  client: OperationClient,
  options: ResolvedOptions,
): Promise<void> {
  const { deadline, waitMs } = options;
  const now = client.source.now();
  if (now >= deadline) {
    const waited =
      waitMs < MINUTE_MS
        ? `${Math.round(waitMs / 1000)} s`
        : `${Number((waitMs / MINUTE_MS).toFixed(1))} min`;
    const hint = quoted`waited ${own(waited)}: run it again later, or with a longer --wait`;
    throw waitMs > 0 ? withDetails(absent, { hint }) : absent;
  }
  await waitUntil(Math.min(now + MINUTE_MS, deadline), client, options);
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
    hint: `bills are kept for three months, or ${BILL_WINDOW_DAYS} days; choose a later date (--missing skips such days)`,
  });
}

/** Whether the platform refused a bill because it is too old. */
export function isTooOld(error: MopError, bill: { readonly mayBeTooOld: boolean }): boolean {
  return bill.mayBeTooOld && error.details.platformCode === TIME_RANGE_INVALID;
}
