import type { CommandDeclaration } from '../../frame/command.ts';

export const configDeleteProfile: CommandDeclaration = {
  name: 'delete-profile',
  description: 'Remove a profile with its settings. On a terminal, asks first.',
  declare: (command) => command.argument('<profile>', 'its name'),
  help: {
    examples: ['mop config delete-profile staging', 'mop config delete-profile old'],
    failures: ['config'],
  },
  load: () => import('./delete-profile.run.ts'),
};
