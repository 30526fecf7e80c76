import { type Context, settingsOf } from '../../context/context.ts';
import type { Choose, Command } from '../../frame/command.ts';
import { type KeyOptions, keyOf, openAccounts, printAccount } from './open-accounts.ts';

export function registerAccountUnlink(parent: Command, choose: Choose): void {
  parent
    .command('unlink')
    .description('Remove a link and its history.')
    .option('--user <user>', 'your own name for the user')
    .option('--openid <openid>', 'the openId')
    .explain({
      notes: 'Who is not linked is exit code 1.',
      examples: ['mop account unlink --user 17', 'mop account unlink --openid o-1 --dry-run'],
      failures: ['config'],
    })
    .action((options: Omit<KeyOptions, 'mobile'>, command: Command) =>
      choose(command, (context) => runAccountUnlink(options, context)),
    );
}

async function runAccountUnlink(
  options: Omit<KeyOptions, 'mobile'>,
  context: Context,
): Promise<void> {
  const key = keyOf(options, 'pass --user or --openid');
  const { findAccount, unlinkAccount } = await import('../../../platform/accounts/find-account.ts');
  const accounts = await openAccounts(context, settingsOf(context));
  const apply = context.globals.dryRun ? findAccount : unlinkAccount;
  await printAccount(await apply(accounts, key), 'unlinked', context);
}
