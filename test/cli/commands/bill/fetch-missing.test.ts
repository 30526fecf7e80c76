import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { processIdentity, processNamespace } from '../../../../src/files/abandoned.ts';
import { daysOf } from '../../../../src/protocol/bill-calendar.ts';
import { noBillLine, writeLedger } from '../../../platform/bills/support.ts';
import { type CliWorld, errorOf, mop, NOW, temporaryDirectory } from '../../../support/cli.ts';
import { keepingSince, sandbox, scriptedPlatform } from '../../../support/platform.ts';
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

/** A ledger that lacks only these days of the window. */
function writeLedgerWithout(...dates: readonly string[]): void {
  mkdirSync(out, { recursive: true });
  const window = daysOf({ first: '2026-08-20', last: YESTERDAY });
  const recorded = window.filter((date) => !dates.includes(date));
  writeLedger(
    out,
    recorded.map((date) => noBillLine(date)),
  );
}

describe('--missing', () => {
  it('fetches missing bills once', async () => {
    writeLedgerWithout('2026-10-13', '2026-11-02', YESTERDAY);
    const { env, log } = await sandbox([], { rows: 1 });
    const first = await fetch(['--missing', '--json'], { env });
    expect(first.code).toBe(0);
    expect(reportOf(first).summary).toEqual({
      downloaded: 2,
      unchanged: 0,
      not_ready: 0,
      no_bill: 1,
      failed: 0,
      skipped: 0,
    });
    expect(readdirSync(out)).toHaveLength(3);
    expect(ledger()).toHaveLength(92);

    const calls = log.length;
    const quiet = await fetch(['--missing', '--quiet'], { env });
    expect(quiet).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect((await fetch(['--missing'], { env })).stderr).toBe('nothing to fetch\n');
    expect(log).toHaveLength(calls);

    rmSync(join(out, 'bill_2026-11-02_all.csv'));
    const healed = await fetch(['--missing', '--json'], { env });
    expect(reportOf(healed).bills.map(({ date }) => date)).toEqual(['2026-11-02']);
  });

  it('succeeds when the only missing bill does not exist', async () => {
    writeLedgerWithout('2026-10-13');
    const { env } = await sandbox([], { rows: 1 });
    const result = await fetch(['--missing', '--json'], { env });
    expect(reportOf(result).bills).toMatchObject([{ date: '2026-10-13', status: 'no-bill' }]);
    expect(result.code).toBe(0);
  });

  it('includes yesterday with --wait', async () => {
    writeLedgerWithout();
    let now = Date.parse('2026-11-21T09:59:00+08:00');
    const { env } = await sandbox([], { rows: 1, now: () => now });
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
});

describe('with a platform that keeps bills for 90 days', () => {
  const OLDEST = ['2026-08-20', '2026-08-21'];

  /** The variables for a platform with bills since `first`, where 1052 also means "no trades". */
  const keeping = async (first: string) => {
    const { env } = await scriptedPlatform({ call: keepingSince(first) });
    const own = { ...env, MOP_CONFIG_DIR: join(directory, 'config') };
    await mop(['config', 'set', 'no_bill_codes', '1052'], { env: own });
    return own;
  };

  it('--missing skips the days before, and records nothing about them', async () => {
    writeLedgerWithout(...OLDEST, '2026-08-22');
    const env = await keeping('2026-08-22');
    const first = await fetch(['--missing', '--json'], { env });
    expect(first.code).toBe(0);
    expect(reportOf(first).bills).toMatchObject([{ date: '2026-08-22', status: 'downloaded' }]);
    expect(first.stderr).toBe(
      OLDEST.map((date) => {
        const message = `${date} all: the platform no longer keeps it`;
        return `${JSON.stringify({ warning: { message } })}\n`;
      }).join(''),
    );
    expect(ledger()).toHaveLength(90);

    const again = await fetch(['--missing'], { env });
    expect(again).toMatchObject({ code: 0, stdout: '' });
    expect(again.stderr.trim().split('\n').sort()).toEqual([
      ...OLDEST.map((date) => `${date} all: the platform no longer keeps it`),
      'nothing to fetch',
    ]);
    const quiet = await fetch(['--missing', '--quiet'], { env });
    expect(quiet).toMatchObject({ code: 0, stdout: '', stderr: '' });
    const onTerminal = await fetch(['--missing'], { env, stderrIsTerminal: true });
    expect(onTerminal.stderr).toContain('2026-08-21 all: the platform no longer keeps it\n');

    const status = await mop(['bill', 'status', out, '--check', '--json'], { env });
    expect(status.code).toBe(0);
    const { days } = JSON.parse(status.stdout) as { days: { date: string; state: string }[] };
    expect(days).toHaveLength(90);
    expect(days[0]).toMatchObject({ date: '2026-08-22', state: 'verified' });
  });

  it('--missing fails if the platform keeps fewer than 89 days', async () => {
    writeLedgerWithout('2026-08-23');
    const { env } = await scriptedPlatform({ call: keepingSince('2026-08-24') });
    expect((await fetch(['--missing', '--json'], { env })).code).toBe(5);
  });

  it.each([[[OLDEST[1] ?? '']], [OLDEST], [['2026-05-01', '--force']]])(
    '%j fails for days that are too old',
    async (args) => {
      const env = await keeping('2026-08-22');
      const result = await fetch([...args, '--json'], { env });
      expect(result.code).toBe(5);
      expect(errorOf(result)).toMatchObject({
        message: expect.stringMatching(/the date \S+ is too old: the platform answered 1052: date/),
        hint: expect.stringContaining('or 90 days'),
      });
      const entries = existsSync(out) ? ledger() : [];
      expect(entries.filter(({ status }) => status === 'no-bill')).toEqual([]);
    },
  );

  it('a later day is a day without trades, according to no_bill_codes', async () => {
    const env = await keeping('2026-11-19');
    expect((await fetch(['2026-08-23'], { env })).code).toBe(9);
  });
});

describe('--all-profiles', () => {
  it('fetches each profile into a folder with its name, and reports failed profiles', async () => {
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

  it('skips a profile with unusable settings', async () => {
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
    expect(stderr).toMatch(
      /^mop: warning: MOP_API_KEY is set and overrides api_key of every profile\n/,
    );
    expect(stderr).toMatch(/warning: profile bad cannot be used: .*Nowhere/);
    expect(stderr).toMatch(/\nmop: 1 profile cannot be used\n/);
    // One profile is left, and its bills still say whose they are.
    const { bills } = reportOf(await fetch(['--all-profiles', '--json'], { env }));
    expect(bills).toMatchObject([{ profile: 'good', status: 'unchanged' }]);
  });

  it('requires a profile', async () => {
    const env = { MOP_CONFIG_DIR: join(directory, 'config') };
    const { code, stderr } = await fetch(['--all-profiles'], { env });
    expect(code).toBe(3);
    expect(stderr).toContain('mop config init');
  });
});

describe('several runs', () => {
  it('succeed concurrently on one target', async () => {
    const { env } = await sandbox();
    const runs = await Promise.all(Array.from({ length: 6 }, () => fetch(['--json'], { env })));
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(readdirSync(out).sort()).toEqual([FILE, 'bills.jsonl']);
    for (const { date } of ledger()) expect(date).toBe(YESTERDAY);
  });

  it('correct a wrong digest in the ledger', async () => {
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

  it('keep the entry of a stored bill after an empty answer', async () => {
    const { env } = await sandbox();
    await fetch([], { env });
    const silent = await scriptedPlatform({ descriptor: { download_url: undefined } });
    const late = { env: silent.env, now: () => NOW + 86_400_000 };
    expect((await mop(['bill', 'fetch', YESTERDAY, '-o', `${out}/`], late)).code).toBe(9);
    expect(ledger().map(({ status }) => status)).toEqual(['stored']);
  });

  it('remove files of killed runs, but not of running ones', async () => {
    const { env } = await sandbox();
    mkdirSync(out);
    const machine = createHash('sha256').update(processNamespace()).digest('hex').slice(0, 8);
    const part = (owner: string, writer: string): string => `.mop-part-${owner}-${writer}-1`;
    // Beyond the largest process id there is.
    const dead = part(machine, '99999999.0');
    const running = part(machine, processIdentity());
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
