import { on, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import WebSocket, { type ClientOptions } from 'ws';
import { MopError } from '../errors.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '../protocol/defaults.ts';
import { redactHeader, redactUrl } from '../redaction/redact.ts';
import { VERSION } from '../version.ts';
import { aborted } from './abort.ts';
import { bareHost, httpUrl, socketUrl } from './address.ts';
import { decodedBody } from './content-coding.ts';
import { headersByName, withHeaders } from './headers.ts';
import { LONGER, networkError, type Route } from './network-error.ts';
import { openTunnel } from './proxy.ts';
import { proxyFor } from './proxy-for.ts';
import type { HttpRequest } from './request.ts';
import { type HttpText, textResponse } from './response.ts';
import { connectionOptions, type TransportOptions, trusting } from './transport.ts';

export interface WebSocketRequest {
  /** A ws or wss address; http and https are converted. */
  readonly url: URL;
  /** The subprotocol to speak. */
  readonly protocol: string;
  readonly headers: HttpRequest['headers'];
}

/** An open socket, paused so that no message is lost, or the HTTP answer of the server. */
export type Handshake = { readonly socket: WebSocket } | { readonly answer: HttpText };

/** Maximum size of a message. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** Maximum size of an HTTP answer to the handshake. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** The maximum wait for the close frame of a server. */
const CLOSE_MS = 500;

/** The status is enough to describe a refusal; its body may never end. */
const REFUSAL_BODY_MS = 500;

/** Opens a WebSocket, through a proxy if one is set; throws `network` or `api`. */
export async function openWebSocket(
  { url: given, protocol, headers }: WebSocketRequest,
  options: TransportOptions,
): Promise<Handshake> {
  const url = socketUrl(given);
  const { timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, signal, trace } = options;
  signal?.throwIfAborted();
  const sent = withHeaders([['User-Agent', `mop/${VERSION}`]], headers);
  trace?.(`> GET ${redactUrl(url.href)} (WebSocket, ${protocol})`);
  for (const [name, value] of sent) trace?.(`> ${name}: ${redactHeader(name, value)}`);

  const proxy = proxyFor(httpUrl(url), options.proxy ?? {});
  const route: Route = { url, proxy, timeoutSeconds };
  const tunnel = proxy && (await tunnelTo(url, proxy, options, route));
  const socket = new WebSocket(url, protocol, {
    // The type allows one value per name; Node's request, which receives them, allows several.
    headers: headersByName(sent) as object as Record<string, string>,
    ...trusting(options.ca),
    ...(tunnel && { createConnection: throughTunnel(url, tunnel, options.ca) }),
    maxPayload: MAX_MESSAGE_BYTES,
    // Like Accept-Encoding: identity for HTTP. A compressed frame would be a thousand times larger.
    perMessageDeflate: false,
    // One event for each turn of the event loop: signals and timers wait for no flood of frames.
    allowSynchronousEvents: false,
    // ws would answer each ping, also if the server does not read the answers.
    autoPong: false,
  });
  // Later errors end the messages.
  socket.on('error', () => {}).on('close', () => tunnel?.destroy());
  socket.on('ping', (data) => {
    if (canReply(socket)) socket.pong(data);
  });
  socket.once('open', () => socket.pause());
  // The handshake time-out of ws does not cover tunnelled sockets.
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new HandshakeTimeout()), timeoutSeconds * 1000);
  const stop = AbortSignal.any([limit.signal, ...(signal ? [signal] : [])]);
  const opened = once(socket, 'open').then(() => ({ socket }));
  const refused = once(socket, 'unexpected-response').then(async ([, response]) => {
    trace?.(`< ${response.statusCode}`);
    return { answer: await readAnswer(response, url) };
  });
  try {
    const handshake = await Promise.race([opened, refused, aborted(stop)]);
    // The server may keep the connection open, and an answered request does not close it.
    if ('answer' in handshake) socket.terminate();
    return handshake;
  } catch (error) {
    socket.terminate();
    signal?.throwIfAborted();
    throw error instanceof Error ? socketError(error, route) : error;
  } finally {
    clearTimeout(timer);
  }
}

class HandshakeTimeout extends Error {
  readonly code = 'HANDSHAKE_TIMEOUT';
}

const SOCKET_FAULTS: Readonly<Record<string, string>> = {
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: 'sent a message of more than 64 MiB',
  WS_ERR_TOO_MANY_BUFFERED_PARTS: 'sent a message in too many fragments',
};

const SMALLER = 'request less data, or use server-sent events (sse)';
const OTHER_TRANSPORT =
  'if the endpoint does not speak graphql-transport-ws, use server-sent events (sse)';

/** Describes an error of a WebSocket, as `networkError` does for other exchanges. */
export function socketError(error: Error, route: Route): unknown {
  const known = networkError(error, route);
  if (known instanceof MopError) return known;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'HANDSHAKE_TIMEOUT') {
    const message = `${route.url.host} opened no WebSocket within ${route.timeoutSeconds} s (time-out)`;
    return new MopError('network', message, { hint: LONGER, cause: error, sent: false });
  }
  // Invalid frames are reported like a broken connection.
  const isBroken = code.startsWith('WS_ERR') && code !== 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
  const fault = SOCKET_FAULTS[code] ?? `opened a WebSocket that is not usable: ${error.message}`;
  return new MopError(isBroken ? 'network' : 'api', `${route.url.host} ${fault}`, {
    hint: code in SOCKET_FAULTS ? SMALLER : OTHER_TRANSPORT,
    cause: error,
  });
}

/** The maximum size of data that waits to be sent when a ping is answered. */
const MAX_UNSENT_BYTES = 64 * 1024;

/** Whether the server reads its replies. Otherwise they would fill the memory. */
export function canReply({ bufferedAmount }: WebSocket): boolean {
  return bufferedAmount < MAX_UNSENT_BYTES;
}

/** Yields the messages up to the close. While one is not read, the socket is paused. */
export async function* messagesOf(
  socket: WebSocket,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  const messages = on(socket, 'message', {
    close: ['close'],
    highWaterMark: 1,
    ...(signal && { signal }),
  });
  socket.resume();
  for await (const [data] of messages) {
    signal?.throwIfAborted();
    yield String(data);
  }
}

/** Closes a connection; terminates it if the server does not respond in time. */
export async function closeWebSocket(socket: WebSocket): Promise<void> {
  if (socket.readyState === WebSocket.CLOSED) return;
  // Unread data would delay the close event.
  socket.resume();
  await new Promise<void>((resolve) => {
    const deadline = setTimeout(() => socket.terminate(), CLOSE_MS);
    socket.once('close', () => {
      clearTimeout(deadline);
      resolve();
    });
    socket.close(1000);
  });
}

async function tunnelTo(
  { hostname, port, protocol }: URL,
  proxy: URL,
  options: TransportOptions,
  route: Route,
): Promise<Duplex> {
  const { signal } = options;
  const server = { hostname, port: port || (protocol === 'wss:' ? '443' : '80') };
  try {
    return await openTunnel({ proxy, ...connectionOptions(options) }, server, signal);
  } catch (error) {
    signal?.throwIfAborted();
    throw networkError(error, route);
  }
}

function throughTunnel(
  { protocol, hostname }: URL,
  tunnel: Duplex,
  ca: string | undefined,
): NonNullable<ClientOptions['createConnection']> {
  const host = bareHost(hostname);
  return () =>
    protocol === 'wss:'
      ? connectTls({
          socket: tunnel,
          host,
          ...(host === hostname && { servername: host }),
          ...trusting(ca),
        })
      : (tunnel as Socket);
}

/** The HTTP answer to a failed handshake, with the part of its body that arrives in time. */
async function readAnswer(response: IncomingMessage, url: URL): Promise<HttpText> {
  const { statusCode: status = 0, headers } = response;
  const chunks: Uint8Array[] = [];
  const read = async (): Promise<void> => {
    let bytes = 0;
    const codings = headers['content-encoding'] ?? '';
    for await (const chunk of decodedBody(response, codings, status, { url })) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_ANSWER_BYTES) break;
    }
  };
  const enough = sleep(REFUSAL_BODY_MS, undefined, { ref: false });
  await Promise.race([read().catch(() => {}), enough]);
  const header = (name: string) => [headers[name]].flat()[0];
  return textResponse({ status, header }, Buffer.concat(chunks));
}
