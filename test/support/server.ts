import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A request as received by a server. */
export interface Received {
  readonly method: string;
  readonly path: string;
  /** Alternating names and values, in their original case. */
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Handler = (request: Received, response: ServerResponse, index: number) => unknown;

export interface TestServer {
  readonly url: string;
  /** In order of arrival. */
  readonly requests: readonly Received[];
}

/** The certificate and key of a TLS server, in PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** Serves on loopback until the test ends. `index` counts requests from 0. */
export async function serve(
  handler: Handler,
  certificate?: Certificate,
  host?: LoopbackHost,
): Promise<TestServer> {
  const requests: Received[] = [];
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request: Received = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      rawHeaders: incoming.rawHeaders,
      headers: incoming.headers,
      body: await text(incoming),
    };
    requests.push(request);
    await handler(request, response, requests.length - 1);
  };
  const server = certificate ? createTlsServer(certificate, answer) : createServer(answer);
  const port = await listen(server, host);
  const name = host === '::1' ? '[::1]' : '127.0.0.1';
  return { url: `${certificate ? 'https' : 'http'}://${name}:${port}`, requests };
}

/** A loopback address to listen at. */
export type LoopbackHost = '127.0.0.1' | '::1';

/** Listens on a free loopback port until the test ends. */
export async function listen(server: Server, host: LoopbackHost = '127.0.0.1'): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    // A client may close its connection at any time.
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Answers with an envelope of the platform. */
export function envelope(
  response: ServerResponse,
  code: number,
  data: unknown = {},
  message = '',
): void {
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ code, message, data }));
}
