import type { CommandDeclaration } from '../../frame/command.ts';
import { collect } from '../../frame/option-values.ts';
import { addFieldOptions } from '../request-options.ts';
import {
  ASSUME_VALID,
  addOperationOptions,
  addResultOptions,
  SCHEMA_FLAG,
  SCHEMA_HELP,
} from './gql-options.ts';

export const gqlRun: CommandDeclaration = {
  name: 'run',
  description: 'Execute an operation on this machine, against JSON data.',
  declare: (command) => {
    command
      .argument('<document>', 'the operations: the text, @FILE, or - for stdin')
      .option(SCHEMA_FLAG, `SDL or introspection JSON: ${SCHEMA_HELP}`, collect)
      .option('--data <file>', 'the data: an object with the fields of the root types')
      .option('--refresh', 'fetch the schema of a URL again; it is cached for an hour')
      .option(...ASSUME_VALID);
    addOperationOptions(addFieldOptions(command, 'variable').optionsGroup('Operation:'));
    addResultOptions(command);
  },
  help: {
    notes: `
        bill(date: "2026-11-19") selects the bills whose field date has this value. An argument
        without a scalar field of its name has no effect. For an interface or a union, "__typename" in the data names the
        type. A mutation returns the data of the same name; its arguments, and the members of an
        input object, replace the fields of the same name and type. The data file is not changed.`,
    examples: [
      `mop gql run '{ bill(date: "2026-11-19") { total } }' --schema schema.graphql --data data.json`,
      'mop gql run @query.graphql --schema schema.graphql --data data.json -F date=2026-11-19 --raw',
    ],
    failures: ['api', 'network', 'graphql'],
  },
  load: async () => (await import('./run.run.ts')).run,
};
