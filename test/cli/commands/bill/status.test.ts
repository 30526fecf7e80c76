import { createHash } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { MopError } from '../../../../src/errors.ts';
import type { LedgerEntry } from '../../../../src/platform/bills/ledger.ts';
import { daysOf } from '../../../../src/protocol/bill-calendar.ts';
import { SANDBOX_CREDENTIALS } from '../../../../src/protocol/sandbox.ts';
import {
  noBillLine,
  placeBill,
  SHA256,
  storedLine,
  writeLedger,
} from '../../../platform/bills/support.ts';
import {
  type CliResult,
  type CliWorld,
  errorOf,
  mop,
  temporaryDirectory,
} from '../../../support/cli.ts';
import { CONTENT, pointAt, sandbox } from '../../../support/platform.ts';
import { envelope, serve } from '../../../support/server.ts';
import { configuration, expectFailure } from '../../support.ts';

const OTHER = Buffer.from('order_id,amount\n');
const WINDOW = daysOf({ first: '2026-08-20', last: '2026-11-19' });

let directory: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
});

const status = (args: readonly string[] = [], world: CliWorld = {}) =>
  mop(['bill', 'status', directory, ...args], world);

/** The states of `--json` that differ from the given one, by day. */
function statesBut(state: string, { stdout }: CliResult): Record<string, string> {
  const { days } = JSON.parse(stdout) as { days: { date: string; type: string; state: string }[] };
  return Object.fromEntries(
    days.filter((day) => day.state !== state).map((day) => [`${day.date} ${day.type}`, day.state]),
  );
}

/** A ledger of the whole window with unchanged bills, except for the given lines. */
function storeEveryBill(lines: readonly LedgerEntry[] = []): void {
  const without = new Set(lines.filter(({ file }) => file === null).map(({ date }) => date));
  const stored = WINDOW.filter((date) => !without.has(date)).map((date) => storedLine({ date }));
  for (const { file } of stored) placeBill(directory, file ?? '');
  writeLedger(directory, [...stored, ...lines]);
}

describe('the days of the window', () => {
  it('are all missing in a directory without a ledger', async () => {
    const { code, stdout } = await status(['--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      days: WINDOW.map((date) => ({ date, type: 'all', state: 'missing' })),
    });
  });

  it('have the states of the contract', async () => {
    storeEveryBill([noBillLine('2026-09-13')]);
    placeBill(directory, 'bill_2026-10-01_all.csv', OTHER);
    rmSync(join(directory, 'bill_2026-10-02_all.csv'));
    const now = () => Date.parse('2026-11-20T09:00:00+08:00');
    rmSync(join(directory, 'bill_2026-11-19_all.csv'));
    expect(statesBut('verified', await status(['--json'], { now }))).toEqual({
      '2026-09-13 all': 'no-bill',
      '2026-10-01 all': 'changed',
      '2026-10-02 all': 'missing',
      '2026-11-19 all': 'not-ready',
    });
  });

  it('are unverified if the platform gave no digest', async () => {
    const own = { hash_type: 'SHA-256', hash_value: SHA256, verified: false };
    writeLedger(directory, [storedLine(own)]);
    placeBill(directory, 'bill_2026-11-19_all.csv');
    expect(statesBut('missing', await status(['--json']))).toEqual({
      '2026-11-19 all': 'unverified',
    });
    const { stdout } = await status();
    expect(stdout).toContain('? 1 unverified');
  });

  it('follow the newest ledger line with an existing file', async () => {
    writeLedger(directory, [
      storedLine({ file: 'old.csv', hash_value: '0'.repeat(32) }),
      storedLine({ file: 'new.csv' }),
      storedLine({ file: 'gone.csv' }),
    ]);
    placeBill(directory, 'old.csv');
    placeBill(directory, 'new.csv');
    expect(statesBut('missing', await status(['--json']))).toEqual({
      '2026-11-19 all': 'verified',
    });
  });

  it('have each requested type once', async () => {
    writeLedger(directory, [storedLine({ type: 'paid' }), storedLine({ type: 'refund' })]);
    placeBill(directory, 'bill_2026-11-19_paid.csv');
    const args = ['--json', '--type', 'paid', '--type', '2', '--type', 'paid'];
    const { stdout } = await status(args);
    const { days } = JSON.parse(stdout);
    expect(days).toHaveLength(2 * WINDOW.length);
    expect(days.slice(-2)).toEqual([
      { date: '2026-11-19', type: 'paid', state: 'verified' },
      { date: '2026-11-19', type: 'refund', state: 'missing' },
    ]);
  });

  it.each([{ profile: 'other' }, { environment: 'test' }])('are not those of %j', async (owner) => {
    writeLedger(directory, [storedLine(owner)]);
    placeBill(directory, 'bill_2026-11-19_all.csv');
    expect(statesBut('missing', await status(['--json']))).toEqual({});
  });

  it('are those of bill_dir by default, even before it exists', async () => {
    const at = async (bill_dir: string) => {
      const { env } = await configuration({ profiles: { default: { bill_dir } } });
      return statesBut('missing', await mop(['bill', 'status', '--json'], { env }));
    };
    writeLedger(directory, [storedLine()]);
    placeBill(directory, 'bill_2026-11-19_all.csv');
    expect(await at(directory)).toEqual({ '2026-11-19 all': 'verified' });
    expect(await at(join(directory, 'later'))).toEqual({});
  });

  it('are not read from a missing directory or a file', async () => {
    const path = join(directory, 'none');
    expectFailure(await mop(['bill', 'status', path]), 2, `no directory ${path}`);
    expectFailure(await mop(['bill', 'status', placeBill(directory, 'a')]), 2, 'no directory');
  });

  it('warn of a file with an unknown digest, and count it as changed', async () => {
    writeLedger(directory, [storedLine({ hash_type: 'CRC32' })]);
    placeBill(directory, 'bill_2026-11-19_all.csv');
    const { code, stderr } = await status();
    expect([code, stderr]).toEqual([0, expect.stringContaining('has an unknown digest: "CRC32"')]);
    expect(statesBut('missing', await status(['--json']))).toEqual({ '2026-11-19 all': 'changed' });
  });

  it('are not reported after a signal', async () => {
    storeEveryBill();
    const signal = AbortSignal.abort(new MopError('interrupted', 'interrupted', { hint: 'done' }));
    expectFailure(await status([], { signal }), 130, 'interrupted');
  });
});

describe('--missing', () => {
  it('prints days, one a line, nothing else', async () => {
    storeEveryBill();
    rmSync(join(directory, 'bill_2026-10-02_all.csv'));
    placeBill(directory, 'bill_2026-10-01_all.csv', OTHER);
    const args = ['--missing', '--type', 'all'];
    for (const quiet of [[], ['--quiet']]) {
      expect(await status([...args, ...quiet])).toMatchObject({
        code: 0,
        stdout: '2026-10-02\n',
        stderr: '',
      });
    }
    expect(JSON.parse((await status([...args, '--json'])).stdout)).toEqual({
      days: [{ date: '2026-10-02', type: 'all', state: 'missing' }],
    });
  });

  it('prints a day once for several types', async () => {
    const { stdout } = await status(['--missing', '--type', 'paid', '--type', 'refund']);
    expect(stdout.trim().split('\n')).toEqual(WINDOW);
  });

  it('prints nothing when nothing is missing', async () => {
    storeEveryBill();
    expect(await status(['--missing'])).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect((await status(['--missing', '--json'])).stdout).toBe('{"days":[]}\n');
  });
});

describe('--check', () => {
  /** A platform with a bill of these contents on these days, and none on others. */
  const platform = async (bills: Record<string, Uint8Array | undefined>) => {
    const server = await serve(({ body }, response) => {
      const content = bills[JSON.parse(body).bill_date];
      const descriptor = content && {
        hash_type: 'sha256',
        hash_value: createHash('sha256').update(content).digest('hex'),
        download_url: `${server.url}/file`,
      };
      envelope(response, 0, descriptor);
    });
    return server;
  };

  it('requests bills that the ledger lacks, and digests of the others', async () => {
    storeEveryBill([noBillLine('2026-09-13')]);
    const gone = ['2026-10-01', '2026-10-02', '2026-11-19'];
    for (const date of gone) rmSync(join(directory, `bill_${date}_all.csv`));
    const before = readdirSync(directory);
    const bills = Object.fromEntries(WINDOW.map((date) => [date, CONTENT]));
    const server = await platform({
      ...bills,
      '2026-10-02': undefined,
      '2026-10-03': OTHER,
      '2026-10-04': undefined,
      '2026-11-19': undefined,
    });
    const result = await status(['--check', '--json'], { env: pointAt(server.url) });
    expect(result.code).toBe(0);
    expect(statesBut('verified', result)).toEqual({
      '2026-09-13 all': 'no-bill',
      '2026-10-01 all': 'missing',
      '2026-10-02 all': 'no-bill',
      '2026-10-03 all': 'changed',
      '2026-11-19 all': 'not-ready',
    });
    expect(server.requests).toHaveLength(WINDOW.length - 1);
    expect(readdirSync(directory)).toEqual(before);
  });

  it('requests no bill before its ready time', async () => {
    storeEveryBill();
    rmSync(join(directory, 'bill_2026-11-19_all.csv'));
    const now = () => Date.parse('2026-11-20T09:00:00+08:00');
    const { env, log } = await sandbox([], { now });
    const result = await status(['--check', '--json'], { env, now });
    expect(JSON.parse(result.stdout).days.at(-1).state).toBe('not-ready');
    expect(log).toHaveLength(WINDOW.length - 1);
  });

  it('compares a bill without a digest with the ledger', async () => {
    storeEveryBill();
    placeBill(directory, 'bill_2026-10-01_all.csv', OTHER);
    const server = await serve((_, response) =>
      envelope(response, 0, { download_url: `${server.url}/file` }),
    );
    const result = await status(['--check', '--json'], { env: pointAt(server.url) });
    expect(statesBut('verified', result)).toEqual({ '2026-10-01 all': 'changed' });
    // The ledger has a digest of the platform for each.
    expect(result.stderr).toBe('');
    writeLedger(directory, [storedLine({ verified: false })]);
    const own = await status(['--check', '--json'], { env: pointAt(server.url) });
    expect(statesBut('missing', own)).toEqual({ '2026-11-19 all': 'unverified' });
  });

  it('makes no further call after a refusal, and still reports the ledger', async () => {
    const { env, log } = await sandbox(['code=1003']);
    const result = await status(['--check', '--json'], { env });
    expect(result.code).toBe(4);
    expect(statesBut('missing', result)).toEqual({});
    expect(errorOf(result).message).toContain('the platform answered 1003');
    expect(log).toHaveLength(1);
  });

  it('names the bill of a single refused call, and its seq_id', async () => {
    storeEveryBill();
    const { env } = await sandbox(['code=1001:1']);
    const { code, stderr } = await status(['--check', '-q'], { env });
    expect([code, stderr]).toEqual([
      5,
      expect.stringMatching(/mop: 2026-\S+ all: the platform answered 1001.* \(seq_id \S+\)\n/),
    ]);
  });

  it('retries temporary failures', async () => {
    const { env } = await sandbox(['http=503:3']);
    expect((await status(['--check'], { env })).code).toBe(0);
  });

  it('prints the requests with --dry-run', async () => {
    storeEveryBill([noBillLine('2026-09-13')]);
    const { env, log } = await sandbox();
    const { stdout } = await status(['--check', '--dry-run', '--json'], { env });
    expect(JSON.parse(stdout)).toHaveLength(WINDOW.length - 1);
    expect(log).toEqual([]);
  });

  it('requires credentials, unlike the ledger alone', async () => {
    expectFailure(await status(['--check']), 3, 'no api_key');
    expect((await status()).code).toBe(0);
  });
});

describe('the calendar', () => {
  const at = async (columns: number, ...args: string[]) => (await status(args, { columns })).stdout;

  beforeEach(() => {
    storeEveryBill([noBillLine('2026-09-13')]);
    placeBill(directory, 'bill_2026-09-30_all.csv', OTHER);
    rmSync(join(directory, 'bill_2026-11-18_all.csv'));
  });

  it('shows months side by side, weeks from Monday, a mark for each day', async () => {
    expect(await at(80)).toBe(`\
August 2026                   September 2026
Mo  Tu  We  Th  Fr  Sa  Su    Mo  Tu  We  Th  Fr  Sa  Su
            20+ 21+ 22+ 23+        1+  2+  3+  4+  5+  6+
24+ 25+ 26+ 27+ 28+ 29+ 30+    7+  8+  9+ 10+ 11+ 12+ 13.
31+                           14+ 15+ 16+ 17+ 18+ 19+ 20+
                              21+ 22+ 23+ 24+ 25+ 26+ 27+
                              28+ 29+ 30!

October 2026                  November 2026
Mo  Tu  We  Th  Fr  Sa  Su    Mo  Tu  We  Th  Fr  Sa  Su
             1+  2+  3+  4+                            1+
 5+  6+  7+  8+  9+ 10+ 11+    2+  3+  4+  5+  6+  7+  8+
12+ 13+ 14+ 15+ 16+ 17+ 18+    9+ 10+ 11+ 12+ 13+ 14+ 15+
19+ 20+ 21+ 22+ 23+ 24+ 25+   16+ 17+ 18X 19+
26+ 27+ 28+ 29+ 30+ 31+

+ 89 verified      ! 1 changed        X 1 missing        . 1 no-bill
`);
  });

  it.each([
    [200, 4],
    [117, 4],
    [116, 3],
    [57, 2],
    [40, 1],
    [10, 1],
    [0, 2],
  ])('of %i columns has %i months beside each other', async (columns, months) => {
    const text = await at(columns);
    const lines = text.split('\n');
    expect(lines[0]?.match(/\d{4}/g)).toHaveLength(months);
    expect(text.match(/ 2026/g)).toHaveLength(4);
    if (columns >= 27) {
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
    }
  });

  it('is ASCII, and coloured only on request', async () => {
    expect(await at(80)).toMatch(/^[\n\x20-\x7e]+$/);
    const coloured = await status([], { stdoutIsTerminal: true });
    expect(coloured.stdout).toContain('\u001b[31m');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what colours look like.
    expect(coloured.stdout.replace(/\u001b\[\d+m/g, '').replace(/ +$/gm, '')).toBe(await at(80));
    const plain = await status([], { stdoutIsTerminal: true, env: { NO_COLOR: '1' } });
    expect(plain.stdout).toBe(await at(80));
  });

  it('is followed by the next step', async () => {
    expect((await status(['--type', 'all'])).stderr).toBe(
      `with the same -o, -p and --env: mop bill fetch --missing fetches missing bills, and mop bill fetch DATE --overwrite replaces a changed one
`,
    );
    storeEveryBill();
    expect((await status()).stderr).toBe('');
  });

  it('is printed once for each type, with the name of the type', async () => {
    const text = await at(200, '--type', 'all', '--type', 'paid');
    expect(text).toMatch(/^type all\n\nAugust[\s\S]*\n\n\ntype paid\n\nAugust/);
    expect(text.trimEnd()).toMatch(/X 92 missing$/);
  });

  it('counts the bills on a terminal while it checks them', async () => {
    const { stdout, stderr } = await status([], { stderrIsTerminal: true });
    expect(stderr).toContain('checking 92 bills');
    expect(stdout).toBe(await at(80));
  });

  it('is not shown with --quiet', async () => {
    expect(await status(['--quiet'])).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });
});

describe('--exit-code', () => {
  it('exits with 0 when every bill is verified', async () => {
    storeEveryBill([noBillLine('2026-09-13')]);
    expect(await status(['--exit-code', '--quiet'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('exits with 15 and the next steps, in every form of output', async () => {
    storeEveryBill();
    rmSync(join(directory, 'bill_2026-10-02_all.csv'));
    placeBill(directory, 'bill_2026-10-01_all.csv', OTHER);
    const error = `mop: 1 bill missing, 1 changed
hint: with the same -o, -p and --env: mop bill fetch --missing fetches missing bills, and mop bill fetch DATE --overwrite replaces a changed one
`;
    const forms = [[], ['--quiet'], ['--missing']];
    for (const form of forms) {
      expect(await status(['--exit-code', ...form])).toMatchObject({ code: 15, stderr: error });
    }
    const result = await status(['--exit-code', '--json']);
    expect(errorOf(result)).toMatchObject({ code: 'differs', exit_code: 15, retryable: false });
    expect(JSON.parse(result.stdout).days).toHaveLength(WINDOW.length);
  });

  it('exits with 12 when the platform refuses the bills and others are missing', async () => {
    const { env } = await sandbox(['code=1003']);
    const { code, stderr } = await status(['--exit-code', '--check', '-q'], { env });
    expect(code).toBe(12);
    expect(stderr).toMatch(
      /^mop: the platform refused .* 1 bill: .*1003.*; 92 bills missing, 0 changed\n/,
    );
  });
});

describe('--all-profiles', () => {
  /** A directory with one bill of `north`, and without bills of `south`. */
  const twoProfiles = async (more: Record<string, string> = {}) => {
    const north = join(directory, 'north');
    mkdirSync(north);
    writeLedger(north, [storedLine({ profile: 'north' })]);
    placeBill(north, 'bill_2026-11-19_all.csv');
    const { env } = await configuration({ profiles: { north: more, south: {} } });
    return (args: string[] = []) => status(['--all-profiles', ...args], { env });
  };

  it('covers the folder of each profile, under a heading', async () => {
    const { code, stdout, stderr } = await (await twoProfiles())();
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^profile north\n\nAugust[\s\S]*\+ 1 verified +X 91 missing\n\n\nprofile south\n\nAugust[\s\S]*X 92 missing\n$/,
    );
    expect(stderr).toBe(
      'with the same -o, -p and --env: mop bill fetch --missing fetches missing bills, and mop bill fetch DATE --overwrite replaces a changed one\nto exclude days that the platform no longer keeps, add --check\n',
    );
  });

  it('names the profile of each day with --json, and prints a missing date once', async () => {
    const all = await twoProfiles();
    const { days } = JSON.parse((await all(['--json'])).stdout);
    expect(days).toHaveLength(2 * WINDOW.length);
    const last = { date: '2026-11-19', type: 'all' };
    expect(days.slice(WINDOW.length - 1, WINDOW.length)).toEqual([
      { profile: 'north', ...last, state: 'verified' },
    ]);
    expect(days.at(-1)).toEqual({ profile: 'south', ...last, state: 'missing' });
    expect((await all(['--missing'])).stdout.trim().split('\n')).toEqual(WINDOW);
  });

  it('checks each profile with its own credentials; missing ones are a failure', async () => {
    const { env, log } = await sandbox();
    const { apiKey, secret } = SANDBOX_CREDENTIALS;
    const all = await twoProfiles({
      base_url: env.MOP_BASE_URL ?? '',
      api_key: apiKey,
      api_secret: secret,
    });
    const { code, stdout, stderr } = await all(['--check', '--json', '--exit-code']);
    expect(code).toBe(12);
    expect(stderr).toMatch(/profile south cannot be used: no api_key/);
    expect(errorOf({ code, stdout, stderr, waits: [] }).code).toBe('mixed');
    expect(new Set(JSON.parse(stdout).days.map((day: { profile: string }) => day.profile))).toEqual(
      new Set(['north']),
    );
    expect(log).toHaveLength(WINDOW.length);
    const { stdout: requests } = await all(['--check', '--dry-run', '--json']);
    expect(JSON.parse(requests)).toHaveLength(WINDOW.length);
  });

  it('is suggested when only folders of profiles have a ledger', async () => {
    await twoProfiles();
    const { env } = await configuration({ profiles: { north: {} } });
    expect((await status([], { env })).stderr).toContain('include them with --all-profiles\n');
    const hint = `mop bill verify ${directory} --all-profiles`;
    expectFailure(await mop(['bill', 'verify', directory], { env }), 2, 'no ledger', hint);
  });

  it('is refused with -p', async () => {
    expectFailure(await (await twoProfiles())(['-p', 'north']), 2, 'cannot be combined');
  });
});

describe('bills of another environment or profile', () => {
  it('are mentioned with the options that show them', async () => {
    const [first = '', ...others] = WINDOW.slice(0, 4);
    writeLedger(directory, [
      storedLine({ date: first }),
      ...others.map((date) => storedLine({ date, environment: 'sandbox' })),
      storedLine({ profile: 'north', environment: 'test' }),
    ]);
    const { stderr } = await status();
    expect(stderr.split('\n').slice(0, 2)).toEqual([
      'not shown: 3 bills of profile default (environment sandbox), recorded here; select them with -p and --env',
      'not shown: 1 bill of profile north (environment test), recorded here; select them with -p and --env',
    ]);
    for (const silent of ['--quiet', '--json']) expect((await status([silent])).stderr).toBe('');
  });

  it('with our file names are kept, and the hint suggests other names', async () => {
    writeLedger(directory, [storedLine({ profile: 'north' })]);
    placeBill(directory, 'bill_2026-11-19_all.csv', OTHER);
    const { env } = await sandbox();
    expectFailure(
      await mop(['bill', 'fetch', '-o', directory], { env }),
      13,
      'was kept: it is a bill of profile north',
      'another directory or file name',
    );
  });
});

describe('a truncated ledger', () => {
  it('loses its last bill, which is fetched again once', async () => {
    const [first = '', second = '', ...others] = WINDOW;
    writeLedger(
      directory,
      others.map((date) => noBillLine(date)),
    );
    const { env } = await sandbox();
    const fetch = () => mop(['bill', 'fetch', '--missing', '-q', '-o', directory], { env });
    expect((await fetch()).code).toBe(0);
    const path = join(directory, 'bills.jsonl');
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const incomplete = JSON.parse(lines.at(-1) ?? '') as LedgerEntry;
    writeFileSync(path, `${lines.slice(0, -1).join('\n')}\n${lines.at(-1)?.slice(0, 50)}`);

    const missing = await status(['--missing']);
    expect(missing.stdout).toBe(`${incomplete.date}\n`);
    expect(await fetch()).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(statesBut('no-bill', await status(['--json']))).toEqual({
      [`${first} all`]: 'verified',
      [`${second} all`]: 'verified',
    });
    const healed = readFileSync(path, 'utf8');
    expect(await fetch()).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(path, 'utf8')).toBe(healed);
    expect(await mop(['bill', 'verify', '-q', directory])).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    ['contains lines that are not entries', 'junk\n[]\n{"date":"2026-11-19","type":"all"}\n'],
    [
      'contains a line of a later version',
      JSON.stringify({ ...noBillLine('2026-11-19'), status: 'moved' }),
    ],
    ['is empty', ''],
  ])('that %s has no bills', async (_, text) => {
    writeFileSync(join(directory, 'bills.jsonl'), text);
    expect(statesBut('missing', await status(['--json']))).toEqual({});
  });

  it('may have the line ends of Windows', async () => {
    storeEveryBill();
    const path = join(directory, 'bills.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('\n', '\r\n'));
    appendFileSync(path, '\r\n');
    expect(statesBut('verified', await status(['--json']))).toEqual({});
  });
});
