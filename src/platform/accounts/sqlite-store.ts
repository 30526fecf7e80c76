import { constants, existsSync } from 'node:fs';
import { access, open, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Database, QueryResult } from 'node-sqlite3-wasm';
import { MopError } from '../../errors.ts';
import { usableSpace } from '../../files/atomic-file.ts';
import { makeDirectory } from '../../files/directory.ts';
import { fileError } from '../../files/file-error.ts';
import { withFileLock } from '../../files/lock.ts';
import {
  type Account,
  type AccountKey,
  type AccountReader,
  type AccountStore,
  type AccountWriter,
  type Awaitable,
  type MobileEntry,
  partsOf,
} from './account.ts';

/** Increased with every change of the tables, and stored in the file as `PRAGMA user_version`. */
const SCHEMA_VERSION = 1;

const SCHEMA = `
  CREATE TABLE accounts (
    owner TEXT NOT NULL,
    open_id TEXT NOT NULL,
    user TEXT NOT NULL,
    mobile TEXT,
    mobiles TEXT NOT NULL, -- JSON: all numbers, each with its start, oldest first
    PRIMARY KEY (owner, open_id),
    UNIQUE (owner, user),
    UNIQUE (owner, mobile)
  ) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** Truncated, not deleted: the package syncs no directory, so a deleted journal could reappear. */
const BEGIN = `
  PRAGMA journal_mode = TRUNCATE;
  PRAGMA synchronous = FULL;
  BEGIN IMMEDIATE;
`;

/**
 * Accounts in an SQLite database that only its owner can read. Any number of processes may use it
 * at the same time. The transaction of a killed process is rolled back.
 *
 * Failures of the disk and a damaged database are a {@link MopError} of code `io`; the file is
 * never reset.
 *
 * @example
 * ```ts
 * import {
 *   type AccountReader,
 *   type AccountStore,
 *   type AccountWriter,
 *   type Awaitable,
 *   SqliteAccountStore,
 * } from 'mop-cli';
 *
 * const store: AccountStore = new SqliteAccountStore('accounts.db', 'shop');
 * const account = { user: '17', openId: 'o-1', mobile: null, mobiles: [] };
 * await store.write((accounts: AccountWriter): Awaitable<void> => accounts.put(account));
 * const found = await store.read((accounts: AccountReader) => accounts.find({ user: '17' }));
 * console.log(found?.openId);
 * // o-1
 * ```
 */
export class SqliteAccountStore implements AccountStore {
  readonly #path: string;
  readonly #owner: string;
  readonly #signal: AbortSignal | undefined;

  /**
   * @param path The database file; the first write creates it and its directory.
   * @param owner The owner of the links; owners do not see each other's links.
   * @param signal Aborts a wait for other processes; its reason is thrown.
   */
  constructor(path: string, owner: string, signal?: AbortSignal) {
    this.#path = resolve(path);
    this.#owner = owner;
    this.#signal = signal;
  }

  async read<T>(work: (accounts: AccountReader) => Awaitable<T>): Promise<T> {
    const path = this.#path;
    if (!existsSync(path)) return work(NO_ACCOUNTS);
    // Only a writer can roll back the transaction of a killed process.
    if (await isWritable(path)) return this.write(work);
    // Usually a copy on a read-only disk. The changes of a concurrent writer are not seen.
    return this.#use('mode=ro&immutable=1', (accounts, database) =>
      work(versionOf(database) === 0 ? NO_ACCOUNTS : accounts),
    ).catch(async (error) => {
      throw await databaseError(error, path);
    });
  }

  async write<T>(work: (accounts: AccountWriter) => Awaitable<T>): Promise<T> {
    const path = this.#path;
    try {
      await makeDirectory(dirname(path), 0o700);
      // Loading the package takes longest: load it before the lock, so that others need not wait.
      await import('node-sqlite3-wasm');
      const transaction = async (): Promise<T> => {
        await prepareFile(path);
        return this.#use('nolock=1', async (accounts, database) => {
          database.exec(BEGIN);
          prepareSchema(database, path);
          const result = await work(accounts);
          database.exec('COMMIT');
          return result;
        });
      };
      return await withFileLock(`${path}-lock`, transaction, { signal: this.#signal });
    } catch (error) {
      throw await databaseError(error, path);
    }
  }

  async #use<T>(
    parameters: string,
    work: (accounts: SqliteAccounts, database: Database) => Awaitable<T>,
  ): Promise<T> {
    const database = await openDatabase(this.#path, parameters);
    try {
      return await work(new SqliteAccounts(database, this.#owner), database);
    } finally {
      // Rolls back uncommitted changes.
      database.close();
    }
  }
}

const NO_ACCOUNTS: AccountReader = { find: () => undefined, list: () => [] };

class SqliteAccounts implements AccountWriter {
  readonly #database: Database;
  readonly #owner: string;

  constructor(database: Database, owner: string) {
    this.#database = database;
    this.#owner = owner;
  }

  find(key: AccountKey): Account | undefined {
    const { name, value } = partsOf(key);
    const column = { user: 'user', openId: 'open_id', mobile: 'mobile' }[name];
    const sql = `SELECT * FROM accounts WHERE owner = ? AND ${column} = ?`;
    const row = this.#database.get(sql, [this.#owner, value]);
    return row ? accountOf(row) : undefined;
  }

  list(): Account[] {
    const rows = this.#database.all('SELECT * FROM accounts WHERE owner = ?', [this.#owner]);
    return rows.map(accountOf);
  }

  put({ openId, user, mobile, mobiles }: Account): void {
    this.#database.run(
      `INSERT INTO accounts (owner, open_id, user, mobile, mobiles) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (owner, open_id) DO UPDATE
       SET user = excluded.user, mobile = excluded.mobile, mobiles = excluded.mobiles`,
      [this.#owner, openId, user, mobile, JSON.stringify(mobiles)],
    );
  }

  remove(openId: string): void {
    this.#database.run('DELETE FROM accounts WHERE owner = ? AND open_id = ?', [
      this.#owner,
      openId,
    ]);
  }
}

interface Row {
  readonly open_id: string;
  readonly user: string;
  readonly mobile: string | null;
  readonly mobiles: string;
}

function accountOf(values: QueryResult): Account {
  const { open_id: openId, user, mobile, mobiles } = values as unknown as Row;
  return { user, openId, mobile, mobiles: mobileEntries(mobiles, openId) };
}

function mobileEntries(json: string, openId: string): readonly MobileEntry[] {
  try {
    const entries: unknown = JSON.parse(json);
    if (Array.isArray(entries)) return entries;
  } catch {
    // Invalid JSON is reported below, like another value.
  }
  const message = `the accounts are damaged: the mobile numbers of ${openId} are invalid`;
  throw new MopError('io', message, { hint: 'restore the database from a copy' });
}

/** The part of the package's module that is missing in its types. */
interface Internals {
  _sqlite3_open_v2: (name: number, out: number, flags: number, vfs: number) => number;
}

const SQLITE_OPEN_URI = 0x40;

/**
 * The package locks with a directory that a killed process leaves behind. It also mistakes its own
 * lock for a running writer, and therefore never rolls back a partial transaction. `nolock` avoids
 * both. It is a parameter of a `file:` name. SQLite reads such a name only with a flag, for which the package
 * has no option. If a later release ignores the flag, opening the database fails at once.
 */
async function openDatabase(path: string, parameters: string): Promise<Database> {
  const { default: sqlite } = await import('node-sqlite3-wasm');
  const internals = sqlite as unknown as Internals;
  const plainOpen = internals._sqlite3_open_v2;
  internals._sqlite3_open_v2 = (name, out, flags, vfs) =>
    plainOpen(name, out, flags | SQLITE_OPEN_URI, vfs);
  try {
    const name = path.replace(/[%?#]/g, encodeURIComponent);
    return new sqlite.Database(`file:${name}?${parameters}`);
  } finally {
    internals._sqlite3_open_v2 = plainOpen;
  }
}

/** Creates the file, because the errors of SQLite do not name the cause. The caller holds our lock. */
async function prepareFile(path: string): Promise<void> {
  const file = await open(path, 'a', 0o600);
  await file.chmod(0o600).finally(() => file.close());
  // Remove the lock of a program that used the package directly.
  await rm(`${path}.lock`, { recursive: true, force: true });
}

async function isWritable(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK);
    // The lock and the journal are created here.
    await access(dirname(path), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function prepareSchema(database: Database, path: string): void {
  const version = versionOf(database);
  if (version > SCHEMA_VERSION) {
    throw new MopError('io', `${path} was written by a newer mop`, {
      hint: 'update mop; nothing was changed',
    });
  }
  if (version === 0) database.exec(SCHEMA);
}

function versionOf(database: Database): number {
  return Number(database.get('PRAGMA user_version')?.user_version);
}

/** With less free space, a change of a few pages may fail. */
const FEW_BYTES = 64 * 1024;

async function databaseError(error: unknown, path: string): Promise<unknown> {
  if (!(error instanceof Error) || error.name !== 'SQLite3Error') {
    return fileError(error, `cannot use the accounts in ${path}`);
  }
  // The package does not report the cause of a failed write, so check the free space.
  const isWriteFailure = /I\/O error|disk is full/.test(error.message);
  const isFull = isWriteFailure && (await usableSpace(dirname(path))) < FEW_BYTES;
  const reason = isFull ? 'the disk is full' : error.message;
  return new MopError('io', `the accounts in ${path} cannot be used: ${reason}`, {
    hint: 'the file is unchanged: check the disk and its free space, or restore a copy of the database',
    cause: error,
  });
}
