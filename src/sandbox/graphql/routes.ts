import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Context, Hono } from 'hono';
import { GRAPHQL_PATH } from '../../protocol/defaults.ts';
import { type AllowedOrigins, isCrossSite } from '../../server/cors.ts';
import type { Log } from '../../server/log-entry.ts';
import { chooseLanguage } from '../../server/pages/view.ts';
import { clockOf, gatewayPage, type SandboxEnv } from '../exchange.ts';
import type { FaultPlan } from '../faults.ts';
import type { Clock } from '../operation.ts';
import type { WebSocketEndpoint } from './socket-endpoint.ts';

type Endpoint = (c: Context<SandboxEnv>) => Promise<Response>;

/** Serves GraphQL over HTTP. A refusal is `{"errors":[{"message"}]}`. */
export function graphqlRoutes(
  endpoint: () => Promise<Endpoint>,
  faults: FaultPlan,
  allowedOrigins: AllowedOrigins,
): Hono<SandboxEnv> {
  return new Hono<SandboxEnv>().all(GRAPHQL_PATH, chooseLanguage, async (c) => {
    const page = gatewayPage(faults);
    if (page) return page;
    if (isCrossSite(c.env.incoming, allowedOrigins)) {
      return c.json({ errors: [{ message: 'requests from other web sites are refused' }] }, 403);
    }
    return (await endpoint())(c);
  });
}

interface UpgradeOptions {
  /** Loaded with the first WebSocket. */
  readonly endpoint: () => Promise<WebSocketEndpoint>;
  readonly now: Clock;
  /** `latency`, `skew` and `http` apply here as well. */
  readonly faults: FaultPlan;
  readonly log: Log | undefined;
  readonly allowedOrigins: AllowedOrigins;
}

/** Opens WebSockets at the path of GraphQL only. Returns a function that closes them. */
export function serveUpgrades(server: Server, options: UpgradeOptions): () => void {
  const sockets = new Set<Duplex>();
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    const disconnection = new AbortController();
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      sockets.delete(socket);
      disconnection.abort();
    });
    const { signal } = disconnection;
    void answer(incoming, socket, head, signal, options).then(() => {
      // The time limit of the server for unread answers, which ws removes.
      incoming.socket.setTimeout(server.timeout).on('timeout', () => {
        if (socket.writableLength > 0) socket.destroy();
      });
    });
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
  { endpoint, now, faults, log, allowedOrigins }: UpgradeOptions,
): Promise<void> {
  const started = performance.now();
  const [path = ''] = (incoming.url ?? '').split('?');
  const report = (status: number, error?: unknown): void => {
    const milliseconds = Math.round(performance.now() - started);
    log?.({ time: now(), method: incoming.method ?? '', path, status, milliseconds, error });
  };

  const clock = await clockOf(now, faults, disconnected);
  const refused = isCrossSite(incoming, allowedOrigins) ? 403 : undefined;
  const status = path === GRAPHQL_PATH ? (faults.take('http') ?? refused) : 404;
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

function refuse(socket: Duplex, status: number, now: number): void {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `Date: ${new Date(now).toUTCString()}`,
    'Connection: close',
    'Content-Length: 0',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n`, () => socket.destroy());
}
