import type { CommandDeclaration } from '../../frame/command.ts';

export const billVerify: CommandDeclaration = {
  name: 'verify',
  description: 'Hash stored bills again and compare them with the digests of the platform.',
  declare: (command) => {
    command
      .argument('[path...]', 'directories with a ledger, or files (bill_dir, or .)')
      .option('--hash-type <digest-name>', 'digest of the one file, such as MD5')
      .option('--hash-value <digest>', 'expected digest, as hex or base64')
      .option('--all-profiles', 'cover the folder of each profile');
  },
  help: {
    examples: [
      'mop bill verify bills/',
      'mop bill verify bill.csv --hash-type MD5 --hash-value 9e107d9d372bb6826bd81d3542a419d6',
    ],
    failures: ['config', 'integrity', 'mixed'],
  },
  load: () => import('./verify.run.ts'),
};
