import type { Ora } from 'ora';
import type { BillResult, BillTask } from '../../../platform/bills/fetch-bills.ts';
import type { BillEvent } from '../../../platform/bills/fetch-options.ts';
import type { Context } from '../../context/context.ts';
import { reasonOf } from '../../context/error-json.ts';
import { isUtf8Locale } from '../../context/io.ts';
import { openSpinner } from '../../context/spinner.ts';
import { visibleLine } from '../../context/visible-text.ts';
import { size, Transfer } from './transfer.ts';

export interface BillProgress {
  readonly onEvent: (task: BillTask, event: BillEvent) => void;
  readonly onResult: (result: BillResult) => void;
  /** Reports a bill that is left out of the report. */
  readonly onSkip: (task: BillTask, reason: string) => void;
  /** The results so far. */
  readonly results: readonly BillResult[];
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
  const { output } = context;
  const results: BillResult[] = [];
  const nameOf = ({ job, options: { ledger } }: BillTask): string =>
    `${byProfile && ledger ? `${ledger.profile} ` : ''}${job.date} ${job.type}`;
  const spinner = await openSpinner(context);
  const bars = spinner && (await openBars(spinner, nameOf, total, context));
  // The error that ends the command reports the failure of a single bill.
  const printsFailures = !bars && !output.quiet && total > 1;
  return {
    onEvent: (task, event) => {
      bars?.show(task, event);
      if (event.kind === 'retry') {
        const seconds = (event.waitMs / 1000).toFixed(1);
        output.note(`${nameOf(task)}: ${event.error.message}; trying again in ${seconds} s`);
      } else if (event.kind === 'wait') {
        output.note(`${nameOf(task)}: waiting until ${event.until}, by the platform's clock`);
      }
    },
    onResult: (result) => {
      results.push(result);
      bars?.finish(result);
      const { stored, error, task } = result;
      if (printsFailures && error) output.note(`${nameOf(task)}: ${reasonOf(error)}`);
      if (!bars && stored) output.note(`${nameOf(task)}: ${result.status}, ${stored.path}`);
      const reason = stored?.unverifiedReason;
      if (reason !== undefined) output.warn(unverifiedWarning(task.job, reason));
    },
    onSkip: (task, reason) => {
      bars?.remove(task);
      const text = `${nameOf(task)}: ${reason}`;
      if (output.json) output.warn(text);
      else output.note(text);
    },
    results,
    printsFailures,
    end: () => bars?.end(),
  };
}

export function unverifiedWarning({ date, type }: BillTask['job'], reason: string): string {
  return `${reason}; the ${type} bill of ${date} is stored unverified`;
}

/** A bar for each bill in flight, below a line for each that is finished. */
async function openBars(
  spinner: Ora,
  nameOf: (task: BillTask) => string,
  total: number,
  { io, output }: Context,
) {
  const styles = await output.styles('stderr');
  const [done, failed, ellipsis] = isUtf8Locale(io.env) ? ['✓', '✗', '…'] : ['+', 'x', '...'];
  const states = new Map<BillTask, Transfer | string>();
  const columns = (): number => io.stderr.columns ?? 80;
  const stateOf = (task: BillTask, width: number): string => {
    const state = states.get(task) ?? '';
    return (typeof state === 'string' ? state : state.text(io.now(), width)).slice(0, width);
  };
  const barOf = (task: BillTask): string => {
    const name = nameOf(task);
    return `\n${name} ${stateOf(task, columns() - name.length - 2)}`;
  };
  const isBatch = total > 1;
  // ora calls it for each frame, so that the rates are those of now.
  spinner.suffixText = () => {
    const tasks = [...states.keys()];
    if (isBatch) return tasks.map(barOf).join('');
    return tasks.map((task) => stateOf(task, columns() - nameOf(task).length - 4)).join('');
  };
  let count = 0;
  const showCount = (): void => {
    if (isBatch) spinner.text = `${count} of ${total} bills`;
  };
  const remove = (task: BillTask): void => {
    states.delete(task);
    count++;
    showCount();
  };
  showCount();
  spinner.start();
  return {
    show: (task: BillTask, event: BillEvent): void => {
      if (!isBatch) spinner.text = nameOf(task);
      if (event.kind === 'progress') {
        const state = states.get(task);
        const transfer = state instanceof Transfer ? state : new Transfer();
        transfer.update(event.received, event.total, io.now());
        // Progress is frequent: the next frame shows it.
        states.set(task, transfer);
        return;
      }
      states.set(task, stateText(event));
      spinner.render();
    },
    remove,
    finish: ({ task, status, stored, error }: BillResult): void => {
      remove(task);
      // The table or the error follows at once.
      if (!isBatch) return;
      const downloaded = status === 'downloaded' && stored ? size(stored.bytes) : status;
      const text = `${nameOf(task)}  ${visibleLine(error?.message ?? downloaded)}`;
      const room = columns() - 3;
      const cut = text.length > room ? text.slice(0, room - ellipsis.length) + ellipsis : text;
      const symbol = {
        downloaded: styles.green(done),
        unchanged: styles.green(done),
        'no-bill': styles.dim('-'),
        'not-ready': styles.yellow(failed),
        failed: styles.red(failed),
      }[status];
      output.line(`${symbol} ${cut}`);
    },
    end: () => spinner.stop(),
  };
}

function stateText(event: Exclude<BillEvent, { readonly kind: 'progress' }>): string {
  switch (event.kind) {
    case 'attempt':
      return event.number === 1 ? 'asking for the bill' : `attempt ${event.number}`;
    case 'retry':
      return 'waiting to try again';
    case 'wait':
      return `waiting until ${event.until}`;
  }
}

/** Shows on a terminal how many of `total` items are done; elsewhere shows nothing. */
export async function countProgress(
  context: Context,
  total: number,
  noun: 'bills' | 'files',
): Promise<{ readonly onOne: () => void; readonly end: () => void }> {
  const spinner = await openSpinner(context);
  let done = 0;
  const refresh = (): void => {
    if (spinner) spinner.text = `checking ${total} ${noun}: ${done} done`;
  };
  refresh();
  spinner?.start();
  return {
    onOne: () => {
      done++;
      refresh();
    },
    end: () => spinner?.stop(),
  };
}
