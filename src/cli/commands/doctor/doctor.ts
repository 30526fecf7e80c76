import type { CommandDeclaration } from '../../frame/command.ts';
import { modeOption } from '../request-options.ts';

export const doctor: CommandDeclaration = {
  name: 'doctor',
  description: 'Check configuration, network, clock and credentials, a line each.',
  declare: (command) => {
    command
      .option('--all-profiles', 'check every profile')
      .addOption(modeOption('make the signed call in the body or in headers'));
  },
  help: {
    notes: `
        Each check is ok, warning, failed or skipped; a fix: line contains the next step. The last
        check sends one signed call that changes nothing. Exit code 0 unless a check failed.`,
    examples: [
      'mop doctor',
      'mop doctor -p staging --timeout 5',
      'mop doctor --all-profiles',
      'mop doctor --env sandbox --json',
    ],
    failures: ['config', 'auth', 'api', 'network', 'mixed'],
  },
  load: () => import('./doctor.run.ts'),
};
