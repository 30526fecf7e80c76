import { formatBytes } from '../../../files/format-bytes.ts';
import type { BillResult, BillTask } from '../../../platform/bills/fetch-bills.ts';
import type { BillEvent } from '../../../platform/bills/fetch-options.ts';
import type { Context } from '../../context/context.ts';
import { isUtf8Locale } from '../../context/io.ts';
import { openSpinner, type Spinner } from '../../context/spinner.ts';
import type { Style } from '../../context/style.ts';
import { visibleLine } from '../../context/visible-text.ts';
import { MAX_FAILURES } from './failure-lines.ts';
import { Transfer } from './transfer.ts';

/** Columns reserved for the `^C` that a terminal appends to the last line. */
const MARGIN = 3;

/** Opens the progress bars; undefined where no progress is shown. */
export async function openBars(
  total: number,
  labelOf: (task: BillTask) => string,
  context: Context,
): Promise<BillBars | undefined> {
  const spinner = await openSpinner(context);
  if (!spinner) return undefined;
  return new BillBars(spinner, context.output.styles('stderr'), total, labelOf, context);
}

/** A bar for each bill in flight. In a batch, each finished bill has a line above the bars. */
class BillBars {
  readonly #spinner: Spinner;
  readonly #styles: Style;
  readonly #total: number;
  readonly #labelOf: (task: BillTask) => string;
  readonly #context: Context;
  readonly #states = new Map<BillTask, Transfer | string>();
  #done = 0;
  #failed = 0;

  constructor(
    spinner: Spinner,
    styles: Style,
    total: number,
    labelOf: (task: BillTask) => string,
    context: Context,
  ) {
    this.#spinner = spinner;
    this.#styles = styles;
    this.#total = total;
    this.#labelOf = labelOf;
    this.#context = context;
    // Called for each frame, which keeps the rates current.
    spinner.suffix = () => [...this.#states.keys()].map((task) => this.#bar(task)).join('');
    this.#showCount();
    spinner.start();
  }

  show(task: BillTask, event: BillEvent): void {
    if (!this.#isBatch) this.#spinner.text = this.#labelOf(task);
    if (event.kind !== 'progress') {
      this.#states.set(task, stateText(event));
      this.#spinner.render();
      return;
    }
    const state = this.#states.get(task);
    const transfer = state instanceof Transfer ? state : new Transfer();
    transfer.update(event.received, event.total, this.#context.io.now());
    // Progress is frequent: the next frame shows it.
    this.#states.set(task, transfer);
  }

  remove(task: BillTask): void {
    this.#states.delete(task);
    this.#done++;
    this.#showCount();
  }

  finish({ task, status, stored, error }: BillResult): void {
    this.remove(task);
    // The result or the error of a single bill follows at once.
    if (!this.#isBatch || status === 'skipped') return;
    if (status === 'failed' && ++this.#failed > MAX_FAILURES) return;
    const { io, output } = this.#context;
    const [done, failed, ellipsis] = isUtf8Locale(io.env) ? ['✓', '✗', '…'] : ['+', 'x', '...'];
    const { green, yellow, red, dim } = this.#styles;
    const symbol = {
      downloaded: green(done),
      unchanged: green(done),
      'no-bill': dim('-'),
      'not-ready': yellow(failed),
      failed: red(failed),
      skipped: dim('-'),
    }[status];
    const downloaded = status === 'downloaded' && stored ? formatBytes(stored.bytes) : status;
    const text = `${this.#labelOf(task)}  ${visibleLine(error?.message ?? downloaded)}`;
    const room = this.#columns - MARGIN;
    const cut = text.length > room ? text.slice(0, room - ellipsis.length) + ellipsis : text;
    output.line(`${symbol} ${cut}`);
  }

  end(): void {
    this.#spinner.stop();
  }

  get #isBatch(): boolean {
    return this.#total > 1;
  }

  get #columns(): number {
    return this.#context.io.stderr.columns ?? 80;
  }

  #showCount(): void {
    if (this.#isBatch) this.#spinner.text = `${this.#done} of ${this.#total} bills`;
  }

  /** The line of a bill in flight. The name of a single bill is in the line above. */
  #bar(task: BillTask): string {
    const name = this.#isBatch ? `${this.#labelOf(task)} ` : '';
    const width = this.#columns - name.length - MARGIN;
    const state = this.#states.get(task) ?? '';
    if (state instanceof Transfer) {
      return `\n${name}${state.text(this.#context.io.now(), width).slice(0, width)}`;
    }
    return `\n${name}${state.slice(0, Math.max(0, width))}`;
  }
}

function stateText(event: Exclude<BillEvent, { readonly kind: 'progress' }>): string {
  switch (event.kind) {
    case 'attempt':
      return event.number === 1 ? 'asking for the bill' : `attempt ${event.number}`;
    case 'retry':
      return `next attempt in ${Math.ceil(event.waitMs / 1000)} s: ${visibleLine(event.error.message)}`;
    case 'wait':
      return `waiting until ${event.until}`;
  }
}
