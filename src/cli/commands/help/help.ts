import type { CommandDeclaration } from '../../frame/command.ts';

/** The topics of `topics.md` (contract section 8), for the help, which does not load the texts. */
export const TOPIC_NAMES = [
  'exit-codes',
  'environment',
  'signing',
  'scheduling',
  'settings',
  'readings',
];

export const help: CommandDeclaration = {
  name: 'help',
  description: 'Explain a command or a topic.',
  declare: (command) => {
    command
      .argument('[topic-or-command]', 'a topic, or the name of a command')
      .argument('[subcommand...]', 'the rest of its name');
  },
  help: {
    notes: `
        Topics: ${TOPIC_NAMES.join(', ')}. For the topics of the query language, run: mop gql help`,
    examples: ['mop help exit-codes', 'mop help scheduling', 'mop help bill fetch'],
  },
  load: async () => (await import('./help.run.ts')).run,
};
