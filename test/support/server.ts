import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A request as it reached a server. */
export interface Received {
  readonly method: string;
  readonly path: string;
  /** Names and values by turns, in the case in which they came. */
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Handler = (request: Received, response: ServerResponse, index: number) => unknown;

export interface TestServer {
  readonly url: string;
  /** In the order in which they came. */
  readonly requests: readonly Received[];
}

/** Serves on loopback until the test ends. `index` counts requests from 0. */
export async function serve(handler: Handler): Promise<TestServer> {
  const requests: Received[] = [];
  const server = createServer(async (incoming, response) => {
    const request: Received = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      rawHeaders: incoming.rawHeaders,
      headers: incoming.headers,
      body: await text(incoming),
    };
    requests.push(request);
    await handler(request, response, requests.length - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
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
