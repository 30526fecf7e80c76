import { mergedResults, partsOfOne } from '../../../graphql/incremental.ts';
import type { ResultPath } from '../../../graphql/paged-field.ts';
import { type Page, pages } from '../../../graphql/pages.ts';
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
  /** `whole` has one result; the results of the others are printed in lines. */
  readonly unit: 'whole' | 'page' | 'result' | 'part';
  /** The field of the result that is paged through. */
  readonly paged: ResultPath | undefined;
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

/** The results of a task. Each is merged from its parts, except with the unit `part`. */
export async function* deliver(
  task: Task,
  connection: GraphqlConnection,
  options: GqlOptions,
  context: Context,
): AsyncGenerator<GraphqlResponse & Partial<Page>> {
  const { request, uploads, transport, limit, unit, paged } = task;
  const { client } = connection;
  const { get } = options;
  if (paged) {
    yield* pages(request, paged, (page) => client.send(page, { get, limit }));
    return;
  }
  if (transport === 'http' && unit === 'whole') {
    yield await client.send(request, { get, uploads, limit });
    return;
  }
  try {
    yield* deliverStream(task, connection, options, context);
  } catch (error) {
    const isMutation = request.kind === 'mutation';
    throw isMutation ? withUncertainOutcome(error) : error;
  }
}

async function* deliverStream(
  { request, uploads, transport, limit, unit }: Task,
  { client, headers, options }: GraphqlConnection,
  { get, connectionParams }: GqlOptions,
  context: Context,
): AsyncGenerator<GraphqlResponse> {
  if (unit === 'part' && transport !== 'ws') {
    yield* client.parts(request, { get, uploads, limit, isStream: transport === 'sse' });
    return;
  }
  if (transport === 'sse') {
    yield* client.events(request, { get });
    return;
  }
  const { textsIn, webSocketResponses } = await import('../../../graphql/socket-subscription.ts');
  const given = connectionParams;
  const params = given === undefined ? given : await readObject(given, 'parameters', context.io);
  const secrets = credentialsIn([...headers, ...(params ? textsIn(params) : [])]);
  for (const secret of secrets) context.output.conceal(secret);
  const { endpoint } = client;
  const connection = { endpoint, headers, transport: options, connectionParams: params };
  const received = webSocketResponses(request, { ...connection, now: context.io.now });
  yield* (unit === 'part' ? partsOfOne : mergedResults)(received, { url: endpoint, secrets });
}
