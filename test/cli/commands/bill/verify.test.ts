import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  MD5,
  noBillLine,
  placeBill,
  SHA256,
  storedLine,
  writeLedger,
} from '../../../platform/bills/support.ts';
import { type CliResult, errorOf, mop, temporaryDirectory } from '../../../support/cli.ts';
import { CONTENT } from '../../../support/platform.ts';
import { configuration, expectFailure } from '../../support.ts';

const OTHER = Buffer.from('order_id,amount\n1,2.51\n');

let directory: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
});

const verify = (...args: readonly string[]) => mop(['bill', 'verify', ...args]);

/** The states of `--json`, by file name. */
function states({ stdout }: CliResult): Record<string, string> {
  const { files } = JSON.parse(stdout) as { files: { path: string; state: string }[] };
  return Object.fromEntries(files.map(({ path, state }) => [path.split('/').at(-1), state]));
}

describe('a directory', () => {
  it('is verified file by file', async () => {
    writeLedger(directory, [
      storedLine({ file: 'changed.csv' }),
      storedLine({ file: 'good.csv' }),
      storedLine({ file: 'missing.csv' }),
      storedLine({ file: 'own.csv', hash_type: 'SHA-256', hash_value: SHA256, verified: false }),
      noBillLine('2026-11-13'),
    ]);
    placeBill(directory, 'good.csv');
    placeBill(directory, 'own.csv');
    placeBill(directory, 'unrecorded.csv');
    placeBill(directory, 'changed.csv', OTHER);

    const result = await verify(directory, '--json');
    expect(result.code).toBe(7);
    expect(JSON.parse(result.stdout)).toEqual({
      files: [
        { path: join(directory, 'changed.csv'), state: 'changed', hash_type: 'MD5' },
        { path: join(directory, 'good.csv'), state: 'ok', hash_type: 'MD5' },
        { path: join(directory, 'missing.csv'), state: 'missing', hash_type: 'MD5' },
        { path: join(directory, 'own.csv'), state: 'unverified', hash_type: 'SHA-256' },
      ],
    });
    expect(errorOf(result)).toMatchObject({
      code: 'integrity',
      exit_code: 7,
      message: expect.stringMatching(
        /^2 of 4 files failed \(1 changed, 1 missing\), .*changed\.csv/,
      ),
      hint: 'with the same -o, -p and --env: mop bill fetch --missing fetches missing bills, and mop bill fetch DATE --overwrite replaces a changed one',
    });
  });

  it('is a table, with a warning for files without a digest of the platform', async () => {
    writeLedger(directory, [
      storedLine({ file: 'a.csv' }),
      storedLine({ file: 'b.csv', verified: false }),
    ]);
    placeBill(directory, 'a.csv');
    placeBill(directory, 'b.csv');
    const { code, stdout, stderr } = await verify(directory);
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.split(/ +/))).toEqual([
      ['STATE', 'DIGEST', 'PATH'],
      ['ok', 'MD5', join(directory, 'a.csv')],
      ['unverified', 'MD5', join(directory, 'b.csv')],
      [''],
    ]);
    expect(stderr).toMatch(/^mop: warning: 1 of 2 files unverified: .*\n$/);
  });

  it('is bill_dir by default', async () => {
    writeLedger(directory, [storedLine({ file: 'a.csv' })]);
    placeBill(directory, 'a.csv');
    const { env } = await configuration({ profiles: { default: { bill_dir: directory } } });
    const result = await mop(['bill', 'verify', '--json'], { env });
    expect(states(result)).toEqual({ 'a.csv': 'ok' });
  });

  it('prints nothing for unchanged files, and the failure for others', async () => {
    writeLedger(directory, [storedLine({ file: 'a.csv' })]);
    placeBill(directory, 'a.csv');
    expect(await verify(directory, '-q')).toMatchObject({ code: 0, stdout: '', stderr: '' });
    placeBill(directory, 'a.csv', OTHER);
    expectFailure(
      await verify(directory, '-q'),
      7,
      'a.csv does not match its MD5 digest',
      'mop bill fetch DATE --overwrite',
    );
  });

  it('uses the latest line of a file, of any profile', async () => {
    writeLedger(directory, [
      storedLine({ file: 'a.csv', hash_value: '0'.repeat(32) }),
      storedLine({ file: 'a.csv', profile: 'other' }),
    ]);
    placeBill(directory, 'a.csv');
    expect(states(await verify(directory, '--json'))).toEqual({ 'a.csv': 'ok' });
  });

  it('without a ledger exits with 2', async () => {
    expectFailure(await verify(directory), 2, 'no ledger (bills.jsonl)', '--hash-type');
  });

  it('with an empty ledger has nothing to verify', async () => {
    writeLedger(directory, []);
    const { code, stdout, stderr } = await verify(directory);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '',
      stderr: 'the ledger records no file: nothing to verify\n',
    });
    expect((await verify(directory, '--json')).stdout).toBe('{"files":[]}\n');
  });

  it('ignores lines that are truncated, unknown or of a later version', async () => {
    const line = JSON.stringify(storedLine({ file: 'a.csv' }));
    writeLedger(directory, [
      `${line}\r`,
      'junk',
      '{}',
      line.replace('"stored"', '"archived"').replace(MD5, 'x'),
      line.replace(`"${MD5}"`, 'null'),
      line.slice(0, 80),
    ]);
    placeBill(directory, 'a.csv');
    expect(states(await verify(directory, '--json'))).toEqual({ 'a.csv': 'ok' });
  });

  it.each(['../outside.csv', '/etc/hostname', '..', '.', '', 'sub/a.csv', 'a\0b'])(
    'ignores a line for a file outside the directory: %j',
    async (file) => {
      writeLedger(directory, [storedLine({ file })]);
      expect((await verify(directory, '--json')).stdout).toBe('{"files":[]}\n');
    },
  );

  it('reports a file that cannot be verified, and the others', async () => {
    writeLedger(directory, [
      storedLine({ file: 'a.csv', hash_type: 'CRC32' }),
      storedLine({ file: 'b.csv' }),
    ]);
    placeBill(directory, 'a.csv');
    placeBill(directory, 'b.csv');
    const result = await verify(directory, '--json');
    expect(result.code).toBe(7);
    expect(states(result)).toEqual({ 'a.csv': 'unverified', 'b.csv': 'ok' });
    expect(JSON.parse(result.stdout).files[0].error).toMatchObject({
      code: 'integrity',
      message: expect.stringContaining('unknown digest: "CRC32"'),
    });
  });

  it('distinguishes an unreadable file from a changed one', async () => {
    writeLedger(directory, [storedLine({ file: 'a.csv' }), storedLine({ file: 'b.csv' })]);
    symlinkSync('a.csv', join(directory, 'a.csv'));
    placeBill(directory, 'b.csv');
    expect((await verify(directory)).code).toBe(13);
    placeBill(directory, 'b.csv', OTHER);
    const result = await verify(directory, '--json');
    expect(result.code).toBe(12);
    expect(states(result)).toEqual({ 'a.csv': 'unverified', 'b.csv': 'changed' });
  });
});

describe('the file of an entry', () => {
  beforeEach(() => writeLedger(directory, [storedLine({ file: 'a.csv' })]));

  const stateOf = async () => states(await verify(directory, '--json'))['a.csv'];

  it('may be a link to the content', async () => {
    symlinkSync(placeBill(directory, 'elsewhere.csv'), join(directory, 'a.csv'));
    expect(await stateOf()).toBe('ok');
  });

  it('is missing when it is a dangling link', async () => {
    symlinkSync(join(directory, 'nowhere'), join(directory, 'a.csv'));
    expect(await stateOf()).toBe('missing');
  });

  it('has changed when it is a directory', async () => {
    mkdirSync(join(directory, 'a.csv'));
    expect(await stateOf()).toBe('changed');
  });

  it.each([
    ['the compressed bill under the same name', gzipSync(CONTENT)],
    ['another compressed bill', gzipSync(OTHER)],
    ['a damaged gzip file', gzipSync(CONTENT).subarray(0, 30)],
    ['empty', Buffer.alloc(0)],
  ])('has changed when it is %s', async (_, content) => {
    placeBill(directory, 'a.csv', content);
    expect(await stateOf()).toBe('changed');
  });
});

describe('a file', () => {
  it.each([
    ['compressed', gzipSync(CONTENT), 'ok'],
    ['unchanged', CONTENT, 'ok'],
    ['damaged', gzipSync(CONTENT).subarray(0, 30), 'changed'],
  ])('kept as .gz is compared by its decompressed content: %s', async (_, content, state) => {
    writeLedger(directory, [storedLine({ file: 'a.csv.gz', bytes: content.length })]);
    const path = placeBill(directory, 'a.csv.gz', content);
    expect(states(await verify(path, '--json'))).toEqual({ 'a.csv.gz': state });
  });

  it('is found in the ledger beside it', async () => {
    writeLedger(directory, [storedLine({ file: 'a.csv' }), storedLine({ file: 'b.csv' })]);
    const path = placeBill(directory, 'a.csv', OTHER);
    expectFailure(
      { ...(await verify(path)), stdout: '' },
      7,
      `${path} does not match its MD5 digest`,
    );
    expectFailure(
      { ...(await verify(join(directory, 'b.csv'))), stdout: '' },
      7,
      'b.csv is missing',
    );
  });

  it('that is not recorded is unverified', async () => {
    const path = placeBill(directory, 'a.csv');
    const { code, stdout } = await verify(path, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ files: [{ path, state: 'unverified', hash_type: null }] });
    writeLedger(directory, [storedLine({ file: 'b.csv' })]);
    expect(states(await verify(path, '--json'))).toEqual({ 'a.csv': 'unverified' });
  });

  it('that does not exist and is not recorded exits with 2', async () => {
    const path = join(directory, 'a.csv');
    expectFailure(await verify(path), 2, path);
    expectFailure(await verify(join(path, 'b', 'c.csv')), 2, path);
  });

  it('has the control characters of its name escaped', async () => {
    writeLedger(directory, [storedLine({ file: 'a\u001b[2J.csv' })]);
    expect((await verify(directory)).stdout).toContain('a<U+001B>[2J.csv');
  });
});

describe('a given digest', () => {
  const against = (path: string, type: string, value: string) =>
    verify(path, '--hash-type', type, '--hash-value', value, '--json');

  it.each([
    ['md5', MD5.toUpperCase()],
    ['SHA-256', Buffer.from(SHA256, 'hex').toString('base64')],
  ])('%s is compared with the file, without the ledger', async (type, value) => {
    writeLedger(directory, [storedLine({ file: 'a.csv', hash_value: '0'.repeat(32) })]);
    const path = placeBill(directory, 'a.csv');
    const result = await against(path, type, value);
    expect(result.code).toBe(0);
    expect(JSON.parse(result.stdout)).toEqual({ files: [{ path, state: 'ok', hash_type: type }] });
    placeBill(directory, 'a.csv', OTHER);
    expect((await against(path, type, value)).code).toBe(7);
  });

  it('of the original applies to the compressed file', async () => {
    const path = placeBill(directory, 'a.csv.gz', gzipSync(CONTENT));
    expect((await against(path, 'MD5', MD5)).code).toBe(0);
  });

  it.each([
    ['CRC32', MD5, 'no digest "CRC32"'],
    ['MD5', 'not a digest', 'is not a valid MD5 digest'],
    ['MD5', SHA256, 'is not a valid MD5 digest'],
    ['MD5', '', 'is not a valid MD5 digest'],
  ])('%s %j is refused with 2', async (type, value, message) => {
    const path = placeBill(directory, 'a.csv');
    const result = await against(path, type, value);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(errorOf(result).message).toContain(message);
  });

  it('without a name is recognised by its length', async () => {
    const path = placeBill(directory, 'a.csv');
    const sm3 = createHash('sm3').update(CONTENT).digest('base64');
    for (const value of [MD5, SHA256, sm3])
      expect((await verify(path, '--hash-value', value)).code).toBe(0);
    expectFailure(await verify(path, '--hash-value', 'abcd'), 2, 'no known digest has the length');
    const other = await verify(path, '--hash-value', '0'.repeat(64));
    expectFailure({ ...other, stdout: '' }, 7, 'does not match its SHA-256 or SM3 digest');
  });

  it('requires its value, and one file', async () => {
    const path = placeBill(directory, 'a.csv');
    const both = ['--hash-type', 'MD5', '--hash-value', MD5];
    expectFailure(await verify(path, '--hash-type', 'MD5'), 2, 'needs --hash-value');
    expectFailure(await verify(...both), 2, 'one file');
    expectFailure(await verify(path, path, ...both), 2, 'one file');
    expectFailure(await verify(directory, ...both), 2, 'is not a file');
    expectFailure(await verify(`${path}.gz`, ...both), 2, 'there is no file');
  });
});

it('reports files of another than the current environment', async () => {
  writeLedger(directory, [
    storedLine({ file: 'a.csv', environment: 'sandbox' }),
    storedLine({ file: 'b.csv' }),
  ]);
  for (const file of ['a.csv', 'b.csv']) placeBill(directory, file);
  expect((await verify(directory)).stderr).toBe(
    'including 1 bill of profile default (environment sandbox)\n',
  );
  expect((await verify(directory, '--env', 'sandbox')).stderr).toBe(
    'including 1 bill of profile default (environment production)\n',
  );
  for (const silent of ['--quiet', '--json']) {
    expect((await verify(directory, silent)).stderr).toBe('');
  }
});

describe('--all-profiles', () => {
  /** The files of `north` and `south`, without files of `west`. */
  const threeProfiles = async () => {
    for (const profile of ['north', 'south']) {
      const own = join(directory, profile);
      mkdirSync(own);
      writeLedger(own, [storedLine({ file: 'a.csv', profile })]);
      placeBill(own, 'a.csv', profile === 'south' ? OTHER : CONTENT);
    }
    const { env } = await configuration({ profiles: { north: {}, south: {}, west: {} } });
    return (...args: string[]) => mop(['bill', 'verify', '--all-profiles', ...args], { env });
  };

  it('covers the folder of each profile, under a heading', async () => {
    const verifyAll = await threeProfiles();
    const { code, stdout, stderr } = await verifyAll(directory);
    expect(code).toBe(7);
    expect(stdout).toMatch(
      /^profile north\n\nSTATE.*\nok .*north\/a\.csv\n\n\nprofile south\n\nSTATE.*\nchanged .*south\/a\.csv\n$/,
    );
    expect(stderr).toContain('west has no ledger (bills.jsonl): nothing to verify');
    expect(stderr).toContain('mop: 1 of 2 files failed');
    expect(stderr).toMatch(/\nhint: .*--overwrite replaces a changed one\n$/);
  });

  it('names the profile of each file with --json', async () => {
    const { stdout } = await (await threeProfiles())(directory, '--json');
    expect(JSON.parse(stdout).files).toMatchObject([
      { profile: 'north', path: join(directory, 'north', 'a.csv'), state: 'ok' },
      { profile: 'south', path: join(directory, 'south', 'a.csv'), state: 'changed' },
    ]);
  });

  it('counts an unusable profile as a failure', async () => {
    const { env } = await configuration({ profiles: { '../x': {}, north: {} } });
    const result = await mop(['bill', 'verify', directory, '--all-profiles'], { env });
    expect(result.code).toBe(3);
    expect(result.stderr).toContain('warning: profile ../x cannot be used');
  });

  it('is refused with -p, with a digest, and without the directory', async () => {
    const verifyAll = await threeProfiles();
    expectFailure(await verifyAll(directory, '-p', 'north'), 2, 'cannot be combined');
    const digest = ['--hash-type', 'MD5', '--hash-value', MD5];
    expectFailure(await verifyAll(directory, ...digest), 2, 'contradict');
    expectFailure(await verifyAll(join(directory, 'none')), 2, 'there is no directory');
  });
});

it('ends at once on a signal', async () => {
  writeLedger(directory, [storedLine({ file: 'a.csv' })]);
  placeBill(directory, 'a.csv');
  const { MopError } = await import('../../../../src/errors.ts');
  const signal = AbortSignal.abort(new MopError('interrupted', 'interrupted', { hint: 'done' }));
  expectFailure(await mop(['bill', 'verify', directory], { signal }), 130, 'interrupted');
});

it('exits with 7 even when the reader closes the pipe', async () => {
  writeLedger(directory, [storedLine({ file: 'a.csv' })]);
  expect((await mop(['bill', 'verify', directory], { stdoutError: 'EPIPE' })).code).toBe(7);
});

it('quotes values of the ledger in its hint', async () => {
  const line = storedLine({ file: 'missing.csv' });
  const id = '$(id)';
  const changed = { ...line, date: id, type: id, profile: id, environment: id } as never;
  writeLedger(directory, [changed]);
  const { stderr } = await verify(directory, '--all-profiles');
  expect(stderr).toContain('hint: ');
  expect(stderr.replaceAll("'$(id)'", '')).not.toContain('$(');
});
