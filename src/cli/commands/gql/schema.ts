import { Option } from 'commander';
import type { CommandDeclaration } from '../../frame/command.ts';
import { ASSUME_VALID, addEndpointOptions } from './gql-options.ts';

export const gqlSchema: CommandDeclaration = {
  name: 'schema',
  description: 'Print the schema of an endpoint or a file.',
  declare: (command) => {
    command
      .argument(
        '[file-or-url]',
        'the URL of an endpoint, or a file with a schema; gql_url by default',
      )
      .addOption(
        new Option(
          '--as <form>',
          'SDL, the schema language (default), or introspection JSON',
        ).choices(['sdl', 'json']),
      )
      .option(...ASSUME_VALID);
    addEndpointOptions(command);
  },
  help: {
    examples: [
      'mop gql schema --env sandbox',
      "mop gql schema https://api.example/graphql -H 'Authorization: Bearer TOKEN' > schema.graphql",
      'mop gql schema schema.graphql --as json',
    ],
    failures: ['config', 'api', 'network', 'graphql'],
  },
  load: async () => (await import('./schema.run.ts')).run,
};
