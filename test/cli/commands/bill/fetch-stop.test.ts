/** Runs over several bills that end when the rest must fail too (contract section 4). */
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { certificate, closedPort } from '../../../http/support.ts';
import { type CliWorld, mop, temporaryDirectory } from '../../../support/cli.ts';
import {
  type Answer,
  pointAt,
  type ScriptedPlatform,
  sandbox,
  scriptedPlatform,
} from '../../../support/platform.ts';
import { envelope } from '../../../support/server.ts';
import { configuration } from '../../support.ts';
import { reportOf } from './support.ts';

let out: string;

beforeEach(async () => {
  out = join(await temporaryDirectory(), 'out');
});

const fetch = (args: readonly string[], world: CliWorld = {}) =>
  mop(['bill', 'fetch', '-o', `${out}/`, ...args], world);

/** A failure that every bill of a run shares. */
interface Shared {
  readonly platform: () => Promise<Partial<ScriptedPlatform> & Pick<ScriptedPlatform, 'env'>>;
  readonly code: number;
  readonly reason: RegExp;
  /** Requests that the platform receives for each bill. */
  readonly requests: number;
  readonly attempts: number;
}

const refusal = (call: Answer): Pick<Shared, 'platform' | 'requests' | 'attempts'> => ({
  platform: () => scriptedPlatform({ call }),
  requests: 1,
  attempts: 1,
});
const status = (code: number) => refusal((response) => response.writeHead(code).end('denied'));
const unreachable = (platform: Shared['platform']) => ({ platform, requests: 0, attempts: 2 });
const closed = async (): Promise<string> => `http://127.0.0.1:${await closedPort()}`;

const SHARED: [string, Shared][] = [
  ['1002', { ...refusal((r) => envelope(r, 1002)), code: 4, reason: /answered 1002/ }],
  ['1003', { ...refusal((r) => envelope(r, 1003)), code: 4, reason: /answered 1003/ }],
  ['HTTP 401', { ...status(401), code: 5, reason: /answered HTTP 401/ }],
  ['HTTP 403', { ...status(403), code: 5, reason: /answered HTTP 403/ }],
  [
    'HTTP 403 with an envelope of a gateway',
    {
      ...refusal((response) => response.writeHead(403).end('{"code":403,"message":"Forbidden"}')),
      code: 5,
      reason: /answered 403: Forbidden/,
    },
  ],
  [
    'a refused connection',
    {
      ...unreachable(async () => ({ env: pointAt(await closed()) })),
      code: 6,
      reason: /refused the connection/,
    },
  ],
  [
    'an unknown host',
    {
      // A label of a host name has at most 63 characters, so no resolver is queried.
      ...unreachable(async () => ({ env: pointAt(`https://${'x'.repeat(64)}.invalid`) })),
      code: 6,
      reason: /cannot find the host x+\.invalid \(DNS/,
    },
  ],
  [
    'an untrusted certificate',
    {
      ...unreachable(() => scriptedPlatform({}, certificate('self-signed'))),
      code: 6,
      reason: /TLS to .* failed/,
    },
  ],
  [
    'a dead host of the downloads',
    {
      platform: async () =>
        scriptedPlatform({ descriptor: { download_url: `${await closed()}/file` } }),
      code: 6,
      reason: /refused the connection/,
      requests: 2,
      attempts: 2,
    },
  ],
];

const BILLS = 12;
const ARGS = ['--last', `${BILLS}`, '--retries', '1'];

describe.each(SHARED)('after %s', (_, { platform, code, reason, requests, attempts }) => {
  it('the other bills are skipped, with one reason and the exit code of the failure', async () => {
    const { env, requests: received = [] } = await platform();
    const json = await fetch([...ARGS, '--json'], { env });
    expect([json.code, received.length]).toEqual([code, requests]);
    const { bills, summary } = reportOf(json);
    expect(summary).toMatchObject({ downloaded: 0, failed: 1, skipped: BILLS - 1 });
    expect(bills[0]).toMatchObject({ date: '2026-11-08', status: 'failed', attempts });
    for (const bill of bills.slice(1)) {
      expect(bill).toMatchObject({
        status: 'skipped',
        attempts: 0,
        path: null,
        seq_id: null,
        error: {
          code: 'skipped',
          exit_code: code,
          retryable: code === 6,
          message: expect.stringMatching(reason),
          hint: expect.stringContaining('keep-going'),
        },
      });
    }
    expect(JSON.parse(json.stderr).error.message).toMatch(
      new RegExp(
        `^1 of 12 bills failed, 11 skipped \\(--keep-going tries all\\): .*${reason.source}`,
      ),
    );
    const quiet = await fetch([...ARGS, '--quiet'], { env });
    expect(quiet).toMatchObject({ code, stdout: '' });
    expect(quiet.stderr.match(new RegExp(reason, 'g'))).toHaveLength(1);
    expect(quiet.stderr.split('\n')).toEqual([
      expect.stringMatching(`^mop: 2026-11-08 all: .*${reason.source}`),
      'mop: 1 of 12 bills failed, 11 skipped (--keep-going tries all)',
      expect.stringMatching(/^hint: ./),
      '',
    ]);
    // The platform did not receive the request of the failure.
    if (code === 6) expect(quiet.stderr).not.toContain('seq_id');
    else expect(quiet.stderr.match(/seq_id/g)).toHaveLength(1);
  });

  it('every bill is tried with --keep-going', async () => {
    const { env, requests: received = [] } = await platform();
    const args = ['--last', '3', '--retries', '0', '--keep-going', '--json'];
    const result = await fetch(args, { env });
    expect([result.code, received.length]).toEqual([code, requests === 0 ? 0 : 3]);
    expect(reportOf(result).summary).toMatchObject({ failed: 3, skipped: 0 });
  });
});

describe('of many failures', () => {
  it.each<readonly [string[], RegExp]>([
    [['--quiet'], /^ {2}2026-11-\d\d all/gm],
    [[], /^2026-11-\d\d all: cannot find the host/gm],
  ])('ten are printed, without a seq_id if nothing was sent: %j', async (more, line) => {
    const env = pointAt(`https://${'x'.repeat(64)}.invalid`);
    const args = ['--last', '12', '--retries', '0', '--keep-going', ...more];
    const { stderr } = await fetch(args, { env });
    expect(stderr.match(line)).toHaveLength(10);
    expect(stderr.split('\n').slice(-4)).toEqual([
      'mop: 2 other bills failed; --json lists all',
      'mop: 12 of 12 bills failed',
      expect.stringMatching(/^hint: ./),
      '',
    ]);
    expect(stderr).not.toContain('seq_id');
  });

  it('of a dead host of downloads, none has a seq_id', async () => {
    const descriptor = { download_url: `${await closed()}/file` };
    const { env } = await scriptedPlatform({ descriptor });
    const args = ['--last', '2', '--retries', '0', '--keep-going', '--quiet'];
    const { stderr } = await fetch(args, { env });
    expect(stderr).toContain('\n  2026-11-18 all\n  2026-11-19 all\n');
  });
});

describe('a wrong secret', () => {
  it('sends one request at any concurrency, and the skipped bills have no row', async () => {
    const { env, log } = await sandbox(['code=1002']);
    const args = ['--missing', '--concurrency', '16'];
    const { code, stdout, stderr } = await fetch(args, { env });
    expect([code, log]).toEqual([4, ['POST /open/v1/trade/bill 1002']]);
    expect(stdout.trim().split('\n')).toHaveLength(2);
    expect(stderr).toMatch(/^2026-08-20 all: .*1002.*\nmop: 1 of 92 bills failed, 91 skipped/);
  });

  it('of one profile does not affect the others', async () => {
    const { env } = await sandbox();
    const refusing = await sandbox(['code=1002']);
    const profile = (base_url = '') => ({
      ...{ base_url, api_key: 'sandbox', api_secret: 'sandbox-secret' },
    });
    const profiles = {
      east: profile(await closed()),
      north: profile(refusing.env.MOP_BASE_URL),
      south: profile(env.MOP_BASE_URL),
    };
    const config = await configuration({ profiles });
    const args = ['--all-profiles', '--last', '3', '--retries', '0', '--json'];
    const result = await fetch(args, { env: config.env });
    expect(result.code).toBe(12);
    const { bills, summary } = reportOf(result);
    expect(summary).toMatchObject({ downloaded: 3, failed: 2, skipped: 4 });
    expect(bills.map(({ profile, status }) => `${profile} ${status}`)).toEqual([
      ...['east failed', 'east skipped', 'east skipped'],
      ...['north failed', 'north skipped', 'north skipped'],
      ...['south downloaded', 'south downloaded', 'south downloaded'],
    ]);
    const exitCodes = bills.map(({ error }) => (error as { exit_code?: number })?.exit_code);
    expect(exitCodes.slice(0, 6)).toEqual([6, 6, 6, 4, 4, 4]);
  });

  it('ends the share of a worker', async () => {
    const { env, log } = await sandbox(['code=1002']);
    const result = await fetch(['--last', '12', '--shard', '0/4', '--json'], { env });
    expect([result.code, log.length]).toEqual([4, 1]);
    expect(reportOf(result).summary).toMatchObject({ failed: 1, skipped: 2 });
  });

  it('ends the wait for a bill that is not ready', async () => {
    const now = () => Date.parse('2026-11-20T09:59:00+08:00');
    const { env } = await scriptedPlatform({ call: (response) => envelope(response, 1003) });
    const args = ['2026-11-19', '2026-11-18', '--wait', '5', '--json'];
    const sleep = (_: number, signal?: AbortSignal) =>
      new Promise<void>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    const result = await fetch(args, { env, now, sleep });
    expect(result.code).toBe(4);
    expect(reportOf(result).bills).toMatchObject([
      { date: '2026-11-19', status: 'skipped', attempts: 0 },
      { date: '2026-11-18', status: 'failed' },
    ]);
  });
});

describe('a network that fails within a run', () => {
  /** A platform whose file server cannot be reached for the bills of these days. */
  const failingOn = async (...days: readonly number[]) => {
    const dead = await closed();
    const platform: ScriptedPlatform = await scriptedPlatform({
      call: (response, _number, { body }, correct) => {
        const day = Number(JSON.parse(body).bill_date.slice(8));
        const good = correct.toString();
        response.end(days.includes(day) ? good.replaceAll(platform.url, dead) : good);
      },
    });
    return platform.env;
  };

  const statuses = async (env: Record<string, string>, ...more: readonly string[]) => {
    const args = ['--last', '8', '--retries', '0', '--concurrency', '1', '--json', ...more];
    const result = await fetch(args, { env });
    return [
      result.code,
      reportOf(result)
        .bills.map(({ status }) => status)
        .join(' '),
    ];
  };

  it('costs only the bills in between', async () => {
    expect(await statuses(await failingOn(13, 14, 16, 17))).toEqual([
      6,
      'downloaded failed failed downloaded failed failed downloaded downloaded',
    ]);
  });

  it('ends the run after three failures in a row', async () => {
    const env = await failingOn(13, 14, 15);
    const stored = 'downloaded failed failed failed';
    expect(await statuses(env)).toEqual([6, `${stored} skipped skipped skipped skipped`]);
    expect(await statuses(env, '--keep-going')).toEqual([
      6,
      'unchanged failed failed failed downloaded downloaded downloaded downloaded',
    ]);
  });

  it('decides the exit code, not an earlier failure', async () => {
    const dead = await closed();
    const platform: ScriptedPlatform = await scriptedPlatform({
      call: (response, number, _request, correct) => {
        if (number === 0) return envelope(response, 1001);
        return response.end(correct.toString().replaceAll(platform.url, dead));
      },
    });
    const { env } = platform;
    expect(await statuses(env)).toEqual([6, `failed failed${' skipped'.repeat(6)}`]);
  });
});

it('the progress on a terminal names each failure and no skipped bill', async () => {
  const { env } = await scriptedPlatform({ call: (response) => envelope(response, 1003) });
  const { stderr } = await fetch(['--last', '12'], { env, stderrIsTerminal: true });
  const text = stripVTControlCharacters(stderr);
  expect(text.match(/x 2026-11-\d\d all/g)).toEqual(['x 2026-11-08 all']);
  expect(text).not.toContain('not tried');
});

it('the wait for another attempt is announced with its reason', async () => {
  const env = pointAt(await closed());
  const { stderr } = await fetch(['--last', '2'], { env });
  const waits = stderr.match(/^2026-11-18 all: .* refused the connection; trying again in .* s$/gm);
  expect(waits).toHaveLength(4);
});
