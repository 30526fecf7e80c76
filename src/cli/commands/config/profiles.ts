import type { CommandDeclaration } from '../../frame/command.ts';

export const configProfiles: CommandDeclaration = {
  name: 'profiles',
  description: 'List the profiles; with --quiet, only their names.',
  help: {
    examples: ['mop config profiles', 'mop config profiles --json'],
    failures: ['config'],
  },
  load: async () => (await import('./profiles.run.ts')).run,
};
