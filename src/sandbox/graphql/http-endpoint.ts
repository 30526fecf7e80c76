import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { GraphQLError, getOperationAST, type OperationTypeNode } from 'graphql';
import { createHandler as httpHandler } from 'graphql-http';
import { createHandler as streamHandler } from 'graphql-sse';
import type { Context as Exchange } from 'hono';
import Negotiator from 'negotiator';
import type { Language } from '../../protocol/language.ts';
import type { SandboxEnv } from '../exchange.ts';
import { JSON_HEADERS, readParameters, refusal } from './request-parameters.ts';
import {
  type GraphqlService,
  type Operation,
  readOperation,
  validateDocument,
  validated,
} from './service.ts';
import type { Context } from './state.ts';

const BAD_REQUEST = { status: 400, statusText: 'Bad Request', headers: JSON_HEADERS };

type Parsed = Operation | GraphQLError;

/**
 * GraphQL over HTTP, and GraphQL over SSE in the distinct connections mode. A subscription is
 * always a stream; any other operation is a stream only if the client prefers it.
 */
export function httpEndpoint(service: GraphqlService) {
  const { execute } = service;
  const answer = httpHandler<unknown, Parsed, Context>({
    execute,
    onSubscribe: ({ context: parsed }) =>
      parsed instanceof GraphQLError ? [parsed] : validated(parsed),
  });
  const openStream = streamHandler<unknown, Parsed, Context>({
    // Tokens exist only in the single-connection mode.
    authenticate: () => null,
    execute,
    validate: validateDocument,
    onSubscribe: ({ context: parsed }) =>
      parsed instanceof GraphQLError ? [JSON.stringify({ errors: [parsed] }), BAD_REQUEST] : parsed,
  });

  return async (c: Exchange<SandboxEnv>): Promise<Response> => {
    const parameters = await readParameters(c.req, c.env.incoming);
    if (parameters instanceof Response) return parameters;
    const context = contextOf(c);
    const parsed = parse(() => readOperation(service, parameters, context));
    const kind = kindOf(parsed);
    const type = answerType(c.req.header('accept'), kind);
    if (!type) return refusal(406, { message: notAcceptable(kind) });

    const isStream = type === EVENT_STREAM;
    const headers = new Headers({
      accept: isStream ? 'text/event-stream' : type,
      'content-type': 'application/json',
    });
    const { method, url } = c.req;
    const body = { ...parameters };
    const request = { method, url, headers, body, raw: undefined, context: parsed };
    const [content, init] = await (isStream ? openStream : answer)(request);
    if (content === null || typeof content === 'string') {
      return new Response(content, {
        status: init.status,
        headers: { ...JSON_HEADERS, ...init.headers },
      });
    }
    await sendEvents(c.env.outgoing, content, context);
    return RESPONSE_ALREADY_SENT;
  };
}

function contextOf(c: Exchange<SandboxEnv>): Context {
  return {
    now: c.get('now'),
    language: c.get('language') as Language,
    disconnected: c.req.raw.signal,
    failed(error) {
      c.error = error as Error;
    },
  };
}

function parse(read: () => Operation): Parsed {
  try {
    return read();
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

/** Undefined when the document does not parse or has no such operation. */
function kindOf(parsed: Parsed) {
  if (parsed instanceof GraphQLError) return undefined;
  return getOperationAST(parsed.document, parsed.operationName)?.operation;
}

/** Sends all events, until the client disconnects. */
async function sendEvents(
  outgoing: ServerResponse,
  events: AsyncGenerator<string>,
  { disconnected, failed }: Context,
): Promise<void> {
  const stop = () => void events.return(undefined);
  if (disconnected.aborted) stop();
  disconnected.addEventListener('abort', stop, { once: true });
  // The headers of the handler include `content-encoding: none`, which is not a coding.
  outgoing.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-cache',
  });
  try {
    for await (const event of events) {
      // Wait for a slow reader.
      if (!outgoing.write(event)) await once(outgoing, 'drain', { signal: disconnected });
    }
    outgoing.end();
  } catch (error) {
    if (!disconnected.aborted) failed(error);
    outgoing.destroy();
  }
}

const EVENT_STREAM = 'text/event-stream; charset=utf-8';

/** A wildcard selects the first: JSON, which every client reads (GraphQL over HTTP). */
const RESULT_TYPES = [
  'application/json; charset=utf-8',
  'application/graphql-response+json; charset=utf-8',
  EVENT_STREAM,
];
const SUBSCRIPTION_TYPES = [EVENT_STREAM];

/** Undefined when the operation is unknown: the error is sent like a result. */
type Kind = `${OperationTypeNode}` | undefined;

/** The acceptable media type of the answer, by `Accept` (RFC 9110 section 12.5.1). */
export function answerType(accept: string | undefined, kind: Kind): string | undefined {
  const types = kind === 'subscription' ? SUBSCRIPTION_TYPES : RESULT_TYPES;
  // Negotiator reads an empty header as accepting nothing.
  return new Negotiator({ headers: { accept: accept || '*/*' } }).mediaType(types);
}

/** The message for a client that accepts no media type of the answer. */
function notAcceptable(kind: Kind): string {
  if (kind === 'subscription') {
    return 'a subscription is sent as text/event-stream, which Accept does not include; WebSockets (graphql-transport-ws) work as well';
  }
  const names = RESULT_TYPES.map((type) => type.split(';')[0]);
  return `a result is sent as ${names.join(', ')}; Accept includes none of them`;
}
