import type { CommandDeclaration } from '../../frame/command.ts';
import { tarOption, typeOption } from './bill-options.ts';

export const billInfo: CommandDeclaration = {
  name: 'info',
  description: "Show a bill's digest and link, by default of yesterday's; fetch nothing.",
  declare: (command) => {
    command
      .argument('[date]', 'a day as YYYY-MM-DD, or yesterday')
      .addOption(typeOption())
      .addOption(tarOption())
      .option('--force', 'ask the platform even for a date it should not have')
      .option('--reveal', 'print the link and its authorization, which are secrets');
  },
  help: {
    examples: ['mop bill info --env sandbox', 'mop bill info 2026-11-19 --type paid --json'],
    failures: ['config', 'auth', 'api', 'network', 'not-ready', 'no-bill'],
  },
  load: () => import('./info.run.ts'),
};
