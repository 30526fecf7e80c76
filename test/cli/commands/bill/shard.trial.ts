import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request as forward } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../../../../src/platform/bills/ledger.ts';
import {
  type BillSchedule,
  billWindow,
  daysOf,
  lastDays,
  today,
} from '../../../../src/protocol/bill-calendar.ts';
import { BILL_TYPES, type BillType } from '../../../../src/protocol/operations.ts';
import { SANDBOX_CREDENTIALS } from '../../../../src/protocol/sandbox.ts';
import { isWithoutTrades } from '../../../../src/sandbox/bill-operation.ts';
import { mop, temporaryDirectory } from '../../../support/cli.ts';
import { CONTENT, noBillEntry, pointAt, sandbox } from '../../../support/platform.ts';
import { type MopProcess, startMop } from '../../../support/process.ts';
import { serve } from '../../../support/server.ts';
import { times } from '../../../trials/scale.ts';
import { configuration } from '../../support.ts';

/**
 * Processes read the machine's clock, so the bills that they want depend on it. Where the platform
 * is, it is noon: the bill of yesterday is ready, and no midnight falls into a test.
 */
const HOURS_AHEAD = 12 - new Date().getUTCHours();
// The sign of these names is that of POSIX: west is positive.
const TIME_ZONE = HOURS_AHEAD > 0 ? `Etc/GMT-${HOURS_AHEAD}` : `Etc/GMT+${-HOURS_AHEAD}`;
const SCHEDULE: BillSchedule = { timeZone: TIME_ZONE, readyTime: '10:00', lateHours: 12 };

const WORKERS = [0, 1, 2, 3];
const NAMES = Object.keys(BILL_TYPES) as BillType[];

let directory: string;
let out: string;
let platform: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
  out = join(directory, 'out');
  const { env } = await sandbox([], { now: Date.now, timeZone: TIME_ZONE, rows: 1 });
  platform = env.MOP_BASE_URL ?? '';
});

/** A transport that records the requested bills, such as `2026-11-19 paid`. */
interface Gate {
  readonly url: string;
  readonly asked: readonly string[];
  readonly downloaded: readonly string[];
  /** The bills of endless downloads, when `count` of them have begun. */
  stalled(count: number): Promise<readonly string[]>;
}

/** @param whole The number of downloads that finish before one stalls. */
async function gate(whole = Number.POSITIVE_INFINITY): Promise<Gate> {
  const asked: string[] = [];
  const downloaded: string[] = [];
  const stuck: string[] = [];
  let onStall = (): void => {};
  const { url } = await serve(({ method, path, headers, body }, response) => {
    if (method === 'POST') {
      const { bill_date, bill_type } = JSON.parse(body);
      asked.push(`${bill_date} ${NAMES[bill_type]}`);
    } else {
      const query = new URL(path, url).searchParams;
      const stalls = downloaded.length >= whole;
      (stalls ? stuck : downloaded).push(`${query.get('date')} ${query.get('type')}`);
      if (stalls) {
        response.write(gzipSync(CONTENT).subarray(0, 30));
        return onStall();
      }
    }
    // With the header Host as it came, so that the links lead back here.
    return forward(platform + path, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    })
      .on('error', () => response.destroy())
      .end(body);
  });
  const stalled = (count: number) =>
    new Promise<readonly string[]>((resolve) => {
      onStall = () => {
        if (stuck.length >= count) resolve(stuck);
      };
      onStall();
    });
  return { url, asked, downloaded, stalled };
}

interface Worker {
  readonly child: MopProcess;
  readonly ended: Promise<{ code: number | null; stderr: string; bills: readonly Reported[] }>;
}

interface Reported {
  readonly profile?: string;
  readonly date: string;
  readonly type: string;
}

/** `mop bill fetch` as a process of its own. */
function start(args: readonly string[], env: Record<string, string>): Worker {
  const places = { MOP_CONFIG_DIR: join(directory, 'config'), MOP_TIMEZONE: TIME_ZONE };
  const argv = ['bill', 'fetch', ...args, '-o', `${out}/`, '--json'];
  const { child, ended } = startMop(argv, { ...places, ...env });
  const reported = ended.then(({ code, stdout, stderr }) => ({
    code,
    stderr,
    bills: stdout === '' ? [] : JSON.parse(stdout).bills,
  }));
  // A test that awaits the promise meets its failure; any other test must not fail.
  reported.catch(() => {});
  return { child, ended: reported };
}

const shard = (index: number): string[] => ['--shard', `${index}/${WORKERS.length}`];
const typed = (types: readonly BillType[]): string[] => types.flatMap((type) => ['--type', type]);
const named = ({ date, type }: { date: string; type: string }): string => `${date} ${type}`;

/** Every type of every day, as gates note it. */
function crossed(days: readonly string[], types: readonly BillType[]): string[] {
  return days.flatMap((date) => types.map((type) => named({ date, type }))).sort();
}

/** Writes a ledger that accounts for days, so that fewer bills are missing. Returns its text. */
function recordBills(days: readonly string[], types: readonly BillType[]): string {
  const entries = days.flatMap((date) => types.map((type) => noBillEntry(date, type)));
  const ledger = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  mkdirSync(out);
  writeFileSync(join(out, 'bills.jsonl'), ledger);
  return ledger;
}

/**
 * Has the bills in a directory exactly once: as files, and as complete lines of the ledger.
 *
 * @param recorded The first lines of the ledger.
 */
function expectBills(where: string, bills: readonly string[], recorded = ''): void {
  const ledger = readFileSync(join(where, 'bills.jsonl'), 'utf8');
  expect(ledger.startsWith(recorded)).toBe(true);
  const lines = ledger.slice(recorded.length).split('\n');
  expect(lines.pop()).toBe('');
  const entries = lines.map((line): LedgerEntry => JSON.parse(line));
  expect(entries.map(named).sort()).toEqual(bills);

  const currentDay = today(SCHEDULE, Date.now());
  const files = bills
    .map((bill) => bill.split(' '))
    .filter(([date = '']) => !isWithoutTrades(date, currentDay))
    .map(([date, type]) => `bill_${date}_${type}.csv`);
  expect(readdirSync(where).sort()).toEqual([...files, 'bills.jsonl'].sort());
  const stored = entries.filter(({ status }) => status === 'stored');
  expect(stored.map(({ file }) => file).sort()).toEqual(files.sort());
}

/** Has nearly equal shares: the days of each type are even but for one, and so little adds up. */
function expectFair(shares: readonly (readonly string[])[]): void {
  const sizes = shares.map(({ length }) => length);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(2);
}

const DAYS = daysOf(lastDays(times(10, 18), SCHEDULE, Date.now()));
const PROFILE_DAYS = times(6, 10);
const EARLIER = daysOf(billWindow(SCHEDULE, Date.now())).filter((date) => !DAYS.includes(date));
const TYPES: readonly BillType[] = ['all', 'paid', 'refund'];

describe('workers on one directory', () => {
  it.each([
    ['--missing', ['--missing']],
    ['--from and --to', ['--from', DAYS[0] ?? '', '--to', DAYS.at(-1) ?? '']],
  ])('fetch each bill once with %s', async (_, selection) => {
    const wanted = crossed(DAYS, TYPES);
    const recorded = recordBills(EARLIER, TYPES);
    const gates = await Promise.all(WORKERS.map(() => gate()));
    const workers = gates.map(({ url }, index) =>
      start([...selection, ...typed(TYPES), ...shard(index)], pointAt(url)),
    );
    const ends = await Promise.all(workers.map(({ ended }) => ended));

    expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual(WORKERS.map(() => [0, '']));
    expect(gates.flatMap(({ asked }) => asked).sort()).toEqual(wanted);
    const shares = gates.map(({ asked }) => asked.toSorted());
    expect(ends.map(({ bills }) => bills.map(named).sort())).toEqual(shares);
    expectFair(shares);
    expectBills(out, wanted, recorded);
    expect((await mop(['bill', 'verify', out], { now: Date.now })).code).toBe(0);
  });

  it('fetch each bill of each profile once with --all-profiles', async () => {
    const { apiKey, secret } = SANDBOX_CREDENTIALS;
    const [north, south] = [await gate(), await gate()];
    const profileAt = ({ url }: Gate) => ({ base_url: url, api_key: apiKey, api_secret: secret });
    const profiles = { north: profileAt(north), south: profileAt(south) };
    const { env } = await configuration({ profiles });

    const types: BillType[] = ['paid', 'refund'];
    const wanted = crossed(DAYS.slice(-PROFILE_DAYS), types);
    const args = ['--all-profiles', '--last', `${PROFILE_DAYS}`, ...typed(types)];
    const workers = WORKERS.map((index) => start([...args, ...shard(index)], env));
    const ends = await Promise.all(workers.map(({ ended }) => ended));

    expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual(WORKERS.map(() => [0, '']));
    for (const [profile, { asked }] of Object.entries({ north, south })) {
      expect(asked.toSorted()).toEqual(wanted);
      expectBills(join(out, profile), wanted);
      const shares = ends.map(({ bills }) =>
        bills.filter((bill) => bill.profile === profile).map(named),
      );
      expect(shares.flat().sort()).toEqual(wanted);
      expectFair(shares);
    }
  });
});

it('running a killed worker again completes its share', async () => {
  const wanted = crossed(DAYS, TYPES);
  const recorded = recordBills(EARLIER, TYPES);
  const args = ['--missing', ...typed(TYPES)];
  const IN_FLIGHT = 2;

  const before = await gate(times(2, 5));
  const others = await Promise.all([1, 2, 3].map(() => gate()));
  const flight = ['--concurrency', `${IN_FLIGHT}`];
  const victim = start([...args, ...shard(0), ...flight], pointAt(before.url));
  const workers = others.map(({ url }, n) => start([...args, ...shard(n + 1)], pointAt(url)));
  // When it waits for all bills in flight, earlier bills are complete.
  const lost = await before.stalled(IN_FLIGHT);
  victim.child.kill('SIGKILL');
  await victim.ended;
  const ends = await Promise.all(workers.map(({ ended }) => ended));
  expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);

  const after = await gate();
  const again = await start([...args, ...shard(0)], pointAt(after.url)).ended;
  expect([again.code, again.stderr]).toEqual([0, '']);
  expectBills(out, wanted, recorded);

  const gates = [before, ...others, after];
  expect(gates.flatMap(({ asked }) => asked).sort()).toEqual([...wanted, ...lost].sort());
  const downloads = gates.flatMap(({ downloaded }) => downloaded);
  expect(new Set(downloads).size).toBe(downloads.length);

  const env = { ...pointAt(after.url), MOP_TIMEZONE: TIME_ZONE };
  const rest = await mop(['bill', 'fetch', ...args, '-o', `${out}/`], { env, now: Date.now });
  expect([rest.code, rest.stderr]).toEqual([0, 'nothing to fetch\n']);
});
