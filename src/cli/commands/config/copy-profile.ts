import type { CommandDeclaration } from '../../frame/command.ts';

export const configCopyProfile: CommandDeclaration = {
  name: 'copy-profile',
  description: 'Make a new profile with the settings of another, its secret included.',
  declare: (command) => {
    command
      .argument('<profile>', 'the profile to copy')
      .argument('<new-name>', 'the name of the copy');
  },
  help: {
    examples: [
      'mop config copy-profile default staging',
      'mop config copy-profile merchant-a merchant-b',
    ],
    failures: ['config'],
  },
  load: () => import('./copy-profile.run.ts'),
};
