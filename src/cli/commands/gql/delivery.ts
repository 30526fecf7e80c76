import { mergedResults, partsOfOne } from '../../../graphql/incremental.ts';
import { pages, type ResultPath } from '../../../graphql/pages.ts';
import type { GraphqlRequest, OperationKind } from '../../../graphql/request.ts';
import type { GraphqlResponse } from '../../../graphql/response.ts';
import type { Upload } from '../../../graphql/upload.ts';
import { credentialsIn } from '../../../http/headers.ts';
import type { Reading } from '../../../http/transport.ts';
import type { Endpoint, GraphqlConnection } from '../../clients/open-graphql.ts';
import type { Context } from '../../context/context.ts';
import type { GqlOptions } from './gql-options.ts';
import { readObject } from './read-operation.ts';

/** How results are delivered: one response, a stream of events, or messages of a WebSocket. */
export type TransportKind = 'http' | 'sse' | 'ws';

export interface Task {
  readonly request: GraphqlRequest;
  /** Undefined where no file goes along. */
  readonly uploads: readonly Upload[] | undefined;
  readonly transport: TransportKind;
  /** For `--paginate`: the fields of the result that are paged through. */
  readonly pagedFields: readonly ResultPath[] | undefined;
  /** How a response over HTTP is read. */
  readonly reading: Reading<GraphqlResponse>;
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

/** The results of a task, each merged from its parts; with `--stream` the parts of its one result. */
export async function* deliver(
  { request, uploads, transport, pagedFields, reading }: Task,
  { client, headers, options }: GraphqlConnection,
  { get, stream, connectionParams }: GqlOptions,
  context: Context,
): AsyncGenerator<GraphqlResponse> {
  if (transport === 'ws') {
    const { textsIn, webSocketResponses } = await import('../../../graphql/socket-subscription.ts');
    const params =
      connectionParams && (await readObject(connectionParams, 'parameters', context.io));
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
  } else if (stream) {
    yield* client.parts(request, { get, uploads, reading, isStream: transport === 'sse' });
  } else if (transport === 'sse') {
    yield* client.events(request, { get });
  } else if (pagedFields) {
    yield* pages(request, pagedFields, (page) => client.send(page, { get, reading }));
  } else {
    yield await client.send(request, { get, uploads, reading });
  }
}
