import type { CommandDeclaration } from '../../frame/command.ts';

export const configRenameProfile: CommandDeclaration = {
  name: 'rename-profile',
  description: 'Rename a profile. The current profile stays the current one.',
  declare: (command) => {
    command.argument('<profile>', 'the profile to rename').argument('<name>', 'its new name');
  },
  help: {
    notes: `
        Bills and account links stay recorded under the old name of the profile. The next
        mop bill fetch --missing records the existing bills under the new name without a download.
        It downloads a bill again if the folder or the file name contains the profile. Link the
        accounts again, or rename the profile back.`,
    examples: [
      'mop config rename-profile staging shop',
      'mop config rename-profile default merchant-a',
    ],
    failures: ['config'],
  },
  load: async () => (await import('./rename-profile.run.ts')).run,
};
