/** Concurrent processes on shared files: eight in a long run, four in a short one. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LEDGER_NAME } from '../../src/platform/bills/ledger.ts';
import { configuration } from '../cli/support.ts';
import { mop, temporaryDirectory } from '../support/cli.ts';
import { pointAt } from '../support/platform.ts';
import type { Ended } from '../support/process.ts';
import { billPlatform, checkLedger, fileOf } from './bills.ts';
import { run } from './processes.ts';
import { times } from './scale.ts';

const WORKERS = [0, 1, 2, 3, 4, 5, 6, 7].slice(0, times(4, 8));
const DAYS = ['2026-11-14', '2026-11-15', '2026-11-16', '2026-11-17', '2026-11-18'];
const LAST_DAY = '2026-11-18';

/** Expects exit code 0 of each process. A failure shows stderr. */
function expectSuccess(ends: readonly Ended[], round: number): void {
  const outcomes = ends.map(({ code, stderr }, worker) => ({ worker, code, stderr }));
  const expected = WORKERS.map((worker) => ({ worker, code: 0, stderr: expect.anything() }));
  expect(outcomes, `round ${round}`).toEqual(expected);
}

/** A barrier that opens when every worker has reached it, and then stays open. */
function barrier(): (path: string) => Promise<void> {
  const arrived = new Set<string>();
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return async (path) => {
    // Each worker has its own prefix: /0, /1 …
    arrived.add(path.split('/')[1] ?? '');
    if (arrived.size === WORKERS.length) open();
    await opened;
  };
}

it('fetches of the same or overlapping days store every bill and record it', async () => {
  let wait = barrier();
  const platform = await billPlatform({ rows: 200, hold: (path) => wait(path) });
  const directory = await temporaryDirectory();
  const config = join(directory, 'config');
  for (let round = 0; round < times(2, 50); round++) {
    wait = barrier();
    const out = join(directory, `${round}`);
    const daysOf = (worker: number): string[] => {
      const first = round % 2 === 0 ? 0 : worker % 4;
      return DAYS.slice(first, first + 2);
    };
    const ends = await Promise.all(
      WORKERS.map((worker) => {
        const args = ['bill', 'fetch', ...daysOf(worker), '--force', '--quiet', '-o', `${out}/`];
        const env = pointAt(`${platform.url}/${worker}`);
        return run({ args, env: { ...env, MOP_CONFIG_DIR: config } });
      }),
    );
    expectSuccess(ends, round);

    const wanted = [...new Set(WORKERS.flatMap(daysOf))].sort();
    expect(readdirSync(out).sort()).toEqual([...wanted.map(fileOf), 'bills.jsonl']);
    for (const day of wanted) {
      const bytes = readFileSync(join(out, fileOf(day)));
      expect(bytes.equals(platform.bill(day).original), `${day} in round ${round}`).toBe(true);
    }
    const { dates, fragments, tail } = checkLedger(out, platform);
    const days = [...new Set(dates)].sort();
    expect({ days, fragments, tail }).toEqual({ days: wanted, fragments: [], tail: '' });
  }
});

it('compacting a ledger loses no line of a concurrent fetch', async () => {
  const platform = await billPlatform({ rows: 3 });
  const env = { ...pointAt(platform.url), MOP_CONFIG_DIR: await temporaryDirectory() };
  for (let round = 0; round < times(1, 25); round++) {
    const out = await temporaryDirectory();
    const fetch = (day = '') => ['bill', 'fetch', day, '--force', '--quiet', '-o', `${out}/`];
    expect((await mop(fetch(LAST_DAY), { env })).code).toBe(0);
    const path = join(out, LEDGER_NAME);
    writeFileSync(path, readFileSync(path, 'utf8').repeat(times(8000, 20_000)));

    const ends = await Promise.all(
      WORKERS.map((worker) => {
        const args = worker % 2 === 0 ? fetch(DAYS[worker / 2]) : ['bill', 'compact', out];
        return run({ args, env });
      }),
    );
    expectSuccess(ends, round);
    const { dates, fragments, tail } = checkLedger(out, platform);
    const days = [...DAYS.slice(0, WORKERS.length / 2), LAST_DAY];
    expect({ days: [...dates].sort(), fragments, tail }).toEqual({ days, fragments: [], tail: '' });
    expect(readdirSync(out).sort()).toEqual([...days.map(fileOf), LEDGER_NAME]);
  }
});

it('concurrent changes of the configuration are all stored', async () => {
  const settings = Object.entries({
    api_key: 'k',
    base_url: 'https://a.example',
    test_base_url: 'https://b.example',
    detect_url: 'https://c.example',
    gql_url: 'https://d.example/graphql',
    timezone: 'Asia/Tokyo',
    bill_name: '{date}.csv',
    bill_ready_time: '11:00',
  }).slice(0, WORKERS.length);
  for (let round = 0; round < times(1, 15); round++) {
    const config = await configuration();
    const ends = await Promise.all(
      settings.map(([key, value]) => run({ args: ['config', 'set', key, value], env: config.env })),
    );
    expectSuccess(ends, round);
    expect(await config.profile()).toEqual(Object.fromEntries(settings));
    expect(statSync(config.path).mode & 0o777).toBe(0o600);
    expect(readdirSync(config.directory)).toEqual(['config.json']);
  }
});

it('concurrent links of accounts are all stored', async () => {
  for (let round = 0; round < times(1, 15); round++) {
    const directory = await temporaryDirectory();
    const env = { MOP_CONFIG_DIR: directory };
    const ends = await Promise.all(
      WORKERS.map((worker) =>
        run({ args: ['account', 'link', '--user', `u-${worker}`, '--openid', `o-${worker}`], env }),
      ),
    );
    expectSuccess(ends, round);
    const { stdout } = await mop(['account', 'list', '--json'], { env });
    const users = JSON.parse(stdout).map(({ user }: { user: string }) => user);
    expect(users).toEqual(WORKERS.map((worker) => `u-${worker}`));
    expect(readdirSync(directory).sort()).toEqual(['accounts.db', 'accounts.db-journal']);
  }
});
