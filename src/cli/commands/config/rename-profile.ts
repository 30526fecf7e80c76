import type { CommandDeclaration } from '../../frame/command.ts';

export const configRenameProfile: CommandDeclaration = {
  name: 'rename-profile',
  description: 'Give a profile another name. A profile in force stays in force.',
  declare: (command) => {
    command.argument('<profile>', 'the profile to rename').argument('<name>', 'its new name');
  },
  help: {
    notes: `
        Bills and account links are recorded under the name of their profile, and stay recorded
        under the old one. The next mop bill fetch --missing records the bills that are there under
        the new name without a download. A bill whose folder or file name contains the profile is
        downloaded again. Link the accounts again, or rename the profile back.`,
    examples: [
      'mop config rename-profile staging shop',
      'mop config rename-profile default merchant-a',
    ],
    failures: ['config'],
  },
  load: () => import('./rename-profile.run.ts'),
};
