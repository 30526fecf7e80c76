import { Argument } from 'commander';
import type { CommandDeclaration } from '../../frame/command.ts';

/** The names of the topics in `language.md`, for help and completions, which do not load the texts. */
const TOPICS = [
  ...['kinds', 'scalars', 'types', 'modifiers', 'definitions', 'fields', 'comments', 'arguments'],
  ...['aliases', 'fragments', 'inline-fragments', 'operation-names', 'variables'],
  ...['default-variables', 'directives', 'include', 'skip', 'mutations', 'subscriptions'],
  ...['typename', 'results'],
];

export const gqlHelp: CommandDeclaration = {
  name: 'help',
  description: 'Explain the query language, with examples that run.',
  declare: (command) => {
    command.addArgument(
      new Argument('[topic]', 'the topic to explain; without one, the list')
        .choices(TOPICS)
        // Other words, such as union, name a topic too.
        .argParser((given: string) => given),
    );
  },
  help: { examples: ['mop gql help', 'mop gql help variables', 'mop gql help union'] },
  load: async () => (await import('./help.run.ts')).run,
};
