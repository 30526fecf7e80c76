import { MopError } from '../errors.ts';
import type { HttpRequest } from '../http/request.ts';
import type { HttpResponse } from '../http/response.ts';
import { EventReader } from './event-reader.ts';
import { type GraphqlResponse, pieceError, RESPONSE_LIMIT, readPiece } from './response.ts';

/**
 * Yields the results in a stream of events, up to the event `complete` (GraphQL over SSE, distinct
 * connections). Numbers keep all digits; the client of graphql-sse rounds them.
 *
 * @throws {MopError} `network` when the stream ends before `complete`, `api` for an event that is
 *   too long or not a response.
 */
export async function* eventStream(
  response: HttpResponse,
  request: HttpRequest,
): AsyncGenerator<GraphqlResponse> {
  const { host } = request.url;
  const tooLarge = () => pieceError(host, 'an event of more than 64 MiB');
  const reader = new EventReader(RESPONSE_LIMIT.maxBytes, tooLarge);
  try {
    for await (const chunk of response.body) {
      for (const { name = 'next', data } of reader.read(chunk)) {
        // gqlgen and Hot Chocolate send it without data.
        if (name === 'complete') return;
        if (name === 'next' && data !== undefined) yield readPiece(data, 'an event', request);
      }
    }
  } finally {
    response.discard();
  }
  throw new MopError('network', `${host} ended the stream before the operation completed`, {
    hint: 'run it again; --verbose shows the exchange',
  });
}
