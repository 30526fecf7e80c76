import type { CommandDeclaration } from '../../frame/command.ts';

export const configUse: CommandDeclaration = {
  name: 'use',
  description: 'Select the profile that commands use by default.',
  declare: (command) => command.argument('<profile>', 'its name'),
  help: {
    examples: ['mop config use staging', 'mop config use default'],
    failures: ['config'],
  },
  load: async () => (await import('./use.run.ts')).run,
};
