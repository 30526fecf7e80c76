import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CliWorld, errorOf, mop, NOW, temporaryDirectory } from '../../../support/cli.ts';
import { CONTENT, pointAt, sandbox, scriptedPlatform } from '../../../support/platform.ts';
import { envelope, serve } from '../../../support/server.ts';
import { expectFailure } from '../../support.ts';
import { FILE, ledgerIn, reportOf, YESTERDAY } from './support.ts';

let directory: string;
let out: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
  out = join(directory, 'out');
});

const fetch = (args: readonly string[], world: CliWorld = {}) =>
  mop(['bill', 'fetch', '-o', `${out}/`, ...args], world);

const ledger = (where = out) => ledgerIn(where);

describe('a first bill', () => {
  it('comes from the embedded sandbox without any configuration', async () => {
    const { code, stdout, stderr } = await fetch(['--env', 'sandbox']);
    expect(code).toBe(0);
    expect(readdirSync(out).sort()).toEqual([FILE, 'bills.jsonl']);
    expect(stdout).toMatch(
      /DATE +TYPE +STATUS +BYTES +VERIFIED +PATH\n2026-11-19 +all +downloaded/,
    );
    expect(stderr).toBe('');
    expect(readFileSync(join(out, FILE), 'utf8')).toMatch(/^order_id,/);
  });

  it('comes from the sandbox despite credentials and addresses in the environment', async () => {
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

  it('is private to its owner, or has the mode of bill_file_mode', async () => {
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
      summary: { downloaded: 1, unchanged: 0, not_ready: 0, no_bill: 0, failed: 0, skipped: 0 },
    });
  });

  it('reports each failure in place, and their common failure on stderr', async () => {
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

describe('the selected bills', () => {
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
    [['today'], /is not a date\nhint: write a day as YYYY-MM-DD/],
    [['2026-11-01..2026-11-05'], /hint: .* a range as --from DATE --to DATE/],
    [['2026-13-01'], /write a day as YYYY-MM-DD/],
    [['2026.2.30'], /write a day as YYYY-MM-DD/],
    [['20261101'], /write a day as YYYY-MM-DD/],
    [['2026/11/1'], /write a day as YYYY-MM-DD/],
    [['--last', '400'], /bills go back to 2026-08-20\nhint: use --last 92,/],
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
    [['--name', '../{date}'], /is not a valid file name/],
    [['--name', '{day}'], /unknown placeholder/],
    [['--last', '2', '--name', 'bill.csv'], /several bills would be written/],
    [['--all-profiles', '-p', 'x'], /cannot be combined/],
    [['--name', 'bills.jsonl'], /a name that mop uses/],
    [['--name', 'Bills.JSONL'], /a name that mop uses/],
    [['--name', '.mop-{date}.csv'], /a name that mop uses/],
    [['--last', '999999999999'], /--last/],
    [['--from', '0001-01-01'], /older than 3 months/],
    [['--require-hash', '--accept-unknown-hash'], /contradict/],
    [['--download-header', 'canary'], /--download-header takes 'Name: value'.*X-Tenant/s],
    [['--download-header', 'X\u00fc: canary'], /the header "X\u00fc" cannot be sent/],
    [['--download-header', 'X-A: canary\nX-B: 1'], /the header "X-A" cannot be sent/],
    [['--download-header', 'Host: canary'], /the header Host is set by mop/],
    [['--download-header', 'accept-encoding: canary'], /the header accept-encoding is set by/],
    [['--download-header', 'Transfer-Encoding: canary'], /Transfer-Encoding is set by mop/],
    [['--download-header', 'Connection: canary'], /the header Connection is set by mop/],
    [['--download-header', 'authorization: canary'], /authorization already carries the bill's/],
  ])('%j is refused with 2 before anything is sent', async (args, message) => {
    const { env, log } = await sandbox();
    const { code, stderr, stdout } = await fetch(args, { env });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^mop: .*\nhint: /);
    expect(stderr).not.toContain('canary');
    expect([code, stdout]).toEqual([2, '']);
    expect(log).toEqual([]);
    expect(existsSync(out)).toBe(false);
  });

  it('need a directory: -o is not empty', async () => {
    const { env, log } = await sandbox();
    const result = await mop(['bill', 'fetch', '-o', ''], { env });
    expectFailure(result, 2, '-o is empty');
    expect(log).toEqual([]);
  });

  it('may be outside the window with --force', async () => {
    const { env, log } = await sandbox();
    const { code, stderr } = await fetch(['2026-08-19', '--force'], { env });
    expect(code).toBe(5);
    expect(stderr).toContain('1052');
    expect(log).toHaveLength(1);
  });

  it('are divided among workers without gaps or duplicates', async () => {
    const { env } = await sandbox();
    const shares: string[] = [];
    for (const index of [0, 1, 2]) {
      const which = ['--last', '5', '--type', 'all', '--type', 'paid', '--shard', `${index}/3`];
      shares.push(...dates(await fetch([...which, '--json'], { env })));
    }
    expect(shares).toHaveLength(10);
    expect(new Set(shares).size).toBe(10);
  });

  it('are downloaded at most 16 at once, for any --concurrency', async () => {
    const held: (() => void)[] = [];
    const atOnce: number[] = [];
    const { env } = await scriptedPlatform({
      download: (response, _number, _request, good) => {
        atOnce.push(held.push(() => response.end(good)));
        // Time for others that would come, too.
        if (held.length === 16) setTimeout(() => held.splice(0).map((end) => end()), 50);
      },
    });
    const { code } = await fetch(['--last', '32', '--concurrency', '32'], { env });
    expect([code, readdirSync(out).length]).toEqual([0, 33]);
    expect(Math.max(...atOnce)).toBe(16);
  });

  it('without credentials exits with 3 and the command that sets them', async () => {
    const { code, stderr } = await fetch([]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/no api_key.*\nhint: .*mop config init -p default\n/);
  });

  it('without an address exits with 3 and the command that sets it', async () => {
    const env = { MOP_API_KEY: 'k', MOP_API_SECRET: 'secret' };
    const { code, stderr } = await fetch([], { env });
    expect(code).toBe(3);
    expect(stderr).toMatch(/base_url is not set.*\nhint: .*mop config set base_url .* -p default/);
  });
});

describe('a bill that is not available', () => {
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

  it('exits with 8 for today', async () => {
    const { env, log } = await sandbox();
    expect((await fetch(['2026-11-20'], { env })).code).toBe(8);
    expect(log).toEqual([]);
  });

  it('is requested with --force', async () => {
    const { env } = await sandbox([], { now: () => early });
    expect((await fetch(['--force'], { env, now: () => early })).code).toBe(0);
  });

  it('is requested at the ready time with --wait', async () => {
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

  it('is not awaited if it will be ready after --wait', async () => {
    const { env } = await sandbox([], { now: () => early });
    const result = await fetch(['--wait', '0.5', '--json'], { env, now: () => early });
    expect([result.code, result.waits]).toEqual([8, []]);
    expect(errorOf(result)).toMatchObject({
      message:
        'the "all" bill for 2026-11-19 is not available until 2026-11-20 10:00 (Asia/Shanghai)',
      hint: expect.stringMatching(/wait longer \(--wait\)/),
    });
    // A missing address is not a matter of time.
    const headerless = { ...env, MOP_OPEN_BASE_URL: '' };
    const nowhere = await fetch(['--mode', 'header'], { env: headerless, now: () => early });
    expect([nowhere.code, nowhere.stderr]).toEqual([
      3,
      expect.stringContaining('open_base_url is not set'),
    ]);
  });

  it('is polled until it is available', async () => {
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

  it.each([
    ['3', [60_000, 60_000, 60_000]],
    ['1.5', [60_000, 30_000]],
    ['0.5', [30_000]],
  ])('gives up polling after %s minutes', async (minutes, waits) => {
    let now = NOW;
    const { url } = await noLink();
    const sleep = async (ms: number): Promise<void> => {
      now += ms;
    };
    const args = ['--wait', minutes, '--json'];
    const result = await fetch(args, { env: pointAt(url), now: () => now, sleep });
    expect([result.code, result.waits]).toEqual([8, waits]);
    expect(errorOf(result).hint).toMatch(/wait longer \(--wait\)/);
  });

  it.each([
    ['2026-11-20T21:59:59+08:00', 8],
    ['2026-11-20T22:00:00+08:00', 9],
  ])('a success without a link at %s is %i', async (time, expected) => {
    const { url } = await noLink();
    const { code } = await fetch([], { env: pointAt(url), now: () => Date.parse(time) });
    expect(code).toBe(expected);
  });

  it('exits with 9 for a day without trades, which is recorded', async () => {
    const { env } = await sandbox();
    const result = await fetch(['2026-10-13', '--json'], { env });
    expect(result.code).toBe(9);
    expect(reportOf(result).bills[0]).toMatchObject({ status: 'no-bill', attempts: 1 });
    expect(ledger()).toMatchObject([{ date: '2026-10-13', status: 'no-bill', file: null }]);
  });

  it('is not recorded twice', async () => {
    const { env } = await sandbox();
    const days = ['2026-10-12', '2026-10-13', '--json'];
    await fetch(days, { env });
    const recorded = ledger();
    expect(recorded).toHaveLength(2);
    const again = await fetch(days, { env });
    expect(reportOf(again).summary).toMatchObject({ unchanged: 1, no_bill: 1 });
    expect(ledger()).toEqual(recorded);
  });

  it('without trades is not a failure in a run over several days', async () => {
    const { env } = await sandbox();
    const result = await fetch(['2026-10-12', '2026-10-13', '--json'], { env });
    expect(result.code).toBe(0);
    expect(reportOf(result).summary).toMatchObject({ downloaded: 1, no_bill: 1, failed: 0 });
    expect(result.stderr).toBe('');
  });

  it('is a day without trades for the codes in no_bill_codes', async () => {
    const { url } = await serve((_, response) => envelope(response, 2001));
    const env = { ...pointAt(url), MOP_CONFIG_DIR: join(directory, 'config') };
    expect((await fetch(['2026-11-10'], { env })).code).toBe(5);
    await mop(['config', 'set', 'no_bill_codes', '1052, 2001'], { env });
    expect((await fetch(['2026-11-10'], { env })).code).toBe(9);
  });
});

describe('the output', () => {
  it.each([[{}], [{ message: null }], [{ message: 17 }]])(
    'is one warning when answers lack their message: %j',
    async (message) => {
      const platform = await scriptedPlatform({
        call: (response, _number, _request, good) =>
          response.end(
            JSON.stringify({ code: 0, data: JSON.parse(good.toString()).data, ...message }),
          ),
      });
      const { code, stderr } = await fetch(['--last', '3', '-q'], platform);
      expect(code).toBe(0);
      expect(stderr).toMatch(/^mop: warning: the platform's answer has no message, .*\n$/);
    },
  );

  it('is the failure even when the reader closes the pipe', async () => {
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

  it('has no bar on a terminal without a width', async () => {
    const { env } = await sandbox();
    const { stderr } = await fetch([], { env, stderrIsTerminal: true, columns: 0 });
    expect(stderr).toBe('');
  });

  it('has a line for each retry without a terminal, and the bill only in the table', async () => {
    const { env } = await sandbox(['corrupt:1']);
    const { stdout, stderr } = await fetch([], { env });
    expect(stderr).toMatch(
      /^2026-11-19 all: the bill does not match its MD5 digest; trying again in 0\.\d s\n$/,
    );
    expect(stdout).toContain(join(out, FILE));
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
