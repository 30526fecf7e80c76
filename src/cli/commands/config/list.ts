import type { CommandDeclaration } from '../../frame/command.ts';

export const configList: CommandDeclaration = {
  name: 'list',
  description: 'Print all settings with their values and sources.',
  help: {
    examples: ['mop config list', 'mop config list -p staging --json'],
    failures: ['config'],
  },
  load: async () => (await import('./list.run.ts')).run,
};
