import { Option } from 'commander';
import type { CommandDeclaration } from '../../frame/command.ts';
import { collect, wholeNumber } from '../../frame/option-values.ts';
import { billsOption, rangeOptions, readingOptions, typeOption } from './bill-options.ts';

export const billCompare: CommandDeclaration = {
  name: 'compare',
  description: 'Compare bills with your own records: missing rows and different amounts.',
  declare: (command) => {
    command
      .argument('[bill...]', 'files, - for stdin, or days in the ledger (default yesterday)')
      .optionsGroup('Comparison:')
      .addOption(
        new Option('--with <file...>', 'your own records, or - for stdin').makeOptionMandatory(),
      )
      .option('--key <column[=theirs]>', 'a column that identifies an order, repeatable', collect)
      .option(
        '--amount <column[=theirs]>',
        'a column of amounts that must be equal, repeatable',
        collect,
      )
      .option(
        '--tolerance <amount>',
        'accept amounts that differ by at most this, such as 0.01 or 1%',
      )
      .option('--factor <number>', 'multiply the amounts of your records, such as 0.01 for fen')
      .option('--net', 'add up the rows of a key before comparing, such as payments and refunds')
      .option('--blank <amount>', 'read blank amounts as this, such as 0')
      .option('--ignore-zeros', 'ignore zeros at the beginning of keys')
      .option('--ignore-case', 'ignore the case of keys')
      .option(
        '--ignore-format',
        'ignore the form of dates, a decimal part .0 and full-width characters in keys',
      )
      // Surrounding white space is never part of a value; the option remains for old scripts.
      .addOption(new Option('--trim').hideHelp())
      .optionsGroup('Rows:')
      .option(
        '--where <column=value>',
        'only rows of the bill with this value, repeatable',
        collect,
      )
      .option(
        '--records-where <column=value>',
        'only rows of your records with this value, repeatable',
        collect,
      )
      .optionsGroup('Input:')
      .addOption(typeOption())
      .addOption(billsOption());
    for (const option of [...rangeOptions(), ...readingOptions('your records')]) {
      command.addOption(option);
    }
    command
      .optionsGroup('Output:')
      .option('--limit <count>', 'print at most this many differences (default 20)', wholeNumber)
      .option('--out <path>', 'write all differences to CSV files in a directory, or to FILE.xlsx')
      .option('--bom', 'begin the CSV files with a byte order mark, for Excel');
  },
  help: {
    notes: `
        COLUMN=THEIRS names a column in the bill and in your records; without
        =THEIRS both have the same name. Files are CSV, JSON lines or Excel
        workbooks (.xlsx), plain, gzip or in a ZIP archive, of any size. Encoding,
        separator and header line are detected; notes list skipped lines.
        Amounts are exact decimals: 12.5 equals 12.50. If rows do not match, notes
        say how many would match with another option.

        A profile can store most options:
          mop config set compare_key order_id=id

        --out DIR writes
          only-in-bill.csv     rows whose key is not in your records
          only-in-records.csv  rows whose key is not in the bill
          different.csv        pairs of rows with different amounts, and surplus
                               rows of a key that occurs more often on one side

        Exit code 15 reports differences. To practise:
          mop sandbox records yesterday --differences 5 > orders.csv`,
    examples: [
      'mop bill compare yesterday -o bills/ --with orders.csv --key order_id --amount paid_amount',
      'mop bill compare yesterday -o bills/ --with orders.xlsx --key order_id=id --records-where status=PAID',
      'mop bill compare bills/bill_2026-11-19_all.csv --with orders.jsonl.gz --key order_id=id --out differences/',
      'mop bill fetch -o - | mop bill compare - --with orders.csv --key order_id --amount paid_amount --net',
    ],
    failures: ['config', 'no-bill', 'differs'],
  },
  load: async () => (await import('./compare.run.ts')).run,
};
