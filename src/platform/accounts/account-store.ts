import type { Account, AccountKey } from './account.ts';

/** A value, or a promise of it: a store may be in memory or behind a network. */
export type Awaitable<T> = T | Promise<T>;

/** Read access to the accounts of a store. */
export interface AccountReader {
  /** The account with this user, openId or current mobile. No two accounts share one. */
  find(key: AccountKey): Awaitable<Account | undefined>;
  /** All accounts, in any order. */
  list(): Awaitable<readonly Account[]>;
}

/** Read and write access to the accounts of a store. */
export interface AccountWriter extends AccountReader {
  /** Stores the account under its openId, replacing an existing one. */
  put(account: Account): Awaitable<void>;
  /** Removes the account and its history. */
  remove(openId: string): Awaitable<void>;
}

/**
 * Storage for the links of one caller: {@link SqliteAccountStore}, or your own database. A store
 * does not validate links; `linkAccount` and the other functions do.
 */
export interface AccountStore {
  /** Calls `work` with a consistent view of the accounts. */
  read<T>(work: (accounts: AccountReader) => Awaitable<T>): Promise<T>;
  /**
   * Runs `work` as one transaction, isolated from all others. Its writes are kept when the promise
   * is fulfilled, and discarded when `work` throws. Transactions cannot be nested.
   */
  write<T>(work: (accounts: AccountWriter) => Awaitable<T>): Promise<T>;
}
