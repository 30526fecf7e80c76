import type { CommandDeclaration } from '../../frame/command.ts';
import { addFieldOptions } from '../request-options.ts';
import { ASSUME_VALID, addOperationOptions, addResultOptions } from './gql-options.ts';

export const gqlRun: CommandDeclaration = {
  name: 'run',
  description: 'Execute an operation on this machine, against JSON data.',
  declare: (command) => {
    command
      .argument('<document>', 'the operations: the text, @FILE, or - for stdin')
      .option('--schema <file>', 'the schema: SDL or introspection JSON, a file or a URL')
      .option('--data <file>', 'the data: an object with the fields of the root types')
      .option('--refresh', 'ask the URL of --schema again; it is asked once an hour')
      .option(...ASSUME_VALID);
    addOperationOptions(addFieldOptions(command).optionsGroup('Operation:'));
    addResultOptions(command);
  },
  help: {
    notes: `
        An argument selects what has a field of its name with its value; others do nothing. Where an
        interface or a union is due, "__typename" in the data says the type. A mutation answers what
        it was given, on top of what the data has under its name; the file stays as it is.`,
    examples: [
      `mop gql run '{ bill(date: "2026-11-19") { total } }' --schema schema.graphql --data data.json`,
      'mop gql run @query.graphql --schema schema.graphql --data data.json -F date=2026-11-19 --raw',
    ],
    failures: ['api', 'network', 'graphql'],
  },
  load: () => import('./run.run.ts'),
};
