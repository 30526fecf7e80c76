import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ErrorDetails, MopError } from '../../src/errors.ts';
import { type RetryPolicy, withRetries } from '../../src/http/retry.ts';

/** Fixes the jitter at its minimum or (almost) its maximum. */
function fixJitter(at: 'minimum' | 'maximum'): void {
  const random = vi.spyOn(Math, 'random').mockReturnValue(at === 'minimum' ? 0 : 1 - 2 ** -53);
  onTestFinished(() => random.mockRestore());
}

interface Run {
  readonly attempts: readonly number[];
  readonly waits: readonly number[];
  readonly outcome: unknown;
}

/**
 * Fails with the given errors, one for each attempt; repeats the last one. Undefined is a success.
 */
async function run(
  failures: readonly unknown[],
  retries: number,
  policy: Partial<RetryPolicy> = {},
): Promise<Run> {
  const attempts: number[] = [];
  const waits: number[] = [];
  const outcome = await withRetries(
    async (number) => {
      attempts.push(number);
      const failure = failures[Math.min(number, failures.length) - 1];
      if (failure !== undefined) throw failure;
      return 'done';
    },
    { retries, sleep: async (ms) => waits.push(ms), ...policy },
  ).catch((error: unknown) => error);
  return { attempts, waits, outcome };
}

function network(details: ErrorDetails = {}): MopError {
  return new MopError('network', 'no answer', details);
}

describe('withRetries', () => {
  it('does not wait after a success', async () => {
    expect(await run([undefined], 4)).toEqual({ attempts: [1], waits: [], outcome: 'done' });
  });

  it('retries until it succeeds', async () => {
    const { attempts, waits, outcome } = await run([network(), network(), undefined], 4);
    expect({ attempts, outcome }).toEqual({ attempts: [1, 2, 3], outcome: 'done' });
    expect(waits).toHaveLength(2);
  });

  it('retries only unsent requests with unsentOnly', async () => {
    const unsent = network({ sent: false });
    const { attempts, outcome } = await run([unsent, unsent, network(), undefined], 4, {
      unsentOnly: true,
    });
    expect(attempts).toEqual([1, 2, 3]);
    expect(outcome).not.toBe(unsent);
  });

  it.each([0, 1, 4])('retries %i times, then throws the last failure', async (retries) => {
    const failures = Array.from({ length: retries + 2 }, () => network());
    const { attempts, waits, outcome } = await run(failures, retries);
    expect(attempts).toHaveLength(retries + 1);
    expect(waits).toHaveLength(retries);
    expect(outcome).toBe(failures[retries]);
  });

  it.each([
    ['minimum', [250, 500, 1000, 2000]],
    ['maximum', [500, 1000, 2000, 4000]],
  ] as const)('doubles each wait, with the jitter at its %s', async (at, expected) => {
    fixJitter(at);
    const { waits } = await run([network()], 4);
    expect(waits.map(Math.round)).toEqual(expected);
  });

  it.each([
    ['minimum', 7],
    ['maximum', 6],
  ] as const)('waits less than 20 s in total, with the jitter at its %s', async (at, attempted) => {
    fixJitter(at);
    const { attempts, waits } = await run([network()], 1000);
    expect(attempts).toHaveLength(attempted);
    expect(waits).toHaveLength(attempted - 1);
    expect(waits.reduce((sum, wait) => sum + wait)).toBeLessThan(20_000);
  });

  it.each([
    ['longer than the back-off', 3000, [3000, 3000]],
    ['shorter than the back-off', 10, [500, 1000]],
    ['zero', 0, [500, 1000]],
    ['less than half the limit', 9000, [9000, 9000]],
    ['more than half the limit', 15_000, [15_000]],
    ['longer than the limit', 20_001, []],
    ['infinite', Number.POSITIVE_INFINITY, []],
  ])('waits for a Retry-After that is %s', async (_, retryAfterMs, expected) => {
    fixJitter('maximum');
    const { waits } = await run([network({ retryAfterMs })], 2);
    expect(waits.map(Math.round)).toEqual(expected);
  });

  it.each([
    [60_000, 'try again later: the server asks to wait 60 s (Retry-After)'],
    [15_000, 'h'],
    [Number.POSITIVE_INFINITY, 'h'],
  ])(
    'names a Retry-After of %d ms in its hint if it exceeds the limit',
    async (retryAfterMs, hint) => {
      const { outcome } = await run([network({ retryAfterMs, hint: 'h' })], 2);
      expect(outcome).toMatchObject({ details: { hint } });
    },
  );

  const transient = [
    network(),
    new MopError('integrity', 'cut'),
    new MopError('api', 'refused', { transient: true }),
  ];
  it.each(transient)('retries after %s', async (failure) => {
    expect(await run([failure, undefined], 4)).toMatchObject({ attempts: [1, 2], outcome: 'done' });
  });

  const permanent = [
    new MopError('api', 'no'),
    new MopError('auth', 'no'),
    new MopError('not-ready', 'no'),
    network({ transient: false }),
    new MopError('integrity', 'cut', { transient: false }),
    new TypeError('a bug'),
    'a text',
  ];
  it.each(permanent)('does not retry after %s', async (failure) => {
    expect(await run([failure, undefined], 4)).toEqual({
      attempts: [1],
      waits: [],
      outcome: failure,
    });
  });

  it('stops at the first permanent failure', async () => {
    const refused = new MopError('api', 'no');
    const { attempts, outcome } = await run([network(), refused, undefined], 4);
    expect({ attempts, outcome }).toEqual({ attempts: [1, 2], outcome: refused });
  });

  it('reports each wait before it begins', async () => {
    const events: unknown[] = [];
    const failures = [network({ retryAfterMs: 700 }), network({ retryAfterMs: 1500 }), undefined];
    await run(failures, 4, {
      sleep: async (ms) => events.push(['sleep', ms]),
      onRetry: (error, ms) => events.push([error, ms]),
    });
    expect(events).toEqual([
      [failures[0], 700],
      ['sleep', 700],
      [failures[1], 1500],
      ['sleep', 1500],
    ]);
  });

  it('does not report a wait that never begins', async () => {
    const onRetry = vi.fn();
    await run([network({ retryAfterMs: 60_000 })], 4, { onRetry });
    await run([network()], 0, { onRetry });
    expect(onRetry).not.toHaveBeenCalled();
  });

  it('throws the error of the wait', async () => {
    const stop = new Error('interrupted');
    const sleep = (): Promise<never> => Promise.reject(stop);
    expect(await run([network(), undefined], 4, { sleep })).toMatchObject({
      attempts: [1],
      outcome: stop,
    });
  });
});
