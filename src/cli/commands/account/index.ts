import type { Command } from 'commander';
import type { Choose } from '../../command.ts';
import { registerAccountFind } from './find.ts';
import { registerAccountLink } from './link.ts';
import { registerAccountList } from './list.ts';
import { registerAccountUnlink } from './unlink.ts';

export function registerAccount(parent: Command, choose: Choose): void {
  const account = parent
    .command('account')
    .description('Keep the link between your users and their openId.')
    .addHelpText(
      'after',
      `
Examples:
  mop account link --user 17 --openid o-1 --mobile 13800000000
  mop account find --mobile 13800000000
  mop account list --json
  mop account unlink --user 17
`,
    );
  registerAccountLink(account, choose);
  registerAccountFind(account, choose);
  registerAccountList(account, choose);
  registerAccountUnlink(account, choose);
}
