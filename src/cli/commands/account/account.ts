import type { Choose, Command } from '../../frame/command.ts';
import { registerAccountFind } from './find.ts';
import { registerAccountLink } from './link.ts';
import { registerAccountList } from './list.ts';
import { registerAccountUnlink } from './unlink.ts';

export function register(account: Command, choose: Choose): void {
  account.explain({
    examples: [
      'mop account link --user 17 --openid o-1 --mobile 13800000000',
      'mop account find --mobile 13800000000',
      'mop account list --json',
      'mop account unlink --user 17',
    ],
  });
  registerAccountLink(account, choose);
  registerAccountFind(account, choose);
  registerAccountList(account, choose);
  registerAccountUnlink(account, choose);
}
