import { join } from 'node:path';
import type {
  Account,
  AccountKey,
  AccountStore,
  AccountWriter,
  Awaitable,
} from '../../../src/platform/accounts/account.ts';
import { SqliteAccountStore } from '../../../src/platform/accounts/sqlite-store.ts';
import { temporaryDirectory } from '../../support/cli.ts';

/** An asynchronous store in memory, as a user of the library may write it. */
export class MemoryAccountStore implements AccountStore {
  #accounts = new Map<string, Account>();
  #last: Promise<unknown> = Promise.resolve();

  read<T>(work: (accounts: AccountWriter) => Awaitable<T>): Promise<T> {
    return this.write(work);
  }

  async write<T>(work: (accounts: AccountWriter) => Awaitable<T>): Promise<T> {
    const turn = this.#last.then(async () => {
      const accounts = new Map(this.#accounts);
      const result = await work(writer(accounts));
      this.#accounts = accounts;
      return result;
    });
    this.#last = turn.catch(() => {});
    return turn;
  }
}

function writer(accounts: Map<string, Account>): AccountWriter {
  const list = async () => [...accounts.values()];
  return {
    list,
    find: async (key: AccountKey) => {
      const [[name, value] = []] = Object.entries(key);
      return (await list()).find((account) => account[name as keyof Account] === value);
    },
    put: async (account) => void accounts.set(account.openId, account),
    remove: async (openId) => void accounts.delete(openId),
  };
}

/** A new database, which is removed after the test. */
export async function sqliteStore(): Promise<AccountStore> {
  return new SqliteAccountStore(join(await temporaryDirectory(), 'accounts.db'), 'shop');
}
