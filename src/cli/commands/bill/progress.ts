import type { BillResult, BillTask } from '../../../platform/bills/fetch-bills.ts';
import type { BillEvent } from '../../../platform/bills/fetch-options.ts';
import type { Context } from '../../context/context.ts';
import { reasonOf } from '../../context/error-json.ts';
import { openBars } from './bill-bars.ts';
import { billName } from './failure-lines.ts';

export interface BillProgress {
  readonly onEvent: (task: BillTask, event: BillEvent) => void;
  readonly onResult: (result: BillResult) => void;
  /** Reports a bill that the final report omits. */
  readonly onSkip: (task: BillTask, reason: string) => void;
  /** Whether each failure is printed in full as it happens. */
  readonly printsFailures: boolean;
  /** Clears the bars. */
  readonly end: () => void;
}

/**
 * Shows the progress of bills: on a terminal a bar for each and a line for each that is finished,
 * elsewhere a line for each event.
 *
 * @param byProfile Whether to name the profile of each bill.
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
      const { stored, error, task } = result;
      if (printsFailures && error) output.note(`${labelOf(task)}: ${reasonOf(error)}`);
      if (!bars && stored) output.note(`${labelOf(task)}: ${result.status}, ${stored.path}`);
      const reason = stored?.unverifiedReason;
      if (reason !== undefined) output.warn(unverifiedWarning(task.job, reason));
    },
    onSkip: (task, reason) => {
      bars?.remove(task);
      const text = `${labelOf(task)}: ${reason}`;
      if (output.json) output.warn(text);
      else output.note(text);
    },
    printsFailures,
    end: () => bars?.end(),
  };
}

export function unverifiedWarning({ date, type }: BillTask['job'], reason: string): string {
  return `${reason}; the "${type}" bill for ${date} is stored unverified`;
}
