import type { CommandDeclaration } from '../../frame/command.ts';

/** Asked by the completion scripts: a shell does not know the day where the platform is. */
export const configDates: CommandDeclaration = {
  name: 'dates',
  description: 'Print the dates that a shell offers, in the time zone of the profile.',
  hidden: true,
  help: {
    examples: ['mop config dates', 'mop config dates --json'],
    failures: ['config'],
  },
  load: () => import('./dates.run.ts'),
};
