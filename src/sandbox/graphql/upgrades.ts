import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { GRAPHQL_PATH } from '../../protocol/graphql.ts';
import { isCrossSite } from '../../server/cross-site.ts';
import type { Log } from '../../server/log-entry.ts';
import type { Clock } from '../authentication.ts';
import { clockOf } from '../exchange.ts';
import type { FaultPlan } from '../faults.ts';
import type { WebSocketEndpoint } from './socket-endpoint.ts';

export interface UpgradeOptions {
  /** Loaded with the first WebSocket. */
  readonly endpoint: () => Promise<WebSocketEndpoint>;
  readonly now: Clock;
  /** `latency`, `skew` and `http` apply here as well. */
  readonly faults: FaultPlan;
  readonly log: Log | undefined;
}

/**
 * Opens WebSockets at the path of GraphQL only.
 *
 * @returns A function that closes all of them immediately.
 */
export function serveUpgrades(server: Server, options: UpgradeOptions): () => void {
  const sockets = new Set<Duplex>();
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (incoming.headers.upgrade?.toLowerCase() !== 'websocket') {
      ignoreUpgrade(server, incoming, socket, head);
      return;
    }
    const disconnection = new AbortController();
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      sockets.delete(socket);
      disconnection.abort();
    });
    void answer(incoming, socket, head, disconnection.signal, options);
  });
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

/** Handles a handshake with the faults, clock and log of other requests. */
async function answer(
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  disconnected: AbortSignal,
  { endpoint, now, faults, log }: UpgradeOptions,
): Promise<void> {
  const started = performance.now();
  const [path = ''] = (incoming.url ?? '').split('?');
  const report = (status: number, error?: unknown): void => {
    const milliseconds = Math.round(performance.now() - started);
    log?.({ time: now(), method: incoming.method ?? '', path, status, milliseconds, error });
  };

  const clock = await clockOf(now, faults, disconnected);
  const status = path === GRAPHQL_PATH ? refusal(incoming, faults) : 404;
  if (status !== undefined) {
    refuse(socket, status, clock());
    report(status);
    return;
  }
  try {
    const failed = (error: unknown): void => report(101, error);
    const context = { now: clock, language: 'en', disconnected, failed } as const;
    report((await endpoint())(incoming, socket, head, context) ? 101 : 400);
  } catch (error) {
    socket.destroy();
    report(500, error);
  }
}

function refusal(incoming: IncomingMessage, faults: FaultPlan): number | undefined {
  return faults.take('http') ?? (isCrossSite(incoming) ? 403 : undefined);
}

function refuse(socket: Duplex, status: number, now: number): void {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `Date: ${new Date(now).toUTCString()}`,
    'Connection: close',
    'Content-Length: 0',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n`, () => socket.destroy());
}

/**
 * Ignores the Upgrade header of a request, as HTTP allows (RFC 9110 section 7.8): for example, the
 * client of Java offers HTTP/2 with its first request.
 */
function ignoreUpgrade(
  server: Server,
  { method, url, headers, rawHeaders }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  // The bytes after a bodiless request are a pipelined request. Close the connection without reading
  // them: the client then sends that request again.
  const isBodiless = !('content-length' in headers || 'transfer-encoding' in headers);
  const isLast = isBodiless && head.length > 0;
  const dropped = isLast ? /^(?:upgrade|connection)$/i : /^upgrade$/i;
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!dropped.test(name)) lines.push(`${name}: ${rawHeaders[index + 1]}`);
  }
  if (isLast) lines.push('Connection: close');
  const start = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  socket.unshift(isLast ? start : Buffer.concat([start, head]));
  server.emit('connection', socket);
}
