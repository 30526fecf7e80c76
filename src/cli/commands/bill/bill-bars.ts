import { formatBytes } from '../../../files/format-bytes.ts';
import type { BillResult, BillTask } from '../../../platform/bills/fetch-bills.ts';
import type { BillEvent } from '../../../platform/bills/fetch-options.ts';
import type { Context } from '../../context/context.ts';
import { isUtf8Locale } from '../../context/io.ts';
import { openSpinner, type Spinner } from '../../context/spinner.ts';
import type { Style } from '../../context/style.ts';
import { visibleLine } from '../../context/visible-text.ts';
import { MAX_FAILURES } from './failed-bills.ts';

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
      this.#states.set(task, this.#context.output.translated(stateText(event)));
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
    const downloaded =
      status === 'downloaded' && stored ? formatBytes(stored.bytes) : output.word(status);
    const text = `${this.#labelOf(task)}  ${visibleLine(output.translated(error?.message ?? downloaded))}`;
    const room = this.#columns - MARGIN;
    // A Chinese character has two columns.
    const wide = (output.translation?.width(text) ?? text.length) - text.length;
    const isCut = text.length + wide > room;
    const cut = isCut ? text.slice(0, room - wide - ellipsis.length) + ellipsis : text;
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

/** Time to average the rate over: long enough for a steady rate, short enough to show a stall. */
const WINDOW_MS = 5000;
const MIN_WINDOW_MS = 500;
const SAMPLE_MS = 200;

const MIN_BAR = 8;
const MAX_BAR = 30;

interface Sample {
  readonly at: number;
  readonly received: number;
}

/** A download in flight. Its amounts are those on the wire, before decompression. */
export class Transfer {
  #samples: Sample[] = [];
  #total: number | undefined;

  /** Takes the amount received so far. */
  update(received: number, total: number | undefined, now: number): void {
    const before = this.#samples.at(-2);
    // The last sample is always the current amount.
    if (before && now - before.at < SAMPLE_MS) this.#samples.pop();
    this.#samples.push({ at: now, received });
    this.#total = total;
  }

  /** Its amounts, rate and remaining time, in at most `width` characters, as far as they fit. */
  text(now: number, width: number): string {
    const received = this.#samples.at(-1)?.received ?? 0;
    const total = this.#total;
    const rate = this.#rate(now);
    const speed = rate === undefined ? '' : `${formatBytes(rate)}/s`;
    if (!total) return longestFit([[formatBytes(received), speed], [formatBytes(received)]], width);
    const share = Math.min(1, received / total);
    const percent = `${Math.floor(share * 100)}%`.padStart(4);
    const amounts = `${formatBytes(received, total).replace(/ .*/, '')} of ${formatBytes(total)}`;
    const left = rate && received < total ? `${duration((total - received) / rate)} left` : '';
    const text = longestFit(
      [[percent, amounts, speed, left], [percent, speed, left], [percent, left], [percent]],
      width,
    );
    return bar(share, width - text.length) + text;
  }

  /** In bytes per second; undefined while the sample is too small. */
  #rate(now: number): number | undefined {
    const [, next] = this.#samples;
    if (next && next.at <= now - WINDOW_MS) {
      this.#samples.shift();
      return this.#rate(now);
    }
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (!first || !last || now - first.at < MIN_WINDOW_MS) return undefined;
    return ((last.received - first.received) / (now - first.at)) * 1000;
  }
}

/** The first of the texts that fits, or else the last. */
function longestFit(texts: readonly (readonly string[])[], width: number): string {
  const joined = texts.flatMap((parts) => {
    const known = parts.filter((part) => part !== '');
    return [known.join('  '), known.join(' ').trim()];
  });
  return joined.find(({ length }) => length <= width) ?? joined.at(-1) ?? '';
}

function bar(share: number, room: number): string {
  const width = Math.min(MAX_BAR, room - '[] '.length);
  if (width < MIN_BAR) return '';
  const filled = Math.round(share * width);
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}] `;
}

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${Math.ceil(seconds)} s`;
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
