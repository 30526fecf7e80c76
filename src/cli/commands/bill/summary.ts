import type { CommandDeclaration } from '../../frame/command.ts';
import { collect } from '../../frame/option-values.ts';
import { billsOption, encodingOption, NO_HEADER, typeOption } from './bill-options.ts';

export const billSummary: CommandDeclaration = {
  name: 'summary',
  description: 'Count the rows of bills and add up their columns, exactly.',
  declare: (command) => {
    command
      .argument('[bill...]', 'files, - for stdin, or days in the ledger (default yesterday)')
      .option('--by <column>', 'group the rows by the values of this column')
      .option(
        '--sum <column>',
        'add up only this column, repeatable (default all numeric columns)',
        collect,
      )
      .addOption(typeOption())
      .addOption(billsOption())
      .addOption(encodingOption('the encoding of the files (default utf-8)'))
      .option(...NO_HEADER);
  },
  help: {
    notes: `
        Files are CSV or JSON lines, plain or gzip, of any size. A column is
        numeric when it contains only decimal numbers and empty fields. Sums are
        exact.`,
    examples: [
      'mop bill summary bills/bill_2026-11-19_all.csv',
      'mop bill summary yesterday -o bills/ --by city --sum paid_amount',
      'mop bill summary bills/*.csv --sum paid_amount --sum refund_amount',
    ],
    failures: ['config', 'no-bill'],
  },
  load: () => import('./summary.run.ts'),
};
