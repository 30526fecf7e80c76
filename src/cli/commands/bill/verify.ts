import type { CommandDeclaration } from '../../frame/command.ts';
import { billsOption } from './bill-options.ts';

export const billVerify: CommandDeclaration = {
  name: 'verify',
  description: 'Hash stored bills again and compare them with the digests of the platform.',
  declare: (command) => {
    command
      .argument(
        '[path...]',
        'directories with a ledger (bills.jsonl), or files (default bill_dir, or .)',
      )
      .option('--hash-value <digest>', 'the digest of one file, as hex or base64')
      .option(
        '--hash-type <digest-name>',
        'its algorithm, such as MD5 (default: the length of the digest decides)',
      )
      .addOption(billsOption())
      .option('--all-profiles', 'verify the folder of each profile');
  },
  help: {
    examples: [
      'mop bill verify bills/',
      'mop bill verify bill.csv --hash-type MD5 --hash-value 9e107d9d372bb6826bd81d3542a419d6',
    ],
    failures: ['config', 'integrity', 'mixed'],
  },
  load: async () => (await import('./verify.run.ts')).run,
};
