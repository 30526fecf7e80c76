import type { CommandDeclaration } from '../../frame/command.ts';

export const configList: CommandDeclaration = {
  name: 'list',
  description: 'Print all settings in force with their sources.',
  help: {
    examples: ['mop config list', 'mop config list -p staging --json'],
    failures: ['config'],
  },
  load: () => import('./list.run.ts'),
};
