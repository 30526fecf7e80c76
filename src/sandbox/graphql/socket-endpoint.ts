import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { CloseCode, handleProtocols, makeServer, type Server } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { queue } from '../../server/turns.ts';
import { type GraphqlService, prepare } from './service.ts';
import { type Context, inputError, publicError } from './state.ts';

interface Extra {
  readonly context: SocketContext;
}

interface SocketContext extends Context {
  /** Runs an operation when the earlier ones of the connection have ended and their results are read. */
  readonly inTurn: ReturnType<typeof queue>;
}

const MAX_MESSAGE_BYTES = 1024 * 1024;

/** The number of operations of a connection that run or wait, subscriptions included. */
const MAX_OPERATIONS = 100;

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
    execute: (operation) =>
      (operation.contextValue as SocketContext).inTurn(() => service.execute(operation)),
    onSubscribe: ({ extra, subscriptions }, _, parameters) =>
      Object.keys(subscriptions).length > MAX_OPERATIONS
        ? [inputError(`the connection has more than ${MAX_OPERATIONS} operations`)]
        : prepare(service, parameters, extra.context),
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
      readInStep(webSocket, socket);
      const turn = queue(1);
      const inTurn: typeof turn = (work) =>
        turn(async () => {
          if (socket.writableNeedDrain) {
            await once(socket, 'drain', { signal: context.disconnected });
          }
          return work();
        });
      open(protocol, webSocket, { ...context, inTurn });
    });
    return isOpen;
  };
}

/** Stops reading a connection while the client does not read the answers. */
function readInStep(webSocket: WebSocket, socket: Duplex): void {
  const check = (): void => {
    if (socket.writableNeedDrain) webSocket.pause();
  };
  webSocket.on('message', check).on('ping', check);
  socket.on('drain', () => webSocket.resume());
}

function open(protocol: Server<Extra>, webSocket: WebSocket, context: SocketContext): void {
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
