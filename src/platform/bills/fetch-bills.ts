import { dirname } from 'node:path';
import pMap from 'p-map';
import { MopError } from '../../errors.ts';
import type { OperationClient } from '../operation-client.ts';
import { StopRule } from '../stop-rule.ts';
import { fetchBill, type StoredBill } from './fetch.ts';
import type { BillEvent, BillJob, FetchBillOptions } from './fetch-options.ts';
import { Ledgers } from './read-ledger.ts';
import { sweepDirectory } from './write-ledger.ts';

/** Limits memory. */
const MAX_CONCURRENCY = 16;

/** A bill to fetch, with its client and options. */
export interface BillTask {
  readonly client: OperationClient;
  readonly job: BillJob;
  /** The run sets the signals and the receiver of events. */
  readonly options: Omit<FetchBillOptions, 'signal' | 'waitSignal' | 'onEvent'>;
}

/** `skipped`: not tried, because the run had ended. */
type BillStatus = 'downloaded' | 'unchanged' | 'not-ready' | 'no-bill' | 'failed' | 'skipped';

/** The outcome of one bill of a run. */
export interface BillResult<Task extends BillTask = BillTask> {
  readonly task: Task;
  readonly status: BillStatus;
  /** Started attempts; 0 when it was too early to ask. */
  readonly attempts: number;
  /** Undefined unless the bill is stored. */
  readonly stored: StoredBill | undefined;
  /** Undefined when the bill is stored. */
  readonly error: MopError | undefined;
}

export interface FetchBillsOptions<Task extends BillTask = BillTask> {
  /** Maximum number of bills in flight; more than 16 have the effect of 16. */
  readonly concurrency: number;
  /** Try every bill, even when the rest must fail too. Default false. */
  readonly keepGoing?: boolean | undefined;
  /** Ends the run; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((task: BillTask, event: BillEvent) => void) | undefined;
  /** Receives each result when it is known. */
  readonly onResult?: ((result: BillResult<Task>) => void) | undefined;
}

/**
 * Fetches many bills. A failure does not stop the others, unless they must fail too: for each client,
 * a {@link StopRule} ends the run, and the remaining bills are skipped.
 *
 * @param ledgers The ledgers of the run.
 * @returns A result for each task, in their order.
 * @throws The signal's reason, and unexpected errors.
 *
 * @example
 * ```ts
 * import {
 *   type BillDescriptorOptions,
 *   type BillEvent,
 *   type BillJob,
 *   type BillResult,
 *   type BillSchedule,
 *   type BillTask,
 *   type FetchBillOptions,
 *   type FetchBillsOptions,
 *   fetchBills,
 *   PlatformClient,
 *   type StoredBill,
 *   startSandbox,
 *   Transport,
 * } from 'mop-cli';
 *
 * const sandbox = await startSandbox();
 * const transport = new Transport();
 * const credentials = { apiKey: 'sandbox', secret: 'sandbox-secret' };
 * const client = new PlatformClient({ baseUrl: sandbox.url, credentials, transport });
 *
 * const schedule: BillSchedule = { timeZone: 'Asia/Shanghai', readyTime: '00:00', lateHours: 12 };
 * const options: FetchBillOptions & BillDescriptorOptions = { schedule };
 * const tasks: BillTask[] = [2, 3].map((days) => {
 *   const date = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
 *   const job: BillJob = { date, type: 'all', target: `bills/${date}.csv` };
 *   return { client, job, options };
 * });
 * const events: BillEvent[] = [];
 * const run: FetchBillsOptions = { concurrency: 2, onEvent: (_task, event) => events.push(event) };
 * const results: readonly BillResult[] = await fetchBills(tasks, run);
 * const stored: (StoredBill | undefined)[] = results.map((result) => result.stored);
 * console.log(results.map(({ status }) => status), stored.every((bill) => bill?.verified));
 * // [ 'downloaded', 'downloaded' ] true
 * await transport.close();
 * await sandbox.close();
 * ```
 */
export async function fetchBills<Task extends BillTask>(
  tasks: readonly Task[],
  { concurrency, keepGoing, signal, onEvent, onResult }: FetchBillsOptions<Task>,
  ledgers = new Ledgers(signal),
): Promise<BillResult<Task>[]> {
  const directories = new Set(tasks.map(({ job }) => dirname(job.target)));
  // Remove the temporary files of killed runs.
  for (const directory of directories) await sweepDirectory(directory, Date.now());

  const rules = new Map(tasks.map(({ client }) => [client, new StopRule(keepGoing)]));

  return pMap(
    tasks,
    async (task) => {
      let attempts = 0;
      const rule = rules.get(task.client) ?? new StopRule();
      const fetching = rule.run((steps) =>
        fetchBill(
          task.client,
          task.job,
          {
            ...task.options,
            signal,
            waitSignal: rule.signal,
            onEvent: (event) => {
              if (event.kind === 'attempt') attempts++;
              if (event.kind === 'progress') steps.accepted();
              if (event.kind === 'wait') (attempts > 0 ? steps.accepted : steps.waits)();
              onEvent?.(task, event);
            },
          },
          ledgers,
        ),
      );
      const outcome = await fetching.then(
        (stored) => ({ status: stored.status, stored, error: undefined }),
        failedOutcome,
      );
      signal?.throwIfAborted();
      const result = { task, attempts, ...outcome };
      onResult?.(result);
      return result;
    },
    { concurrency: Math.min(concurrency, MAX_CONCURRENCY) },
  );
}

/** The outcome of a bill that was not stored. Throws unexpected errors again. */
export function failedOutcome(error: unknown): Pick<BillResult, 'status' | 'stored' | 'error'> {
  if (!(error instanceof MopError)) throw error;
  const { code } = error;
  const isStatus = code === 'not-ready' || code === 'no-bill' || code === 'skipped';
  return { status: isStatus ? code : 'failed', stored: undefined, error };
}
