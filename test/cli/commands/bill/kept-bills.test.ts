/** A directory of bills that people and kills have changed: compressed files, damaged lines, links. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { noBillLine, placeBill, storedLine, writeLedger } from '../../../platform/bills/support.ts';
import { errorOf, mop, temporaryDirectory } from '../../../support/cli.ts';
import {
  CONTENT,
  type ScriptedPlatform,
  sandbox,
  scriptedPlatform,
} from '../../../support/platform.ts';
import { checkRows } from '../../../support/rows.ts';
import { configuration, expectFailure } from '../../support.ts';
import { FILE, ledgerIn, reportOf, YESTERDAY } from './support.ts';

let directory: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
});

const bill = (command: string, args: readonly string[] = [], env: Record<string, string> = {}) =>
  mop(['bill', command, ...args], { env });

const fetch = ({ env }: Pick<ScriptedPlatform, 'env'>, ...args: readonly string[]) =>
  bill('fetch', ['-o', `${directory}/`, '--json', ...args], env);

const methods = ({ requests }: ScriptedPlatform): string[] => requests.map(({ method }) => method);

describe('a bill that was compressed to .gz after it was stored', () => {
  beforeEach(() => {
    writeLedger(directory, [storedLine()]);
    placeBill(directory, `${FILE}.gz`, gzipSync(CONTENT));
  });

  it('is the same bill for status and verify', async () => {
    const { stdout } = await bill('status', [directory, '--since', YESTERDAY, '--json']);
    expect(JSON.parse(stdout).days).toMatchObject([{ state: 'verified' }]);
    const verified = await bill('verify', [directory, '--json']);
    expect(verified.code).toBe(0);
    expect(JSON.parse(verified.stdout).files).toMatchObject([{ state: 'ok' }]);
    placeBill(directory, `${FILE}.gz`, gzipSync('other'));
    expect((await bill('verify', [directory, '-q'])).code).toBe(7);
    const changed = await bill('status', [directory, '--exit-code', '-q', '--since', YESTERDAY]);
    expect(changed.code).toBe(15);
  });

  it('is not downloaded again, and stays compressed', async () => {
    const platform = await scriptedPlatform();
    const result = await fetch(platform, YESTERDAY);
    expect(reportOf(result).bills).toMatchObject([
      { status: 'unchanged', verified: true, path: join(directory, `${FILE}.gz`) },
    ]);
    expect(methods(platform)).toEqual(['POST']);
    expect(readdirSync(directory)).toEqual([`${FILE}.gz`, 'bills.jsonl']);
    const missing = await bill('fetch', ['--missing', '-o', directory, '--dry-run'], platform.env);
    expect(missing.stdout).not.toContain(YESTERDAY);
    expect(missing.stdout).toContain('2026-11-18');
  });

  it('is read by its date', async () => {
    const { stdout } = await bill('summary', [YESTERDAY, '-o', directory, '--json']);
    expect(JSON.parse(stdout).files[0]).toMatchObject({ rows: 2 });
    const records = join(directory, 'records.csv');
    writeFileSync(records, CONTENT);
    const args = [YESTERDAY, '-o', directory, '--with', records, '--key', 'order_id', '-q'];
    expect((await bill('compare', args)).code).toBe(0);
  });

  it('stays when the bill has other content, and is replaced with --overwrite', async () => {
    placeBill(directory, `${FILE}.gz`, gzipSync('other'));
    const platform = await scriptedPlatform();
    expect((await fetch(platform, YESTERDAY)).code).toBe(13);
    expect(readdirSync(directory)).toEqual([`${FILE}.gz`, 'bills.jsonl']);
    const result = await fetch(platform, YESTERDAY, '--overwrite');
    expect(reportOf(result).bills).toMatchObject([{ status: 'downloaded' }]);
    expect(readdirSync(directory)).toEqual([FILE, 'bills.jsonl']);
  });
});

describe('damaged lines of the ledger', () => {
  it('are reported with their numbers by status, verify and compact', async () => {
    writeLedger(directory, [
      storedLine(),
      'junk',
      '',
      '{"program":"of others"}',
      noBillLine('2026-11-18'),
      JSON.stringify(storedLine()).slice(0, 60),
    ]);
    placeBill(directory, FILE);
    const path = join(directory, 'bills.jsonl');
    const message = `${path}: damaged lines are ignored, and their bills count as missing: 2, 6`;
    await checkRows(['status', 'verify', 'compact'], async (command) => {
      const plain = await bill(command, [directory]);
      expect([plain.code, plain.stderr.split('\n')[0]]).toEqual([0, `mop: warning: ${message}`]);
      const json = await bill(command, [directory, '--json']);
      expect(JSON.parse(json.stderr.split('\n')[0] ?? '')).toEqual({ warning: { message } });
    });
    expect(readFileSync(path, 'utf8')).toContain('junk\n');
  });

  it('are counted from the tenth', async () => {
    writeLedger(directory, [...new Array(13).fill('junk'), noBillLine('2026-11-18')]);
    const { stderr } = await bill('compact', [directory, '--dry-run']);
    expect(stderr).toContain('missing: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 3 more');
    writeLedger(directory, ['junk']);
    expect((await bill('status', [directory])).stderr).toContain('count as missing: 1\n');
  });
});

describe('a verified bill', () => {
  const withoutDigest = (content: Uint8Array = Buffer.from('order_id,amount\n3,4.00\n')) =>
    scriptedPlatform({
      descriptor: { hash_type: undefined, hash_value: undefined },
      download: (response) => response.end(gzipSync(content)),
    });

  beforeEach(async () => {
    expect((await fetch(await scriptedPlatform(), YESTERDAY)).code).toBe(0);
  });

  it('is not replaced by an unverified one, unless that is accepted', async () => {
    const platform = await withoutDigest();
    const result = await fetch(platform, YESTERDAY, '--overwrite');
    expect(result.code).toBe(13);
    expect(errorOf(result)).toMatchObject({
      message: expect.stringContaining('it was verified, and the new bill has no digest to verify'),
      hint: expect.stringContaining('accept-unverified'),
    });
    expect(readFileSync(join(directory, FILE))).toEqual(CONTENT);
    expect(ledgerIn(directory)).toMatchObject([{ verified: true }]);
    expect(readdirSync(directory)).toEqual([FILE, 'bills.jsonl']);

    const accepted = await fetch(platform, YESTERDAY, '--overwrite', '--accept-unverified');
    expect(accepted.code).toBe(0);
    expect(readFileSync(join(directory, FILE), 'utf8')).toContain('3,4.00');
    expect(ledgerIn(directory).at(-1)).toMatchObject({ verified: false });
    // The file is unverified now.
    expect((await fetch(await withoutDigest(CONTENT), YESTERDAY, '--overwrite')).code).toBe(0);
  });

  it('is unchanged, and stays verified, if the content without a digest is the same', async () => {
    const platform = await withoutDigest(CONTENT);
    const result = await fetch(platform, YESTERDAY, '--overwrite');
    expect([result.code, reportOf(result).bills[0]?.status]).toEqual([0, 'unchanged']);
    expect(ledgerIn(directory)).toMatchObject([{ verified: true }]);
  });

  it('is replaced by another verified one', async () => {
    const { env } = await sandbox();
    expect((await fetch({ env }, YESTERDAY, '--overwrite')).code).toBe(0);
    expect(ledgerIn(directory)).toHaveLength(2);
  });

  it('--accept-unverified needs --overwrite', async () => {
    expectFailure(
      await bill('fetch', ['--accept-unverified', '-o', directory]),
      2,
      '--accept-unverified needs --overwrite',
    );
  });
});

describe('a link or a directory in place of a file of mop', () => {
  let elsewhere: string;

  beforeEach(async () => {
    elsewhere = await temporaryDirectory();
  });

  it('as the folder of a profile is refused before a request', async () => {
    const { env, log } = await sandbox();
    const { env: config } = await configuration({ profiles: { north: {} } });
    symlinkSync(elsewhere, join(directory, 'north'));
    const args = ['--all-profiles', '-o', directory];
    const message = `${join(directory, 'north')} is a symbolic link`;
    await checkRows(['fetch', 'status', 'verify'], async (command) => {
      const rest = command === 'fetch' ? args : ['--all-profiles', directory];
      const { code, stderr } = await bill(command, rest, { ...env, ...config });
      expect([code, stderr]).toEqual([13, expect.stringContaining(message)]);
    });
    expect([log, readdirSync(elsewhere)]).toEqual([[], []]);
  });

  /** Breaks the directory, and expects a failure with code 13 before the download. */
  const expectNothingStored = async (message: string, makeFault: () => void) => {
    makeFault();
    const before = readdirSync(directory);
    const platform = await scriptedPlatform();
    const result = await fetch(platform, YESTERDAY);
    expect([result.code, methods(platform)]).toEqual([13, ['POST']]);
    expect(errorOf(result).message).toContain(message);
    expect(readdirSync(directory)).toEqual(before);
    expect(readdirSync(elsewhere)).toEqual([]);
  };

  it('as the lock is refused before the download', async () => {
    const lock = join(directory, '.mop-ledger.lock');
    await expectNothingStored('is a link or a file, not a directory', () => {
      symlinkSync(elsewhere, lock);
    });
    rmSync(lock);
    await expectNothingStored('is a link or a file, not a directory', () => {
      writeFileSync(lock, '');
    });
  });

  it.each([
    ['a directory', (ledger: string) => mkdirSync(ledger)],
    ['a link to a file', (ledger: string) => symlinkSync(join(elsewhere, 'x'), ledger)],
    ['a link to a directory', (ledger: string) => symlinkSync(elsewhere, ledger)],
  ])('as the ledger is refused before the download: %s', async (_, makeFault) => {
    await expectNothingStored('bills.jsonl', () => makeFault(join(directory, 'bills.jsonl')));
  });
});

it('a lost ledger is rebuilt without a download', async () => {
  const platform = await scriptedPlatform();
  await fetch(platform, YESTERDAY);
  renameSync(join(directory, 'bills.jsonl'), join(directory, 'old.jsonl'));
  appendFileSync(join(directory, 'old.jsonl'), '\n');
  await fetch(platform, YESTERDAY);
  expect(methods(platform)).toEqual(['POST', 'GET', 'POST']);
  expect(existsSync(join(directory, 'bills.jsonl'))).toBe(true);
});
