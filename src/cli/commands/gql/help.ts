import { Argument } from 'commander';
import type { CommandDeclaration } from '../../frame/command.ts';
import { TOPIC_NAMES } from './language-topic-names.ts';

export const gqlHelp: CommandDeclaration = {
  name: 'help',
  description: 'Explain the query language, with examples that run.',
  declare: (command) => {
    command.addArgument(
      new Argument('[topic]', 'what to explain; without one, the list').choices(TOPIC_NAMES),
    );
  },
  help: { examples: ['mop gql help', 'mop gql help variables'] },
  load: () => import('./help.run.ts'),
};
