import { MopError } from '../../../errors.ts';
import { onlyResult } from '../../../graphql/incremental.ts';
import { pagedField } from '../../../graphql/paged-field.ts';
import type { OperationKind } from '../../../graphql/request.ts';
import { RESPONSE_LIMIT } from '../../../graphql/response.ts';
import type { ReadLimit } from '../../../http/response.ts';
import {
  type Endpoint,
  endpointOf,
  type GraphqlConnection,
  withGraphql,
} from '../../clients/open-graphql.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import type { Context } from '../../context/context.ts';
import { printDryRun } from '../../context/dry-run.ts';
import type { Call } from '../../frame/command.ts';
import { answerLimit } from '../request-options.ts';
import { deliver, type Task, type TransportKind, transportOf } from './delivery.ts';
import type { GqlOptions } from './gql-options.ts';
import { printLines } from './print-lines.ts';
import { printResult } from './print-result.ts';
import { readOperation, type SelectedOperation, variablesOf } from './read-operation.ts';

export async function query({
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
  const endpoint = endpointOf(options.endpoint, context);
  const task = await taskOf(read, endpoint, options, context);
  await withGraphql(context, endpoint, options.header, async (connection) => {
    if (context.globals.dryRun) return printTask(task, connection, options, context);
    const results = deliver(task, connection, options, context);
    return task.unit === 'whole'
      ? printResult(await onlyResult(results), read.name, options, context)
      : printLines(results, task, read.name, options, context);
  });
}

/** Everything that a run needs, checked before the first request. */
async function taskOf(
  read: SelectedOperation,
  endpoint: Endpoint,
  options: GqlOptions,
  context: Context,
): Promise<Task> {
  const { document, operation, text } = read;
  const { operation: kind } = operation;
  const transport = transportOf(kind, options.transport, endpoint);
  checkOptions({ ...options, kind, transport });
  const paged = options.paginate ? pagedField(document, operation) : undefined;
  // The code for schemas would take half of the start of a query.
  const given = options.schema && (await import('./schemas.run.ts'));
  const schema = await given?.checkedSchema(read, endpoint, options, context);
  const { json, uploads } = await variablesOf(read, options, context.io, schema, true);
  const lines = kind === 'subscription' ? 'result' : options.stream && 'part';
  return {
    request: { kind, query: text, operationName: operation.name?.value, variables: json },
    uploads: uploads.length > 0 ? uploads : undefined,
    transport,
    limit: limitOf(options),
    unit: paged ? 'page' : lines || 'whole',
    paged,
  };
}

/**
 * The limit of a response. A page is parsed, which takes up to fifty times its size; the parts of
 * `--stream` are printed one by one.
 */
function limitOf(options: GqlOptions): ReadLimit | undefined {
  if (options.stream && options.maxResponse === undefined) return undefined;
  return answerLimit(options, options.paginate ? RESPONSE_LIMIT : undefined);
}

/** Prints the first request of a task. */
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
    ? await client.formRequest(request, uploads)
    : client.httpRequest(request, { get, isStream: transport === 'sse' });
  await printDryRun([shown], output);
}

/** The options of a call, with the kind of its operation and its transport. */
interface Facts extends Omit<GqlOptions, 'transport'> {
  readonly kind: OperationKind;
  readonly transport: TransportKind;
}

const ADD_SCHEMA = 'add --schema with a file or URL, or leave out the option';

/** @throws {MopError} `usage` for options that conflict with each other or with the operation. */
function checkOptions({ get, upload, paginate, stream, kind, transport, ...is }: Facts): void {
  const isHttp = transport === 'http';
  assertNoConflict([
    [get && kind === 'mutation', '--get cannot send a mutation', 'leave out --get'],
    [get && upload, '--get cannot send a file', 'leave out --get'],
    [
      get && transport === 'ws',
      '--get belongs to HTTP, and this is a WebSocket',
      'leave out --get',
    ],
    [
      upload && (paginate || !isHttp),
      '--upload belongs to one request over HTTP',
      'leave out --upload',
    ],
    [paginate && !isHttp, '--paginate applies to queries over HTTP', 'leave out --paginate'],
    [is.count && kind !== 'subscription', '--count belongs to a subscription', 'leave out --count'],
    [
      stream && kind === 'subscription',
      '--stream belongs to a query or a mutation',
      'leave out --stream',
    ],
    [stream && paginate, '--stream prints parts, and --paginate whole pages'],
    [stream && is.raw, '--raw prints the data of a whole result, and --stream its parts'],
    [
      is.connectionParams !== undefined && transport !== 'ws',
      '--connection-params belongs to WebSockets',
      'add --transport ws, or leave out --connection-params',
    ],
    [
      is.maxResponse !== undefined && !isHttp,
      '--max-response limits whole responses, and an event stream has events of up to 64 MiB',
      'leave out --max-response',
    ],
    [is.refresh && !is.schema, '--refresh belongs to --schema', ADD_SCHEMA],
    [is.assumeValidSchema && !is.schema, '--assume-valid-schema belongs to --schema', ADD_SCHEMA],
  ]);
}
