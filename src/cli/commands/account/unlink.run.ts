import { findAccount, unlinkAccount } from '../../../platform/accounts/find-account.ts';
import { settingsOf } from '../../context/context.ts';
import type { Call } from '../../frame/command.ts';
import { type KeyOptions, keyOf, openAccounts, printAccount } from './open-accounts.ts';

export async function run({ options, context }: Call<Omit<KeyOptions, 'mobile'>>): Promise<void> {
  const key = keyOf(options, 'pass --user or --openid');
  const accounts = await openAccounts(context, settingsOf(context));
  const apply = context.globals.dryRun ? findAccount : unlinkAccount;
  await printAccount(await apply(accounts, key), 'unlinked', context);
}
