import type { CommandDeclaration } from '../../frame/command.ts';

export const billCompact: CommandDeclaration = {
  name: 'compact',
  description: 'Rewrite the ledger with only the newest line of each bill.',
  declare: (command) => {
    command.argument('[dir]', 'where the bills are (bill_dir, or .)');
  },
  help: {
    notes: `
        Keeps the newest line about each bill in each of its files, the newest
        line about each day without trades, and every line of another kind. The
        other commands find the same in the ledger. Fetches may run meanwhile.
        --dry-run counts the lines and changes nothing.`,
    examples: ['mop bill compact bills/', 'mop bill compact bills/ --dry-run'],
    failures: ['config'],
  },
  load: () => import('./compact.run.ts'),
};
