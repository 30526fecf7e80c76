import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Certificate, listen } from '../../../support/server.ts';
import { type Gql, gqlAt, withResolvers } from './support.ts';

/** A message of graphql-transport-ws. */
export type Message = Readonly<Record<string, unknown>>;

export interface Connection {
  readonly socket: WebSocket;
  /** The underlying socket. */
  readonly raw: Socket;
  readonly headers: IncomingMessage['headers'];
  readonly url: string | undefined;
  /** The received messages, as text. */
  readonly texts: readonly string[];
  /** The types of the received messages. */
  readonly types: () => unknown[];
  readonly send: (message: Message) => void;
  /** With which code and reason it ended. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

export interface SocketService {
  /** `ws:` and `http:` of the same server. */
  readonly endpoint: string;
  readonly http: string;
  readonly gql: Gql;
  readonly connections: readonly Connection[];
  /** The first. */
  readonly connected: Promise<Connection>;
}

export type Script = Readonly<
  Record<string, (connection: Connection, message: Message) => unknown>
>;

export const ID = '1';

export const event = (value: unknown): Message => ({
  id: ID,
  type: 'next',
  payload: { data: value },
});

export const DONE: Message = { id: ID, type: 'complete' };

const ACKNOWLEDGE: Script = { connection_init: ({ send }) => send({ type: 'connection_ack' }) };

/** A server that answers each type of message by a script. Default: acknowledges the connection. */
export async function sockets(
  script: Script,
  options: {
    readonly tls?: Certificate;
    readonly autoPong?: boolean;
    readonly protocol?: string | false;
    /** Runs at once; its output is in one piece with the handshake. */
    readonly greet?: (connection: Connection) => void;
  } = {},
): Promise<SocketService> {
  const { tls, protocol = 'graphql-transport-ws', greet, ...rest } = options;
  const server = tls ? createTlsServer(tls) : createServer();
  server.on('upgrade', (_, raw) => raw.cork());
  const webSockets = new WebSocketServer({ server, handleProtocols: () => protocol, ...rest });
  onTestFinished(() => {
    for (const client of webSockets.clients) client.terminate();
  });
  const connections: Connection[] = [];
  const { promise: connected, resolve } = withResolvers<Connection>();
  webSockets.on('connection', (socket, { headers, url, socket: raw }) => {
    const texts: string[] = [];
    const connection: Connection = {
      socket,
      raw,
      headers,
      url,
      texts,
      types: () => texts.map((text) => JSON.parse(text).type),
      send: (message) => socket.send(JSON.stringify(message)),
      closed: new Promise((resolve) => {
        socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
      }),
    };
    socket.on('error', () => {});
    socket.on('message', (data) => {
      texts.push(String(data));
      const message = JSON.parse(String(data)) as Message;
      ({ ...ACKNOWLEDGE, ...script })[String(message.type)]?.(connection, message);
    });
    connections.push(connection);
    greet?.(connection);
    raw.uncork();
    resolve(connection);
  });
  const host = `127.0.0.1:${await listen(server)}/graphql`;
  const endpoint = `${tls ? 'wss' : 'ws'}://${host}`;
  const http = `${tls ? 'https' : 'http'}://${host}`;
  return { endpoint, http, gql: gqlAt(endpoint), connections, connected };
}

/** Sends these in answer to a subscription. */
export const replying = (...messages: readonly Message[]): Script => ({
  subscribe: ({ send }) => messages.forEach(send),
});
