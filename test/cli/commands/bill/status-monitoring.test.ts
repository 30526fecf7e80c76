import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { billMetrics } from '../../../../src/cli/commands/bill/metrics.ts';
import { MopError } from '../../../../src/errors.ts';
import { AtomicFile } from '../../../../src/files/atomic-file.ts';
import { DEFAULT_SCHEDULE } from '../../../../src/protocol/bill-calendar.ts';
import { noBillLine, placeBill, storedLine, writeLedger } from '../../../platform/bills/support.ts';
import { type CliWorld, mop, NOW, temporaryDirectory } from '../../../support/cli.ts';
import { CONTENT, sandbox, scriptedPlatform } from '../../../support/platform.ts';
import { checkRows } from '../../../support/rows.ts';
import { envelope } from '../../../support/server.ts';
import { configuration, expectFailure } from '../../support.ts';

let directory: string;
let metrics: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
  metrics = join(await temporaryDirectory(), 'mop.prom');
});

const status = (args: readonly string[] = [], world: CliWorld = {}) =>
  mop(['bill', 'status', directory, ...args], world);

/** Four days: verified, unverified, without trades, changed. */
function storeSomeBills(where = directory, owner: Record<string, string> = {}): void {
  const lines = [
    storedLine({ date: '2026-11-16', ...owner }),
    { ...noBillLine('2026-11-17'), ...owner },
    storedLine({ date: '2026-11-18', verified: false, ...owner }),
    storedLine({ date: '2026-11-19', ...owner }),
  ];
  writeLedger(where, lines);
  placeBill(where, 'bill_2026-11-16_all.csv', Buffer.from('other'));
  placeBill(where, 'bill_2026-11-18_all.csv');
  placeBill(where, 'bill_2026-11-19_all.csv');
}

describe('--since', () => {
  it('selects the bills of this day and of later days, in every form of output', async () => {
    storeSomeBills();
    const { stdout } = await status(['--since', '2026-11-15', '--json']);
    expect(JSON.parse(stdout).days.map(({ state }: { state: string }) => state)).toEqual([
      ...['missing', 'changed', 'no-bill', 'unverified', 'verified'],
    ]);
    expect((await status(['--since', '2026-11-15', '--missing'])).stdout).toBe('2026-11-15\n');
    expect((await status(['--since', '2026-11-17'])).stdout).toMatch(
      /^November 2026\n.*\n {4}17\. 18\? 19\+\n\n\+ 1 verified +\? 1 unverified +\. 1 no-bill\n$/,
    );
  });

  it('limits the exit code: older bills that are missing are not reported', async () => {
    storeSomeBills();
    expect((await status(['--since', '2026-11-17', '--exit-code'])).code).toBe(0);
    expect((await status(['--since', '2026-11-16', '--exit-code'])).code).toBe(15);
  });

  it('limits the calls of --check', async () => {
    storeSomeBills();
    const { env, log } = await sandbox();
    await status(['--since', '2026-11-18', '--check'], { env });
    expect(log).toHaveLength(2);
  });

  it('may be before the window, or yesterday', async () => {
    const daysSince = async (day: string) =>
      JSON.parse((await status(['--since', day, '--json'])).stdout).days.length;
    expect([await daysSince('2020-01-01'), await daysSince('yesterday')]).toEqual([92, 1]);
  });

  it('must be a day that can have a bill', () =>
    checkRows(
      [
        ['2026-11-20', '--since 2026-11-20 is after the newest bill, of 2026-11-19'],
        ['2027-01-01', '--since 2027-01-01 is after the newest bill'],
        ['20261101', '"20261101" is not a date'],
        ['', '"" is not a date'],
      ],
      async ([day = '', message = '']) => {
        expectFailure(await status(['--since', day, '--quiet']), 2, message);
      },
    ));
});

describe('--prometheus', () => {
  it('writes the metrics of a directory', async () => {
    storeSomeBills();
    rmSync(join(directory, 'bill_2026-11-18_all.csv'));
    writeFileSync(join(directory, 'bill_2026-11-18_all.csv.gz'), gzipSync(CONTENT));
    const args = ['--since', '2026-11-15', '--prometheus', metrics, '--quiet'];
    expect(await status(args)).toMatchObject({ code: 0, stdout: '', stderr: '' });
    const owner = 'profile="default",environment="production"';
    const bytes = 'other'.length + gzipSync(CONTENT).length + CONTENT.length;
    expect(readFileSync(metrics, 'utf8')).toBe(`\
# HELP mop_bills Bills of the last three months by type and state.
# TYPE mop_bills gauge
mop_bills{${owner},type="all",state="verified"} 1
mop_bills{${owner},type="all",state="unverified"} 1
mop_bills{${owner},type="all",state="changed"} 1
mop_bills{${owner},type="all",state="missing"} 1
mop_bills{${owner},type="all",state="no-bill"} 1
mop_bills{${owner},type="all",state="not-ready"} 0
# HELP mop_newest_verified_bill_age_seconds Time since the end of the newest day with a verified bill.
# TYPE mop_newest_verified_bill_age_seconds gauge
mop_newest_verified_bill_age_seconds{${owner}} 46800
# HELP mop_bill_bytes Size of the stored files of these bills in bytes.
# TYPE mop_bill_bytes gauge
mop_bill_bytes{${owner}} ${bytes}
`);
  });

  it('counts each type, and has no age without a verified bill', async () => {
    await status(['--type', 'paid', '--type', 'refund', '--prometheus', metrics]);
    const text = readFileSync(metrics, 'utf8');
    expect(text).toContain('type="paid",state="missing"} 92\n');
    expect(text).toContain('type="refund",state="missing"} 92\n');
    expect(text).not.toContain('mop_newest_verified_bill_age_seconds');
  });

  it('has the age of the newest verified bill, although a newer bill is not verified', () => {
    const checked = [
      { date: '2026-11-18', type: 'all', state: 'verified' },
      { date: '2026-11-19', type: 'all', state: 'unverified' },
    ] as const;
    const owner = { profile: 'default', environment: 'production' };
    const bills = { bills: [], others: [], checked, failures: [] };
    const group = { owner, schedule: DEFAULT_SCHEDULE, directory, ...bills };
    expect(billMetrics([group], [], NOW)).toMatch(
      /^mop_newest_verified_bill_age_seconds.* 133200$/m,
    );
  });

  it('writes time and exit code of the last fetch', async () => {
    const { env } = await configuration({ profiles: {} });
    const platform = await scriptedPlatform({ call: (response) => envelope(response, 1003) });
    const fetch = (url: Record<string, string>) =>
      mop(['bill', 'fetch', '-o', directory, '--last', '2', '-q'], { env: { ...url, ...env } });
    const lastRun = async (): Promise<string[]> => {
      await status(['--prometheus', metrics, '-q'], { env });
      return readFileSync(metrics, 'utf8').match(/^mop_bill_fetch.*$/gm) ?? [];
    };
    expect(await lastRun()).toEqual([]);
    await fetch(platform.env);
    const owner = '{profile="default",environment="production"}';
    expect(await lastRun()).toEqual([
      `mop_bill_fetch_last_run_timestamp_seconds${owner} 1795150800`,
      `mop_bill_fetch_last_run_exit_code${owner} 4`,
    ]);
    await fetch((await sandbox()).env);
    expect((await lastRun())[1]).toBe(`mop_bill_fetch_last_run_exit_code${owner} 0`);
  });

  it('has a sample for each profile under one heading', async () => {
    for (const profile of ['north', 'south']) {
      mkdirSync(join(directory, profile));
      storeSomeBills(join(directory, profile), { profile });
    }
    const { env } = await configuration({ profiles: { north: {}, south: {} } });
    await status(['--all-profiles', '--since', 'yesterday', '--prometheus', metrics], { env });
    const text = readFileSync(metrics, 'utf8');
    expect(text.match(/^# TYPE mop_bills /gm)).toHaveLength(1);
    expect(text.match(/^mop_bills.*state="verified".*$/gm)).toEqual(
      ['north', 'south'].map(
        (name) =>
          `mop_bills{profile="${name}",environment="production",type="all",state="verified"} 1`,
      ),
    );
  });

  it('escapes the values of labels', async () => {
    const profile = 'a"b\\c\nd';
    const { env } = await configuration({ profiles: { [profile]: {} } });
    const result = await status(['-p', profile, '--prometheus', metrics], { env });
    // A name of such characters may come from an edited configuration.
    expect(result.code).toBe(0);
    expect(readFileSync(metrics, 'utf8')).toContain(
      'mop_bill_bytes{profile="a\\"b\\\\c\\nd",environment="production"} 0\n',
    );
  });

  it('replaces the file in one step, for every reader', async () => {
    const umask = process.umask(0o077);
    onTestFinished(() => void process.umask(umask));
    writeFileSync(metrics, 'old', { mode: 0o600 });
    const before = statSync(metrics).ino;
    await status(['--prometheus', metrics, '-q']);
    expect(statSync(metrics).mode & 0o777).toBe(0o644);
    expect(statSync(metrics).ino).not.toBe(before);
    expect(readdirSync(join(metrics, '..'))).toEqual(['mop.prom']);
  });

  it('keeps the old file when the disk fails', async () => {
    writeFileSync(metrics, 'old');
    const place = vi.spyOn(AtomicFile.prototype, 'place');
    onTestFinished(() => place.mockRestore());
    place.mockRejectedValue(new MopError('io', 'the disk is full', { hint: 'free some space' }));
    expectFailure(await status(['--prometheus', metrics, '-q']), 13, 'the disk is full');
    expect(readFileSync(metrics, 'utf8')).toBe('old');
    expect(readdirSync(join(metrics, '..'))).toEqual(['mop.prom']);
  });

  it('is written even when the check fails', async () => {
    const { env } = await scriptedPlatform({ call: (response) => envelope(response, 1003) });
    const args = ['--check', '--exit-code', '-q', '--prometheus', metrics];
    expect((await status(args, { env })).code).toBe(12);
    expect(readFileSync(metrics, 'utf8')).toContain('state="missing"} 92\n');
  });

  it('exits with 13 where a file cannot be written, and with 2 without a name', async () => {
    expectFailure(await status(['-q', '--prometheus', directory]), 13, 'it is a directory');
    writeFileSync(metrics, '');
    const below = join(metrics, 'mop.prom');
    expectFailure(
      await status(['-q', '--prometheus', below]),
      13,
      'a file or directory with this name exists',
    );
    for (const name of ['', '-']) {
      expectFailure(await status(['-q', '--prometheus', name]), 2, 'needs the path of a file');
    }
  });
});

describe('the last fetch', () => {
  it('is named with its time and reason if it failed', async () => {
    const { env } = await configuration({ profiles: {} });
    const platform = await scriptedPlatform({ call: (response) => envelope(response, 1003) });
    const args = ['bill', 'fetch', '--missing', '-q', '-o', directory];
    expect((await mop(args, { env: { ...platform.env, ...env } })).code).toBe(4);
    const note =
      /^the last fetch, 2026-11-20 13:00 \(Asia\/Shanghai\), ended with exit code 4: .*91 skipped/;
    expect((await status([], { env })).stderr).toMatch(note);
    expect((await status(['-q'], { env })).stderr).toBe('');
    await mop(['bill', 'fetch', '-q', '-o', directory], {
      env: { ...(await sandbox()).env, ...env },
    });
    expect((await status([], { env })).stderr).not.toContain('the last fetch');
  });

  it('of another profile is not named', async () => {
    const { env } = await configuration({ profiles: { north: {} } });
    const platform = await scriptedPlatform({ call: (response) => envelope(response, 1003) });
    const north = { ...platform.env, ...env, MOP_PROFILE: 'north' };
    await mop(['bill', 'fetch', '--missing', '-q', '-o', directory], { env: north });
    expect((await status([], { env: north })).stderr).toContain('the last fetch');
    expect((await status([], { env })).stderr).not.toContain('the last fetch');
  });

  it('of another directory is not named', async () => {
    const { env } = await configuration({ profiles: {} });
    const platform = await scriptedPlatform({ call: (response) => envelope(response, 1003) });
    const other = join(directory, 'other/');
    await mop(['bill', 'fetch', '-q', '-o', other], { env: { ...platform.env, ...env } });
    expect((await status([], { env })).stderr).not.toContain('the last fetch');
  });
});
