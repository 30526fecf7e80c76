import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Client, createClient } from 'graphql-ws';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import type { LogEntry } from '../../../src/server/log-entry.ts';
import { NOW, start } from '../support.ts';
import { countTimers, data, type Result } from './support.ts';

const PROTOCOL = 'graphql-transport-ws';

function addressOf({ url }: Sandbox, path = '/graphql'): string {
  return url.replace('http', 'ws') + path;
}

/** A client that ends with the test. */
function clientOf(sandbox: Sandbox): Client {
  const client = createClient({
    url: addressOf(sandbox),
    webSocketImpl: WebSocket,
    retryAttempts: 0,
  });
  onTestFinished(() => void client.dispose());
  return client;
}

/** A bare WebSocket that ends with the test. */
function socketOf(
  sandbox: Sandbox,
  headers = {},
  path = '/graphql',
  protocol: string | string[] = PROTOCOL,
): WebSocket {
  const socket = new WebSocket(addressOf(sandbox, path), protocol, { headers });
  socket.on('error', () => {});
  onTestFinished(() => socket.terminate());
  return socket;
}

/** The status with which a handshake is refused. */
async function refusalOf(socket: WebSocket): Promise<number> {
  const [, response] = await once(socket, 'unexpected-response');
  return response.statusCode;
}

/** The code with which it is closed, an error before that included. */
function closeOf(socket: WebSocket): Promise<number> {
  return new Promise((resolve) => socket.on('close', resolve));
}

async function all(client: Client, query: string, variables = {}): Promise<Result[]> {
  const results: Result[] = [];
  for await (const result of client.iterate({ query, variables })) results.push(result as Result);
  return results;
}

test('carries operations of each kind', async () => {
  const client = clientOf(await start());
  expect(await all(client, '{ bill { id } }')).toEqual([
    { data: { bill: { id: '2026-11-19:ALL' } } },
  ]);
  const detect = 'mutation ($text: String!) { detect(text: $text) { text hits { rule } } }';
  expect(await all(client, detect, { text: 'You only need me.' })).toEqual([
    {
      data: {
        detect: { text: 'You only need me.', hits: [{ rule: expect.stringMatching(/^[A-Z]/) }] },
      },
    },
  ]);
  const steps = await all(client, 'subscription { rideProgress(everyMs: 1) { step } }');
  expect(steps).toEqual(
    ['REQUESTED', 'ACCEPTED', 'ARRIVED', 'RIDING', 'ENDED'].map((step) => ({
      data: { rideProgress: { step } },
    })),
  );
});

test.each([
  ['{', 'Syntax Error: Expected Name, found <EOF>.'],
  ['{ nothing }', 'Cannot query field "nothing" on type "Query".'],
  [`{ ${'bill { id } '.repeat(5000)} }`, expect.stringContaining('10000 tokens')],
])('the invalid document %# is an error, and the connection stays open', async (query, message) => {
  const client = clientOf(await start());
  await expect(all(client, query)).rejects.toMatchObject([{ message }]);
  expect(await all(client, '{ detections { id } }')).toEqual([{ data: { detections: [] } }]);
});

test('an invalid argument is an error of the result', async () => {
  const subscription = 'subscription { rideProgress(everyMs: -1) { id } }';
  expect(await all(clientOf(await start()), subscription)).toMatchObject([
    {
      errors: [{ message: 'everyMs is not in 0 to 10000', extensions: { code: 'BAD_USER_INPUT' } }],
    },
  ]);
});

test('the error of a bug appears only in the log', async () => {
  const entries: LogEntry[] = [];
  const sandbox = await start({ timeZone: 'Nowhere', log: (entry) => entries.push(entry) });
  expect(await all(clientOf(sandbox), '{ bill { id } }')).toMatchObject([
    { data: { bill: null }, errors: [{ message: 'the sandbox failed' }] },
  ]);
  expect(entries).toMatchObject([
    { method: 'GET', path: '/graphql', status: 101, error: undefined },
    { method: 'GET', path: '/graphql', status: 101, error: expect.any(RangeError) },
  ]);
});

test('reports events from HTTP until the client disconnects', async () => {
  const on = vi.spyOn(EventEmitter.prototype, 'on');
  onTestFinished(() => on.mockRestore());
  const sandbox = await start();
  const client = clientOf(sandbox);
  const bookings = client.iterate({ query: 'subscription { rideBooked { city } }' });
  const next = bookings.next();
  const emitter = await vi.waitFor(() => {
    const index = on.mock.calls.findIndex(([name]) => name === 'value');
    expect(index).toBeGreaterThanOrEqual(0);
    return on.mock.contexts[index] as EventEmitter;
  });
  await data(sandbox, 'mutation { bookRide(input: { city: "杭州" }) { id } }');
  expect(await next).toMatchObject({ value: { data: { rideBooked: { city: '杭州' } } } });
  expect(emitter.listenerCount('value')).toBe(1);
  await bookings.return?.();
  await vi.waitFor(() => expect(emitter.listenerCount('value')).toBe(0));

  void client
    .iterate({ query: 'subscription { rideBooked { id } }' })
    .next()
    .catch(() => {});
  await vi.waitFor(() => expect(emitter.listenerCount('value')).toBe(1));
  client.terminate();
  await vi.waitFor(() => expect(emitter.listenerCount('value')).toBe(0));
});

describe('a handshake', () => {
  test.each([
    ['of another site', { Origin: 'https://evil.example' }],
    ['of a page in a sandboxed frame', { Origin: 'null' }],
    [
      'with another host name (DNS rebinding)',
      { Host: 'evil.example', Origin: 'http://evil.example' },
    ],
  ])('%s is refused', async (_, headers) => {
    expect(await refusalOf(socketOf(await start(), headers))).toBe(403);
  });

  test('of a page of the sandbox succeeds', async () => {
    const sandbox = await start();
    await once(socketOf(sandbox, { Origin: sandbox.url }), 'open');
  });

  test.each(['/', '/graphql/', '/open/v1/trade/bill'])('at %s is refused', async (path) => {
    expect(await refusalOf(socketOf(await start(), {}, path))).toBe(404);
  });

  test('that is incomplete is refused', async () => {
    const entries: LogEntry[] = [];
    const socket = await rawSocket(await start({ log: (entry) => entries.push(entry) }));
    socket.write('GET /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\n');
    socket.write('Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
    expect(entries).toMatchObject([{ method: 'GET', path: '/graphql', status: 400 }]);
  });

  test('is subject to faults, and logged', async () => {
    const entries: LogEntry[] = [];
    const sandbox = await start({
      faults: [
        { name: 'http', value: 429, count: 1 },
        { name: 'latency', value: 20, count: 2 },
        { name: 'skew', value: 86_400 },
      ],
      log: (entry) => entries.push(entry),
    });
    const refused = socketOf(sandbox);
    const [, response] = await once(refused, 'unexpected-response');
    expect(response.statusCode).toBe(429);
    expect(response.headers.date).toBe('Sat, 21 Nov 2026 04:05:06 GMT');
    expect(await all(clientOf(sandbox), '{ bill { date } }')).toEqual([
      { data: { bill: { date: '2026-11-20' } } },
    ]);
    expect(entries).toMatchObject([{ status: 429 }, { status: 101 }]);
    for (const { milliseconds } of entries) expect(milliseconds).toBeGreaterThanOrEqual(19);
  });
});

describe('invalid input', () => {
  const init = JSON.stringify({ type: 'connection_init' });
  const subscribe = JSON.stringify({
    type: 'subscribe',
    id: '1',
    payload: { query: '{ bill { id } }' },
  });

  test.each([
    ['is not JSON', [init, '{'], 4400],
    ['is binary', [init, Buffer.from([0xff, 0x00])], 4400],
    ['has an unknown type', [init, '{"type":"x"}'], 4400],
    ['has a type for clients', [init, '{"type":"next","id":"1","payload":{}}'], 4400],
    ['has no query', [init, '{"type":"subscribe","id":"1","payload":{}}'], 4400],
    ['arrives before connection_init', [subscribe], 4401],
    ['repeats connection_init', [init, init], 4429],
    ['has more than 1 MiB', ['x'.repeat(1024 * 1024 + 1)], 1009],
  ])('that %s ends the connection, and nothing is printed', async (_, messages, code) => {
    const printed = silenceOf();
    const sandbox = await start();
    const socket = socketOf(sandbox);
    await once(socket, 'open');
    for (const message of messages) socket.send(message);
    expect(await closeOf(socket)).toBe(code);
    expect(await all(clientOf(sandbox), '{ detections { id } }')).toHaveLength(1);
    expect(printed).toEqual([]);
  });

  test.each([PROTOCOL.toUpperCase(), 'graphql-ws'])(
    'such as the protocol %s prints nothing',
    async (protocol) => {
      const printed = silenceOf();
      await closeOf(socketOf(await start(), {}, '/graphql', protocol));
      expect(printed).toEqual([]);
    },
  );

  test('such as a missing protocol is rejected', async () => {
    expect(await closeOf(socketOf(await start(), {}, '/graphql', []))).toBe(4406);
  });

  test('instead of frames ends the connection, and nothing is printed', async () => {
    const printed = silenceOf();
    const sandbox = await start();
    const socket = await rawSocket(sandbox);
    socket.write(
      [
        'GET /graphql HTTP/1.1',
        'Host: 127.0.0.1',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        `Sec-WebSocket-Protocol: ${PROTOCOL}`,
        '',
        'nonsense that came at once',
      ].join('\r\n'),
    );
    socket.resume();
    await once(socket, 'end');
    expect(await all(clientOf(sandbox), '{ detections { id } }')).toHaveLength(1);
    expect(printed).toEqual([]);
  });
});

test('close ends sockets at once and leaves no timers', async () => {
  const timers = countTimers();
  const emit = vi.spyOn(EventEmitter.prototype, 'emit');
  onTestFinished(() => emit.mockRestore());
  const entries: LogEntry[] = [];
  const sandbox = await startSandbox({
    now: () => NOW,
    faults: [{ name: 'latency', value: 600_000, count: 1 }],
    log: (entry) => entries.push(entry),
  });
  const delayed = socketOf(sandbox);
  await vi.waitFor(() => expect(emit.mock.calls.map(([name]) => name)).toContain('upgrade'));
  const idle = socketOf(sandbox);
  await once(idle, 'open');
  const client = clientOf(sandbox);
  const ride = client.iterate({ query: 'subscription { rideProgress(everyMs: 10000) { id } }' });
  await ride.next();
  const listening = expect(ride.next()).rejects.toMatchObject({ code: 1006 });
  expect(entries).toHaveLength(2);
  expect(timers()).toBeGreaterThan(0);

  const started = performance.now();
  await sandbox.close();
  expect(performance.now() - started).toBeLessThan(500);
  await Promise.all([closeOf(delayed), closeOf(idle), listening]);
  // The one that waited does so no longer.
  await vi.waitFor(() => expect(entries).toHaveLength(3));
  expect(timers()).toBe(0);
});

test('an operation beyond 100 open ones of a connection is refused', async () => {
  const client = clientOf(await start());
  const query = 'subscription { rideBooked { id } }';
  const open = Array.from({ length: 100 }, () => client.iterate({ query }).next());
  await expect(client.iterate({ query }).next()).rejects.toMatchObject([
    { message: 'the connection has more than 100 operations' },
  ]);
  client.terminate();
  await Promise.allSettled(open);
});

/** The console output from here on. */
function silenceOf(): readonly unknown[] {
  const printed: unknown[] = [];
  for (const method of ['log', 'info', 'warn', 'error'] as const) {
    const spy = vi.spyOn(console, method).mockImplementation((...words) => {
      printed.push(words);
    });
    onTestFinished(() => spy.mockRestore());
  }
  return printed;
}

/** A connection without a protocol that ends with the test. */
async function rawSocket({ url }: Sandbox): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}
