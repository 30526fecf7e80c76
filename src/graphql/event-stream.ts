import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { MopError } from '../errors.ts';
import type { HttpRequest } from '../http/request.ts';
import type { HttpResponse } from '../http/response.ts';
import { type GraphqlResponse, pieceError, RESPONSE_LIMIT, readPiece } from './response.ts';

/**
 * The event `complete` without data, as some servers send it. The standard of server-sent events
 * allows a parser to drop it, and ours does.
 */
const BARE_COMPLETE = /(?:^|[\r\n])event: ?complete(?:\r\n|\n|\r){2}/;
const LONGEST_COMPLETE = '\nevent: complete\r\n\r\n'.length;

/**
 * Yields the results in a stream of events, up to the event `complete` (GraphQL over SSE, distinct
 * connections). Numbers keep all digits; the client of graphql-sse rounds them.
 *
 * @throws {MopError} `network` when the stream ends before `complete`, `api` for an event that is
 *   not a response.
 */
export async function* eventStream(
  response: HttpResponse,
  request: HttpRequest,
): AsyncGenerator<GraphqlResponse> {
  const { host } = request.url;
  const events: EventSourceMessage[] = [];
  const parser = createParser({
    onEvent: (event) => void events.push(event),
    maxBufferSize: RESPONSE_LIMIT.maxBytes,
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded')
        throw pieceError(host, 'an event of more than 64 MiB');
    },
  });
  const decoder = new TextDecoder();
  let last = '';
  try {
    for await (const chunk of response.body) {
      const text = decoder.decode(chunk, { stream: true });
      parser.feed(text);
      for (const { event = 'next', data } of events.splice(0)) {
        if (event === 'complete') return;
        if (event === 'next') yield readPiece(data, 'an event', request);
      }
      if (BARE_COMPLETE.test(last + text)) return;
      last = (last + text).slice(-LONGEST_COMPLETE);
    }
  } finally {
    response.discard();
  }
  throw new MopError('network', `${host} ended the stream before the operation completed`, {
    hint: 'run it again; --verbose shows the exchange',
  });
}
