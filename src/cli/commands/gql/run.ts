import { MopError } from '../../../errors.ts';
import type { Context } from '../../context/context.ts';
import { addFieldOptions } from '../../context/request-input.ts';
import { type Choose, type Command, optionsOf } from '../../frame/command.ts';
import {
  ASSUME_VALID,
  addOperationOptions,
  addResultOptions,
  type ResultOptions,
  type VariableOptions,
} from './options.ts';

interface RunOptions extends VariableOptions, ResultOptions {
  readonly operation?: string;
  readonly schema?: string;
  readonly data?: string;
  readonly refresh?: boolean;
  readonly assumeValidSchema?: boolean;
}

export function registerRun(parent: Command, choose: Choose): void {
  const run = parent
    .command('run')
    .description('Execute an operation on this machine, against JSON data.')
    .argument('<document>', 'the operations: the text, @FILE, or - for stdin')
    .option('--schema <file>', 'the schema: SDL or introspection JSON, a file or a URL')
    .option('--data <file>', 'the data: an object with the fields of the root types')
    .option('--refresh', 'ask the URL of --schema again; it is asked once an hour')
    .option(...ASSUME_VALID);
  addOperationOptions(addFieldOptions(run).optionsGroup('Operation:'));
  addResultOptions(run)
    .explain({
      notes: `
        An argument selects what has a field of its name with its value; others do nothing. Where an
        interface or a union is due, "__typename" in the data says the type. A mutation answers what
        it was given, on top of what the data has under its name; the file stays as it is.`,
      examples: [
        `mop gql run '{ bill(date: "2026-11-19") { total } }' --schema schema.graphql --data data.json`,
        'mop gql run @query.graphql --schema schema.graphql --data data.json -F date=2026-11-19 --raw',
      ],
      failures: ['api', 'network', 'graphql'],
    })
    .action((document: string, _: unknown, command: Command) =>
      choose(command, (context) => runRun(document, optionsOf<RunOptions>(command), context)),
    );
}

async function runRun(given: string, options: RunOptions, context: Context): Promise<void> {
  const { io } = context;
  const { schema: source, data: file, assumeValidSchema: assumeValid } = options;
  if (source === undefined || file === undefined) {
    throw new MopError('usage', `${source === undefined ? '--schema' : '--data'} is missing`, {
      hint: 'mop gql run executes a document by a --schema FILE, against a --data FILE',
    });
  }
  const { assertValid } = await import('../../../graphql/document.ts');
  const { executeLocally } = await import('../../../graphql/local-execution.ts');
  const { readObject, readOperation, variablesOf } = await import('./operation.ts');
  const { printResult } = await import('./result.ts');
  const read = await readOperation(given, options.operation, io);
  const { document, operation, name } = read;
  const { loadSchema, originOf, printSchemaRequests } = await import(
    '../../clients/schema-source.ts'
  );
  const taken = {
    from: originOf(source, context),
    cache: options.refresh ? 'refresh' : 'use',
    assumeValid,
  } as const;
  if (context.globals.dryRun && (await printSchemaRequests([taken], context))) return;
  const { schema } = await loadSchema(taken, context);
  assertValid(document, schema, name);
  const { json: variables } = await variablesOf(read, options, io, schema);
  const data = await readObject(`@${file}`, 'data', io);
  const result = await executeLocally({ schema, document, operation, variables, data });
  await printResult(result, name, options, context);
}
