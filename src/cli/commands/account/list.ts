import { type Context, settingsOf } from '../../context/context.ts';
import type { Choose, Command } from '../../frame/command.ts';
import { accountObject, accountTable, openAccounts } from './open-accounts.ts';

export function registerAccountList(parent: Command, choose: Choose): void {
  parent
    .command('list')
    .description('List the links of the profile.')
    .explain({
      examples: ['mop account list', "mop account list --json | jq -r '.[].user'"],
      failures: ['config'],
    })
    .action((_: unknown, command: Command) => choose(command, runAccountList));
}

async function runAccountList(context: Context): Promise<void> {
  const { output } = context;
  const { listAccounts } = await import('../../../platform/accounts/find-account.ts');
  const accounts = await listAccounts(await openAccounts(context, settingsOf(context)));
  if (output.json) {
    await output.document(accounts.map((account) => accountObject(account, 'linked')));
  } else if (accounts.length === 0) {
    output.note('no user is linked yet; mop account link links one');
  } else if (!output.quiet) {
    await output.data(accountTable(accounts));
  }
}
