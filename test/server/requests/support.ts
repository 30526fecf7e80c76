import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { onTestFinished } from 'vitest';
import { httpServer, listen } from '../../../src/server/http-server.ts';
import { type Exchange, RequestHistory } from '../../../src/server/requests/history.ts';
import { type RequestDataOptions, requestRoutes } from '../../../src/server/requests/routes.ts';

export const EXCHANGE: Exchange = {
  time: Date.parse('2026-11-20T04:05:06.700Z'),
  method: 'POST',
  path: '/open/v1/trade/bill',
  status: 200,
  code: 0,
  milliseconds: 7,
};

/** Serves only the pages of the requests, until the test ends. */
export async function servePages(options: Partial<RequestDataOptions> = {}) {
  const history = new RequestHistory();
  const closing = new AbortController();
  const pages = requestRoutes({
    history,
    closing: closing.signal,
    layers: async () => undefined,
    hide: (text) => text,
    ...options,
  });
  const server = httpServer(getRequestListener(pages.fetch, { overrideGlobalObjects: false }));
  const url = await listen(server, '127.0.0.1', 0);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url, history, close: () => closing.abort(), server };
}

/** A reader of `/requests/events`. */
export interface EventReader {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** The received text. */
  text(): string;
  /** The received ids, in order of arrival. */
  ids(): readonly number[];
  /** Resolves when the stream ends or breaks. */
  readonly ended: Promise<void>;
  readonly request: ClientRequest;
  readonly incoming: IncomingMessage;
}

export async function readEvents(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventReader> {
  const outgoing = request(`${url}/requests/events`, { headers, agent: false });
  outgoing.on('error', () => {});
  onTestFinished(() => {
    outgoing.destroy();
  });
  const incoming = await new Promise<IncomingMessage>((resolve) => {
    outgoing.once('response', resolve).end();
  });
  let text = '';
  incoming.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const ended = new Promise<void>((resolve) => {
    incoming.once('close', resolve).on('error', () => {});
  });
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    text: () => text,
    ids: () => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id)),
    ended,
    request: outgoing,
    incoming,
  };
}
