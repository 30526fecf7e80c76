import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Transfer } from '../../../../src/cli/commands/bill/bill-bars.ts';
import { billProgress } from '../../../../src/cli/commands/bill/progress.ts';
import { createContext } from '../../../../src/cli/context/context.ts';
import { MopError } from '../../../../src/errors.ts';
import type { BillResult, BillTask } from '../../../../src/platform/bills/fetch-bills.ts';
import type { BillEvent } from '../../../../src/platform/bills/fetch-options.ts';
import { outputStream } from '../../../support/cli.ts';
import { testTable } from '../../../support/rows.ts';

const MIB = 1024 ** 2;

/** Downloads `rate` bytes per second for `seconds`, in ten pieces a second. */
function transferAfter(seconds: number, rate: number, total: number | undefined): Transfer {
  const transfer = new Transfer();
  for (let tenth = 0; tenth <= seconds * 10; tenth++) {
    transfer.update((rate * tenth) / 10, total, tenth * 100);
  }
  return transfer;
}

describe('a download in flight', () => {
  testTable(
    'shows its bar, amounts, rate and remaining time, as far as they fit',
    [
      [80, '[##########--------------------]  33%  4.0 of 12.0 MiB  2.0 MiB/s  4 s left'],
      [60, '[#####----------]  33%  4.0 of 12.0 MiB  2.0 MiB/s  4 s left'],
      [45, ' 33%  4.0 of 12.0 MiB  2.0 MiB/s  4 s left'],
      [24, '33% 2.0 MiB/s 4 s left'],
      [20, ' 33%  4 s left'],
      [5, ' 33%'],
    ] as const,
    ([width]) => `${width} columns`,
    ([width, text]) => {
      expect(transferAfter(2, 2 * MIB, 12 * MIB).text(2000, width)).toBe(text);
    },
  );

  it('shows the received bytes and the rate when the size is unknown', () => {
    const transfer = transferAfter(2, 1024 * 1.5, undefined);
    expect(transfer.text(2000, 80)).toBe('3.0 KiB  1.5 KiB/s');
    expect(transfer.text(2000, 10)).toBe('3.0 KiB');
  });

  it('shows no rate at the start, and no remaining time at the end', () => {
    expect(transferAfter(0, 0, MIB).text(100, 40)).toBe('[-----------------]   0%  0.0 of 1.0 MiB');
    expect(transferAfter(1, MIB, MIB).text(1000, 31)).toBe('100%  1.0 of 1.0 MiB  1.0 MiB/s');
  });

  it('averages the rate over the last seconds, so that a stall is visible', () => {
    const transfer = transferAfter(10, MIB, 100 * MIB);
    const rateAt = (now: number) => /[\d.]+ \w+\/s/.exec(transfer.text(now, 80))?.[0];
    expect([10_000, 12_500, 20_000].map(rateAt)).toEqual(['1.0 MiB/s', '512.0 KiB/s', '0 B/s']);
    expect(transfer.text(20_000, 80)).not.toContain('left');
  });

  testTable(
    'shows long times in minutes and hours',
    [
      [59, '59 s left'],
      [150, '2 min left'],
      [7260, '2 h 1 min left'],
    ] as const,
    ([seconds]) => `${seconds} s`,
    ([seconds, text]) => {
      const rate = MIB;
      const transfer = transferAfter(1, rate, rate * (seconds + 1));
      expect(transfer.text(1000, 80)).toContain(text);
    },
  );
});

describe('several bills on a terminal', () => {
  const task = (date: string): BillTask =>
    ({
      job: { date, type: 'all', target: `bill_${date}_all.csv` },
      options: { ledger: { profile: 'north', environment: 'production' } },
    }) as BillTask;

  const result = (date: string, fields: Partial<BillResult>): BillResult => ({
    ...{ task: task(date), status: 'downloaded', attempts: 1 },
    ...{ stored: undefined, error: undefined, ...fields },
  });

  const stored = (bytes: number) =>
    ({ bytes, verified: true, path: 'x' }) as NonNullable<BillResult['stored']>;

  /** The terminal output for 12 bills: every line, in order, frames included. */
  const watch = async (
    { columns = 80, env = {}, byProfile = false, total = 12 },
    use: (progress: Awaited<ReturnType<typeof billProgress>>, wait: (ms: number) => void) => void,
  ): Promise<string[]> => {
    let now = 0;
    const texts: string[] = [];
    const stderr = Object.assign(new PassThrough(), {
      ...{ isTTY: true, columns, rows: 50 },
      ...{ cursorTo: () => texts.push('\n') > 0, moveCursor: () => true, clearLine: () => true },
    });
    stderr.on('data', (chunk) => texts.push(String(chunk)));
    const stdout = new PassThrough();
    const { signal } = new AbortController();
    const streams = { stdin: stdout, stdout: outputStream(stdout), stderr: outputStream(stderr) };
    const io = { env, ...streams, now: () => now, signal };
    const context = createContext({ ...io, sleep: async () => {} }, {}, []);
    const progress = await billProgress(context, total, byProfile);
    use(progress, (ms) => {
      now += ms;
    });
    progress.end();
    return stripVTControlCharacters(texts.join('')).split('\n');
  };

  const UTF8 = { LANG: 'C.UTF-8' };
  const download = (received: number): BillEvent => ({
    kind: 'progress',
    received,
    total: 10 * MIB,
  });

  it('show a bar for each bill in flight, which each attempt resets', async () => {
    const lines = await watch({}, ({ onEvent }, wait) => {
      const first = task('2026-11-18');
      onEvent(first, { kind: 'attempt', number: 1 });
      onEvent(first, download(0));
      wait(1000);
      onEvent(first, download(5 * MIB));
      onEvent(task('2026-11-19'), { kind: 'attempt', number: 1 });
      onEvent(first, { kind: 'retry', error: new MopError('network', 'cut'), waitMs: 400 });
      onEvent(first, { kind: 'attempt', number: 2 });
      onEvent(first, download(0));
      onEvent(task('2026-11-20'), { kind: 'wait', until: '2026-11-20 10:00' });
    });
    expect(lines).toContain('2026-11-18 all asking for the bill');
    expect(lines).toContain(
      '2026-11-18 all [#########--------]  50%  5.0 of 10.0 MiB  5.0 MiB/s  1 s left',
    );
    expect(lines).toContain('2026-11-18 all next attempt in 1 s: cut');
    expect(lines).toContain('2026-11-18 all: cut; trying again in 0.4 s');
    expect(lines).toContain('2026-11-18 all attempt 2');
    expect(lines.some((line) => /0% {2}0\.0 of 10\.0 MiB$/.test(line))).toBe(true);
    expect(lines.some((line) => line.includes('waiting until 2026-11-20 10:00'))).toBe(true);
  });

  const finishAll: Parameters<typeof watch>[1] = ({ onResult }) => {
    onResult(result('2026-11-15', { stored: stored(12.3 * MIB) }));
    onResult(result('2026-11-16', { status: 'unchanged', stored: stored(1) }));
    const none = new MopError('no-bill', 'no trades');
    onResult(result('2026-11-17', { status: 'no-bill', error: none }));
    const refused = new MopError('api', `refused\u001b[2J ${'long '.repeat(20)}`, { seqId: 's-1' });
    onResult(result('2026-11-18', { status: 'failed', error: refused }));
  };

  it('keep a line for each finished bill', async () => {
    const lines = await watch({ env: UTF8 }, finishAll);
    expect(lines).toContain('✓ 2026-11-15 all  12.3 MiB');
    expect(lines).toContain('✓ 2026-11-16 all  unchanged');
    expect(lines).toContain('- 2026-11-17 all  no trades');
    const failed = lines.find((line) => line.startsWith('✗ 2026-11-18 all  refused<U+001B>[2J'));
    expect(failed).toHaveLength(79);
    expect(failed).toMatch(/…$/);
    expect(lines.some((line) => line.includes('4 of 12 bills'))).toBe(true);
  });

  it('leaves room for ^C after the state of a single bill, in 40 columns', async () => {
    const lines = await watch({ columns: 40, total: 1 }, ({ onEvent }, wait) => {
      const only = task('2026-11-19');
      onEvent(only, { kind: 'wait', until: '2026-11-20 10:00' });
      onEvent(only, download(0));
      wait(1000);
      onEvent(only, download(5 * MIB));
      // Progress alone draws nothing before the next frame.
      onEvent(task('2026-11-18'), { kind: 'attempt', number: 2 });
    });
    const frame = lines.filter((line) => !line.endsWith("by the platform's clock"));
    expect(frame).toContain('waiting until 2026-11-20 10:00');
    expect(frame).toContain('[#####----]  50%  5.0 MiB/s  1 s left');
    for (const line of frame) expect(line.length).toBeLessThanOrEqual(37);
  });

  it('is ASCII in another locale, names profiles, and fits into 40 columns', async () => {
    const lines = await watch({ columns: 40, byProfile: true }, (progress, wait) => {
      const first = task('2026-11-14');
      progress.onEvent(first, download(0));
      wait(1000);
      progress.onEvent(first, download(5 * MIB));
      finishAll(progress, wait);
    });
    expect(lines).toContain('+ north 2026-11-15 all  12.3 MiB');
    expect(lines).toContain('north 2026-11-14 all  50%  1 s left');
    expect(lines.join('')).toMatch(/^[\x20-\x7e]+$/);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
  });
});
