import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MopError } from '../../src/errors.ts';
import { type ItemSteps, StopRule } from '../../src/platform/stop-rule.ts';
import { testTable } from '../support/rows.ts';

const credentials = new MopError('auth', 'the platform answered 1002', {
  systematic: 'credentials',
  seqId: 's-1',
});
const connection = new MopError('network', 'refused the connection', {
  systematic: 'connection',
  sent: false,
});

/** The outcomes of an item; undefined is a success. */
const OUTCOMES = {
  ok: undefined,
  credentials,
  connection,
  'no-bill': new MopError('no-bill', 'no trades', { seqId: 's-1' }),
  'too early': new MopError('not-ready', 'not available yet'),
  api: new MopError('api', 'the platform answered 1001', { seqId: 's-1' }),
  'time-out': new MopError('network', 'sent no answer'),
  usage: new MopError('usage', 'not a JSON object'),
  io: new MopError('io', 'the disk is full'),
};

type Outcome = keyof typeof OUTCOMES;

/** An item that ends when the test says so. */
interface Item {
  /** Whether the item has started, and not only waits for its turn. */
  readonly hasStarted: () => boolean;
  readonly steps: () => ItemSteps;
  readonly end: (outcome: Outcome) => Promise<void>;
  /** `ok`, or the code of the error. */
  readonly result: Promise<string>;
}

function begin(rule: StopRule): Item {
  let steps: ItemSteps | undefined;
  let settle: (error: MopError | undefined) => void = () => expect.fail('it has not started');
  const running = rule.run((given) => {
    steps = given;
    return new Promise<void>((resolve, reject) => {
      settle = (error) => (error ? reject(error) : resolve());
    });
  });
  const result = running.then(
    () => 'ok',
    (error: MopError) => error.code,
  );
  return {
    hasStarted: () => steps !== undefined,
    steps: () => steps ?? expect.fail('the item has not started'),
    end: async (name) => {
      settle(OUTCOMES[name]);
      await settled();
    },
    result,
  };
}

/** Waits for everything that needs no timer. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

/** Items that begin at once. */
async function beginMany(rule: StopRule, count: number): Promise<Item[]> {
  const items = Array.from({ length: count }, () => begin(rule));
  await settled();
  return items;
}

const startedOf = (items: readonly Item[]): boolean[] => items.map((item) => item.hasStarted());

/** The number of items that start when they run one after the other. */
async function startedAlone(
  outcomes: readonly Outcome[],
  rule: StopRule = new StopRule(),
): Promise<number> {
  let started = 0;
  for (const outcome of outcomes) {
    const item = begin(rule);
    await settled();
    if (!item.hasStarted()) break;
    started++;
    await item.end(outcome);
  }
  return started;
}

describe('a run of items one after the other', () => {
  testTable<readonly [Outcome[], number]>(
    'ends',
    [
      // After the first failure of the credentials, even after successes.
      [['credentials', 'ok'], 1],
      [['ok', 'ok', 'credentials', 'ok'], 3],
      // After the first failure to connect without a success.
      [['connection', 'ok'], 1],
      [['api', 'time-out', 'connection', 'ok'], 3],
      [['usage', 'io', 'connection', 'ok'], 3],
      [['too early', 'connection', 'ok'], 2],
      // After three in a row otherwise.
      [['ok', 'connection', 'connection', 'connection', 'ok'], 4],
      [['no-bill', 'connection', 'connection', 'connection', 'ok'], 4],
      // A failure of the input or of the disk is not an answer.
      [['ok', 'connection', 'usage', 'connection', 'io', 'connection', 'ok'], 6],
    ],
    ([outcomes]) => outcomes.join(', '),
    async ([outcomes, started]) => {
      expect(await startedAlone([...outcomes, 'ok'])).toBe(started);
    },
  );

  testTable<Outcome[]>(
    'continues',
    [
      ['usage', 'io', 'too early', 'usage', 'ok'],
      ['api', 'api', 'api', 'api'],
      ['time-out', 'time-out', 'time-out', 'time-out'],
      ['ok', 'connection', 'connection', 'ok', 'connection', 'connection', 'ok'],
      ['ok', 'connection', 'connection', 'api', 'connection', 'connection', 'ok'],
      ['ok', 'connection', 'connection', 'no-bill', 'connection', 'connection', 'ok'],
      ['ok', 'connection', 'connection', 'time-out', 'connection', 'connection', 'ok'],
    ],
    (outcomes) => outcomes.join(', '),
    async (outcomes) => {
      expect(await startedAlone(outcomes)).toBe(outcomes.length);
    },
  );

  it('tries every item with keepGoing', async () => {
    const outcomes: Outcome[] = ['connection', 'credentials', 'connection', 'connection', 'ok'];
    expect(await startedAlone(outcomes, new StopRule(true))).toBe(outcomes.length);
  });

  it('starts as many items as the history of their outcomes permits', async () => {
    const names = Object.keys(OUTCOMES) as Outcome[];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...names), { maxLength: 12 }), async (outcomes) => {
        const end = outcomes.findIndex((_, index) => mustEnd(outcomes.slice(0, index + 1)));
        expect(await startedAlone(outcomes)).toBe(end === -1 ? outcomes.length : end + 1);
      }),
      { numRuns: 200 },
    );
  });
});

/** Whether the last of these outcomes ends a run: the reference. */
function mustEnd(outcomes: readonly Outcome[]): boolean {
  const last = outcomes.at(-1);
  if (last !== 'connection') return last === 'credentials';
  if (!outcomes.some((each) => each === 'ok' || each === 'no-bill')) return true;
  const relevant = outcomes.filter((each) => !['usage', 'io', 'too early'].includes(each));
  return relevant.slice(-3).join() === 'connection,connection,connection';
}

describe('an item after the end of the run', () => {
  it('is skipped with the failure as its cause, even if it waited for its turn', async () => {
    const rule = new StopRule();
    const [first, second] = await beginMany(rule, 2);
    await first?.end('credentials');
    expect([await first?.result, await second?.result]).toEqual(['auth', 'skipped']);
    await expect(rule.run(() => expect.fail('it started'))).rejects.toMatchObject({
      code: 'skipped',
      message: 'not tried after this failure: the platform answered 1002',
      details: { cause: credentials, hint: expect.stringContaining('keep-going') },
    });
    expect(rule.signal.reason).toMatchObject({ code: 'skipped' });
  });

  it('of a bug is not affected: the bug is thrown, and the run goes on', async () => {
    const rule = new StopRule();
    const bug = new TypeError('a bug');
    await expect(rule.run(() => Promise.reject(bug))).rejects.toBe(bug);
    expect(await startedAlone(['ok', 'ok'], rule)).toBe(2);
  });
});

describe('concurrent items', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('start one at a time, in their order, until a request is accepted', async () => {
    const items = await beginMany(new StopRule(), 4);
    const [first, second] = items;
    expect(startedOf(items)).toEqual([true, false, false, false]);
    await first?.end('usage');
    expect(startedOf(items)).toEqual([true, true, false, false]);
    second?.steps().accepted();
    await settled();
    expect(startedOf(items)).toEqual([true, true, true, true]);
  });

  it('start together after an answer, even one that is a failure', async () => {
    const items = await beginMany(new StopRule(), 3);
    await items[0]?.end('api');
    expect(startedOf(items)).toEqual([true, true, true]);
  });

  it('start together at once with keepGoing', async () => {
    expect(startedOf(await beginMany(new StopRule(true), 3))).toEqual([true, true, true]);
  });

  it('wait for a slow first item for 3 seconds at most', async () => {
    const items = await beginMany(new StopRule(), 3);
    await vi.advanceTimersByTimeAsync(2999);
    expect(startedOf(items)).toEqual([true, false, false]);
    await vi.advanceTimersByTimeAsync(1);
    await settled();
    expect(startedOf(items)).toEqual([true, true, true]);
  });

  it('take the turn of an item that waits for a time of day', async () => {
    const items = await beginMany(new StopRule(), 3);
    items[0]?.steps().waits();
    await settled();
    expect(startedOf(items)).toEqual([true, true, false]);
    // The turn is not given back twice.
    await items[0]?.end('usage');
    expect(startedOf(items)).toEqual([true, true, false]);
    await items[1]?.end('credentials');
    expect(await items[2]?.result).toBe('skipped');
  });

  it('that fail to connect together count as one failure', async () => {
    const rule = new StopRule();
    expect(await startedAlone(['ok'], rule)).toBe(1);
    const together = await beginMany(rule, 5);
    for (const item of together) await item.end('connection');
    expect(rule.signal.aborted).toBe(false);
    expect(await startedAlone(['connection', 'connection', 'ok'], rule)).toBe(2);
    expect(rule.signal.aborted).toBe(true);
  });

  it('run alone after a failure to connect, for any time, until one succeeds', async () => {
    const rule = new StopRule();
    await startedAlone(['ok', 'connection'], rule);
    const items = await beginMany(rule, 3);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(startedOf(items)).toEqual([true, false, false]);
    await items[0]?.end('ok');
    expect(startedOf(items)).toEqual([true, true, true]);
  });

  it('all end, for any outcomes', async () => {
    const names = fc.constantFrom(...(Object.keys(OUTCOMES) as Outcome[]));
    const item = fc.record({ outcome: names, turns: fc.nat(5), passes: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 10 }), async (items) => {
        const rule = new StopRule();
        const ended = items.map(({ outcome, turns, passes }) =>
          rule
            .run(async ({ waits }) => {
              if (passes) waits();
              for (let turn = 0; turn < turns; turn++) await Promise.resolve();
              if (OUTCOMES[outcome]) throw OUTCOMES[outcome];
            })
            .catch(() => {}),
        );
        await Promise.all(ended);
      }),
      { numRuns: 200 },
    );
  });
});
