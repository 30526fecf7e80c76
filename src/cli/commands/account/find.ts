import { type Context, settingsOf } from '../../context/context.ts';
import { table } from '../../context/output.ts';
import type { Choose, Command } from '../../frame/command.ts';
import {
  accountObject,
  accountTable,
  type KeyOptions,
  keyOf,
  openAccounts,
} from './open-accounts.ts';

export function registerAccountFind(parent: Command, choose: Choose): void {
  parent
    .command('find')
    .description('Show the link of a user, an openId or a mobile number.')
    .option('--user <user>', 'your own name for the user')
    .option('--openid <openid>', 'the openId')
    .option('--mobile <number>', 'the mobile number that the link has now')
    .explain({
      notes: 'Who is not linked is exit code 1.',
      examples: ['mop account find --user 17', 'mop account find --mobile 13800000000 --json'],
      failures: ['config'],
    })
    .action((options: KeyOptions, command: Command) =>
      choose(command, (context) => runAccountFind(options, context)),
    );
}

async function runAccountFind(options: KeyOptions, context: Context): Promise<void> {
  const { output } = context;
  const key = keyOf(options, 'pass one of --user, --openid and --mobile');
  const { findAccount } = await import('../../../platform/accounts/find-account.ts');
  const account = await findAccount(await openAccounts(context, settingsOf(context)), key);
  const { mobiles } = account;
  if (output.json) {
    await output.document({ ...accountObject(account, 'linked'), mobiles });
  } else if (!output.quiet) {
    const history = mobiles.map(({ mobile, since }) => [mobile, since]);
    const tables = [accountTable([account])];
    if (history.length > 0) tables.push(table(['MOBILE', 'SINCE'], history));
    await output.data(tables.join('\n\n'));
  }
}
