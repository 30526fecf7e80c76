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
import { type CliWorld, mop, temporaryDirectory } from '../../../support/cli.ts';
import { sandbox, scriptedPlatform } from '../../../support/platform.ts';
import { configuration, expectFailure } from '../../support.ts';
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

describe('the target', () => {
  it('is the file that -o names', async () => {
    const { env } = await sandbox();
    const file = join(directory, 'my.csv');
    const result = await mop(['bill', 'fetch', '-o', file, '--json'], { env });
    expect(reportOf(result).bills[0]).toMatchObject({ path: file });
    expect(ledger(directory)).toMatchObject([{ file: 'my.csv' }]);
  });

  it('is an existing directory, even without a slash', async () => {
    const { env } = await sandbox();
    await mop(['bill', 'fetch', '-o', directory], { env });
    expect(existsSync(join(directory, FILE))).toBe(true);
  });

  it('is in bill_dir without -o', async () => {
    const env = { ...(await sandbox()).env, MOP_CONFIG_DIR: join(directory, 'config') };
    await mop(['config', 'set', 'bill_dir', out], { env });
    await mop(['bill', 'fetch'], { env });
    expect(existsSync(join(out, FILE))).toBe(true);
  });

  it.each([[['--name', 'x.csv'], /--name is for a directory/]])(
    '-o FILE with %j is refused',
    async (args, message) => {
      const { env, log } = await sandbox();
      const file = join(directory, 'one');
      const fetchOne = () => mop(['bill', 'fetch', '-o', file, ...args], { env });
      const { code, stderr } = await fetchOne();
      expect([code, log.length, readdirSync(directory)]).toEqual([2, 0, []]);
      expect(stderr).toMatch(message);
    },
  );

  it.each([
    [['--last', '2']],
    [['--from', '2026-11-19', '--to', '2026-11-19']],
    [['2026-11-18', '2026-11-19']],
    [['--type', '1', '--type', '2']],
  ])('-o PATH with %j is a directory', async (args) => {
    const { env, log } = await sandbox();
    const path = join(directory, 'one');
    const fetchAll = () => mop(['bill', 'fetch', '-q', '-o', path, ...args], { env });
    writeFileSync(path, '');
    const { code, stderr } = await fetchAll();
    expect([code, log.length]).toEqual([2, 0]);
    expect(stderr).toMatch(/one is a file, and bills need a directory\nhint: /);
    rmSync(path);
    expect((await fetchAll()).code).toBe(0);
    expect(readdirSync(path)).toContain('bills.jsonl');
  });

  // `--missing` fetches three months, so that here it is only refused.
  it('-o PATH with --missing is a directory', async () => {
    const { env } = await sandbox();
    const path = join(directory, 'one');
    writeFileSync(path, '');
    const refused = await mop(['bill', 'fetch', '-o', path, '--missing'], { env });
    expectFailure(refused, 2, 'one is a file, and bills need a directory');
  });

  it.each([
    ['--name', 'bills.jsonl'],
    ['--name', '.mop-{date}'],
    ['-o', '.mop-ledger.lock'],
    ['-o', 'bills.jsonl'],
  ])('is not a file of mop: %s %s', async (option, name) => {
    const { env, log } = await sandbox();
    const out = option === '-o' ? join(directory, name) : `${directory}/`;
    const more = option === '-o' ? [] : [option, name];
    const { code, stderr } = await mop(['bill', 'fetch', '-o', out, ...more], { env });
    expect([code, log, readdirSync(directory)]).toEqual([2, [], []]);
    expect(stderr).toContain('is a name that mop uses for its own files\nhint: ');
  });

  it('receives any content without a digest by the setting bill_content', async () => {
    const { env } = await scriptedPlatform({
      descriptor: { hash_value: undefined },
      download: (response) => response.end('<html>busy</html>'),
    });
    const config = await configuration({ profiles: {} });
    const world = { env: { ...env, ...config.env } };
    expect((await fetch(['--retries', '0'], world)).code).toBe(7);
    await mop(['config', 'set', 'bill_content', 'any'], world);
    expect((await fetch(['--retries', '0'], world)).code).toBe(0);
    expect(readFileSync(join(out, FILE), 'utf8')).toBe('<html>busy</html>');
  });

  it('names files by the template', async () => {
    const { env } = await sandbox();
    await fetch(['--name', '{env}-{profile}-{type}-{date}.csv'], { env });
    expect(readdirSync(out)).toContain(`production-default-all-${YESTERDAY}.csv`);
  });

  it('is a gzip file with --keep-gzip, which the next run recognises', async () => {
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

  it('has the same content with --tar stream', async () => {
    const { env } = await sandbox();
    await fetch([], { env });
    expect((await fetch(['--tar', 'stream'], { env })).stdout).toContain('unchanged');
    rmSync(join(out, FILE));
    expect((await fetch(['--tar', 'stream'], { env })).stdout).toContain('downloaded');
  });

  it('may be stdout, which receives only the bill', async () => {
    const { env } = await sandbox();
    await fetch([], { env });
    const { code, stdout, stderr } = await mop(['bill', 'fetch', '-o', '-'], { env });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(readFileSync(join(out, FILE), 'utf8'));
  });

  it('receives no byte on stdout when the digest does not match', async () => {
    const { env } = await sandbox(['corrupt']);
    const { code, stdout } = await mop(['bill', 'fetch', '-o', '-'], { env });
    expect([code, stdout]).toEqual([7, '']);
  });

  it.each([[['--json']], [['--last', '2']], [['--missing']], [['--type', '0', '--type', '1']]])(
    'rejects -o - with %j',
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

  it('exits with 13 when a file exists in place of a directory', async () => {
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

describe('an existing file', () => {
  it('is unchanged when it is the bill, after one call', async () => {
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

  it('is recorded again when the ledger is lost', async () => {
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
    expect(stderr).toContain('overwrite');
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

it('without a terminal, a long run prints its progress, and each bill only in the table', async () => {
  const { env } = await sandbox();
  const { stdout, stderr } = await fetch(['--last', '20'], { env });
  const tenths = [2, 4, 6, 8, 10, 12, 14, 16, 18].map((done) => `${done} of 20 bills\n`);
  expect(stderr).toBe(tenths.join(''));
  expect(stdout.match(/downloaded/g)).toHaveLength(20);
});
