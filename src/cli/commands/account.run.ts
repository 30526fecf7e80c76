import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { MopError } from '../../errors.ts';
import type { AccountStore } from '../../platform/accounts/account.ts';
import { type Account, type AccountKey, assertUsable } from '../../platform/accounts/account.ts';
import { findAccount, listAccounts, unlinkAccount } from '../../platform/accounts/find-account.ts';
import {
  type AccountLink,
  decodedLink,
  type LinkStatus,
  linkAccount,
} from '../../platform/accounts/link-account.ts';
import { SqliteAccountStore } from '../../platform/accounts/sqlite-store.ts';
import { decodeOperation, type EncryptedParameters, readDecoded } from '../../platform/decode.ts';
import { withPlatform } from '../clients/open-platform.ts';
import { configPath } from '../context/config-file.ts';
import { type Context, settingsOf } from '../context/context.ts';
import { argumentText } from '../context/input.ts';
import type { Io } from '../context/io.ts';
import type { Output } from '../context/output.ts';
import type { Settings } from '../context/settings.ts';
import { visibleLine } from '../context/visible-text.ts';
import type { Call } from '../frame/command.ts';

interface AccountLinkOptions {
  readonly user: string;
  readonly openid?: string;
  readonly mobile?: string;
  readonly encryptData?: string;
  readonly encryptId?: string;
  readonly move?: boolean;
}

export async function link({ options, context }: Call<AccountLinkOptions>): Promise<void> {
  const { io, globals } = context;
  const given = await givenLink(options, io);
  assertUsable({ user: options.user });
  const settings = settingsOf(context);
  const link = 'openId' in given ? given : await decodeLink(options.user, given, settings, context);
  if (!link) return;
  const accounts = await openAccounts(context, settings);
  const { account, status } = await linkAccount(accounts, link, {
    move: options.move,
    dryRun: globals.dryRun,
    now: io.now(),
  });
  await printAccount(account, status, context);
}

/** Asks the platform for the link; undefined after `--dry-run`. */
async function decodeLink(
  user: string,
  pair: EncryptedParameters,
  settings: Settings,
  context: Context,
): Promise<AccountLink | undefined> {
  const operation = decodeOperation(pair);
  return withPlatform(context, settings, [operation], async (client) =>
    decodedLink(user, readDecoded(await client.call(operation))),
  );
}

/** The link, or the encrypted parameters that contain it. */
async function givenLink(
  { user, openid, mobile, encryptData, encryptId }: AccountLinkOptions,
  io: Io,
): Promise<AccountLink | EncryptedParameters> {
  const encrypted = encryptData !== undefined || encryptId !== undefined;
  const plain = openid !== undefined || mobile !== undefined;
  if (encrypted && plain) {
    throw new MopError('usage', 'the openId is given in two ways', {
      hint: 'pass --encrypt-data and --encrypt-id alone: they contain openId and mobile',
    });
  }
  if (encryptData !== undefined && encryptId !== undefined) {
    return {
      encryptData: (await argumentText(encryptData, io)).trim(),
      encryptId: (await argumentText(encryptId, io)).trim(),
    };
  }
  if (openid !== undefined) return { user, openId: openid, mobile };
  const missing = encryptData === undefined ? '--encrypt-data' : '--encrypt-id';
  throw new MopError('usage', encrypted ? `${missing} is missing` : 'no openId', {
    hint: 'pass --openid, or both --encrypt-data and --encrypt-id',
  });
}

export async function find({ options, context }: Call<KeyOptions>): Promise<void> {
  const key = keyOf(options, 'pass one of --user, --openid and --mobile');
  const account = await findAccount(await openAccounts(context, settingsOf(context)), key);
  const { mobiles } = account;
  const history = mobiles.map(({ mobile, since }) => [mobile, since]);
  const { output } = context;
  const tables = [await accountTable([account], output)];
  if (history.length > 0) tables.push(await output.table(['MOBILE', 'SINCE'], history));
  const document = { ...accountObject(account, 'linked'), mobiles };
  await output.report(document, tables.join('\n\n'));
}

export async function list({ context }: Call): Promise<void> {
  const { output } = context;
  const accounts = await listAccounts(await openAccounts(context, settingsOf(context)));
  if (accounts.length === 0 && !output.json) {
    return output.note('no user is linked yet; mop account link links one');
  }
  const document = accounts.map((account) => accountObject(account, 'linked'));
  await output.report(document, await accountTable(accounts, output));
}

export async function unlink({
  options,
  context,
}: Call<Omit<KeyOptions, 'mobile'>>): Promise<void> {
  const key = keyOf(options, 'pass --user or --openid');
  const accounts = await openAccounts(context, settingsOf(context));
  const apply = context.globals.dryRun ? findAccount : unlinkAccount;
  await printAccount(await apply(accounts, key), 'unlinked', context);
}

/** The result of a change. A link that a command only shows is `linked`. */
type AccountStatus = LinkStatus | 'unlinked';

/**
 * The links of the current profile and environment, stored beside the configuration. Links of the
 * sandbox and of production are separate.
 */
async function openAccounts({ io }: Context, settings: Settings): Promise<AccountStore> {
  // SQLite is WebAssembly: V8 of Node 20 would optimise it in the background and delay the exit.
  setFlagsFromString('--liftoff-only');
  const path = join(dirname(configPath(io)), 'accounts.db');
  const owner = `${settings.profile}/${settings.environment}`;
  return new SqliteAccountStore(path, owner, io.signal);
}

interface KeyOptions {
  readonly user?: string;
  readonly openid?: string;
  readonly mobile?: string;
}

/** The one key that the options name. */
function keyOf({ user, openid, mobile }: KeyOptions, hint: string): AccountKey {
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

async function printAccount(
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
function accountObject({ user, openId, mobile }: Account, status: AccountStatus) {
  return { user, openId, mobile, status };
}

/** A table of accounts, with the results of a change if there was one. */
async function accountTable(
  accounts: readonly Account[],
  output: Output,
  status?: AccountStatus,
): Promise<string> {
  const rows = accounts.map(({ user, openId, mobile }) =>
    [user, openId, mobile ?? '-', ...(status ? [output.word(status)] : [])].map(visibleLine),
  );
  return output.table(['USER', 'OPENID', 'MOBILE', ...(status ? ['STATUS'] : [])], rows);
}
