import type { CommandDeclaration } from '../../frame/command.ts';

/** For the completion scripts: a shell does not know the date in the platform's time zone. */
export const configDates: CommandDeclaration = {
  name: 'dates',
  description: 'Print the dates for shell completion, in the time zone of the profile.',
  hidden: true,
  help: {
    examples: ['mop config dates', 'mop config dates --json'],
    failures: ['config'],
  },
  load: async () => (await import('./dates.run.ts')).run,
};
