import { findAccount } from '../../../platform/accounts/find-account.ts';
import { settingsOf } from '../../context/context.ts';
import type { Call } from '../../frame/command.ts';
import {
  accountObject,
  accountTable,
  type KeyOptions,
  keyOf,
  openAccounts,
} from './open-accounts.ts';

export async function run({ options, context }: Call<KeyOptions>): Promise<void> {
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
