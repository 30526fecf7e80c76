import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { processMark, processSpace } from '../../../../src/files/process-identity.ts';
import type { LedgerEntry } from '../../../../src/platform/bills/ledger.ts';
import { type CliWorld, errorOf, mop, NOW, temporaryDirectory } from '../../../support/cli.ts';
import { CONTENT, pointAt, sandbox, scriptedPlatform } from '../../../support/platform.ts';
import { envelope, serve } from '../../../support/server.ts';

const YESTERDAY = '2026-11-19';
const FILE = `bill_${YESTERDAY}_all.csv`;

let directory: string;
let out: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
  out = join(directory, 'out');
});

const fetch = (args: readonly string[], world: CliWorld = {}) =>
  mop(['bill', 'fetch', '-o', `${out}/`, ...args], world);

function ledger(where = out): LedgerEntry[] {
  return readFileSync(join(where, 'bills.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function reportOf({ stdout }: { stdout: string }): {
  bills: Record<string, unknown>[];
  summary: Record<string, number>;
} {
  return JSON.parse(stdout);
}

describe('a first bill', () => {
  it('comes from the embedded sandbox without any configuration', async () => {
    const { code, stdout, stderr } = await fetch(['--env', 'sandbox']);
    expect(code).toBe(0);
    expect(readdirSync(out).sort()).toEqual([FILE, 'bills.jsonl']);
    expect(stdout).toMatch(
      /DATE +TYPE +STATUS +BYTES +VERIFIED +PATH\n2026-11-19 +all +downloaded/,
    );
    expect(stderr).toBe(`${YESTERDAY} all: downloaded, ${join(out, FILE)}\n`);
    expect(readFileSync(join(out, FILE), 'utf8')).toMatch(/^order_id,/);
  });

  it('ignores credentials and addresses of the environment there', async () => {
    const env = {
      ...pointAt('https://platform.invalid'),
      MOP_API_KEY: 'other',
      MOP_ENV: 'sandbox',
    };
    expect((await fetch([], { env })).code).toBe(0);
  });

  it('works around midnight', async () => {
    const midnight = Date.parse('2026-11-20T00:00:00+08:00');
    for (const now of [midnight - 1, midnight, midnight + 1]) {
      expect((await fetch(['--env', 'sandbox'], { now: () => now })).code).toBe(0);
    }
  });

  it('is private to its owner, or as bill_file_mode says', async () => {
    await fetch(['--env', 'sandbox']);
    expect(statSync(join(out, FILE)).mode & 0o777).toBe(0o600);
    const env = { MOP_CONFIG_DIR: join(directory, 'config') };
    await mop(['config', 'set', 'bill_file_mode', '640'], { env });
    await fetch(['2026-11-18', '--env', 'sandbox'], { env });
    expect(statSync(join(out, 'bill_2026-11-18_all.csv')).mode & 0o777).toBe(0o640);
  });
});

describe('--json', () => {
  it('reports a bill with the keys of the contract', async () => {
    const { env } = await sandbox();
    const result = await fetch(['--json'], { env });
    expect(result.stderr).toBe('');
    const content = readFileSync(join(out, FILE));
    expect(reportOf(result)).toEqual({
      bills: [
        {
          date: YESTERDAY,
          type: 'all',
          status: 'downloaded',
          path: join(out, FILE),
          bytes: content.length,
          hash_type: 'MD5',
          hash_value: createHash('md5').update(content).digest('hex'),
          verified: true,
          attempts: 1,
          seq_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        },
      ],
      summary: { downloaded: 1, unchanged: 0, not_ready: 0, no_bill: 0, failed: 0 },
    });
  });

  it('reports each failure in place, and the one they share on stderr', async () => {
    const { env } = await sandbox(['code=2000:1']);
    const args = ['2026-11-18', '2026-11-19', '--json', '--concurrency', '1'];
    const result = await fetch(args, { env });
    expect(result.code).toBe(5);
    const { bills, summary } = reportOf(result);
    expect(bills[0]).toMatchObject({
      date: '2026-11-18',
      status: 'failed',
      path: null,
      attempts: 1,
      error: { code: 'api', exit_code: 5, platform_code: 2000, retryable: false },
    });
    expect(bills[1]).toMatchObject({ date: '2026-11-19', status: 'downloaded' });
    expect(summary).toMatchObject({ downloaded: 1, failed: 1 });
    expect(errorOf(result)).toMatchObject({ code: 'api', exit_code: 5 });
  });

  it('exits with 12 when bills fail for different reasons', async () => {
    const { env } = await sandbox(['code=2000:1', 'code=1003:1']);
    const args = ['2026-11-17', '2026-11-18', '--json', '--concurrency', '1'];
    const result = await fetch(args, { env });
    expect(result.code).toBe(12);
    expect(errorOf(result)).toMatchObject({ code: 'mixed', exit_code: 12 });
  });
});

describe('which bills', () => {
  const dates = (result: { stdout: string }): string[] =>
    reportOf(result).bills.map(({ date, type }) => `${date} ${type}`);

  it.each([
    [['yesterday'], ['2026-11-19 all']],
    [
      ['2026-11-17', '2026-11-15', '2026-11-17'],
      ['2026-11-17 all', '2026-11-15 all'],
    ],
    [
      ['--from', '2026-11-17', '--to', '2026-11-18'],
      ['2026-11-17 all', '2026-11-18 all'],
    ],
    [
      ['--from', '2026-11-18'],
      ['2026-11-18 all', '2026-11-19 all'],
    ],
    [
      ['--last', '2'],
      ['2026-11-18 all', '2026-11-19 all'],
    ],
    [
      ['--type', 'paid', '--type', '2'],
      ['2026-11-19 paid', '2026-11-19 refund'],
    ],
  ])('%j', async (args, expected) => {
    const { env } = await sandbox();
    const result = await fetch([...args, '--json'], { env });
    expect(result.code).toBe(0);
    expect(dates(result)).toEqual(expected);
  });

  it.each([
    [['2026-02-30'], /is not a date/],
    [['2026-08-19'], /older than 3 months/],
    [['2026-11-21'], /in the future/],
    [['--from', '2026-11-19', '--to', '2026-11-18'], /is after/],
    [['--to', '2026-11-18'], /--to needs --from/],
    [['2026-11-18', '--last', '3'], /cannot be combined/],
    [['--missing', '--last', '3'], /cannot be combined/],
    [['--last', '0'], /--last/],
    [['--last', '1.5'], /--last/],
    [['--type', 'everything'], /--type/],
    [['--tar', 'zip'], /--tar/],
    [['--tar', 'stream', '--keep-gzip'], /--keep-gzip/],
    [['--shard', '5/4'], /--shard/],
    [['--concurrency', '0'], /--concurrency/],
    [['--wait', 'soon'], /--wait/],
    [['--name', '../{date}'], /is not the name of a file/],
    [['--name', '{day}'], /unknown placeholder/],
    [['--last', '2', '--name', 'bill.csv'], /several bills would be written/],
    [['--all-profiles', '-p', 'x'], /contradict/],
    [['--name', 'bills.jsonl'], /name of the ledger/],
    [['--last', '999999999999'], /--last/],
    [['--from', '0001-01-01'], /older than 3 months/],
    [['-o', ''], /-o names nothing/],
  ])('%j is refused with 2 before anything is sent', async (args, message) => {
    const { env, log } = await sandbox();
    const { code, stderr, stdout } = await fetch(args, { env });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^mop: .*\nhint: /);
    expect([code, stdout]).toEqual([2, '']);
    expect(log).toEqual([]);
    expect(existsSync(out)).toBe(false);
  });

  it('asks for a date outside the window with --force', async () => {
    const { env, log } = await sandbox();
    const { code, stderr } = await fetch(['2026-08-19', '--force'], { env });
    expect(code).toBe(5);
    expect(stderr).toContain('1052');
    expect(log).toHaveLength(1);
  });

  it('divides among workers without loss or repetition', async () => {
    const { env } = await sandbox();
    const shares: string[] = [];
    for (const index of [0, 1, 2]) {
      const which = ['--last', '5', '--type', 'all', '--type', 'paid', '--shard', `${index}/3`];
      shares.push(...dates(await fetch([...which, '--json'], { env })));
    }
    expect(shares).toHaveLength(10);
    expect(new Set(shares).size).toBe(10);
  });

  it('without credentials exits with 3 and the command that sets them', async () => {
    const { code, stderr } = await fetch([]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/no api_key.*\nhint: .*mop config set api_key/);
  });

  it('without an address exits with 3 and the command that sets it', async () => {
    const env = { MOP_API_KEY: 'k', MOP_API_SECRET: 'secret' };
    const { code, stderr } = await fetch([], { env });
    expect(code).toBe(3);
    expect(stderr).toMatch(/base_url.*\nhint: .*mop config set base_url/);
  });
});

describe('where to', () => {
  it('goes to a file when -o names one', async () => {
    const { env } = await sandbox();
    const file = join(directory, 'my.csv');
    const result = await mop(['bill', 'fetch', '-o', file, '--json'], { env });
    expect(reportOf(result).bills[0]).toMatchObject({ path: file });
    expect(ledger(directory)).toMatchObject([{ file: 'my.csv' }]);
  });

  it('goes to a directory that exists without a slash', async () => {
    const { env } = await sandbox();
    await mop(['bill', 'fetch', '-o', directory], { env });
    expect(existsSync(join(directory, FILE))).toBe(true);
  });

  it('goes to bill_dir without -o', async () => {
    const env = { ...(await sandbox()).env, MOP_CONFIG_DIR: join(directory, 'config') };
    await mop(['config', 'set', 'bill_dir', out], { env });
    await mop(['bill', 'fetch'], { env });
    expect(existsSync(join(out, FILE))).toBe(true);
  });

  it.each([
    [['--last', '2'], /is one file, and 2 bills/],
    [['--name', 'x.csv'], /--name is for a directory/],
  ])('-o FILE with %j is refused', async (args, message) => {
    const { env, log } = await sandbox();
    const file = join(directory, 'one');
    const { code, stderr } = await mop(['bill', 'fetch', '-o', file, ...args], { env });
    expect([code, log.length]).toEqual([2, 0]);
    expect(stderr).toMatch(message);
  });

  it('names files by the template', async () => {
    const { env } = await sandbox();
    await fetch(['--name', '{env}-{profile}-{type}-{date}.csv'], { env });
    expect(readdirSync(out)).toContain(`production-default-all-${YESTERDAY}.csv`);
  });

  it('keeps the gzip file with --keep-gzip, and knows it again', async () => {
    const { env, log } = await sandbox();
    await fetch([], { env });
    const result = await fetch(['--keep-gzip', '--json'], { env });
    const zipped = readFileSync(join(out, `${FILE}.gz`));
    expect(gunzipSync(zipped)).toEqual(readFileSync(join(out, FILE)));
    expect(reportOf(result).bills[0]).toMatchObject({ bytes: zipped.length, verified: true });

    const calls = log.length;
    const again = await fetch(['--keep-gzip', '--json'], { env });
    expect(reportOf(again).bills[0]).toMatchObject({ status: 'unchanged', bytes: zipped.length });
    expect(log.slice(calls)).toEqual(['POST /open/v1/trade/bill 0']);
  });

  it('takes the same content as a stream', async () => {
    const { env } = await sandbox();
    await fetch([], { env });
    expect((await fetch(['--tar', 'stream'], { env })).stdout).toContain('unchanged');
    rmSync(join(out, FILE));
    expect((await fetch(['--tar', 'stream'], { env })).stdout).toContain('downloaded');
  });

  it('writes to stdout exactly the bill, and no ledger', async () => {
    const { env } = await sandbox();
    await fetch([], { env });
    const { code, stdout, stderr } = await mop(['bill', 'fetch', '-o', '-'], { env });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(readFileSync(join(out, FILE), 'utf8'));
  });

  it('writes no byte to stdout when the content does not match', async () => {
    const { env } = await sandbox(['corrupt']);
    const { code, stdout } = await mop(['bill', 'fetch', '-o', '-'], { env });
    expect([code, stdout]).toEqual([7, '']);
  });

  it.each([[['--json']], [['--last', '2']], [['--missing']], [['--type', '0', '--type', '1']]])(
    '-o - with %j is refused',
    async (args) => {
      const { env, log } = await sandbox();
      const { code, stdout } = await mop(['bill', 'fetch', '-o', '-', ...args], { env });
      expect([code, stdout, log.length]).toEqual([2, '', 0]);
    },
  );

  it('exits with 13 when a part of the path is a file', async () => {
    const { env } = await sandbox();
    writeFileSync(out, '');
    const { code, stderr } = await mop(['bill', 'fetch', '-o', join(out, 'x')], { env });
    expect(code).toBe(13);
    expect(stderr).toMatch(/^mop: .*not a directory\nhint: /);
  });

  it('exits with 13 when a file stands where a directory is due', async () => {
    const { env } = await sandbox();
    writeFileSync(out, '');
    const { code, stderr } = await fetch([], { env });
    expect(code).toBe(13);
    expect(stderr).toContain(out);
  });

  it.each(['directory', 'link'])(
    'exits with 13 for a %s in the place of the file',
    async (kind) => {
      const { env } = await sandbox();
      const elsewhere = join(directory, 'elsewhere');
      writeFileSync(elsewhere, 'mine');
      mkdirSync(out);
      if (kind === 'directory') mkdirSync(join(out, FILE));
      else symlinkSync(elsewhere, join(out, FILE));
      expect((await fetch(['--overwrite'], { env })).code).toBe(13);
      expect(readFileSync(elsewhere, 'utf8')).toBe('mine');
      expect(lstatSync(join(out, FILE)).isFile()).toBe(false);
    },
  );
});

describe('a file that is there already', () => {
  it('is unchanged when it is the bill, at the price of one call', async () => {
    const { env, log } = await sandbox();
    await fetch([], { env });
    const before = statSync(join(out, FILE));
    const result = await fetch(['--json'], { env });
    expect(reportOf(result).bills[0]).toMatchObject({ status: 'unchanged', verified: true });
    expect(log).toEqual([
      'POST /open/v1/trade/bill 0',
      'GET /download/bill 200',
      'POST /open/v1/trade/bill 0',
    ]);
    expect(statSync(join(out, FILE)).ino).toBe(before.ino);
    expect(ledger()).toHaveLength(1);
  });

  it('is entered in the ledger when that has lost it', async () => {
    const { env } = await sandbox();
    await fetch([], { env });
    rmSync(join(out, 'bills.jsonl'));
    await fetch([], { env });
    expect(ledger()).toMatchObject([{ date: YESTERDAY, status: 'stored', verified: true }]);
  });

  it('is kept when it differs, and replaced with --overwrite', async () => {
    const { env, log } = await sandbox();
    mkdirSync(out);
    writeFileSync(join(out, FILE), 'mine');
    const { code, stderr } = await fetch([], { env });
    expect(code).toBe(13);
    expect(stderr).toContain('--overwrite');
    expect(readFileSync(join(out, FILE), 'utf8')).toBe('mine');
    expect(log).toHaveLength(1);

    expect((await fetch(['--overwrite'], { env })).code).toBe(0);
    expect(readFileSync(join(out, FILE), 'utf8')).toMatch(/^order_id/);
  });

  it('is compared by content when the platform gives no digest', async () => {
    const { env } = await sandbox(['no-hash']);
    await fetch([], { env });
    expect((await fetch([], { env })).stdout).toContain('unchanged');
    writeFileSync(join(out, FILE), 'mine');
    expect((await fetch([], { env })).code).toBe(13);
    expect(readFileSync(join(out, FILE), 'utf8')).toBe('mine');
    expect(readdirSync(out).sort()).toEqual([FILE, 'bills.jsonl']);
  });
});

describe('when a bill is not there', () => {
  const early = Date.parse('2026-11-20T09:59:00+08:00');
  const noLink = () => serve((_, response) => envelope(response, 0));

  it('exits with 8 before the ready time, without a call', async () => {
    const { env, log } = await sandbox([], { now: () => early });
    const result = await fetch(['--json'], { env, now: () => early });
    expect(result.code).toBe(8);
    const [bill] = reportOf(result).bills;
    expect(bill).toMatchObject({ status: 'not-ready', attempts: 0, seq_id: null });
    expect(errorOf(result)).toMatchObject({ code: 'not-ready', retryable: true });
    expect(log).toEqual([]);
  });

  it('takes today for a bill that is not ready', async () => {
    const { env, log } = await sandbox();
    expect((await fetch(['2026-11-20'], { env })).code).toBe(8);
    expect(log).toEqual([]);
  });

  it('asks all the same with --force', async () => {
    const { env } = await sandbox([], { now: () => early });
    expect((await fetch(['--force'], { env, now: () => early })).code).toBe(0);
  });

  it('sleeps until the ready time with --wait', async () => {
    let now = early;
    const { env, log } = await sandbox([], { now: () => now });
    const sleep = async (ms: number): Promise<void> => {
      expect(log).toEqual([]);
      now += ms;
    };
    const result = await fetch(['--wait', '5'], { env, now: () => now, sleep });
    expect([result.code, result.waits]).toEqual([0, [60_000]]);
    expect(result.stderr).toContain("waiting until 2026-11-20 10:00, by the platform's clock");
  });

  it('does not wait for what comes too late', async () => {
    const { env } = await sandbox([], { now: () => early });
    const { code, waits } = await fetch(['--wait', '0.5'], { env, now: () => early });
    expect([code, waits]).toEqual([8, []]);
  });

  it('polls until the bill is there', async () => {
    let now = NOW;
    let calls = 0;
    const platform = await scriptedPlatform();
    const server = await serve(async (request, response) => {
      if (calls++ < 2) return envelope(response, 0);
      const { method, path, body } = request;
      const answer = await globalThis.fetch(platform.url + path, { method, body });
      return response.end(await answer.text());
    });
    const sleep = async (ms: number): Promise<void> => {
      now += ms;
    };
    const env = pointAt(server.url);
    const result = await fetch(['--wait', '10'], { env, now: () => now, sleep });
    expect([result.code, result.waits]).toEqual([0, [60_000, 60_000]]);
    expect(readFileSync(join(out, FILE))).toEqual(CONTENT);
  });

  it('gives up polling when the time is over', async () => {
    let now = NOW;
    const { url } = await noLink();
    const sleep = async (ms: number): Promise<void> => {
      now += ms;
    };
    const result = await fetch(['--wait', '3'], { env: pointAt(url), now: () => now, sleep });
    expect([result.code, result.waits.length]).toEqual([8, 3]);
  });

  it.each([
    ['2026-11-20T21:59:59+08:00', 8],
    ['2026-11-20T22:00:00+08:00', 9],
  ])('a success without a link at %s is %i', async (time, expected) => {
    const { url } = await noLink();
    const { code } = await fetch([], { env: pointAt(url), now: () => Date.parse(time) });
    expect(code).toBe(expected);
  });

  it('enters a day without trades in the ledger and exits with 9', async () => {
    const { env } = await sandbox();
    const result = await fetch(['2026-10-13', '--json'], { env });
    expect(result.code).toBe(9);
    expect(reportOf(result).bills[0]).toMatchObject({ status: 'no-bill', attempts: 1 });
    expect(ledger()).toMatchObject([{ date: '2026-10-13', status: 'no-bill', file: null }]);
  });

  it('is no failure in a run over several days', async () => {
    const { env } = await sandbox();
    const result = await fetch(['2026-10-12', '2026-10-13', '--json'], { env });
    expect(result.code).toBe(0);
    expect(reportOf(result).summary).toMatchObject({ downloaded: 1, no_bill: 1, failed: 0 });
    expect(result.stderr).toBe('');
  });

  it('believes the codes in no_bill_codes', async () => {
    const { url } = await serve((_, response) => envelope(response, 2001));
    const env = { ...pointAt(url), MOP_CONFIG_DIR: join(directory, 'config') };
    expect((await fetch(['2026-11-10'], { env })).code).toBe(5);
    await mop(['config', 'set', 'no_bill_codes', '1052, 2001'], { env });
    expect((await fetch(['2026-11-10'], { env })).code).toBe(9);
  });
});

describe('--missing', () => {
  it('heals what is absent and then goes quiet', async () => {
    const { env, log } = await sandbox([], { rows: 1 });
    const first = await fetch(['--missing', '--json'], { env });
    expect(first.code).toBe(0);
    expect(reportOf(first).summary).toEqual({
      downloaded: 90,
      unchanged: 0,
      not_ready: 0,
      no_bill: 2,
      failed: 0,
    });
    expect(readdirSync(out)).toHaveLength(91);
    expect(ledger()).toHaveLength(92);

    const calls = log.length;
    const quiet = await fetch(['--missing', '--quiet'], { env });
    expect(quiet).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(log).toHaveLength(calls);

    rmSync(join(out, 'bill_2026-11-02_all.csv'));
    const healed = await fetch(['--missing', '--json'], { env });
    expect(reportOf(healed).bills.map(({ date }) => date)).toEqual(['2026-11-02']);
  });

  it('succeeds when the one bill that is missing turns out not to exist', async () => {
    const { env } = await sandbox([], { rows: 1 });
    await fetch(['--missing', '--quiet'], { env });
    const path = join(out, 'bills.jsonl');
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, lines.filter((line) => !line.includes('2026-10-13')).join('\n'));
    const result = await fetch(['--missing', '--json'], { env });
    expect(reportOf(result).bills).toMatchObject([{ date: '2026-10-13', status: 'no-bill' }]);
    expect(result.code).toBe(0);
  });

  it('includes the bill of yesterday when it waits for it', async () => {
    let now = NOW;
    const { env } = await sandbox([], { rows: 1, now: () => now });
    await fetch(['--missing', '--quiet'], { env });
    now = Date.parse('2026-11-21T09:59:00+08:00');
    const world = {
      env,
      now: () => now,
      sleep: async (ms: number) => {
        now += ms;
      },
    };
    expect((await fetch(['--missing', '--json'], world)).code).toBe(0);
    const result = await fetch(['--missing', '--wait', '5', '--json'], world);
    expect(reportOf(result).bills).toMatchObject([{ date: '2026-11-20', status: 'downloaded' }]);
    expect(result.waits).toEqual([60_000]);
  });

  it('says that there is nothing to do', async () => {
    const { env } = await sandbox([], { rows: 1 });
    await fetch(['--missing', '--type', 'paid', '--quiet'], { env });
    const { stderr } = await fetch(['--missing', '--type', 'paid'], { env });
    expect(stderr).toBe('nothing to fetch\n');
  });
});

describe('--all-profiles', () => {
  it('fetches each profile into a folder of its name, and reports those that fail', async () => {
    const env = { MOP_CONFIG_DIR: join(directory, 'config') };
    const { MOP_BASE_URL = '' } = (await sandbox()).env;
    for (const name of ['north', 'south']) {
      await mop(['config', 'set', 'base_url', MOP_BASE_URL, '-p', name], { env });
      await mop(['config', 'set', 'api_key', 'sandbox', '-p', name], { env });
      await mop(['config', 'set', 'api_secret', '-p', name], { env, stdin: 'sandbox-secret\n' });
    }
    expect((await fetch(['--all-profiles'], { env })).code).toBe(0);
    for (const name of ['north', 'south']) {
      expect(readdirSync(join(out, name)).sort()).toEqual([FILE, 'bills.jsonl']);
      expect(ledger(join(out, name))).toMatchObject([{ profile: name }]);
    }

    await mop(['config', 'unset', 'api_secret', '-p', 'south'], { env });
    const result = await fetch(['--all-profiles', '--json'], { env });
    expect(result.code).toBe(3);
    expect(reportOf(result).bills).toMatchObject([
      { profile: 'north', status: 'unchanged' },
      { profile: 'south', status: 'failed', attempts: 0, error: { code: 'config' } },
    ]);
  });

  it('goes on without a profile whose settings cannot be used', async () => {
    const env = { ...(await sandbox()).env, MOP_CONFIG_DIR: join(directory, 'config') };
    await mop(['config', 'set', 'timezone', 'Asia/Shanghai', '-p', 'good'], { env });
    await mop(['config', 'set', 'timezone', 'Asia/Shanghai', '-p', 'bad'], { env });
    const path = join(directory, 'config', 'config.json');
    const config = JSON.parse(readFileSync(path, 'utf8'));
    config.profiles.bad.timezone = 'Nowhere';
    writeFileSync(path, JSON.stringify(config), { mode: 0o600 });
    const { code, stdout, stderr } = await fetch(['--all-profiles'], { env });
    expect(code).toBe(3);
    expect(stdout).toContain('downloaded');
    expect(stderr).toMatch(/warning: profile bad cannot be used: .*Nowhere/);
    expect(stderr).toMatch(/mop: 1 profile\(s\) cannot be used/);
    // One profile is left, and its bills still say whose they are.
    const { bills } = reportOf(await fetch(['--all-profiles', '--json'], { env }));
    expect(bills).toMatchObject([{ profile: 'good', status: 'unchanged' }]);
  });

  it('needs profiles', async () => {
    const env = { MOP_CONFIG_DIR: join(directory, 'config') };
    const { code, stderr } = await fetch(['--all-profiles'], { env });
    expect(code).toBe(3);
    expect(stderr).toContain('mop config init');
  });
});

describe('several runs', () => {
  it('on one target all end well', async () => {
    const { env } = await sandbox();
    const runs = await Promise.all(Array.from({ length: 6 }, () => fetch(['--json'], { env })));
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(readdirSync(out).sort()).toEqual([FILE, 'bills.jsonl']);
    for (const { date } of ledger()) expect(date).toBe(YESTERDAY);
  });

  it('mend a ledger that knows another content of a file that is right', async () => {
    const { env } = await sandbox();
    await fetch([], { env });
    const [line] = ledger();
    writeFileSync(
      join(out, 'bills.jsonl'),
      `${JSON.stringify({ ...line, hash_value: '0'.repeat(32) })}\n`,
    );
    expect((await mop(['bill', 'verify', out])).code).toBe(7);
    await fetch([], { env });
    expect((await mop(['bill', 'verify', out])).code).toBe(0);
    await fetch([], { env });
    expect(ledger()).toHaveLength(2);
  });

  it('do not let one empty answer hide a bill that was stored', async () => {
    const { env } = await sandbox();
    await fetch([], { env });
    const silent = await scriptedPlatform({ descriptor: { download_url: undefined } });
    const late = { env: silent.env, now: () => NOW + 86_400_000 };
    expect((await mop(['bill', 'fetch', YESTERDAY, '-o', `${out}/`], late)).code).toBe(9);
    expect(ledger().map(({ status }) => status)).toEqual(['stored']);
  });

  it('remove what a killed run left, and nothing of one that is running', async () => {
    const { env } = await sandbox();
    mkdirSync(out);
    const machine = createHash('sha256').update(processSpace()).digest('hex').slice(0, 8);
    const part = (owner: string, writer: string): string => `.mop-part-${owner}-${writer}-1`;
    // Beyond the largest process id there is.
    const dead = part(machine, '99999999.0');
    const running = part(machine, processMark());
    // Of a run before, in a container where every run has the same process id.
    const namesake = part(machine, `${process.pid}.1`);
    const elsewhere = part('00000000', '99999999.0');
    for (const name of [dead, running, namesake, elsewhere, '.other'])
      writeFileSync(join(out, name), '');
    await fetch([], { env });
    const kept = [elsewhere, running, '.other', FILE, 'bills.jsonl'];
    expect(readdirSync(out).sort()).toEqual(kept.sort());
  });
});

describe('what is shown', () => {
  it('is the failure even when nobody reads the report', async () => {
    const { env } = await sandbox(['code=2000']);
    const { code, stderr } = await fetch(['--last', '2'], { env, stdoutError: 'EPIPE' });
    expect(code).toBe(5);
    expect(stderr).toContain('mop: 2 of 2 bills failed');
  });

  it('is nothing on quiet success', async () => {
    const { env } = await sandbox();
    expect(await fetch(['--quiet'], { env })).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('is a bar on a terminal', async () => {
    const { env } = await sandbox();
    const { stderr } = await fetch([], { env, stderrIsTerminal: true });
    expect(stderr).toContain(`${YESTERDAY} all`);
  });

  it('is no bar where a terminal has no width', async () => {
    const { env } = await sandbox();
    const { stderr } = await fetch([], { env, stderrIsTerminal: true, columns: 0 });
    expect(stderr).toBe(`${YESTERDAY} all: downloaded, ${join(out, FILE)}\n`);
  });

  it('is a line for each event elsewhere', async () => {
    const { env } = await sandbox(['corrupt:1']);
    const [retry, done] = (await fetch([], { env })).stderr.split('\n');
    expect(retry).toMatch(
      /^2026-11-19 all: the bill does not match its MD5 digest; trying again in 0\.\d s$/,
    );
    expect(done).toBe(`${YESTERDAY} all: downloaded, ${join(out, FILE)}`);
  });

  it('is the request with --dry-run, which sends nothing', async () => {
    const { env, log } = await sandbox();
    const curl = await fetch(['--dry-run'], { env });
    expect(curl.code).toBe(0);
    expect(curl.stdout).toMatch(/^curl -X POST http:\/\/127\.0\.0\.1:\d+\/open\/v1\/trade\/bill /);
    expect(curl.stdout).toContain('"bill_date":"2026-11-19","bill_type":0,"tar_type":1');
    expect(curl.stdout).toContain('"sign":"<redacted>"');

    const request = JSON.parse((await fetch(['--dry-run', '--json'], { env })).stdout);
    expect(Object.keys(request)).toEqual(['method', 'url', 'headers', 'body']);
    expect(JSON.parse(request.body)).toMatchObject({ api_key: 'sandbox', sign: '<redacted>' });
    const two = await fetch(['--dry-run', '--json', '--last', '2'], { env });
    expect(JSON.parse(two.stdout)).toHaveLength(2);
    expect(log).toEqual([]);
    expect(existsSync(out)).toBe(false);
  });
});
