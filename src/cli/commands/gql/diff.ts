import type { CommandDeclaration } from '../../frame/command.ts';
import { collect } from '../../frame/option-values.ts';
import { ASSUME_VALID } from './gql-options.ts';

export const gqlDiff: CommandDeclaration = {
  name: 'diff',
  description: 'Show the breaking changes of a new schema.',
  declare: (command) => {
    command
      .argument('<old>', 'the schema before: a file, directory, pattern, git:REF:PATH or URL')
      .argument('<new>', 'the schema after')
      .option('--allow-deprecated-removal', 'accept the removal of fields that were deprecated')
      .option('-H, --header <line>', "send the header 'Name: value' to URLs, repeatable", collect)
      .option(...ASSUME_VALID);
  },
  help: {
    notes: `
        A breaking change makes valid documents invalid; the exit code is 14 when there is one. The
        removal of something that was deprecated is listed by itself. A dangerous change may cause
        errors in clients. Additions are not shown.

        The directives and scalars of Federation and AppSync are known. An introspection does not
        contain the directives of a schema, so they are compared only between SDL.`,
    examples: [
      'mop gql diff git:main:schema.graphql schema.graphql',
      'mop gql diff schema.graphql https://api.example/graphql',
      'mop gql diff before.graphql after.graphql --json',
    ],
    failures: ['api', 'network', 'graphql'],
  },
  load: async () => (await import('./diff.run.ts')).run,
};
