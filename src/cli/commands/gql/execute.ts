import { MopError } from '../../../errors.ts';
import { assertValid } from '../../../graphql/document.ts';
import { pagedFields } from '../../../graphql/pages.ts';
import type { Context } from '../../context.ts';
import { configuredEndpoint, withGraphql } from '../../graphql.ts';
import { isAddress, loadSchema } from '../../schema-source.ts';
import { deliver, type Task, wayOf } from './delivery.ts';
import { printTask } from './dry-run.ts';
import { type ReadOperation, readOperation, variablesOf } from './operation.ts';
import type { GqlOptions } from './options.ts';
import { printEach, printResult } from './result.ts';

/** Carries out one operation, as the options say. */
export async function runGql(
  given: string | undefined,
  options: GqlOptions,
  context: Context,
): Promise<void> {
  if (given === undefined) {
    throw new MopError('usage', 'nothing to run', {
      hint: "give a document: mop gql '{ … }', @FILE, or - for stdin; mop gql help explains them",
    });
  }
  const read = await readOperation(given, options.operation, context.io);
  checkOptions(read, options);
  const schema = options.schema === undefined ? undefined : await schemaOf(options, context);
  if (schema) assertValid(read.document, schema, read.name);
  const { json, uploads } = await variablesOf(read, options, context.io, schema);
  await withGraphql(context, options, async (connection) => {
    const { operation, name } = read;
    const task: Task = {
      request: {
        kind: operation.operation,
        query: read.text,
        operationName: operation.name?.value,
        variables: json,
      },
      uploads,
      way: wayOf(operation.operation, options.transport, connection.client.endpoint),
      pagedFields: options.paginate ? pagedFields(read.document, operation) : undefined,
    };
    if (context.globals.dryRun) return printTask(task, connection, options, context);
    const results = deliver(task, connection, options, context);
    if (task.request.kind === 'subscription' || task.pagedFields) {
      return printEach(results, name, options, context);
    }
    for await (const result of results) return printResult(result, name, options, context);
    throw new MopError('api', 'the operation was completed without a result', {
      hint: '--verbose shows the exchange',
    });
  });
}

/** @throws {MopError} `usage` for options that do not go with each other, or with the operation. */
function checkOptions({ operation, document }: ReadOperation, options: GqlOptions): void {
  const { get, paginate, upload, count, refresh, schema, connectionParams, transport } = options;
  const isSubscription = operation.operation === 'subscription';
  const isStream = isSubscription || transport !== undefined;
  const conflicts: readonly (readonly [unknown, what: string])[] = [
    [get && operation.operation === 'mutation', '--get is never for mutations'],
    [get && upload, '--get has no place for a file'],
    [get && transport === 'ws', '--get belongs to HTTP, and not to --transport ws'],
    [paginate && isStream, '--paginate belongs to a query that is no stream'],
    [upload && (paginate || isStream), '--upload belongs to one request over HTTP'],
    [count && !isSubscription, '--count belongs to a subscription'],
    [refresh && schema === undefined, '--refresh belongs to --schema'],
    [
      options.assumeValidSchema && schema === undefined,
      '--assume-valid-schema belongs to --schema',
    ],
    [connectionParams && transport === 'sse', '--connection-params belongs to WebSockets'],
  ];
  const [, what] = conflicts.find(([applies]) => applies) ?? [];
  if (what !== undefined) throw new MopError('usage', what, { hint: 'leave out one of the two' });
  if (paginate) pagedFields(document, operation);
}

async function schemaOf(options: GqlOptions, context: Context) {
  const { schema, header, refresh, endpoint, assumeValidSchema: assumeValid } = options;
  // A credential for the endpoint is no other host's business.
  const isSame =
    schema !== undefined &&
    isAddress(schema) &&
    new URL(schema).host === hostOf(endpoint ?? configuredEndpoint(context));
  const cache = refresh ? 'refresh' : 'use';
  const source = { source: schema, header: isSame ? header : [], cache, assumeValid } as const;
  return (await loadSchema(source, context)).schema;
}

function hostOf(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) ? new URL(address).host : undefined;
}
