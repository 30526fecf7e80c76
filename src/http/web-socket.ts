import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import WebSocket from 'ws';
import { MopError } from '../errors.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '../protocol/defaults.ts';
import { VERSION } from '../version.ts';
import { httpUrl } from './address.ts';
import { networkError, ProxyFailure } from './network-error.ts';
import { proxyFor } from './proxy-for.ts';
import { redactHeader, redactUrl } from './redact.ts';
import { type HttpRequest, type HttpText, type TransportOptions, trusting } from './transport.ts';

export interface WebSocketRequest {
  readonly url: URL;
  /** The subprotocol to speak. */
  readonly protocol: string;
  readonly headers: HttpRequest['headers'];
}

/** What became of a handshake: a socket that is open, or what the server answered instead. */
export type Handshake = { readonly socket: WebSocket } | { readonly answer: HttpText };

/** One message is no larger. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/**
 * Opens a WebSocket, through a proxy where one is set.
 *
 * @throws {MopError} `network` for DNS, connection, TLS, proxy and time-outs; `api` for a server
 *   that does not speak the protocol; the reason of the signal.
 */
export async function openWebSocket(
  { url, protocol, headers }: WebSocketRequest,
  options: TransportOptions,
): Promise<Handshake> {
  const { timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, signal, trace } = options;
  signal?.throwIfAborted();
  const proxy = proxyFor(httpUrl(url), options.proxy ?? {});
  const names = headers.map(([name]) => name.toLowerCase());
  const own: HttpRequest['headers'] = names.includes('user-agent')
    ? []
    : [['User-Agent', `mop/${VERSION}`]];
  const sent = [...own, ...headers];
  trace?.(`> GET ${redactUrl(url.href)} (WebSocket, ${protocol})`);
  for (const [name, value] of sent) trace?.(`> ${name}: ${redactHeader(name, value)}`);

  const socket = new WebSocket(url, protocol, {
    headers: Object.fromEntries(sent),
    ...trusting(options.ca),
    ...(proxy && { agent: await agentFor(proxy, options.ca) }),
    handshakeTimeout: Math.ceil(timeoutSeconds * 1000),
    maxPayload: MAX_MESSAGE_BYTES,
  });
  return new Promise((resolve, reject) => {
    const abandon = (): void => {
      reject(signal?.reason);
      socket.terminate();
    };
    const settle = <T>(end: (result: T) => void): ((result: T) => void) => {
      return (result) => {
        signal?.removeEventListener('abort', abandon);
        end(result);
      };
    };
    const fail = settle((error: Error) => reject(socketError(error, url, proxy, timeoutSeconds)));
    signal?.addEventListener('abort', abandon, { once: true });
    socket.on('error', fail);
    socket.once(
      'open',
      settle(() => resolve({ socket })),
    );
    socket.once('unexpected-response', (_, response) => {
      trace?.(`< ${response.statusCode}`);
      answerOf(response).then(
        settle((answer) => resolve({ answer })),
        fail,
      );
    });
  });
}

/** An error of a WebSocket, told apart as those of other exchanges are. */
export function socketError(
  error: Error,
  url: URL,
  proxy: URL | undefined,
  timeoutSeconds: number,
): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  // The tunnel is opened by the proxy: who is connected to here is the proxy itself.
  const ofProxy = proxy && /^(?:connect|getaddrinfo)$/.test(syscall ?? '');
  const known = networkError(ofProxy ? new ProxyFailure(error) : error, {
    url,
    proxy,
    timeoutSeconds,
  });
  if (known instanceof MopError) return known;
  if (/handshake has timed out/.test(error.message)) {
    return new MopError('network', `${url.host} opened no WebSocket within ${timeoutSeconds} s`, {
      hint: '--timeout sets the limit',
      cause: error,
      sent: false,
    });
  }
  const isBroken = code?.startsWith('WS_ERR') ?? false;
  return new MopError(
    isBroken ? 'network' : 'api',
    `the WebSocket of ${url.host} is not usable: ${error.message}`,
    { hint: 'does the endpoint speak graphql-transport-ws? --transport sse is the other way' },
  );
}

/** Ends a connection: politely, and after a second at once. */
export async function closeWebSocket(socket: WebSocket): Promise<void> {
  if (socket.readyState === WebSocket.CLOSED) return;
  await new Promise<void>((resolve) => {
    const impatient = setTimeout(() => socket.terminate(), 1000);
    socket.once('close', () => {
      clearTimeout(impatient);
      resolve();
    });
    socket.close(1000);
  });
}

async function agentFor(proxy: URL, ca: string | undefined) {
  const { HttpsProxyAgent } = await import('https-proxy-agent');
  return new HttpsProxyAgent(proxy, trusting(ca));
}

async function answerOf(response: IncomingMessage): Promise<HttpText> {
  const content = await buffer(response);
  return {
    status: response.statusCode ?? 0,
    header: (name) => [response.headers[name]].flat()[0],
    text: new TextDecoder().decode(content),
    isUtf8: isUtf8(content),
  };
}
