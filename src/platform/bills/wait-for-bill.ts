import type { MopError } from '../../errors.ts';
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
 * Waits until it is time to ask again for a bill that was absent.
 *
 * @throws {MopError} `absent` when that is after the deadline.
 */
export async function waitForNextPoll(
  absent: MopError,
  client: OperationClient,
  options: ResolvedOptions,
): Promise<void> {
  await waitUntil(client.source.now() + POLL_MS, absent, client, options);
}

async function waitUntil(
  moment: number,
  failure: MopError,
  client: OperationClient,
  { schedule, deadline, onEvent }: ResolvedOptions,
): Promise<void> {
  if (moment > deadline) throw failure;
  onEvent({ kind: 'wait', until: clockTime(moment, schedule) });
  await client.sleep(moment - client.source.now());
}
