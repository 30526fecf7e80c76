import { mergedResults, partsOfOne } from '../../../graphql/incremental.ts';
import { type Page, pages, type ResultPath } from '../../../graphql/pages.ts';
import type { GraphqlRequest, OperationKind } from '../../../graphql/request.ts';
import type { GraphqlResponse } from '../../../graphql/response.ts';
import type { Upload } from '../../../graphql/upload.ts';
import type { ReadLimit } from '../../../http/response.ts';
import { withUncertainOutcome } from '../../../http/retry.ts';
import { credentialsIn } from '../../../redaction/credentials.ts';
import type { Endpoint, GraphqlConnection } from '../../clients/open-graphql.ts';
import type { Context } from '../../context/context.ts';
import type { GqlOptions } from './gql-options.ts';
import { readObject } from './read-operation.ts';

/** The delivery of results: one response, a stream of events, or messages of a WebSocket. */
export type TransportKind = 'http' | 'sse' | 'ws';

export interface Task {
  readonly request: GraphqlRequest;
  /** Undefined without files. */
  readonly uploads: readonly Upload[] | undefined;
  readonly transport: TransportKind;
  /** The maximum size of a response over HTTP. Default 64 MiB. */
  readonly limit: ReadLimit | undefined;
}

export function transportOf(
  kind: OperationKind,
  transport: 'sse' | 'ws' | undefined,
  endpoint: Endpoint,
): TransportKind {
  if (transport !== undefined) return transport;
  if ('address' in endpoint && /^wss?:/i.test(endpoint.address)) return 'ws';
  return kind === 'subscription' ? 'sse' : 'http';
}

/**
 * The responses of a query page by page.
 *
 * @param path The field of the result that is paged through.
 */
export function deliverPages(
  { request, limit }: Task,
  path: ResultPath,
  { client }: GraphqlConnection,
  { get }: GqlOptions,
): AsyncGenerator<Page> {
  return pages(request, path, (page) => client.send(page, { get, limit }));
}

/** The results of a task, each merged from its parts; with `--stream` the parts of its one result. */
export async function* deliver(
  task: Task,
  connection: GraphqlConnection,
  options: GqlOptions,
  context: Context,
): AsyncGenerator<GraphqlResponse> {
  const { request, uploads, transport, limit } = task;
  if (transport === 'http' && !options.stream) {
    yield await connection.client.send(request, { get: options.get, uploads, limit });
    return;
  }
  try {
    yield* deliverStream(task, connection, options, context);
  } catch (error) {
    const isMutation = request.kind === 'mutation';
    throw isMutation ? withUncertainOutcome(error, { canRetry: false }) : error;
  }
}

async function* deliverStream(
  { request, uploads, transport, limit }: Task,
  { client, headers, options }: GraphqlConnection,
  { get, stream, connectionParams }: GqlOptions,
  context: Context,
): AsyncGenerator<GraphqlResponse> {
  if (stream && transport !== 'ws') {
    yield* client.parts(request, { get, uploads, limit, isStream: transport === 'sse' });
    return;
  }
  if (transport === 'sse') {
    yield* client.events(request, { get });
    return;
  }
  const { textsIn, webSocketResponses } = await import('../../../graphql/socket-subscription.ts');
  const params = connectionParams && (await readObject(connectionParams, 'parameters', context.io));
  const secrets = credentialsIn([...headers, ...(params ? textsIn(params) : [])]);
  for (const secret of secrets) context.output.conceal(secret);
  const endpoint = client.endpoint;
  const received = webSocketResponses(request, {
    endpoint,
    headers,
    transport: options,
    now: context.io.now,
    ...(params && { connectionParams: params }),
  });
  yield* (stream ? partsOfOne : mergedResults)(received, { url: endpoint, secrets });
}
