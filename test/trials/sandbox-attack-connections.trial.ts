import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import {
  expectServing,
  hasProc,
  openRaw,
  type RawConnection,
  requestBill,
  signedNow,
  startSandboxProcess,
  statusesIn,
} from './sandbox-process.ts';
import { times } from './scale.ts';

// One byte a second keeps all downloads running at the same time.
const sandbox = await startSandboxProcess(['--fault', 'slow=1']);
afterAll(() => sandbox.end());

const CROWD = times(1000, 2000);
const GROUP = 200;
const SUBSCRIPTIONS = times(100, 500);
/** The process of the tests has one end of each connection, and the sandbox the other. */
const isCrowdPossible = openFilesAllowed() > CROWD + 200;
/**
 * The memory that the crowd may add to the sandbox. Measured for 2,000 connections: 180 MiB when all
 * of them download, 80 with a quarter of them. For 1,000 in a short run: 60.
 */
const MAX_GROWTH_MIB = times(150, 300);

function openFilesAllowed(): number {
  if (!hasProc) return Number.POSITIVE_INFINITY;
  const [, soft] = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return Number(soft === 'unlimited' ? Number.POSITIVE_INFINITY : soft);
}

function post(body: string): string {
  const head = [
    'POST /open/v1/user/sync HTTP/1.1',
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** Opens `count` connections, in groups that fit the listen backlog of the system. */
async function openMany(count: number, target = sandbox): Promise<readonly RawConnection[]> {
  const connections: RawConnection[] = [];
  while (connections.length < count) {
    const some = Math.min(GROUP, count - connections.length);
    connections.push(...(await Promise.all(Array.from({ length: some }, () => openRaw(target)))));
  }
  return connections;
}

/** The received text when it contains `end`, or when the sandbox has closed the connection. */
async function receivedUntil(
  end: string,
  { socket, received, closed }: RawConnection,
): Promise<string> {
  while (!received().includes(end) && !socket.destroyed) {
    await Promise.race([once(socket, 'data'), closed]);
  }
  return received();
}

/** Destroys all connections, and waits until the sandbox has closed them. */
async function expectClosed(
  { idleFiles }: { readonly idleFiles: number },
  sockets: Iterable<{ destroy(): unknown }>,
): Promise<void> {
  for (const socket of sockets) socket.destroy();
  await expectServing(sandbox);
  if (!hasProc) return;
  await vi.waitFor(() => expect(sandbox.openFiles()).toBeLessThan(idleFiles + 20), {
    timeout: 30_000,
  });
}

const before = hasProc
  ? { idleFiles: sandbox.openFiles(), peak: sandbox.peakMemory() }
  : { idleFiles: 0, peak: 0 };

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
  const slow = await openMany(times(20, 100), patient);
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

describe('a crowd of slow clients that send', () => {
  it.each(slowRequests)('%s do not delay other requests', async (_, head, drop) => {
    const slow = await openMany(times(100, 500));
    for (const { socket } of slow) socket.write(head);
    for (let round = 0; round < 5; round++) {
      for (const { socket } of slow) socket.write(drop);
      await expectServing(sandbox);
    }
    await expectClosed(
      before,
      slow.map(({ socket }) => socket),
    );
    expect(slow.flatMap(({ received }) => statusesIn(received()))).toEqual([]);
  });
});

describe.runIf(isCrowdPossible)(`${CROWD} connections`, () => {
  it('are all answered', async () => {
    const crowd: RawConnection[] = [];
    while (crowd.length < CROWD) {
      // The sandbox waits 10 seconds for a request. A busy machine needs longer for all requests.
      const first = crowd.length;
      const group = await openMany(GROUP);
      for (const [index, { socket }] of group.entries()) {
        socket.write(post(signedNow({ index: first + index })));
      }
      for (const [index, connection] of group.entries()) {
        const answer = await receivedUntil('"data"', connection);
        expect(answer).toContain(`"data":{"index":${first + index}}`);
      }
      crowd.push(...group);
    }
    await expectServing(sandbox);
    await expectClosed(
      before,
      crowd.map(({ socket }) => socket),
    );
  });

  it('that are idle do not block other requests', async () => {
    const crowd = await openMany(CROWD);
    await expectServing(sandbox);
    if (hasProc) expect(sandbox.openFiles()).toBeGreaterThan(CROWD);
    await expectClosed(
      before,
      crowd.map(({ socket }) => socket),
    );
  });

  it('that are closed during a download free their files and sockets', async () => {
    const { download_url = '', authorization } = await requestBill(sandbox);
    const { pathname, search } = new URL(download_url);
    const head = `GET ${pathname}${search} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\n\r\n`;
    const crowd = await openMany(times(300, CROWD));
    for (const { socket } of crowd) socket.write(head);
    for (const connection of crowd) {
      expect(statusesIn(await receivedUntil('\r\n\r\n', connection))).toEqual([200]);
    }
    await expectServing(sandbox);
    await expectClosed(
      before,
      crowd.map(({ socket }) => socket),
    );
  });

  it.runIf(hasProc)('use limited memory', () => {
    expect(sandbox.peakMemory() - before.peak).toBeLessThan(MAX_GROWTH_MIB);
  });
});

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
    await expectClosed(
      before,
      sockets.map((socket) => ({ destroy: () => socket.terminate() })),
    );
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
    await expectClosed(before, requests);
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

  afterEach(() => expect(target.peakMemory() - idle).toBeLessThan(250));

  it.each([
    ['health', get('/api/health')],
    ['a page', get('/api-docs')],
    ['requests', get('/requests')],
    ['events', get('/requests/events')],
    ['operations', `${HEAD}Content-Length: ${operation.length}\r\n\r\n${operation}`],
  ])('are disconnected when they pipeline 1,000 requests for %s', async (_, request) => {
    await pipeline(request, 1000);
    await expectServing(target);
    await expectDisconnected();
  });

  it('are disconnected when they leave a bill unread for 30 seconds', {
    timeout: 120_000,
  }, async () => {
    await pipeline(await bill(), 20);
    await expectServing(target);
    await expectDisconnected();
  });

  it('over WebSockets are disconnected after 30 seconds', { timeout: 180_000 }, async () => {
    const sockets = Array.from({ length: 20 }, async () => {
      const socket = new WebSocket(
        `${target.url.replace('http', 'ws')}/graphql`,
        'graphql-transport-ws',
      ).on('error', () => {});
      await once(socket, 'open');
      socket.send('{"type":"connection_init"}');
      await once(socket, 'message');
      socket.pause();
      const ping = JSON.stringify({ type: 'ping', payload: { text: 'x'.repeat(64 * 1024) } });
      for (let sent = 0; sent < 16 * 1024 ** 2; sent += ping.length) socket.send(ping);
    });
    await Promise.all(sockets);
    await expectServing(target);
    await expectDisconnected();
  });
});
