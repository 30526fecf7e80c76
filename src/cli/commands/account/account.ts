import type { CommandDeclaration } from '../../frame/command.ts';
import { accountFind } from './find.ts';
import { accountLink } from './link.ts';
import { accountList } from './list.ts';
import { accountUnlink } from './unlink.ts';

export const account: CommandDeclaration = {
  name: 'account',
  description: 'Store the links between your users and their openIds.',
  help: {
    examples: [
      'mop account link --user 17 --openid o-1 --mobile 13800000000',
      'mop account find --mobile 13800000000',
      'mop account list --json',
      'mop account unlink --user 17',
    ],
  },
  commands: [accountLink, accountFind, accountList, accountUnlink],
};
