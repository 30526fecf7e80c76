import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { MopError } from '../errors.ts';

/** Time-outs in milliseconds, for silent or slow clients; sizes in bytes. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
};

/**
 * An HTTP/1.1 server with time-outs and a header size limit. It refuses a request with several
 * `Host` headers: their precedence is undefined (RFC 9112 section 3.2).
 *
 * @param limits Override the defaults.
 */
export function httpServer(listener: RequestListener, limits: Partial<typeof LIMITS> = {}): Server {
  const server = createServer({ ...LIMITS, ...limits }, (incoming, outgoing) => {
    if ((incoming.headersDistinct.host?.length ?? 0) > 1) {
      outgoing.writeHead(400, { Connection: 'close' }).end();
      return;
    }
    listener(incoming, outgoing);
  });
  // 0 is unlimited: Node silently drops headers above a limit. maxHeaderSize bounds them.
  server.maxHeadersCount = 0;
  return server;
}

/**
 * Listens on an address.
 *
 * @returns The address of the server, such as `http://127.0.0.1:7800`.
 * @throws {MopError} `failure` when the port is in use, or nothing can listen there.
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
  EADDRNOTAVAIL: 'this machine does not have the address',
};

function listenError(error: unknown, host: string, port: number): MopError {
  const { code, message } = error as NodeJS.ErrnoException;
  const [subject, hint] =
    code === 'EADDRINUSE'
      ? [
          `port ${port} on ${host} is in use`,
          'choose another port with --port, or any with --port 0',
        ]
      : [
          `cannot listen on ${host} port ${port}: ${LISTEN_FAULTS[code ?? ''] ?? message}`,
          'choose another address with --host and --port',
        ];
  return new MopError('failure', subject, { hint, cause: error });
}
