import { MopError } from '../../../errors.ts';
import { executeLocally } from '../../../graphql/local-execution.ts';
import { assertValid } from '../../../graphql/rules.ts';
import { graphqlProject } from '../../clients/graphql-config.ts';
import {
  DOCUMENT_HINT,
  loadSchema,
  printSchemaRequests,
  projectOrigins,
  schemaOriginsOf,
} from '../../clients/schema-source.ts';
import type { Call } from '../../frame/command.ts';
import type { ResultOptions, SchemaOptions, VariableOptions } from './gql-options.ts';
import { printResult } from './print-result.ts';
import { readObject, readOperation, variablesOf } from './read-operation.ts';

interface RunOptions extends VariableOptions, ResultOptions, SchemaOptions {
  readonly operation?: string;
  readonly data?: string;
}

export async function run({
  args: [given],
  options,
  context,
}: Call<RunOptions, [string]>): Promise<void> {
  const { io } = context;
  const from = options.schema
    ? schemaOriginsOf(options.schema, context)
    : projectOrigins(await graphqlProject(context), context);
  const { data: file } = options;
  if (!from || file === undefined) {
    throw new MopError('usage', `${from ? '--data' : '--schema'} is missing`, {
      hint: 'run: mop gql run DOCUMENT --schema FILE --data FILE',
    });
  }
  const read = await readOperation(given, options.operation, io);
  const { document, operation, name } = read;
  const taken = { ...options, from, isCached: true };
  if (context.globals.dryRun && (await printSchemaRequests([taken], context))) return;
  const { schema } = await loadSchema(taken, context);
  assertValid(document, schema, name, DOCUMENT_HINT);
  const { json: variables } = await variablesOf(read, options, io, schema, false);
  const data = await readObject(`@${file}`, 'data', io);
  const result = await executeLocally({ schema, document, operation, variables, data });
  await printResult(result, name, options, context);
}
