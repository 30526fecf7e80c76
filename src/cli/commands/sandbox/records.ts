import type { CommandDeclaration } from '../../frame/command.ts';
import { count, wholeNumber } from '../../frame/option-values.ts';
import { typeOption } from '../bill/bill-options.ts';

export const sandboxRecords: CommandDeclaration = {
  name: 'records',
  description: "Print a day's orders as your own system would hold them, for bill compare.",
  declare: (command) => {
    command
      .argument('[date]', 'a day as YYYY-MM-DD, or yesterday (default yesterday)')
      .option(
        '--differences <n>',
        'the number of differences from the bill (default 0)',
        wholeNumber,
      )
      .addOption(typeOption())
      .option('--rows <n>', 'orders in a bill (default 200)', count);
  },
  help: {
    notes: `
        Prints CSV, or an array with --json, the newest order first. Differences
        alternate: another paid_amount, an order that your records lack, an order
        that the bill lacks. Use the --type of the bill and the --rows of the
        sandbox.`,
    examples: [
      'mop sandbox records yesterday --differences 5 > records.csv',
      'mop sandbox records 2026-11-19 --type refund --json',
    ],
    failures: ['config'],
  },
  load: async () => (await import('./records.run.ts')).run,
  misplacedHint: 'leave it out: nothing is served',
};
