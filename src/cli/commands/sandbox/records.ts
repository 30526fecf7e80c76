import type { CommandDeclaration } from '../../frame/command.ts';
import { count, wholeNumber } from '../../frame/option-values.ts';
import { typeOption } from '../bill/bill-options.ts';

export const sandboxRecords: CommandDeclaration = {
  name: 'records',
  description: "Print a day's orders as your own system would hold them, for bill compare.",
  declare: (command) => {
    command
      .argument('[date]', 'a day as YYYY-MM-DD, or yesterday (yesterday)')
      .option('--differences <n>', 'differences from the bill (0)', wholeNumber)
      .addOption(typeOption())
      .option('--rows <n>', 'orders in a bill (200)', count);
  },
  help: {
    notes: `
        Prints CSV, the newest order first, or with --json an array. Differences
        take turns: another paid_amount, an order that your records lack, an
        order that the bill lacks.`,
    examples: [
      'mop sandbox records yesterday --differences 5 > records.csv',
      'mop sandbox records 2026-11-19 --type refund --json',
    ],
    failures: ['config'],
  },
  load: () => import('./records.run.ts'),
  misplacedHint: 'leave it out: nothing is served',
};
