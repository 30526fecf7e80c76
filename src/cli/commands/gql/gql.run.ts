import type { GraphQLSchema } from 'graphql';
import { MopError } from '../../../errors.ts';
import { assertValid } from '../../../graphql/document.ts';
import { onlyResult } from '../../../graphql/incremental.ts';
import { pagedField } from '../../../graphql/pages.ts';
import { RESPONSE_LIMIT } from '../../../graphql/response.ts';
import type { ReadLimit } from '../../../http/response.ts';
import {
  type Endpoint,
  endpointOf,
  type GraphqlConnection,
  withGraphql,
} from '../../clients/open-graphql.ts';
import { allErrorsHint, loadSchema, schemaOriginOf } from '../../clients/schema-source.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import type { Context } from '../../context/context.ts';
import { printDryRun } from '../../context/dry-run.ts';
import type { Call } from '../../frame/command.ts';
import { answerLimit } from '../request-options.ts';
import { deliver, deliverPages, type Task, type TransportKind, transportOf } from './delivery.ts';
import type { GqlOptions } from './gql-options.ts';
import { printPages } from './print-pages.ts';
import { printEach, printParts, printResult } from './print-result.ts';
import { readOperation, type SelectedOperation, variablesOf } from './read-operation.ts';

export async function run({
  args: [given],
  options,
  context,
}: Call<GqlOptions, [string | undefined]>): Promise<void> {
  if (given === undefined) {
    throw new MopError('usage', 'nothing to run', {
      hint: "give a document: mop gql '{ … }', @FILE, or - for stdin; mop gql help explains the language",
    });
  }
  const read = await readOperation(given, options.operation, context.io);
  const { document, operation, name } = read;
  const endpoint = endpointOf(options.endpoint, context);
  const transport = transportOf(operation.operation, options.transport, endpoint);
  checkOptions(read, transport, options);
  const path = options.paginate ? pagedField(document, operation) : undefined;
  const schema = await checkSchema(given, read, options, endpoint, context);
  const { json, uploads } = await variablesOf(read, options, context.io, schema);
  const task: Task = {
    request: {
      kind: operation.operation,
      query: read.text,
      operationName: operation.name?.value,
      variables: json,
    },
    uploads: uploads.length > 0 ? uploads : undefined,
    transport,
    limit: limitOf(options),
  };
  await withGraphql(context, endpoint, options.header, async (connection) => {
    if (context.globals.dryRun) return printTask(task, connection, options, context);
    if (path)
      return printPages(deliverPages(task, path, connection, options), name, options, context);
    const results = deliver(task, connection, options, context);
    const { kind } = task.request;
    if (kind === 'subscription') return printEach(results, name, options, context);
    if (options.stream) return printParts(results, name, options, context, kind);
    return printResult(await onlyResult(results), name, options, context);
  });
}

/**
 * The limit of a response. A page is parsed, which takes up to fifty times its size; the parts of
 * `--stream` are printed one by one.
 */
function limitOf(options: GqlOptions): ReadLimit | undefined {
  if (options.stream && options.maxResponse === undefined) return undefined;
  return answerLimit(options, options.paginate ? RESPONSE_LIMIT : undefined);
}

const ADD_SCHEMA = 'add --schema with a file or URL, or leave out the option';

/** @throws {MopError} `usage` for options that conflict with each other or with the operation. */
function checkOptions(
  { operation: { operation: kind } }: SelectedOperation,
  transport: TransportKind,
  options: GqlOptions,
): void {
  const { get, paginate, upload, count, stream, refresh, schema } = options;
  const { connectionParams: params, maxResponse } = options;
  assertNoConflict([
    [get && kind === 'mutation', '--get cannot send a mutation', 'leave out --get'],
    [get && upload, '--get cannot send a file', 'leave out --get'],
    [
      get && transport === 'ws',
      '--get belongs to HTTP, and this is a WebSocket',
      'leave out --get',
    ],
    [upload && (paginate || transport !== 'http'), '--upload belongs to one request over HTTP'],
    [
      paginate && transport !== 'http',
      '--paginate applies to queries over HTTP',
      'leave out --paginate',
    ],
    [count && kind !== 'subscription', '--count belongs to a subscription', 'leave out --count'],
    [
      stream && kind === 'subscription',
      '--stream belongs to a query or a mutation',
      'leave out --stream',
    ],
    [stream && paginate, '--stream prints the parts of one page, and --paginate asks for several'],
    [stream && options.raw, '--raw prints the data of a whole result, and --stream its parts'],
    [
      params !== undefined && transport !== 'ws',
      '--connection-params belongs to WebSockets',
      'add --transport ws, or leave out --connection-params',
    ],
    [
      maxResponse !== undefined && transport !== 'http',
      '--max-response limits whole responses, and an event stream has events of up to 64 MiB',
      'leave out --max-response',
    ],
    [refresh && schema === undefined, '--refresh belongs to --schema', ADD_SCHEMA],
    [
      options.assumeValidSchema && schema === undefined,
      '--assume-valid-schema belongs to --schema',
      ADD_SCHEMA,
    ],
  ]);
}

/**
 * Checks the document against the schema, if one is given, and returns the schema. With `--dry-run`,
 * a schema is not fetched.
 */
async function checkSchema(
  given: string,
  { document, name }: SelectedOperation,
  { schema: source, ...options }: GqlOptions,
  endpoint: Endpoint,
  context: Context,
): Promise<GraphQLSchema | undefined> {
  if (source === undefined) return undefined;
  const from = schemaOriginOf(source, context);
  if (context.globals.dryRun && !('file' in from)) return undefined;
  // Never send a credential of the endpoint to another host.
  const isSame = 'address' in from && 'address' in endpoint && isSameHost(from, endpoint);
  const header = isSame ? options.header : [];
  const { schema } = await loadSchema({ ...options, from, header, isCached: true }, context);
  assertValid(document, schema, name, allErrorsHint(given, source));
  return schema;
}

function isSameHost(...places: readonly { readonly address: string }[]): boolean {
  return new Set(places.map(({ address }) => new URL(address).host)).size === 1;
}

/**
 * Prints the first request of a task.
 *
 * @throws {MopError} `usage` for a WebSocket, which has no request to show.
 */
async function printTask(
  { request, uploads, transport }: Task,
  { client }: GraphqlConnection,
  { get }: GqlOptions,
  { output }: Context,
): Promise<void> {
  if (transport === 'ws') {
    throw new MopError('usage', '--dry-run shows an HTTP request, and this is a WebSocket', {
      hint: 'try it with --transport sse',
    });
  }
  const shown = uploads
    ? client.formRequest(request, uploads)
    : client.httpRequest(request, { get, isStream: transport === 'sse' });
  await printDryRun([shown], output);
}
