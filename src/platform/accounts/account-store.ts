import type { Account, AccountKey } from './account.ts';

/** A value, or a promise of it: a store may live in memory or behind a network. */
export type Awaitable<T> = T | Promise<T>;

/** Read access to the accounts of a store. */
export interface AccountReader {
  /** The account with this user, openId or current mobile. No two share any of the three. */
  find(key: AccountKey): Awaitable<Account | undefined>;
  /** All accounts, in any order. */
  list(): Awaitable<readonly Account[]>;
}

/** The same with the right to change them. */
export interface AccountWriter extends AccountReader {
  /** Stores the account under its openId, in place of the one that was there. */
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
   * Lets `work` read and write as one transaction that no other overlaps: all of it is kept once
   * the promise is fulfilled, nothing when `work` throws. Not to be nested.
   */
  write<T>(work: (accounts: AccountWriter) => Awaitable<T>): Promise<T>;
}
