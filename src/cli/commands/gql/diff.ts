import type { CommandDeclaration } from '../../frame/command.ts';
import { collect } from '../../frame/option-values.ts';
import { ASSUME_VALID } from './gql-options.ts';

export const gqlDiff: CommandDeclaration = {
  name: 'diff',
  description: 'Show the breaking changes of a new schema.',
  declare: (command) => {
    command
      .argument('<old-file>', 'the schema before: a file, or the URL of an endpoint')
      .argument('<new-file>', 'the schema after')
      .option('-H, --header <line>', "send the header 'Name: value' to URLs, repeatable", collect)
      .option(...ASSUME_VALID);
  },
  help: {
    notes: `
        A breaking change makes valid documents invalid; the exit code is 14 when there is one. A
        dangerous change may cause errors in clients. Additions are not shown.`,
    examples: [
      'mop gql diff schema.graphql https://api.example/graphql',
      'mop gql diff before.graphql after.graphql --json',
    ],
    failures: ['api', 'network', 'graphql'],
  },
  load: () => import('./diff.run.ts'),
};
