import { on } from 'node:events';
import { CloseCode, GRAPHQL_TRANSPORT_WS_PROTOCOL, MessageType } from 'graphql-ws';
import type WebSocket from 'ws';
import { MopError } from '../errors.ts';
import { checkCredential, credentialsIn } from '../http/headers.ts';
import { excerpt, redactValues } from '../http/redact.ts';
import type { HttpRequest, TransportOptions } from '../http/transport.ts';
import { closeWebSocket, openWebSocket, socketError } from '../http/web-socket.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '../protocol/defaults.ts';
import { type JsonMember, type JsonValue, jsonObject, member, printJson } from '../signing/json.ts';
import { type GraphqlRequest, requestParameters } from './request.ts';
import { asResponse, type GraphqlResponse, readResponse } from './response.ts';

export interface WebSocketOptions {
  readonly endpoint: URL;
  readonly headers: HttpRequest['headers'];
  /** The payload of `connection_init`. */
  readonly connectionParams?: JsonValue | undefined;
  readonly transport: TransportOptions;
}

/** The one operation of a connection. */
const ID = '1';

/** A reader that is behind makes the server wait. */
const MESSAGES_WAITING = { highWaterMark: 1000, lowWaterMark: 100 };

/**
 * The results of an operation as the server sends them (`graphql-transport-ws`). Messages are
 * written and read with their digits, which the client of graphql-ws loses; nothing is tried
 * again. Whoever stops reading ends the operation at the server.
 *
 * @throws {MopError} `network` when the connection fails, breaks or falls silent; `api` when the
 *   server refuses or breaks the protocol; the reason of the signal.
 */
export async function* webSocketResponses(
  request: GraphqlRequest,
  options: WebSocketOptions,
): AsyncGenerator<GraphqlResponse> {
  const { endpoint, headers } = options;
  const params = textsIn(options.connectionParams);
  for (const [name, value] of params)
    checkCredential(`the parameter ${name}`, name, value, endpoint);
  const transport = withoutSecrets(options.transport, credentialsIn([...headers, ...params]));
  const { timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, signal, trace } = transport;
  const protocol = GRAPHQL_TRANSPORT_WS_PROTOCOL;
  const handshake = await openWebSocket({ url: endpoint, protocol, headers }, transport);
  if ('answer' in handshake) {
    const asked = { method: 'GET', url: endpoint, headers } as const;
    yield readResponse(handshake.answer, asked, Date.now());
    return;
  }
  const { socket } = handshake;
  const send = (type: MessageType, more: Readonly<Record<string, JsonValue>> = {}): void => {
    const members: JsonMember[] = [{ name: 'type', value: { kind: 'string', value: type } }];
    for (const [name, value] of Object.entries(more)) members.push({ name, value });
    const text = printJson({ kind: 'object', members });
    trace?.(`> ${text}`);
    socket.send(text);
  };
  const id: JsonValue = { kind: 'string', value: ID };
  const watch = watchSilence(socket, timeoutSeconds);
  let isOpen = true;
  let isUnderWay = false;
  try {
    const { connectionParams: payload } = options;
    send(MessageType.ConnectionInit, payload && { payload });
    const messages = on(socket, 'message', {
      close: ['close'],
      ...MESSAGES_WAITING,
      ...(signal && { signal }),
    });
    for await (const [data] of messages) {
      const text = String(data);
      trace?.(`< ${text}`);
      const message = jsonObject(text);
      const content = member(message, 'payload');
      const type = member(message, 'type');
      switch (type?.kind === 'string' ? type.value : undefined) {
        case MessageType.ConnectionAck:
          watch.acknowledged();
          isUnderWay = true;
          send(MessageType.Subscribe, { id, payload: requestParameters(request) });
          break;
        case MessageType.Ping:
          send(MessageType.Pong, content && { payload: content });
          break;
        case MessageType.Pong:
          break;
        case MessageType.Next:
          yield responseIn(content, text, endpoint);
          break;
        case MessageType.Error:
          isUnderWay = false;
          yield responseIn(errorsAlone(content), text, endpoint);
          return;
        case MessageType.Complete:
          isUnderWay = false;
          return;
        default:
          throw brokenProtocol(text, endpoint);
      }
    }
    isOpen = false;
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof Error && !(error instanceof MopError)
      ? socketError(error, endpoint, undefined, timeoutSeconds)
      : error;
  } finally {
    watch.stop();
    if (isOpen) {
      if (isUnderWay && socket.readyState === socket.OPEN) send(MessageType.Complete, { id });
      await closeWebSocket(socket);
    }
  }
  throw closedError(await watch.closed, endpoint, timeoutSeconds);
}

/** The texts among connection parameters, as headers are written. */
function textsIn(params: JsonValue | undefined): HttpRequest['headers'] {
  const members = params?.kind === 'object' ? params.members : [];
  return members.flatMap(({ name, value }) =>
    value.kind === 'string' ? [[name, value.value] as const] : [],
  );
}

function withoutSecrets(
  { trace, ...options }: TransportOptions,
  secrets: readonly string[],
): TransportOptions {
  return { ...options, ...(trace && { trace: (line) => trace(redactValues(line, secrets)) }) };
}

interface Closed {
  readonly code: number;
  readonly reason: string;
  /** We gave up on it. */
  readonly isSilent: boolean;
}

/**
 * Ends a connection on which nothing has come for the time-out, not even an answer to a ping, or
 * no acknowledgement at first.
 */
function watchSilence(socket: WebSocket, timeoutSeconds: number) {
  let isAcknowledged = false;
  let heard = true;
  let isSilent = false;
  const hear = (): void => {
    heard = true;
  };
  socket.on('message', hear).on('pong', hear).on('ping', hear);
  const timer = setInterval(() => {
    if (socket.isPaused) return;
    if (!heard || !isAcknowledged) {
      isSilent = true;
      socket.terminate();
      return;
    }
    heard = false;
    socket.ping();
  }, timeoutSeconds * 1000);
  return {
    acknowledged: () => {
      isAcknowledged = true;
    },
    stop: () => clearInterval(timer),
    closed: new Promise<Closed>((resolve) => {
      socket.once('close', (code, reason) => resolve({ code, reason: String(reason), isSilent }));
    }),
  };
}

function errorsAlone(errors: JsonValue | undefined): JsonValue | undefined {
  return errors && { kind: 'object', members: [{ name: 'errors', value: errors }] };
}

function responseIn(payload: JsonValue | undefined, text: string, endpoint: URL): GraphqlResponse {
  const response = asResponse(payload);
  if (response) return response;
  throw brokenProtocol(text, endpoint);
}

function brokenProtocol(text: string, { host }: URL): MopError {
  return new MopError('api', `${host} sent what is no message of the protocol: ${excerpt(text)}`, {
    hint: 'does the endpoint speak graphql-transport-ws? --transport sse is the other way',
  });
}

/** Close codes that say that the server does not want this client. */
const REFUSALS: readonly number[] = [
  CloseCode.BadRequest,
  CloseCode.Unauthorized,
  CloseCode.Forbidden,
  CloseCode.SubprotocolNotAcceptable,
  CloseCode.SubscriberAlreadyExists,
  CloseCode.TooManyInitialisationRequests,
];

function closedError(
  { code, reason, isSilent }: Closed,
  { host }: URL,
  timeoutSeconds: number,
): MopError {
  if (isSilent) {
    return new MopError('network', `${host} was silent for ${timeoutSeconds} s (time-out)`, {
      hint: '--timeout sets the limit',
    });
  }
  const why = reason === '' ? `${code}` : `${code}: ${reason}`;
  if (REFUSALS.includes(code)) {
    return new MopError('api', `${host} closed the connection (${why})`, {
      hint: 'if it wants a credential, send it: --connection-params JSON, or -H',
    });
  }
  return new MopError('network', `${host} closed the connection before the end (${why})`, {
    hint: 'what came until then was printed; run it again to go on',
  });
}
