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
      .optionsGroup('Comparison:')
      .addOption(
        new Option('--with <file>', 'your own records, or - for stdin').makeOptionMandatory(),
      )
      .option('--key <column[=theirs]>', 'a column that identifies an order, repeatable', collect)
      .option(
        '--amount <column[=theirs]>',
        'a column of amounts that must be equal, repeatable',
        collect,
      )
      .option('--tolerance <amount>', 'accept amounts that differ by at most this (default 0)')
      .option('--ignore-case', 'ignore the case of keys')
      .option('--trim', 'ignore white space around keys')
      .optionsGroup('Input:')
      .addOption(typeOption())
      .addOption(billsOption())
      .addOption(encodingOption('the encoding of your records (default utf-8)'))
      .option(...NO_HEADER)
      .optionsGroup('Output:')
      .option('--out <dir>', 'write all differences to files in this directory');
  },
  help: {
    notes: `
        COLUMN=THEIRS names a column in the bill and in your records; without
        =THEIRS both have the same name. Files are CSV or JSON lines, plain or
        gzip, of any size. Amounts are exact decimals: 12.5 equals 12.50. A profile
        can store the key, the amounts and the encoding:
          mop config set compare_key order_id=id

        --out DIR writes
          only-in-bill.csv     rows whose key is not in your records
          only-in-records.csv  rows whose key is not in the bill
          different.csv        pairs of rows with different amounts, and surplus
                               rows of a key that occurs more often on one side

        Exit code 15 reports differences. To practise:
          mop sandbox records yesterday --differences 5 > records.csv`,
    examples: [
      'mop bill compare yesterday -o bills/ --with orders.csv --key order_id=id --amount paid_amount=paid',
      'mop bill compare bills/bill_2026-11-19_all.csv --with orders.jsonl.gz --key order_id=id --out differences/',
      'mop bill fetch -o - | mop bill compare - --with orders.csv --key order_id=id',
    ],
    failures: ['config', 'no-bill', 'differs'],
  },
  load: () => import('./compare.run.ts'),
};
