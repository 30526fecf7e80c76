import type { CommandDeclaration } from '../../frame/command.ts';
import { collect } from '../../frame/option-values.ts';
import { billsOption, rangeOptions, readingOptions, typeOption } from './bill-options.ts';

export const billSummary: CommandDeclaration = {
  name: 'summary',
  description: 'Count the rows of bills and add up their columns, exactly.',
  declare: (command) => {
    command
      .argument('[bill...]', 'files, - for stdin, or days in the ledger (default yesterday)')
      .optionsGroup('Summary:')
      .option('--by <column>', 'group the rows by the values of this column, repeatable', collect)
      .option(
        '--sum <column>',
        'add up only this column, repeatable (default all columns of amounts)',
        collect,
      )
      .option('--where <column=value>', 'only rows with this value, repeatable', collect)
      .optionsGroup('Input:')
      .addOption(typeOption())
      .addOption(billsOption());
    for (const option of [...rangeOptions(), ...readingOptions('the files')]) {
      command.addOption(option);
    }
  },
  help: {
    notes: `
        Files are CSV, JSON lines or Excel workbooks (.xlsx), plain, gzip or in a
        ZIP archive, of any size. Encoding, separator and header line are detected.
        Amounts may have thousands separators, a currency, a decimal comma or
        parentheses. A column of amounts with another text is not added up: a note
        names the line and the text. Columns of identifiers are added up only with
        --sum. Sums are exact.`,
    examples: [
      'mop bill summary bills/bill_2026-11-19_all.csv',
      'mop bill summary yesterday -o bills/ --by city --sum paid_amount',
      'mop bill summary bills/*.csv --sum paid_amount --sum refund_amount',
      'mop bill summary bills/*.csv --by city --by car_type --where status=PAID',
    ],
    failures: ['config', 'no-bill'],
  },
  load: async () => (await import('./summary.run.ts')).run,
};
