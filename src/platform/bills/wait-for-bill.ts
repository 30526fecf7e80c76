import { type MopError, withDetails } from '../../errors.ts';
import { clockTime, readyAt } from '../../protocol/bill-calendar.ts';
import { BILL_PATH } from '../../protocol/operations.ts';
import type { OperationClient } from '../operation-client.ts';
import { tooEarly } from './absent-bill.ts';
import type { BillKey } from './bill-key.ts';
import type { ResolvedOptions } from './fetch-options.ts';

/** Also the time between two requests for a bill that is not ready yet. */
const MINUTE_MS = 60_000;

/**
 * Waits until a bill can be ready (D1 4.1 rule 3); with `force`, not at all.
 *
 * @throws {MopError} `not-ready` when the bill is ready only after the deadline, `config` without an
 *   address.
 */
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
    const hint = `--wait ends before that time: run it again later, or with --wait ${minutes}`;
    const failure = tooEarly(bill, schedule, now);
    throw waitMs > 0 ? withDetails(failure, { hint }) : failure;
  }
  await waitUntil(ready, client, options);
}

/**
 * Waits before the next request for an absent bill: a minute, or until the deadline.
 *
 * @throws {MopError} `absent` after the deadline.
 */
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
    const hint = `waited ${waited}: run it again later, or with a longer --wait`;
    throw waitMs > 0 ? withDetails(absent, { hint }) : absent;
  }
  await waitUntil(Math.min(now + MINUTE_MS, deadline), client, options);
}

async function waitUntil(
  moment: number,
  client: OperationClient,
  { schedule, onEvent }: ResolvedOptions,
): Promise<void> {
  onEvent({ kind: 'wait', until: clockTime(moment, schedule) });
  await client.sleep(moment - client.source.now());
}
