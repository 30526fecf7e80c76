import { Option } from 'commander';
import type { CommandDeclaration } from '../../frame/command.ts';
import { collect } from '../../frame/option-values.ts';
import { billsOption, encodingOption, NO_HEADER, typeOption } from './bill-options.ts';

export const billCompare: CommandDeclaration = {
  name: 'compare',
  description: 'Compare a bill with your own records: missing rows and different amounts.',
  declare: (command) => {
    command
      .argument('<bill>', 'a file, - for stdin, or a day in the ledger, such as yesterday')
      .addOption(new Option('--with <file>', 'your records, or - for stdin').makeOptionMandatory())
      .option(
        '--key <column[=theirs]>',
        'the column that identifies an order, in the bill and in your records; repeatable',
        collect,
      )
      .option('--amount <column[=theirs]>', 'a column that must be equal, repeatable', collect)
      .option('--tolerance <amount>', 'amounts may differ by this, such as 0.01 (0)')
      .option('--ignore-case', 'ignore the case of keys')
      .option('--trim', 'ignore white space around keys')
      .option('--out <dir>', 'write every difference to files in this directory')
      .addOption(typeOption())
      .addOption(billsOption())
      .addOption(encodingOption('the encoding of your records (utf-8)'))
      .option(...NO_HEADER);
  },
  help: {
    notes: `
        Files are CSV or JSON lines, plain or gzip, of any size. Amounts are
        exact decimals: 12.5 equals 12.50. --key, --amount and --encoding are
        stored with: mop config set compare_key order_id=id

        --out DIR writes
          only-in-bill.csv      rows of the bill whose key is not in your records
          only-in-records.csv   rows of your records whose key is not in the bill
          different.csv         rows with other amounts, and surplus rows of a key
                                that one side has more often than the other`,
    examples: [
      'mop bill compare yesterday --with orders.csv --key order_id=id --amount paid_amount=paid',
      'mop bill compare bill.csv --with orders.jsonl.gz --key order_id --out differences/',
      'mop sandbox records yesterday --differences 5 > records.csv',
    ],
    failures: ['config', 'no-bill', 'differs'],
  },
  load: () => import('./compare.run.ts'),
};
