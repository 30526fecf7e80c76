import { counted } from '../../../files/counts.ts';
import type { StoredBill } from '../../../platform/bills/fetch.ts';
import type { BillResult, BillTask } from '../../../platform/bills/fetch-bills.ts';
import type { BillEvent } from '../../../platform/bills/fetch-options.ts';
import type { Context } from '../../context/context.ts';
import { reasonOf } from '../../context/error-json.ts';
import type { Output } from '../../context/output.ts';
import { openBars } from './bill-bars.ts';
import { billName, MAX_FAILURES } from './failed-bills.ts';

export interface BillProgress {
  readonly onEvent: (task: BillTask, event: BillEvent) => void;
  readonly onResult: (result: BillResult) => void;
  /** Reports a bill that the final report omits. */
  readonly onSkip: (task: BillTask, reason: string) => void;
  /** Whether the failure of a bill was printed in full as it happened. */
  readonly hasPrinted: (result: BillResult) => boolean;
  /** Clears the bars. */
  readonly end: () => void;
}

/**
 * Shows the progress of bills: on a terminal a bar for each, elsewhere a line for each retry, wait and
 * failure, and for each tenth of a long run. The report names each bill, so a line would repeat it.
 */
export async function billProgress(
  context: Context,
  total: number,
  byProfile = false,
): Promise<BillProgress> {
  const { io, output } = context;
  const labelOf = ({ job, options: { ledger } }: BillTask): string =>
    billName(job, byProfile ? ledger?.profile : undefined);
  const bars = await openBars(total, labelOf, context);
  // The error that ends the command reports the failure of a single bill.
  const printsFailures = !bars && !output.quiet && total > 1;
  const printed = new Set<BillTask>();
  let failures = 0;
  let done = 0;
  return {
    onEvent: (task, event) => {
      bars?.show(task, event);
      // No attempt follows an interruption.
      if (event.kind === 'retry' && !io.signal.aborted) {
        const seconds = (event.waitMs / 1000).toFixed(1);
        output.note(`${labelOf(task)}: ${event.error.message}; trying again in ${seconds} s`);
      } else if (event.kind === 'wait') {
        output.note(`${labelOf(task)}: waiting until ${event.until}, by the platform's clock`);
      }
    },
    onResult: (result) => {
      bars?.finish(result);
      if (!bars && total >= 10 && result.status !== 'skipped') {
        done++;
        const isTenth = done % Math.ceil(total / 10) === 0;
        if (isTenth && done < total) output.note(`${done} of ${counted(total, 'bill')}`);
      }
      const { stored, error, task } = result;
      const isListed = result.status !== 'skipped' && failures < MAX_FAILURES;
      if (printsFailures && error && isListed) {
        if (result.status !== 'no-bill') failures++;
        printed.add(task);
        output.note(`${labelOf(task)}: ${reasonOf(error)}`);
      }
      if (stored) warnOfContent(task.job, stored, output);
    },
    onSkip: (task, reason) => {
      bars?.remove(task);
      const text = `${labelOf(task)}: ${reason}`;
      if (output.json) output.warn(text);
      else output.note(text);
    },
    hasPrinted: ({ task }) => printed.has(task),
    end: () => bars?.end(),
  };
}

/** Warns of a stored bill that is not verified, or that has bytes after its gzip file. */
export function warnOfContent(
  { date, type }: BillTask['job'],
  { unverifiedReason, trailingBytes }: StoredBill,
  output: Output,
): void {
  const bill = `the "${type}" bill for ${date}`;
  if (unverifiedReason !== undefined) {
    output.warn(`${unverifiedReason}; ${bill} is stored unverified`);
  }
  if (trailingBytes > 0) {
    output.warn(`${counted(trailingBytes, 'byte')} after the gzip file of ${bill} were ignored`);
  }
}
