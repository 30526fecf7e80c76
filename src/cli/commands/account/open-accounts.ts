import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { MopError } from '../../../errors.ts';
import type { Account, AccountKey } from '../../../platform/accounts/account.ts';
import type { AccountStore } from '../../../platform/accounts/account-store.ts';
import type { LinkStatus } from '../../../platform/accounts/link-account.ts';
import { SqliteAccountStore } from '../../../platform/accounts/sqlite-store.ts';
import { configPath } from '../../context/config-file.ts';
import type { Context } from '../../context/context.ts';
import type { Output } from '../../context/output.ts';
import type { Settings } from '../../context/settings.ts';
import { visibleLine } from '../../context/visible-text.ts';

/** The result of a change. A link that a command only shows is `linked`. */
export type AccountStatus = LinkStatus | 'unlinked';

/**
 * The links of the current profile and environment, stored beside the configuration. Links of the
 * sandbox and of production are separate.
 */
export async function openAccounts({ io }: Context, settings: Settings): Promise<AccountStore> {
  // SQLite is WebAssembly: V8 of Node 20 would optimise it in the background and delay the exit.
  setFlagsFromString('--liftoff-only');
  const path = join(dirname(configPath(io)), 'accounts.db');
  const owner = `${settings.profile}/${settings.environment}`;
  return new SqliteAccountStore(path, owner, io.signal);
}

export interface KeyOptions {
  readonly user?: string;
  readonly openid?: string;
  readonly mobile?: string;
}

/**
 * The one key that the options name.
 *
 * @param hint The hint of the error; it lists the options.
 * @throws {MopError} `usage` unless exactly one key is given.
 */
export function keyOf({ user, openid, mobile }: KeyOptions, hint: string): AccountKey {
  const keys: AccountKey[] = [
    ...(user === undefined ? [] : [{ user }]),
    ...(openid === undefined ? [] : [{ openId: openid }]),
    ...(mobile === undefined ? [] : [{ mobile }]),
  ];
  const [key, ...others] = keys;
  if (key && others.length === 0) return key;
  throw new MopError('usage', key ? 'only one option can select the link' : 'no link is selected', {
    hint,
  });
}

export async function printAccount(
  account: Account,
  status: AccountStatus,
  { output, globals }: Context,
): Promise<void> {
  await output.report(
    accountObject(account, status),
    await accountTable([account], output, status),
  );
  if (globals.dryRun) output.note('nothing was written (--dry-run)');
}

/** An account as `--json` shows it; its keys are stable. */
export function accountObject({ user, openId, mobile }: Account, status: AccountStatus) {
  return { user, openId, mobile, status };
}

/** A table of accounts, with the results of a change if there was one. */
export async function accountTable(
  accounts: readonly Account[],
  output: Output,
  status?: AccountStatus,
): Promise<string> {
  const rows = accounts.map(({ user, openId, mobile }) =>
    [user, openId, mobile ?? '-', ...(status ? [status] : [])].map(visibleLine),
  );
  return output.table(['USER', 'OPENID', 'MOBILE', ...(status ? ['STATUS'] : [])], rows);
}
