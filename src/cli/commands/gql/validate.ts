import type { CommandDeclaration } from '../../frame/command.ts';
import { ASSUME_VALID, addEndpointOptions } from './gql-options.ts';

export const gqlValidate: CommandDeclaration = {
  name: 'validate',
  description: 'Check documents against a schema.',
  declare: (command) => {
    command
      .argument('<file...>', 'the documents; - for stdin')
      .optionsGroup('Schema:')
      .option(
        '--schema <file-or-url>',
        'SDL or introspection JSON in a file, or the URL of an endpoint',
      )
      .option('--refresh', 'fetch the schema again; it is cached for an hour')
      .option(...ASSUME_VALID);
    addEndpointOptions(command);
  },
  help: {
    notes: `
        Without --schema, the schema of the endpoint is used. Fragments may be in any of the files.
        Deprecated fields and values are warnings. Exit code 14: a document is invalid.`,
    examples: [
      'mop gql validate queries/*.graphql --schema schema.graphql',
      'mop gql validate query.graphql --schema https://api.example/graphql --json',
      'mop gql validate query.graphql --env sandbox',
    ],
    failures: ['config', 'api', 'network', 'graphql'],
  },
  load: () => import('./validate.run.ts'),
};
