import type { CommandDeclaration } from '../../frame/command.ts';
import { modeOption } from '../request-options.ts';

export const doctor: CommandDeclaration = {
  name: 'doctor',
  description: 'Check configuration, network, clock and credentials.',
  declare: (command) => {
    command
      .option('--all-profiles', 'check every profile')
      .addOption(modeOption('signature mode of the signed call'));
  },
  help: {
    notes: `
        Each check is ok, warning, failed or skipped. A fix: line contains the next step. The last
        check sends one signed call that changes nothing. Exit code 0 unless a check failed.`,
    examples: [
      'mop doctor',
      'mop doctor -p staging --timeout 5',
      'mop doctor --all-profiles',
      'mop doctor --env sandbox --json',
    ],
    failures: ['config', 'auth', 'api', 'network', 'mixed'],
  },
  load: async () => (await import('./doctor.run.ts')).run,
};
