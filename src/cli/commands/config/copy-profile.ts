import type { CommandDeclaration } from '../../frame/command.ts';

export const configCopyProfile: CommandDeclaration = {
  name: 'copy-profile',
  description: 'Copy a profile with all its settings, including the secret.',
  declare: (command) => {
    command.argument('<profile>', 'the profile to copy').argument('<name>', 'the name of the copy');
  },
  help: {
    examples: ['mop config copy-profile default shop', 'mop config copy-profile staging staging-b'],
    failures: ['config'],
  },
  load: async () => (await import('./copy-profile.run.ts')).run,
};
