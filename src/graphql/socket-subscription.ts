import { CloseCode, GRAPHQL_TRANSPORT_WS_PROTOCOL, MessageType } from 'graphql-ws';
import type WebSocket from 'ws';
import { MopError, withDetails } from '../errors.ts';
import { checkCredential, checkHeaders } from '../http/headers.ts';
import { LONGER } from '../http/network-error.ts';
import type { HttpRequest } from '../http/request.ts';
import type { TransportOptions } from '../http/transport.ts';
import {
  canReply,
  closeWebSocket,
  messagesOf,
  openWebSocket,
  socketError,
} from '../http/web-socket.ts';
import { object, text } from '../json/build.ts';
import { jsonObject } from '../json/parse.ts';
import { printJson } from '../json/print.ts';
import { type JsonObject, type JsonValue, member, memberText } from '../json/value.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '../protocol/defaults.ts';
import { credentialsIn } from '../redaction/credentials.ts';
import { excerpt, redactFields, redactValues } from '../redaction/redact.ts';
import { type GraphqlRequest, requestParameters } from './request.ts';
import { asResponse, type GraphqlResponse, noWebSocketError, TRACE_HINT } from './response.ts';

export interface WebSocketOptions {
  readonly endpoint: URL;
  readonly headers: HttpRequest['headers'];
  /** The payload of `connection_init`. */
  readonly connectionParams?: JsonObject | undefined;
  readonly transport: TransportOptions;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

type Trace = NonNullable<TransportOptions['trace']>;

/** The one operation of a connection. */
const ID = { kind: 'string', value: '1' } as const;

const OPERATION_MESSAGES: readonly MessageType[] = [
  MessageType.Next,
  MessageType.Error,
  MessageType.Complete,
];

const SERVER_MESSAGES: readonly MessageType[] = [
  MessageType.ConnectionAck,
  MessageType.Ping,
  MessageType.Pong,
  ...OPERATION_MESSAGES,
];

/** The older subprotocol rejects a connection with this message, and mercurius in both. */
const CONNECTION_ERROR = 'connection_error';

/**
 * Yields the results of an operation (`graphql-transport-ws`), also in parts. Ending the iteration
 * completes the operation at the server. The client of graphql-ws would lose digits of numbers.
 */
export async function* webSocketResponses(
  request: GraphqlRequest,
  { endpoint, headers, connectionParams, transport, now = Date.now }: WebSocketOptions,
): AsyncGenerator<GraphqlResponse> {
  const params = connectionParams ? textsIn(connectionParams) : [];
  checkHeaders(headers, endpoint);
  for (const [name, value] of params) {
    checkCredential(`the parameter ${name}`, name, value, endpoint);
  }
  const secrets = credentialsIn([...headers, ...params]);
  const trace: Trace = (line) => transport.trace?.(redactValues(redactFields(line), secrets));
  const protocol = GRAPHQL_TRANSPORT_WS_PROTOCOL;
  const options = { ...transport, trace };
  const handshake = await openWebSocket({ url: endpoint, protocol, headers }, options);
  if ('answer' in handshake) {
    const upgrade: HttpRequest = { method: 'GET', url: endpoint, headers, secrets };
    throw withDetails(noWebSocketError(handshake.answer, upgrade, now()), { sent: false });
  }
  try {
    const session = { endpoint, connectionParams, transport, trace, secrets };
    yield* operate(request, handshake.socket, session);
  } catch (error) {
    transport.signal?.throwIfAborted();
    // A server's message may repeat the credentials of the connection.
    if (!(error instanceof MopError)) throw error;
    throw new MopError(error.code, redactValues(error.message, secrets), error.details);
  }
}

interface Session extends Pick<WebSocketOptions, 'endpoint' | 'connectionParams' | 'transport'> {
  readonly trace: Trace;
  readonly secrets: readonly string[];
}

async function* operate(
  request: GraphqlRequest,
  socket: WebSocket,
  session: Session,
): AsyncGenerator<GraphqlResponse> {
  const { endpoint, connectionParams, transport, trace } = session;
  const { timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, signal } = transport;
  const send = (type: MessageType, more: Readonly<Record<string, JsonValue>> = {}): void => {
    const message = printJson(object({ type: text(type), ...more }));
    trace(`> ${message}`);
    socket.send(message);
  };
  const watch = watchSilence(socket, timeoutSeconds);
  let isRunning = false;
  try {
    send(MessageType.ConnectionInit, connectionParams && { payload: connectionParams });
    for await (const received of messagesOf(socket, signal)) {
      trace(`< ${received}`);
      const { type, payload } = readMessage(received, session);
      switch (type) {
        case MessageType.ConnectionAck:
          if (isRunning) throw protocolError(received, session);
          isRunning = true;
          watch.acknowledged();
          send(MessageType.Subscribe, { id: ID, payload: requestParameters(request) });
          break;
        case MessageType.Ping:
          if (canReply(socket)) send(MessageType.Pong, payload && { payload });
          break;
        case MessageType.Next:
          yield responseIn(payload, received, session);
          break;
        case MessageType.Error:
          isRunning = false;
          yield responseIn(payload && object({ errors: payload }), received, session);
          return;
        case MessageType.Complete:
          isRunning = false;
          return;
      }
    }
  } catch (error) {
    if (error instanceof MopError || !(error instanceof Error)) throw error;
    throw socketError(error, { url: endpoint, proxy: undefined, timeoutSeconds });
  } finally {
    watch.stop();
    if (isRunning && socket.readyState === socket.OPEN) send(MessageType.Complete, { id: ID });
    await closeWebSocket(socket);
  }
  throw closedError(await watch.closed, endpoint, timeoutSeconds);
}

interface Closed {
  readonly code: number;
  readonly reason: string;
  /** Whether {@link watchSilence} terminated the connection. */
  readonly isSilent: boolean;
}

/** Terminates a connection that is silent, or not acknowledged, for longer than the time-out. */
function watchSilence(socket: WebSocket, timeoutSeconds: number) {
  let isAcknowledged = false;
  let heard = true;
  let isSilent = false;
  for (const frame of ['message', 'ping', 'pong']) {
    socket.on(frame, () => {
      heard = true;
    });
  }
  const timer = setInterval(() => {
    // While the messages are not read, the server cannot send: its silence is not a time-out.
    if (socket.isPaused) return;
    isSilent = !heard || !isAcknowledged;
    heard = false;
    if (isSilent) socket.terminate();
    else socket.ping();
  }, timeoutSeconds * 1000);
  return {
    acknowledged: (): void => {
      isAcknowledged = true;
    },
    stop: () => clearInterval(timer),
    closed: new Promise<Closed>((resolve) => {
      socket.once('close', (code, reason) => resolve({ code, reason: String(reason), isSilent }));
    }),
  };
}

/** Parses a message of the server; throws `api` for one outside the protocol. */
function readMessage(
  received: string,
  session: Session,
): { readonly type: MessageType; readonly payload: JsonValue | undefined } {
  const message = jsonObject(received);
  if (memberText(message, 'type') === CONNECTION_ERROR) throw refusedError(received, session);
  const type = SERVER_MESSAGES.find((each) => each === memberText(message, 'type'));
  const isOtherOperation =
    type !== undefined &&
    OPERATION_MESSAGES.includes(type) &&
    memberText(message, 'id') !== ID.value;
  if (type === undefined || isOtherOperation) throw protocolError(received, session);
  return { type, payload: member(message, 'payload') };
}

function responseIn(
  payload: JsonValue | undefined,
  received: string,
  session: Session,
): GraphqlResponse {
  const response = asResponse(payload);
  if (response) return response;
  throw protocolError(received, session);
}

const CREDENTIAL_HINT =
  'if the server requires a credential, send one: --connection-params JSON, or -H';

const REFUSALS: readonly number[] = [
  CloseCode.BadRequest,
  CloseCode.Unauthorized,
  CloseCode.Forbidden,
  CloseCode.SubprotocolNotAcceptable,
  CloseCode.SubscriberAlreadyExists,
  CloseCode.TooManyInitialisationRequests,
];

function closedError(closed: Closed, { host }: URL, timeoutSeconds: number): MopError {
  const { code, reason, isSilent } = closed;
  if (isSilent) {
    return new MopError('network', `${host} was silent for ${timeoutSeconds} s (time-out)`, {
      hint: LONGER,
    });
  }
  const why = reason === '' ? `${code}` : `${code}: ${reason}`;
  if (REFUSALS.includes(code)) {
    return new MopError('api', `${host} closed the connection (${why})`, { hint: CREDENTIAL_HINT });
  }
  return new MopError('network', `${host} closed the connection before the end (${why})`, {
    hint: TRACE_HINT,
  });
}

function refusedError(received: string, { endpoint, secrets }: Session): MopError {
  const payload = member(jsonObject(received), 'payload');
  const reason = memberText(payload, 'message') ?? (payload ? printJson(payload) : received);
  return new MopError(
    'api',
    `${endpoint.host} refused the connection: ${excerpt(reason, secrets)}`,
    { hint: CREDENTIAL_HINT },
  );
}

function protocolError(received: string, { endpoint, secrets }: Session): MopError {
  return new MopError(
    'api',
    `${endpoint.host} sent a message outside the protocol: ${excerpt(received, secrets)}`,
    { hint: 'does the endpoint speak graphql-transport-ws? if not, use --transport sse' },
  );
}

/** The texts in connection parameters, by path: any name in it may mark a credential. */
export function textsIn(value: JsonValue, name = ''): HttpRequest['headers'] {
  switch (value.kind) {
    case 'string':
      return [[name, value.value]];
    case 'number':
      return [[name, value.text]];
    case 'array':
      return value.items.flatMap((item) => textsIn(item, name));
    case 'object':
      return value.members.flatMap((part) =>
        textsIn(part.value, name === '' ? part.name : `${name}.${part.name}`),
      );
    default:
      return [];
  }
}
