import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { CloseCode, handleProtocols, makeServer, type Server } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Context, publicError } from './resolver-context.ts';
import { type GraphqlService, prepare } from './service.ts';

interface Extra {
  readonly context: Context;
}

const MAX_MESSAGE_BYTES = 1024 * 1024;

/** Answers an upgraded connection. @returns Whether the handshake succeeded. */
export type WebSocketEndpoint = (
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  context: Context,
) => boolean;

/** Executes operations over WebSockets, by the protocol `graphql-transport-ws`. */
export function webSocketEndpoint(service: GraphqlService): WebSocketEndpoint {
  // The package's adapter for ws would print the mistakes of clients to the console.
  const protocol = makeServer<Record<string, unknown> | undefined, Extra>({
    execute: service.execute,
    onSubscribe: (connection, _, parameters) =>
      prepare(service, parameters, connection.extra.context),
    onError: ({ extra }, _id, _payload, errors) =>
      errors.map((error) => publicError(error, extra.context).toJSON()),
  });
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols,
  });

  return (incoming, socket, head, context) => {
    let isOpen = false;
    sockets.handleUpgrade(incoming, socket, head, (webSocket) => {
      isOpen = true;
      open(protocol, webSocket, context);
    });
    return isOpen;
  };
}

function open(protocol: Server<Extra>, webSocket: WebSocket, context: Context): void {
  const closed = protocol.opened(
    {
      protocol: webSocket.protocol,
      // Ignore a failed send: `close` reports a disconnected client.
      send: (text) => new Promise((resolve) => webSocket.send(text, () => resolve())),
      close: (code, reason) => webSocket.close(code, reason),
      onMessage(read) {
        webSocket.on('message', (data) => {
          read(String(data)).catch(() => webSocket.close(CloseCode.BadRequest, 'Invalid message'));
        });
      },
    },
    { context },
  );
  // ws closes a connection that violates the protocol, with the matching code.
  webSocket.on('error', () => {});
  webSocket.on('close', (code, reason) => void closed(code, String(reason)));
}
