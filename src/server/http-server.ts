import { once } from 'node:events';
import { createServer, IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, isIPv6, type Socket } from 'node:net';
import { MopError } from '../errors.ts';
import { ownTurn } from './turns.ts';

/** Time-outs in milliseconds, for silent or slow clients; sizes in bytes. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
  /** The maximum time without progress of a client that receives an answer. */
  unreadTimeout: 30_000,
};

/** The number of requests that may wait for an answer on one connection. */
const MAX_PIPELINED = 128;

/**
 * An HTTP/1.1 server that answers the requests of a connection one by one, within limits of time
 * and memory. It refuses a request with several `Host` headers (RFC 9112 section 3.2).
 */
export function httpServer(listener: RequestListener, limits: Partial<typeof LIMITS> = {}): Server {
  const { unreadTimeout, ...options } = { ...LIMITS, ...limits };
  const requests = new ConnectionQueues();
  const server = createServer({ ...options, IncomingMessage: Incoming }, (incoming, outgoing) => {
    if ((incoming.headersDistinct.host?.length ?? 0) > 1) {
      outgoing.writeHead(400, { Connection: 'close' }).end();
      return;
    }
    // Node does not read the bytes that follow the offer of another protocol in the same packet.
    if (incoming.headers.upgrade !== undefined) outgoing.shouldKeepAlive = false;
    requests.add(incoming.socket, outgoing, () => listener(incoming, outgoing));
  });
  // 0 is unlimited: Node silently drops headers above a limit. maxHeaderSize bounds them.
  server.maxHeadersCount = 0;
  // The time-out of a socket restarts with each byte that is sent or received.
  server.timeout = unreadTimeout;
  server.on('timeout', (socket) => {
    if (socket.writableLength > 0 || !requests.isOpen(socket)) socket.destroy();
  });
  return server;
}

class ConnectionQueues {
  readonly #queues = new WeakMap<Socket, (() => void)[]>();

  /** Calls `answer` when all earlier requests of the connection are answered. */
  add(socket: Socket, outgoing: NodeJS.EventEmitter, answer: () => void): void {
    const queue = this.#queues.get(socket) ?? [];
    this.#queues.set(socket, queue);
    queue.push(answer);
    // Emitted when the system has taken the whole answer, or the connection is closed.
    outgoing.once('close', () => {
      queue.shift();
      if (queue.length > 0) void ownTurn().then(() => !socket.destroyed && queue[0]?.());
    });
    if (queue.length === 1) answer();
    if (queue.length > MAX_PIPELINED) socket.destroy();
  }

  isOpen(socket: Socket): boolean {
    return (this.#queues.get(socket)?.length ?? 0) > 0;
  }
}

/**
 * A request whose header Upgrade is ignored unless it asks for a WebSocket, as HTTP allows (RFC 9110
 * section 7.8): the client of Java offers HTTP/2 with its first request. Otherwise, Node would stop
 * reading the connection as soon as the server has a listener for upgrades.
 */
class Incoming extends IncomingMessage {
  private isUpgrade = false;

  // Node sets it before it reads the headers, and asks for it afterwards.
  set upgrade(value: boolean) {
    this.isUpgrade = value;
  }

  get upgrade(): boolean {
    if (!this.isUpgrade) return false;
    return this.method === 'CONNECT' || this.headers.upgrade?.toLowerCase() === 'websocket';
  }
}

/**
 * The address of the server once it listens. @throws {MopError} `failure` when it cannot listen.
 */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening').catch((error: unknown) => {
    throw listenError(error, host, port);
  });
  return addressOf(server.address() as AddressInfo);
}

function addressOf({ address, port }: AddressInfo): string {
  // Loopback always reaches a server that listens on all addresses.
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}

const LISTEN_FAULTS: Readonly<Record<string, string | undefined>> = {
  EACCES: 'permission denied',
  EADDRINUSE: 'the port is in use',
  EADDRNOTAVAIL: 'this machine does not have the address',
};

function listenError(error: unknown, host: string, port: number): MopError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const fault = LISTEN_FAULTS[code] ?? message;
  return new MopError('failure', `cannot listen on ${host} port ${port}: ${fault}`, {
    hint: 'choose another port or address (--port 0 takes any free port)',
    cause: error,
  });
}
