import { pages, type ResultPath } from '../../../graphql/pages.ts';
import type { GraphqlRequest, OperationKind } from '../../../graphql/request.ts';
import type { GraphqlResponse } from '../../../graphql/response.ts';
import type { Upload } from '../../../graphql/upload.ts';
import { credentialsIn } from '../../../http/headers.ts';
import type { Endpoint, GraphqlConnection } from '../../clients/open-graphql.ts';
import type { Context } from '../../context/context.ts';
import { readObject } from './operation.ts';
import type { GqlOptions } from './options.ts';

/** How results travel: one response, a stream of events, or messages of a WebSocket. */
export type Way = 'http' | 'sse' | 'ws';

/** All that is to be carried out. */
export interface Task {
  readonly request: GraphqlRequest;
  /** Undefined where no file goes along. */
  readonly uploads: readonly Upload[] | undefined;
  readonly way: Way;
  /** For `--paginate`: the fields of the result that are paged through. */
  readonly pagedFields: readonly ResultPath[] | undefined;
}

export function wayOf(
  kind: OperationKind,
  transport: 'sse' | 'ws' | undefined,
  endpoint: Endpoint,
): Way {
  if (transport !== undefined) return transport;
  if ('address' in endpoint && /^wss?:/i.test(endpoint.address)) return 'ws';
  return kind === 'subscription' ? 'sse' : 'http';
}

/** The results of a task as they come. */
export async function* deliver(
  { request, uploads, way, pagedFields }: Task,
  { client, headers, options: transport }: GraphqlConnection,
  { get, connectionParams }: GqlOptions,
  context: Context,
): AsyncGenerator<GraphqlResponse> {
  if (way === 'ws') {
    const { textsIn, webSocketResponses } = await import('../../../graphql/socket-subscription.ts');
    const params =
      connectionParams && (await readObject(connectionParams, 'parameters', context.io));
    if (params) for (const secret of credentialsIn(textsIn(params))) context.output.conceal(secret);
    const endpoint = client.endpoint;
    yield* webSocketResponses(request, {
      endpoint,
      headers,
      transport,
      now: context.io.now,
      ...(params && { connectionParams: params }),
    });
  } else if (way === 'sse') {
    yield* client.events(request, { get });
  } else if (pagedFields) {
    yield* pages(request, pagedFields, (page) => client.send(page, { get }));
  } else {
    yield await client.send(request, { get, uploads });
  }
}
