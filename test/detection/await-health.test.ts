import { describe, expect, it } from 'vitest';
import {
  type AwaitHealthOptions,
  awaitHealth,
  type Health,
  healthFailure,
  readHealth,
} from '../../src/detection/health.ts';
import { MopError } from '../../src/errors.ts';
import { parseJson } from '../../src/json/parse.ts';

const health = (json = '{"status":"ok","rules":120,"version":"0.5"}', httpStatus = 200): Health =>
  readHealth(parseJson(json), httpStatus);

const refused = new MopError('network', 'h refused the connection');

describe('healthFailure', () => {
  it.each([
    ['{"status":"ok"}', 200, {}, undefined],
    ['{"status":"ok","rules":120}', 200, { minRules: 120 }, undefined],
    ['{"status":"ok","version":"0.5"}', 200, { expectVersion: '0.5' }, undefined],
    ['{"status":"ok"}', 200, { minRules: 0 }, undefined],
    ['{"status":"OK"}', 200, {}, 'its status is "OK"'],
    ['{"status":"ok"}', 503, {}, 'it answered HTTP 503'],
    ['{"status":"ok","rules":3}', 200, { minRules: 4 }, 'it has 3 rules, expected 4'],
    ['{"status":"ok"}', 200, { minRules: 1 }, 'it does not report its rules (--min-rules)'],
    [
      '{"status":"ok","version":"0.4"}',
      200,
      { expectVersion: '0.5' },
      'its version is "0.4", expected "0.5"',
    ],
    ['{"status":"ok"}', 200, { expectVersion: '0.5' }, 'it does not report its version'],
    ['{"status":"bad","rules":1}', 200, { minRules: 2 }, 'its status is "bad"; it has 1 rules'],
  ])('%s with HTTP %d and %j: %s', (json, httpStatus, demands, message) => {
    const failure = healthFailure(health(json, httpStatus), demands);
    if (message === undefined) return expect(failure).toBeUndefined();
    expect(failure).toMatchObject({
      code: 'unhealthy',
      retryable: true,
      message: expect.stringContaining(message),
    });
  });
});

/**
 * Waits for a service with these answers, in order; the last one repeats. Each wait advances the
 * clock, and so does each attempt, by `attemptMs`.
 */
async function run(
  answers: readonly (Health | Error)[],
  options: Partial<AwaitHealthOptions>,
  attemptMs = 0,
) {
  const waits: number[] = [];
  const reasons: string[] = [];
  let [time, asked] = [0, 0];
  const outcome = await awaitHealth(
    async () => {
      const reported = answers[Math.min(asked++, answers.length - 1)];
      time += attemptMs;
      if (reported instanceof Error) throw reported;
      return reported ?? expect.fail('there is no answer');
    },
    {
      seconds: 0,
      now: () => time,
      sleep: async (ms) => {
        waits.push(ms);
        time += ms;
      },
      onUnhealthy: ({ message }) => reasons.push(message),
      ...options,
    },
  ).catch((error: unknown) => ({ error }));
  return { outcome, waits, reasons, asked };
}

describe('awaitHealth', () => {
  const down = health('{"status":"down"}', 503);

  it('asks once without a wait', async () => {
    expect(await run([health()], {})).toMatchObject({
      outcome: { health: { status: 'ok' }, failure: undefined },
      asked: 1,
      waits: [],
    });
    expect(await run([down], {})).toMatchObject({
      outcome: { failure: { code: 'unhealthy' } },
      asked: 1,
    });
  });

  it('waits during failures that may be temporary', async () => {
    const answers = [refused, down, health('{"status":"ok","rules":1}'), health()];
    const { outcome, waits, reasons } = await run(answers, { seconds: 60, minRules: 2 });
    expect(outcome).toMatchObject({ health: { rules: 120 }, failure: undefined });
    expect(waits).toEqual([1000, 2000, 3000]);
    expect(reasons).toEqual([
      'h refused the connection',
      expect.stringContaining('"down"'),
      expect.stringContaining('1 rules'),
    ]);
  });

  it('increases its intervals, and makes a last attempt before the deadline', async () => {
    const { outcome, waits } = await run([down], { seconds: 22 });
    expect(waits).toEqual([1000, 2000, 3000, 4000, 5000, 5000, 1000]);
    expect(outcome).toMatchObject({ failure: { code: 'unhealthy' } });
  });

  it('ends with the last answer', async () => {
    const { outcome } = await run([down, refused], { seconds: 1 });
    expect(outcome).toEqual({ error: refused });
    const other = await run([refused, down], { seconds: 1 });
    expect(other.outcome).toMatchObject({ health: { status: 'down' } });
  });

  it('waits during invalid answers', async () => {
    const broken = new MopError('api', 'h answered HTTP 404: starting');
    const { outcome, asked } = await run([broken, broken, health()], { seconds: 60 });
    expect([outcome, asked]).toMatchObject([{ failure: undefined }, 3]);
    expect((await run([down, broken], { seconds: 1 })).outcome).toEqual({ error: broken });
  });

  it('ends at the deadline although an attempt does not', async () => {
    const waiting = awaitHealth(() => new Promise(() => {}), {
      seconds: 0.02,
      now: () => 0,
      sleep: async () => {},
    });
    await expect(waiting).rejects.toMatchObject({
      code: 'network',
      message: 'no complete answer within 0.02 s (--wait)',
    });
  });

  it.each(['auth', 'usage', 'config', 'interrupted'] as const)(
    'does not wait for %s',
    async (code) => {
      const error = new MopError(code, 'no');
      const { outcome, asked } = await run([refused, error], { seconds: 60 });
      expect([outcome, asked]).toEqual([{ error }, 2]);
    },
  );

  it('ends although the clock stops or is set back', async () => {
    for (const step of [0, -3_600_000]) {
      let time = 0;
      const now = () => {
        time += step;
        return time;
      };
      const { waits } = await run([down], { seconds: 3, now });
      expect(waits).toEqual([1000, 1250]);
    }
  });

  it('counts the time of the attempts', async () => {
    const { asked, waits } = await run([down], { seconds: 10 }, 2500);
    expect([asked, waits]).toEqual([3, [1000, 2000]]);
  });
});
