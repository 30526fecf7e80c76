import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import sqlite from 'node-sqlite3-wasm';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { listAccounts } from '../../../src/platform/accounts/find-account.ts';
import { linkAccount } from '../../../src/platform/accounts/link-account.ts';
import { SqliteAccountStore } from '../../../src/platform/accounts/sqlite-store.ts';
import { temporaryDirectory } from '../../support/cli.ts';
import { isLong, times } from '../../trials/scale.ts';

const LINKER = fileURLToPath(new URL('linker.js', import.meta.url));
/** The links of each concurrent process. */
const LINKS = times(4, 25);

let path: string;
let store: SqliteAccountStore;

beforeEach(async () => {
  path = join(await temporaryDirectory(), 'accounts.db');
  store = new SqliteAccountStore(path, 'shop');
});

function start(...args: readonly string[]): ChildProcessByStdio<null, Readable, null> {
  const child = spawn(process.execPath, [LINKER, path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

const users = async () => (await listAccounts(store)).map(({ user }) => user);

function integrity(): unknown {
  const database = new sqlite.Database(path, { readOnly: true });
  try {
    return database.get('PRAGMA integrity_check');
  } finally {
    database.close();
  }
}

it('keeps all links of four concurrent processes', async () => {
  const children = ['a', 'b', 'c', 'd'].map((name) => start(name, `${LINKS}`));
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'close'))[0]));
  expect(codes).toEqual([0, 0, 0, 0]);
  expect(new Set(await users()).size).toBe(4 * LINKS);
  expect((await readdir(dirname(path))).sort()).toEqual(['accounts.db', 'accounts.db-journal']);
});

it('keeps acknowledged links after kill -9, and accepts new ones', async () => {
  const acknowledged: string[] = [];
  for (const [round, kill] of (isLong ? [1, 2, 4, 7] : [1, 4]).entries()) {
    const child = start(`r${round}`, '1000');
    let links = 0;
    // Kill the process at a random point.
    for await (const user of createInterface(child.stdout)) {
      acknowledged.push(user);
      links += 1;
      if (links === kill) child.kill('SIGKILL');
    }
    expect(links).toBeGreaterThanOrEqual(kill);
    expect(links).toBeLessThan(1000);
    await linkAccount(store, { user: `after-${round}`, openId: `o-after-${round}` });
    acknowledged.push(`after-${round}`);
  }
  expect(await users()).toEqual(expect.arrayContaining(acknowledged));
  expect(integrity()).toEqual({ integrity_check: 'ok' });
});

it('rolls back the transaction of a killed process', async () => {
  await store.write((accounts) => {
    for (let index = 0; index < 1200; index++) {
      const user = `${index}-${'x'.repeat(2000)}`;
      accounts.put({ user, openId: `o-${index}`, mobile: `${20_000 + index}`, mobiles: [] });
    }
  });
  const child = start('die');
  expect((await once(child, 'close'))[1]).toBe('SIGKILL');
  // The process must have begun to write.
  expect((await stat(`${path}-journal`)).size).toBeGreaterThan(100_000);
  const accounts = await listAccounts(store);
  expect(accounts.filter(({ mobile }) => mobile === null)).toEqual([]);
  expect(accounts).toHaveLength(1200);
  expect(integrity()).toEqual({ integrity_check: 'ok' });
});
