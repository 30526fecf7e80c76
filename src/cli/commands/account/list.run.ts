import { listAccounts } from '../../../platform/accounts/find-account.ts';
import { type Context, settingsOf } from '../../context/context.ts';
import { accountObject, accountTable, openAccounts } from './open-accounts.ts';

export async function run(_: unknown, context: Context): Promise<void> {
  const { output } = context;
  const accounts = await listAccounts(await openAccounts(context, settingsOf(context)));
  if (output.json) {
    await output.document(accounts.map((account) => accountObject(account, 'linked')));
  } else if (accounts.length === 0) {
    output.note('no user is linked yet; mop account link links one');
  } else if (!output.quiet) {
    await output.data(accountTable(accounts));
  }
}
