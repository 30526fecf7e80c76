import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { httpServer, listen } from '../../src/server/http-server.ts';

const GET = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
/** More than the buffers of the system between the two ends of a connection. */
const LARGE = Buffer.alloc(16 * 1024 ** 2, 'x');

/** A connection to a server that ends with the test. The connection reads nothing until `resume`. */
async function connected(
  listener: RequestListener,
  limits: Parameters<typeof httpServer>[1] = {},
  prepare: (server: Server) => void = () => {},
): Promise<Socket> {
  const server = httpServer(listener, limits);
  prepare(server);
  const { hostname, port } = new URL(await listen(server, '127.0.0.1', 0));
  const socket = connect(Number(port), hostname)
    .on('error', () => {})
    .setEncoding('latin1')
    .pause();
  onTestFinished(() => {
    socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  await once(socket, 'connect');
  return socket;
}

/** Everything that the connection receives until it is closed. */
async function receivedBy(socket: Socket): Promise<string> {
  let received = '';
  socket.on('data', (text: string) => {
    received += text;
  });
  await once(socket, 'close');
  return received;
}

test('a pipelined request begins when the answer before it has been read', async () => {
  const begun: (string | undefined)[] = [];
  const socket = await connected(({ url }, outgoing) => {
    begun.push(url);
    outgoing.end(LARGE);
  });
  socket.write(['/a', '/b', '/c'].map((path) => GET.replace('/', path)).join(''));
  await vi.waitFor(() => expect(begun).toEqual(['/a']));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(begun).toEqual(['/a']);
  socket.resume();
  await vi.waitFor(() => expect(begun).toEqual(['/a', '/b', '/c']), 5000);
});

test('a connection with more than 128 unanswered requests is closed', async () => {
  let begun = 0;
  const socket = await connected(() => void begun++);
  socket.write(GET.repeat(128));
  socket.resume();
  await vi.waitFor(() => expect(begun).toBe(1));
  expect(socket.closed).toBe(false);
  socket.write(GET);
  await once(socket, 'close');
  expect(begun).toBe(1);
});

test('a connection whose answer is not read is closed after the time limit', async () => {
  let isClosed = false;
  const socket = await connected(
    (_, outgoing) => outgoing.on('close', () => (isClosed = true)).end(LARGE),
    { unreadTimeout: 100 },
  );
  socket.write(GET);
  await vi.waitFor(() => expect(isClosed).toBe(true), 5000);
  expect((await receivedBy(socket.resume())).length).toBeLessThan(LARGE.length);
});

test('the time limit for reading does not apply while an answer is awaited', async () => {
  const socket = await connected(
    (_, outgoing) => void setTimeout(() => outgoing.end('late'), 500),
    { unreadTimeout: 200, keepAliveTimeout: 50 },
  );
  socket.write(GET);
  expect(await receivedBy(socket.resume())).toMatch(/^HTTP\/1\.1 200 OK.*late$/s);
});

test('a request with an Upgrade to another protocol is answered, and its connection closed', async () => {
  const socket = await connected(
    async (incoming, outgoing) => void outgoing.end(`[${(await incoming.toArray()).join('')}]`),
    {},
    (server) => server.on('upgrade', (_, upgraded) => upgraded.end('upgraded')),
  );
  const offer = 'Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 8\r\n\r\n';
  socket.write(`POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n${offer}body`);
  setTimeout(() => socket.write(`more${GET}`), 20);
  expect(await receivedBy(socket.resume())).toMatch(/Connection: close.*\[bodymore\]$/s);
});

test('a new client does not wait for the pipelined requests of the others', async () => {
  let begun = 0;
  let begunBefore = 0;
  const server = httpServer(({ url }, outgoing) => {
    begun++;
    if (url === '/new') begunBefore = begun;
    outgoing.end();
  });
  const { hostname, port } = new URL(await listen(server, '127.0.0.1', 0));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const send = (text: string): void => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    onTestFinished(() => void socket.resume().destroy());
  };
  for (let count = 0; count < 20; count++) send(GET.repeat(100));
  send(GET.replace('/', '/new'));
  await vi.waitFor(() => expect(begun).toBe(2001), 5000);
  // Without turns, almost all others come first.
  expect(begunBefore).toBeLessThan(200);
});
