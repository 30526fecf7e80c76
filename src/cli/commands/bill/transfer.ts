import { formatBytes } from '../../../files/format-bytes.ts';

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

  /**
   * Takes the amount received so far.
   *
   * @param total Undefined when the server does not give it.
   * @param now In milliseconds.
   */
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
