import { type MopError, withDetails } from '../../errors.ts';
import { clockTime, readyAt } from '../../protocol/bill-calendar.ts';
import type { OperationClient } from '../operation-client.ts';
import { tooEarly } from './absent-bill.ts';
import type { BillKey } from './bill-key.ts';
import type { ResolvedOptions } from './fetch-options.ts';

/** How often the platform is asked for a bill that is not ready yet. */
const POLL_MS = 60_000;

/**
 * Waits until a bill can be ready (D1 4.1 rule 3); with `force`, not at all.
 *
 * @throws {MopError} `not-ready` when that is after the deadline.
 */
export async function waitUntilReady(
  client: OperationClient,
  bill: BillKey,
  options: ResolvedOptions,
): Promise<void> {
  const { schedule, force } = options;
  const ready = readyAt(bill.date, schedule);
  if (force || client.source.now() >= ready) return;
  await waitUntil(ready, tooEarly(bill, schedule), client, options);
}

/**
 * Waits until it is time to ask again for a bill that was absent: a minute, or until the deadline.
 *
 * @throws {MopError} `absent` after the deadline.
 */
export async function waitForNextPoll(
  absent: MopError,
  client: OperationClient,
  options: ResolvedOptions,
): Promise<void> {
  const now = client.source.now();
  // Past the deadline, any moment after it ends the wait.
  const last = Math.max(options.deadline, now + 1);
  await waitUntil(Math.min(now + POLL_MS, last), absent, client, options);
}

async function waitUntil(
  moment: number,
  failure: MopError,
  client: OperationClient,
  { schedule, waitMs, deadline, onEvent }: ResolvedOptions,
): Promise<void> {
  const now = client.source.now();
  if (moment > deadline) {
    throw waitMs > 0
      ? withDetails(failure, { hint: waitHint(moment, now, deadline - waitMs) })
      : failure;
  }
  onEvent({ kind: 'wait', until: clockTime(moment, schedule) });
  await client.sleep(moment - now);
}

/** What to do after a wait that was too short. */
function waitHint(moment: number, now: number, start: number): string {
  const minutes = (ms: number): number => Math.ceil(ms / 60_000);
  const waited = minutes(now - start);
  return waited === 0
    ? `--wait ends before that time: run it again later, or with --wait ${minutes(moment - now)}`
    : `waited ${waited} minute${waited === 1 ? '' : 's'}: run it again later, or with a longer --wait`;
}
