import { listAccounts } from '../../../platform/accounts/find-account.ts';
import { type Context, settingsOf } from '../../context/context.ts';
import { accountObject, accountTable, openAccounts } from './open-accounts.ts';

export async function run(_: unknown, context: Context): Promise<void> {
  const { output } = context;
  const accounts = await listAccounts(await openAccounts(context, settingsOf(context)));
  if (accounts.length === 0 && !output.json) {
    return output.note('no user is linked yet; mop account link links one');
  }
  const document = accounts.map((account) => accountObject(account, 'linked'));
  await output.report(document, accountTable(accounts));
}
