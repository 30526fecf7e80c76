import type { CommandDeclaration } from '../../frame/command.ts';
import { collect } from '../../frame/option-values.ts';
import { ASSUME_VALID, addEndpointOptions, SCHEMA_FLAG, SCHEMA_HELP } from './gql-options.ts';

export const gqlValidate: CommandDeclaration = {
  name: 'validate',
  description: 'Check documents against a schema.',
  declare: (command) => {
    command
      .argument('[file...]', 'the documents: files, directories, quoted patterns, or - for stdin')
      .optionsGroup('Schema:')
      .option(SCHEMA_FLAG, `SDL or introspection JSON: ${SCHEMA_HELP}`, collect)
      .option('--refresh', 'fetch the schema again; it is cached for an hour')
      .option(...ASSUME_VALID);
    addEndpointOptions(command);
  },
  help: {
    notes: `
        Without --schema and FILE, the schema and the documents of a .graphqlrc file are used, in the
        current directory or above it; without a schema there, the schema of the endpoint. Fragments
        may be in any of the files. The directives and scalars of Federation and AppSync are known.
        Deprecated fields and values are warnings. Exit code 14: a document is invalid.`,
    examples: [
      "mop gql validate 'queries/**/*.graphql' --schema schema.graphql",
      'mop gql validate queries --schema schema.graphql --schema extensions.graphql',
      'mop gql validate query.graphql --schema https://api.example/graphql --json',
      'mop gql validate query.graphql --env sandbox',
    ],
    failures: ['config', 'api', 'network', 'graphql'],
  },
  load: async () => (await import('./validate.run.ts')).run,
};
