import type { Ora } from 'ora';
import type { BillResult, BillTask } from '../../../platform/bills/fetch-bills.ts';
import type { BillEvent } from '../../../platform/bills/fetch-options.ts';
import type { Context } from '../../context/context.ts';
import type { OutputStream } from '../../context/io.ts';
import { openSpinner } from '../../context/spinner.ts';

export interface BillProgress {
  readonly onEvent: (task: BillTask, event: BillEvent) => void;
  readonly onResult: (result: BillResult) => void;
  /** Clears the bars. */
  readonly end: () => void;
}

/** Shows the progress of bills: a bar for each on a terminal, elsewhere a line for each event. */
export async function billProgress(context: Context, total: number): Promise<BillProgress> {
  const { io, output } = context;
  const spinner = await openSpinner(context);
  const bars = spinner && openBars(spinner, io.stderr, total);
  return {
    onEvent: (task, event) => {
      if (event.kind === 'retry') {
        const seconds = (event.waitMs / 1000).toFixed(1);
        output.note(`${nameOf(task)}: ${event.error.message}; trying again in ${seconds} s`);
      } else if (event.kind === 'wait') {
        output.note(`${nameOf(task)}: waiting until ${event.until}, by the platform's clock`);
      }
      bars?.show(task, event);
    },
    onResult: (result) => {
      bars?.remove(result.task);
      const { stored, error, task } = result;
      // On a terminal the table follows at once.
      if (!bars) {
        const outcome = error ? error.message : `${result.status}, ${stored?.path}`;
        output.note(`${nameOf(task)}: ${outcome}`);
      }
      if (stored && !stored.verified) output.warn(unverifiedWarning(task.job));
    },
    end: () => bars?.end(),
  };
}

export function unverifiedWarning({ date, type }: BillTask['job']): string {
  return `the platform gave no digest for the ${type} bill of ${date}; it is stored unverified`;
}

function nameOf({ job }: BillTask): string {
  return `${job.date} ${job.type}`;
}

function openBars(spinner: Ora, stderr: OutputStream, total: number) {
  const lines = new Map<BillTask, string>();
  let done = 0;
  const refresh = (): void => {
    const columns = stderr.columns ?? 80;
    const head = total > 1 ? [`${done} of ${total} bills`] : [];
    spinner.text = [...head, ...lines.values()]
      .map((line) => line.slice(0, columns - 3))
      .join('\n');
  };
  spinner.start();
  return {
    show: (task: BillTask, event: BillEvent): void => {
      if (event.kind === 'progress') {
        const { received, total } = event;
        lines.set(task, `${nameOf(task)} ${bar(received, total, stderr.columns ?? 80)}`);
      } else if (event.kind === 'wait') {
        lines.set(task, `${nameOf(task)} waiting`);
      } else if (event.kind === 'attempt') {
        lines.set(task, `${nameOf(task)} asking for the bill`);
      }
      refresh();
      // Progress is frequent: the next frame of the spinner shows it.
      if (event.kind !== 'progress') spinner.render();
    },
    remove: (task: BillTask): void => {
      lines.delete(task);
      done++;
      refresh();
    },
    end: () => spinner.stop(),
  };
}

/** Shows on a terminal how many bills of `total` are done; elsewhere shows nothing. */
export async function countProgress(
  context: Context,
  total: number,
): Promise<{ readonly onOne: () => void; readonly end: () => void }> {
  const spinner = await openSpinner(context);
  let done = 0;
  const refresh = (): void => {
    if (spinner) spinner.text = `looking at ${total} bills: ${done} done`;
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

/** A bar as wide as the terminal permits; without a known total, the amount alone. */
function bar(received: number, total: number | undefined, columns: number): string {
  const amount = size(received);
  if (!total) return amount;
  const share = Math.min(1, received / total);
  const width = Math.max(0, Math.min(30, columns - 50));
  const filled = Math.round(share * width);
  const drawn = width > 0 ? `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}] ` : '';
  return `${drawn}${String(Math.floor(share * 100)).padStart(3)}% ${amount} of ${size(total)}`;
}

function size(bytes: number): string {
  return bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
