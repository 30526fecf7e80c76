import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { createHandler as httpHandler } from 'graphql-http';
import { createHandler as streamHandler } from 'graphql-sse';
import type { Context as Exchange } from 'hono';
import { MopError } from '../../errors.ts';
import type { SandboxEnv } from '../exchange.ts';
import { isForm } from '../form.ts';
import type { Language } from '../language.ts';
import { readBodyText } from '../request-body.ts';
import { readOperations } from './multipart-request.ts';
import type { Context } from './resolver-context.ts';
import { type GraphqlService, prepare, readOperation } from './service.ts';

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };
const BAD_REQUEST = { status: 400, statusText: 'Bad Request', headers: JSON_HEADERS };

/**
 * Answers requests by GraphQL over HTTP, and those that accept nothing but `text/event-stream` by
 * the distinct connections of GraphQL over SSE: each event is a result, and `complete` follows the
 * last.
 */
export function httpEndpoint(service: GraphqlService) {
  const answer = httpHandler<unknown, Context, Context>({
    execute: service.execute,
    onSubscribe: ({ context }, parameters) => prepare(service, parameters, context),
  });
  const openStream = streamHandler<unknown, Context, Context>({
    // No tokens: each operation has a connection of its own.
    authenticate: () => null,
    execute: service.execute,
    onSubscribe({ context }, parameters) {
      try {
        return readOperation(service, parameters, context);
      } catch (error) {
        return [JSON.stringify({ errors: [error] }), BAD_REQUEST];
      }
    },
  });

  return async (c: Exchange<SandboxEnv>): Promise<Response> => {
    const request = await requestOf(c).catch(refusal);
    if (request instanceof Response) return request;

    const isStream = c.req.header('accept') === 'text/event-stream';
    const [content, { status, headers }] = await (isStream ? openStream : answer)(request);
    if (content === null || typeof content === 'string') {
      return new Response(content, { status, headers: headers ?? {} });
    }
    await sendEvents(c.env.outgoing, content, request.context);
    return RESPONSE_ALREADY_SENT;
  };
}

/** The request for both handlers; a form is passed as its JSON. */
async function requestOf(c: Exchange<SandboxEnv>) {
  const { incoming } = c.env;
  const context: Context = {
    now: c.get('now'),
    language: c.get('language') as Language,
    gone: c.req.raw.signal,
    failed(error) {
      c.error = error as Error;
    },
  };
  const isMultipart = isForm(incoming);
  const header = (name: string): string | null => c.req.header(name) ?? null;
  return {
    method: c.req.method,
    url: c.req.url,
    headers: {
      get: (name: string) =>
        isMultipart && name === 'content-type' ? 'application/json' : header(name),
    },
    body: await (isMultipart ? readOperations(incoming) : readBodyText(incoming)),
    raw: undefined,
    context,
  };
}

/** The answer to an unreadable body; throws other errors again. */
function refusal(error: unknown): Response {
  if (!(error instanceof MopError)) throw error;
  const status = error.details.httpStatus === 413 ? 413 : 400;
  const body = JSON.stringify({ errors: [{ message: error.message }] });
  return new Response(body, { status, headers: JSON_HEADERS });
}

/** Sends events until there are no more, or the client left. */
async function sendEvents(
  outgoing: ServerResponse,
  events: AsyncGenerator<string>,
  { gone, failed }: Context,
): Promise<void> {
  const stop = () => void events.return(undefined);
  if (gone.aborted) stop();
  gone.addEventListener('abort', stop, { once: true });
  // Those of the handler have `content-encoding: none`, which is no coding.
  outgoing.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-cache',
  });
  try {
    for await (const event of events) {
      // A slow reader is waited for.
      if (!outgoing.write(event)) await once(outgoing, 'drain', { signal: gone });
    }
    outgoing.end();
  } catch (error) {
    if (!gone.aborted) failed(error);
    outgoing.destroy();
  }
}
