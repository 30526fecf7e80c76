import { listAccounts } from '../../../platform/accounts/find-account.ts';
import { settingsOf } from '../../context/context.ts';
import type { Call } from '../../frame/command.ts';
import { accountObject, accountTable, openAccounts } from './open-accounts.ts';

export async function run({ context }: Call): Promise<void> {
  const { output } = context;
  const accounts = await listAccounts(await openAccounts(context, settingsOf(context)));
  if (accounts.length === 0 && !output.json) {
    return output.note('no user is linked yet; mop account link links one');
  }
  const document = accounts.map((account) => accountObject(account, 'linked'));
  await output.report(document, await accountTable(accounts, output));
}
