import { chmod, mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sqlite, { type Database } from 'node-sqlite3-wasm';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { findAccount, listAccounts } from '../../../src/platform/accounts/find-account.ts';
import { linkAccount } from '../../../src/platform/accounts/link-account.ts';
import { SqliteAccountStore } from '../../../src/platform/accounts/sqlite-store.ts';
import { temporaryDirectory } from '../../support/cli.ts';

let path: string;
let store: SqliteAccountStore;

beforeEach(async () => {
  path = join(await temporaryDirectory(), 'a', 'b', 'accounts.db');
  store = new SqliteAccountStore(path, 'shop');
});

const link = (user: string, openId: string, mobile?: string) =>
  linkAccount(store, { user, openId, mobile });
const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);

it('creates the database and its directories with access for the owner only', async () => {
  await link('ann', 'o-1');
  expect(await modeOf(dirname(path))).toBe('700');
  expect(await modeOf(path)).toBe('600');
  expect(await modeOf(`${path}-journal`)).toBe('600');
  expect((await readdir(dirname(path))).sort()).toEqual(['accounts.db', 'accounts.db-journal']);
});

it('removes the access of others to a database', async () => {
  await link('ann', 'o-1');
  await chmod(path, 0o666);
  await link('bob', 'o-2');
  expect(await modeOf(path)).toBe('600');
});

it('runs one transaction at a time', async () => {
  const other = new SqliteAccountStore(path, 'shop');
  const ends: string[] = [];
  const { second } = await store.write(async () => {
    const second = other.write(() => ends.push('second'));
    await sleep(50);
    ends.push('first');
    return { second };
  });
  await second;
  expect(ends).toEqual(['first', 'second']);
});

it('syncs each transaction, so that a power failure cannot undo it', async () => {
  const exec = vi.spyOn(sqlite.Database.prototype, 'exec');
  onTestFinished(() => exec.mockRestore());
  const settings = await store.write(() => {
    const [database] = exec.mock.contexts as Database[];
    return database?.get('PRAGMA synchronous');
  });
  // 2 is FULL.
  expect(settings).toEqual({ synchronous: 2 });
});

it('does not create a database for reading', async () => {
  expect(await listAccounts(store)).toEqual([]);
  await expect(findAccount(store, { user: 'ann' })).rejects.toMatchObject({ code: 'failure' });
  await expect(stat(dirname(path))).rejects.toThrow('ENOENT');
});

it('isolates the links of each owner', async () => {
  const other = new SqliteAccountStore(path, 'other');
  await link('ann', 'o-1', '13800000001');
  await linkAccount(other, { user: 'bob', openId: 'o-1', mobile: '13800000001' });
  expect((await listAccounts(store)).map(({ user }) => user)).toEqual(['ann']);
  expect((await listAccounts(other)).map(({ user }) => user)).toEqual(['bob']);
});

it.each(['100% of #1?.db', 'файл.db', "it's.db"])('accepts the file name %j', async (name) => {
  const odd = join(dirname(dirname(path)), name);
  await linkAccount(new SqliteAccountStore(odd, 'shop'), { user: 'ann', openId: 'o-1' });
  expect((await readdir(dirname(odd))).sort()).toEqual([name, `${name}-journal`]);
});

it('keeps openId, user and mobile number unique, independent of the rules', async () => {
  const account = { openId: 'o-1', user: 'ann', mobile: '13800000001', mobiles: [] };
  for (const shared of [{ user: 'ann' }, { mobile: '13800000001' }]) {
    const work = store.write((accounts) => {
      accounts.put(account);
      accounts.put({ openId: 'o-2', user: 'bob', mobile: null, mobiles: [], ...shared });
    });
    await expect(work).rejects.toThrow('UNIQUE');
  }
  expect(await listAccounts(store)).toEqual([]);
});

describe('an unusable database', () => {
  async function expectIo(message: string): Promise<void> {
    for (const use of [() => listAccounts(store), () => link('bob', 'o-2')]) {
      await expect(use()).rejects.toMatchObject({
        code: 'io',
        message: expect.stringMatching(new RegExp(`${path}.*${message}`)),
        details: { hint: expect.stringMatching(/./) },
      });
    }
  }

  it('that contains other data is refused and kept', async () => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'not a database, but long enough to look at'.repeat(100));
    const before = await readFile(path);
    await expectIo('file is not a database');
    expect(await readFile(path)).toEqual(before);
  });

  it('that is truncated is refused and kept', async () => {
    for (let index = 0; index < 50; index++) await link(`${index}${'x'.repeat(400)}`, `o-${index}`);
    await truncate(path, 12_000);
    const before = await readFile(path);
    await expectIo('malformed');
    expect(await readFile(path)).toEqual(before);
  });

  it('that was written by a newer mop is refused', async () => {
    await link('ann', 'o-1');
    const database = new sqlite.Database(path);
    database.exec('PRAGMA user_version = 2');
    database.close();
    await expectIo('was written by a newer mop');
  });

  it('that is a directory is refused', async () => {
    await mkdir(path, { recursive: true });
    await expectIo('it is a directory');
  });
});

it('ignores a lock of the package from a killed process', async () => {
  await link('ann', 'o-1');
  await mkdir(`${path}.lock`);
  expect(await listAccounts(store)).toHaveLength(1);
  await expect(stat(`${path}.lock`)).rejects.toThrow('ENOENT');
});

it('uses an empty file as a new database', async () => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '');
  expect(await listAccounts(store)).toEqual([]);
  expect((await link('ann', 'o-1')).status).toBe('linked');
});

it('fails when its directory cannot be made', async () => {
  await writeFile(dirname(dirname(path)), '');
  await expect(link('ann', 'o-1')).rejects.toMatchObject({ code: 'io' });
});
