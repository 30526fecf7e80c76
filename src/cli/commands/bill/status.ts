import type { CommandDeclaration } from '../../frame/command.ts';
import { typesOption } from './bill-options.ts';

export const billStatus: CommandDeclaration = {
  name: 'status',
  description: 'Show which bills of the last three months are here and good, as a calendar.',
  declare: (command) => {
    command
      .argument('[dir]', 'where the bills are (bill_dir, or .)')
      .addOption(typesOption())
      .option('--check', 'ask the platform as well; nothing is fetched')
      .option('--missing', 'print the days of missing bills, one a line');
  },
  help: {
    notes: `
        + verified   the file is there and matches its digest
        ! changed    it does not
        X missing    there is no file
        . no-bill    the day had no trades
        ~ not-ready  the bill is not made yet`,
    examples: [
      'mop bill status',
      'mop bill status bills/ --type paid --type refund --check',
      'mop bill status bills/ --missing | xargs -r mop bill fetch -o bills/',
    ],
    failures: ['config', 'auth', 'api', 'network', 'mixed'],
  },
  load: () => import('./status.run.ts'),
};
