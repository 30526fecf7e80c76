import type { CommandDeclaration } from '../../frame/command.ts';
import { billsOption, typesOption } from './bill-options.ts';

export const billStatus: CommandDeclaration = {
  name: 'status',
  description: 'Show which bills of the last three months are stored and verified, as a calendar.',
  declare: (command) => {
    command
      .argument('[dir]', 'directory of the bills (default bill_dir, or .)')
      .addOption(billsOption())
      .optionsGroup('Which bills:')
      .addOption(typesOption())
      .option('--since <date>', 'only the bills of this day and of later days')
      .option('--all-profiles', 'check the folder of each profile')
      .optionsGroup('Output:')
      .option('--check', 'also ask the platform which bills it has; nothing is downloaded')
      .option('--missing', 'print the dates of missing bills, one per line')
      .option('--exit-code', 'exit with 15 when a bill is missing or changed')
      .option('--prometheus <file>', 'also write metrics to this file, for node_exporter');
  },
  help: {
    notes: `
        + verified   the file matches the digest of the platform
        ? unverified the file is unchanged; the platform gave no digest
        ! changed    the file does not match its digest
        X missing    there is no file
        . no-bill    the day had no trades
        ~ not-ready  the bill is not generated yet`,
    examples: [
      'mop bill status',
      'mop bill status bills/ --type paid --type refund --check',
      'mop bill status bills/ --exit-code --quiet',
      'mop bill status bills/ --quiet --prometheus /var/lib/node_exporter/mop.prom',
      'mop bill status bills/ --missing | xargs -r mop bill fetch -o bills/',
    ],
    failures: ['config', 'auth', 'api', 'network', 'differs', 'mixed'],
  },
  load: async () => (await import('./status.run.ts')).run,
};
