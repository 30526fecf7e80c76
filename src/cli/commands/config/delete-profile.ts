import type { CommandDeclaration } from '../../frame/command.ts';

export const configDeleteProfile: CommandDeclaration = {
  name: 'delete-profile',
  description: 'Delete a profile with its settings. Asks for confirmation on a terminal.',
  declare: (command) => command.argument('<profile>', 'its name'),
  help: {
    examples: ['mop config delete-profile staging', 'mop config delete-profile old'],
    failures: ['config'],
  },
  load: async () => (await import('./delete-profile.run.ts')).run,
};
