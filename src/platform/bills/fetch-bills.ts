import { dirname } from 'node:path';
import pMap from 'p-map';
import { MopError } from '../../errors.ts';
import type { OperationClient } from '../operation-client.ts';
import { sweepDirectory } from './append-ledger.ts';
import {
  type BillEvent,
  type BillJob,
  type FetchBillOptions,
  fetchBill,
  type StoredBill,
} from './fetch-bill.ts';

/** A bill to fetch, with whom to ask and how. */
export interface BillTask {
  readonly client: OperationClient;
  readonly job: BillJob;
  readonly options: FetchBillOptions;
}

/** What became of a bill of a run. */
export interface BillResult<Task extends BillTask = BillTask> {
  readonly task: Task;
  readonly status: 'downloaded' | 'unchanged' | 'not-ready' | 'no-bill' | 'failed';
  /** How often the platform was asked; 0 when it was too early to. */
  readonly attempts: number;
  /** Undefined unless the bill is in its place. */
  readonly stored: StoredBill | undefined;
  /** Undefined when the bill is in its place. */
  readonly error: MopError | undefined;
}

export interface FetchBillsOptions {
  /** How many bills are in flight at once. */
  readonly concurrency: number;
  /** Ends the run; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((task: BillTask, event: BillEvent) => void) | undefined;
  /** Told as each bill is settled. */
  readonly onResult?: ((result: BillResult) => void) | undefined;
}

/**
 * Fetches many bills. One that fails does not stop the others.
 *
 * @returns A result for each task, in their order.
 * @throws The signal's reason, and what is not an expected failure.
 */
export async function fetchBills<Task extends BillTask>(
  tasks: readonly Task[],
  { concurrency, signal, onEvent, onResult }: FetchBillsOptions,
): Promise<BillResult<Task>[]> {
  const directories = new Set(tasks.map(({ job }) => dirname(job.target)));
  for (const directory of directories) await sweepDirectory(directory, Date.now());

  return pMap(
    tasks,
    async (task) => {
      let attempts = 0;
      const outcome = await fetchBill(task.client, task.job, {
        ...task.options,
        signal,
        onEvent: (event) => {
          if (event.kind === 'attempt') attempts++;
          onEvent?.(task, event);
        },
      }).then(storedOutcome, failedOutcome);
      signal?.throwIfAborted();
      const result = { task, attempts, ...outcome };
      onResult?.(result);
      return result;
    },
    { concurrency },
  );
}

type Outcome = Pick<BillResult, 'status' | 'stored' | 'error'>;

function storedOutcome(stored: StoredBill): Outcome {
  return { status: stored.status, stored, error: undefined };
}

/** What became of a bill that was not stored. What is not an expected failure is thrown on. */
export function failedOutcome(error: unknown): Outcome {
  if (!(error instanceof MopError)) throw error;
  const absent = error.code === 'not-ready' || error.code === 'no-bill' ? error.code : undefined;
  return { status: absent ?? 'failed', stored: undefined, error };
}
