import { MopError } from '../../errors.ts';

/** The link between a user of the caller and an openId (D1 section 1). */
export interface Account {
  /** The ID of the user in the caller's system. A user has one openId. */
  readonly user: string;
  /** The key of the link: it stays the same for a user. */
  readonly openId: string;
  /** The current mobile number; null when unknown. */
  readonly mobile: string | null;
  /** Every mobile number that the link ever had, oldest first. */
  readonly mobiles: readonly MobileEntry[];
}

export interface MobileEntry {
  readonly mobile: string;
  /** The time since which the number is known: ISO 8601, UTC. */
  readonly since: string;
}

/** The key of a link: a user, an openId or a current mobile number. */
export type AccountKey =
  | { readonly user: string }
  | { readonly openId: string }
  | { readonly mobile: string };

/** The fault of a user or an openId; undefined for a valid one. */
export function identifierFault(text: string): string | undefined {
  if (text === '') return 'it is empty';
  if (text !== text.trim()) return 'it begins or ends with white space';
  return /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text) ? 'it contains a control character' : undefined;
}

/** The fault of a mobile number; undefined for a valid one. */
export function mobileFault(text: string): string | undefined {
  return /^(?=.{5,20}$)\+?\d+$/.test(text)
    ? undefined
    : 'it must have 5 to 20 characters: digits, and optionally a leading +';
}

export function partsOf(key: AccountKey): {
  readonly name: 'user' | 'openId' | 'mobile';
  readonly value: string;
} {
  if ('user' in key) return { name: 'user', value: key.user };
  if ('openId' in key) return { name: 'openId', value: key.openId };
  return { name: 'mobile', value: key.mobile };
}

export function assertUsable(key: AccountKey): void {
  const { name, value } = partsOf(key);
  const fault = name === 'mobile' ? mobileFault(value) : identifierFault(value);
  if (fault === undefined) return;
  throw new MopError('usage', `${name} ${JSON.stringify(value)} cannot be used: ${fault}`, {
    hint: 'pass the value of your system or of the mini-program, without quotes or spaces around it',
  });
}

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
