import { MopError } from '../../errors.ts';
import {
  type Account,
  type AccountKey,
  type AccountReader,
  type AccountStore,
  assertUsable,
  partsOf,
} from './account.ts';

/**
 * The link with this user, openId or current mobile number.
 *
 * @throws {MopError} `failure` when no link is found, `usage` for an invalid value.
 *
 * @example
 * ```ts
 * import { type AccountKey, findAccount, linkAccount, SqliteAccountStore } from 'mop-cli';
 *
 * const store = new SqliteAccountStore('accounts.db', 'shop');
 * await linkAccount(store, { user: '17', openId: 'o-1' });
 * const key: AccountKey = { user: '17' };
 * console.log((await findAccount(store, key)).openId);
 * // o-1
 * ```
 */
export async function findAccount(store: AccountStore, key: AccountKey): Promise<Account> {
  return store.read((accounts) => find(accounts, key));
}

/**
 * All links, by user in the order of UTF-16 code units.
 *
 * @example
 * ```ts
 * import { linkAccount, listAccounts, SqliteAccountStore } from 'mop-cli';
 *
 * const store = new SqliteAccountStore('accounts.db', 'shop');
 * await linkAccount(store, { user: '17', openId: 'o-1' });
 * console.log((await listAccounts(store)).map(({ user }) => user));
 * // [ '17' ]
 * ```
 */
export async function listAccounts(store: AccountStore): Promise<Account[]> {
  const accounts = await store.read((reader) => reader.list());
  return accounts.toSorted((a, b) => (a.user < b.user ? -1 : 1));
}

/**
 * Removes a link with its history.
 *
 * @returns The removed link.
 * @throws {MopError} `failure` when no link is found, `usage` for an invalid value.
 *
 * @example
 * ```ts
 * import { linkAccount, listAccounts, SqliteAccountStore, unlinkAccount } from 'mop-cli';
 *
 * const store = new SqliteAccountStore('accounts.db', 'shop');
 * await linkAccount(store, { user: '17', openId: 'o-1' });
 * await unlinkAccount(store, { openId: 'o-1' });
 * console.log((await listAccounts(store)).length);
 * // 0
 * ```
 */
export async function unlinkAccount(store: AccountStore, key: AccountKey): Promise<Account> {
  // Without a link to remove, do not create a database.
  await findAccount(store, key);
  return store.write(async (accounts) => {
    const account = await find(accounts, key);
    await accounts.remove(account.openId);
    return account;
  });
}

async function find(accounts: AccountReader, key: AccountKey): Promise<Account> {
  assertUsable(key);
  const account = await accounts.find(key);
  if (account) return account;
  const { name, value } = partsOf(key);
  throw new MopError('failure', `${name} ${value} is not linked`, {
    hint: 'list the links; each profile and environment has its own',
  });
}
