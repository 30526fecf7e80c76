import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import {
  expectServing,
  hasProc,
  openRaw,
  type RawConnection,
  requestBill,
  type SandboxProcess,
  startSandboxProcess,
  statusesIn,
} from './sandbox-process.ts';
import { times } from './scale.ts';

const sandbox = await startSandboxProcess();
afterAll(() => sandbox.end());

const SUBSCRIPTIONS = times(30, 500);

function openMany(count: number, target: SandboxProcess): Promise<readonly RawConnection[]> {
  return Promise.all(Array.from({ length: count }, () => openRaw(target)));
}

/** Destroys all connections, and waits until the sandbox has closed them. */
async function expectClosed(sockets: Iterable<{ destroy(): unknown }>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  await expectServing(sandbox);
  if (!hasProc) return;
  await vi.waitFor(() => expect(sandbox.openFiles()).toBeLessThan(idleFiles + 20), {
    timeout: 30_000,
  });
}

const idleFiles = hasProc ? sandbox.openFiles() : 0;

const HEAD = 'POST /open/v1/user/sync HTTP/1.1\r\nHost: 127.0.0.1\r\n';
const slowRequests: readonly (readonly [string, string, string, number])[] = [
  ['nothing', '', '', 10],
  ['a byte of a header', HEAD, 'X', 10],
  ['a header', HEAD, 'X: 1\r\n', 10],
  ['a byte of a body', `${HEAD}Content-Length: 1000\r\n\r\n`, '{', 30],
  ['a chunk of a body', `${HEAD}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n{\r\n', 30],
  [
    'a byte of a form',
    `${HEAD.replace('v1', '').replace('/open/', '/api/open')}Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000\r\n\r\n`,
    '-',
    30,
  ],
];

/** The answers to many clients that send `drop` twice a second until the sandbox gives up. */
async function dripUntilClosed(head: string, drop: string) {
  const slow = await openMany(times(5, 100), patient);
  const started = performance.now();
  for (const { socket } of slow) socket.write(head);
  const dripping = setInterval(() => {
    for (const { socket } of slow) if (socket.writable) socket.write(drop);
  }, 500);
  const received = await Promise.all(slow.map(({ closed }) => closed));
  clearInterval(dripping);
  const statuses = [...new Set(received.flatMap(statusesIn))];
  return { statuses, milliseconds: performance.now() - started };
}

// The time limits are long, so they run out on another sandbox during the other tests.
const patient = await startSandboxProcess();
afterAll(() => patient.end());
const cutOff = new Map(
  slowRequests.map(([name, head, drop]) => [name, dripUntilClosed(head, drop)]),
);

describe('many subscriptions', () => {
  const query = 'subscription { rideProgress(everyMs: 10000) { step } }';

  it('over WebSockets free their sockets when closed', async () => {
    const sockets: WebSocket[] = [];
    const events = Array.from({ length: SUBSCRIPTIONS }, async () => {
      const socket = new WebSocket(
        `${sandbox.url.replace('http', 'ws')}/graphql`,
        'graphql-transport-ws',
      );
      sockets.push(socket.on('error', () => {}));
      await once(socket, 'open');
      socket.send('{"type":"connection_init"}');
      await once(socket, 'message');
      socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload: { query } }));
      const [message] = await once(socket, 'message');
      expect(String(message)).toContain('REQUESTED');
    });
    await Promise.all(events);
    await expectClosed(sockets.map((socket) => ({ destroy: () => socket.terminate() })));
  });

  it('over event streams free their sockets when closed', async () => {
    const headers = { Accept: 'text/event-stream', 'Content-Type': 'application/json' };
    const requests = Array.from({ length: SUBSCRIPTIONS }, () => {
      const options = { method: 'POST', headers, agent: false };
      return request(`${sandbox.url}/graphql`, options).on('error', () => {});
    });
    for (const each of requests) {
      each.end(JSON.stringify({ query }));
      const [response] = await once(each, 'response');
      await once(
        response.on('error', () => {}),
        'data',
      );
    }
    await expectClosed(requests);
  });
});

describe('slow clients that send', () => {
  it.each(slowRequests)(
    '%s are answered with 408',
    // Fails early if the sandbox has no time limit.
    { timeout: 60_000 },
    async (name, _, _drop, seconds) => {
      const { statuses, milliseconds } = (await cutOff.get(name)) ?? {};
      expect(statuses).toEqual([408]);
      // Up to 5 seconds until the sandbox checks, and 10 seconds for a busy machine.
      expect(milliseconds).toBeLessThan((seconds + 5) * 1000 + 10_000);
      await expectServing(patient);
    },
  );
});

describe.runIf(hasProc)('20 clients that send and never read', async () => {
  // A bill is larger than the buffers of the system between the two ends of a connection.
  const target = await startSandboxProcess(['--rows', '100000']);
  afterAll(() => target.end());
  const [idle, idleFiles] = hasProc ? [target.peakMemory(), target.openFiles()] : [0, 0];

  const get = (path: string, header = ''): string =>
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${header}\r\n`;
  const query = '{ bills(last: 92) { rides(first: 100) { nodes { id city } } } }';
  const operation = JSON.stringify({ query });
  const bill = async (): Promise<string> => {
    const { download_url = '', authorization } = await requestBill(target);
    const { pathname, search } = new URL(download_url);
    return get(pathname + search, `Authorization: ${authorization}\r\n`);
  };
  const pipeline = async (request: string, count: number): Promise<void> => {
    const opened = await openMany(20, target);
    for (const { socket } of opened) socket.pause().write(request.repeat(count));
  };
  const expectDisconnected = () =>
    vi.waitFor(() => expect(target.openFiles()).toBeLessThan(idleFiles + 5), {
      timeout: 150_000,
      interval: 500,
    });

  // Without limits, the peak is more than 1,000 MiB. With them it is about 200, more on a busy machine.
  afterEach(() => expect(target.peakMemory() - idle).toBeLessThan(400));

  const pipelined = [
    ['a page', get('/api-docs')],
    ['events', get('/requests/events')],
    ['operations', `${HEAD}Content-Length: ${operation.length}\r\n\r\n${operation}`],
    ['health', get('/api/health')],
    ['requests', get('/requests')],
  ] as const;
  // All answers are written by the same code: a short run has a page, a stream and a body.
  it.each(pipelined.slice(0, times(3, pipelined.length)))(
    'are disconnected when they pipeline 1,000 requests for %s',
    async (_, request) => {
      await pipeline(request, 1000);
      await expectServing(target);
      await expectDisconnected();
    },
  );

  it('are disconnected when they leave a bill unread for 30 seconds', {
    timeout: 120_000,
  }, async () => {
    await pipeline(await bill(), 20);
    await expectServing(target);
    await expectDisconnected();
  });

  it('over WebSockets are disconnected after 30 seconds', { timeout: 180_000 }, async () => {
    const opening = Array.from({ length: 20 }, async () => {
      const socket = new WebSocket(
        `${target.url.replace('http', 'ws')}/graphql`,
        'graphql-transport-ws',
      ).on('error', () => {});
      await once(socket, 'open');
      socket.send('{"type":"connection_init"}');
      await once(socket, 'message');
      return socket;
    });
    // The flood of one client could delay the start of another beyond the time limit.
    for (const socket of await Promise.all(opening)) {
      socket.pause();
      const ping = JSON.stringify({ type: 'ping', payload: { text: 'x'.repeat(64 * 1024) } });
      for (let sent = 0; sent < 16 * 1024 ** 2; sent += ping.length) socket.send(ping);
    }
    await expectServing(target);
    await expectDisconnected();
  });
});
