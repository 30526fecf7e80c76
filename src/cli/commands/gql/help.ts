import { Argument } from 'commander';
import type { CommandDeclaration } from '../../frame/command.ts';
import { TOPIC_NAMES, topicOf } from './language-topic-names.ts';

export const gqlHelp: CommandDeclaration = {
  name: 'help',
  description: 'Explain the query language, with examples that run.',
  declare: (command) => {
    command.addArgument(
      new Argument('[topic]', 'the topic to explain; without one, the list')
        .choices(TOPIC_NAMES)
        .argParser(topicOf),
    );
  },
  help: { examples: ['mop gql help', 'mop gql help variables', 'mop gql help union'] },
  load: () => import('./help.run.ts'),
};
