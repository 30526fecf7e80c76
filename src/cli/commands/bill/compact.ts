import type { CommandDeclaration } from '../../frame/command.ts';
import { billsOption } from './bill-options.ts';

export const billCompact: CommandDeclaration = {
  name: 'compact',
  description: 'Remove superseded lines from the ledger (bills.jsonl).',
  declare: (command) => {
    command
      .argument('[dir]', 'directory of the bills (default bill_dir, or .)')
      .addOption(billsOption());
  },
  help: {
    notes: `
        Keeps the newest line of each file of a bill, the newest line of each
        day without trades, and all lines of other programs. Removes an
        incomplete last line, which a killed run leaves. Other commands give
        the same results as before. Fetches may run at the same time. --dry-run
        counts the lines and changes nothing.`,
    examples: ['mop bill compact bills/', 'mop bill compact bills/ --dry-run'],
    failures: ['config'],
  },
  load: async () => (await import('./compact.run.ts')).run,
};
