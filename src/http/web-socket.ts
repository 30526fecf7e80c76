import { on } from 'node:events';
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
import { httpUrl, socketUrl } from './address.ts';
import { decodedBody } from './content-coding.ts';
import { headersByName, withHeaders } from './headers.ts';
import { bareHost } from './loopback.ts';
import { networkError, type Route, timeoutHint } from './network-error.ts';
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

/**
 * The result of a handshake: an open socket, or the HTTP answer of the server. The socket is paused:
 * no message is lost before a listener is added.
 */
export type Handshake = { readonly socket: WebSocket } | { readonly answer: HttpText };

/** Maximum size of a message. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** Maximum size of an HTTP answer to the handshake. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** The maximum wait for the close frame of a server. */
const CLOSE_MS = 500;

/** The status is enough to describe a refusal; its body may never end. */
const REFUSAL_BODY_MS = 500;

/**
 * Opens a WebSocket, through a proxy if one is set.
 *
 * @throws {MopError} `network` for DNS, connection, TLS, proxy and time-outs; `api` for a server
 *   that does not speak the protocol; the reason of the signal.
 */
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
  const route: Route = { url, proxy, timeoutSeconds, addressFrom: 'endpoint' };
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
  return new Promise((resolve, reject) => {
    const abandon = (): void => {
      settled();
      reject(signal?.reason);
      socket.terminate();
    };
    const settled = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abandon);
    };
    const fail = (error: Error): void => {
      settled();
      reject(socketError(error, route));
    };
    // The handshake time-out of ws does not cover tunnelled sockets.
    const timer = setTimeout(() => {
      fail(new HandshakeTimeout());
      socket.terminate();
    }, timeoutSeconds * 1000);
    socket.on('close', () => tunnel?.destroy());
    signal?.addEventListener('abort', abandon, { once: true });
    socket.on('error', fail);
    socket.on('ping', (data) => {
      if (canReply(socket)) socket.pong(data);
    });
    socket.once('open', () => {
      settled();
      socket.pause();
      resolve({ socket });
    });
    socket.once('unexpected-response', (_, response) => {
      trace?.(`< ${response.statusCode}`);
      readAnswer(response, url)
        .then((answer) => {
          settled();
          resolve({ answer });
        }, fail)
        // The server may keep the connection open, and an answered request does not close it.
        .finally(() => socket.terminate());
    });
    if (signal?.aborted) abandon();
  });
}

class HandshakeTimeout extends Error {}

/** Describes an error of a WebSocket, as `networkError` does for other exchanges. */
export function socketError(error: Error, route: Route): unknown {
  const known = networkError(error, route);
  if (known instanceof MopError) return known;
  const { host } = route.url;
  if (error instanceof HandshakeTimeout) {
    const limit = `${route.timeoutSeconds} s`;
    return new MopError('network', `${host} opened no WebSocket within ${limit} (time-out)`, {
      hint: timeoutHint(route.timeoutSeconds),
      cause: error,
      sent: false,
    });
  }
  const { code: fault = '' } = error as NodeJS.ErrnoException;
  if (fault === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') {
    return new MopError('api', `${host} sent a message of more than 64 MiB`, {
      hint: 'request less data, or use --transport sse',
      cause: error,
    });
  }
  if (fault === 'WS_ERR_TOO_MANY_BUFFERED_PARTS') {
    return new MopError('network', `${host} sent a message in too many fragments`, {
      hint: 'send each result as one message, or use --transport sse',
      cause: error,
    });
  }
  // Invalid frames are reported like a broken connection.
  const isBroken = fault.startsWith('WS_ERR');
  const code = isBroken ? 'network' : 'api';
  return new MopError(code, `the WebSocket of ${host} is not usable: ${error.message}`, {
    hint: 'does the endpoint speak graphql-transport-ws? if not, use --transport sse',
    cause: error,
  });
}

/** The maximum size of data that waits to be sent when a ping is answered. */
const MAX_UNSENT_BYTES = 64 * 1024;

/** Whether the server reads what it receives: replies to others would fill the memory. */
export function canReply({ bufferedAmount }: WebSocket): boolean {
  return bufferedAmount < MAX_UNSENT_BYTES;
}

/**
 * Yields the messages up to the close of the connection. While one is not read, the socket is paused.
 *
 * @throws The error of the socket, after the messages before it; the reason of the signal.
 */
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
  const codings = headers['content-encoding'] ?? '';
  const body = readBody(decodedBody(response, codings, status, { url }), chunks);
  const enough = sleep(REFUSAL_BODY_MS, undefined, { ref: false });
  await Promise.race([body.catch(() => {}), enough]);
  const header = (name: string) => [headers[name]].flat()[0];
  return textResponse({ status, header }, Buffer.concat(chunks));
}

async function readBody(body: AsyncIterable<Uint8Array>, chunks: Uint8Array[]): Promise<void> {
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) break;
  }
}
