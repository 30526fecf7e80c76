import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { MopError } from '../../src/errors.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import type { LogEntry } from '../../src/server/log-entry.ts';
import {
  BILL,
  call,
  download,
  envelopeOf,
  NOW,
  postJson,
  SECONDS,
  send,
  signed,
  start,
} from './support.ts';

const DATE = new Date(SECONDS * 1000).toUTCString();

test('the address is a loopback one without a trailing slash', async () => {
  expect((await start()).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await start({ host: '::1' })).url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect((await start({ host: '0.0.0.0' })).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test('a link below an IPv6 address works', async () => {
  const sandbox = await start({ host: '::1' });
  expect((await download(await call(sandbox))).status).toBe(200);
});

test('a port in use is a failure with this reason', async () => {
  const port = Number(new URL((await start()).url).port);
  const second = await startSandbox({ port }).catch((error: unknown) => error);
  expect(second).toBeInstanceOf(MopError);
  expect(second).toMatchObject({
    code: 'failure',
    message: `cannot listen on 127.0.0.1 port ${port}: the port is in use`,
    details: { hint: expect.stringContaining('--port 0') },
  });
});

test('an address of another machine is a failure', async () => {
  await expect(startSandbox({ host: '192.0.2.1' })).rejects.toMatchObject({
    code: 'failure',
    message: expect.stringContaining('cannot listen on 192.0.2.1 port 0'),
  });
});

test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])(
  '%s is an unknown operation: 2000',
  async (method) => {
    const sandbox = await start();
    for (const path of ['/open/v1/trade/bill', '/api/open/trade/bill', '/open/v1', '/api/open/x']) {
      const reply = await send(sandbox.url + path, { method });
      expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json']);
      if (method !== 'HEAD') {
        expect(envelopeOf(reply)).toEqual({ code: 2000, message: 'POST only', data: {} });
      }
    }
  },
);

test.each(['/none', '', '/', '//trade/bill', '/trade/bill/', '/trade/bill/x', '/Trade/Bill'])(
  'the operation %j is unknown: 2000',
  async (path) => {
    const answer = { code: 2000, message: 'Illegal operation', data: {} };
    expect(await call(await start(), BILL, {}, path)).toEqual(answer);
  },
);

test.each([
  '/consoles',
  '/assets/x',
  '/open',
  '/open/v2/trade/bill',
  '/open/v10',
  '/trade/bill',
  '/download',
  '/download/bill/x',
  '/x%0ay',
])('%s is not found', async (path) => {
  const reply = await send((await start()).url + path);
  expect([reply.status, reply.body.toString()]).toEqual([404, 'not found']);
});

test('every response has the Date of the clock', async () => {
  const { url } = await start();
  for (const path of ['/', '/open/v1/trade/bill', '/download/bill']) {
    expect((await send(url + path)).headers.date).toBe(DATE);
  }
  const ok = await call({ url });
  expect((await download(ok)).headers.date).toBe(DATE);
  expect(await raw(url, 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n')).toContain(`Date: ${DATE}\r\n`);
});

test('an invalid request does not end the sandbox', async () => {
  const { url } = await start();
  expect(await raw(url, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  const large = `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`;
  expect(await raw(url, large)).toMatch(/^HTTP\/1\.1 431 /);
  const cut = 'POST /open/v1/trade/bill HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{"a"';
  expect(await raw(url, cut)).toMatch(/^HTTP\/1\.1 400 /);
  expect((await send(url)).status).toBe(200);
});

test('the log has an entry for each request, without its query', async () => {
  const entries: LogEntry[] = [];
  const sandbox = await start({ log: (entry) => entries.push(entry) });
  const answer = await call(sandbox);
  await call(sandbox, {}, { apiKey: 'other' });
  await download(answer);
  await download({ ...answer, data: { ...answer.data, authorization: 'x' } });
  await send(`${sandbox.url}/x%0ay?z`);
  const shape = { time: NOW, milliseconds: expect.any(Number), error: undefined };
  expect(entries).toEqual([
    {
      method: 'POST',
      path: '/open/v1/trade/bill',
      status: 200,
      code: 0,
      signature: 'right',
      readings: [],
      warnings: [],
      ...shape,
    },
    {
      method: 'POST',
      path: '/open/v1/trade/bill',
      status: 200,
      code: 1003,
      signature: 'unreadable',
      ...shape,
    },
    { method: 'GET', path: '/download/bill', status: 200, ...shape },
    { method: 'GET', path: '/download/bill', status: 403, ...shape },
    { method: 'GET', path: '/x%0ay', status: 404, ...shape },
  ]);
  expect(JSON.stringify(entries)).not.toContain(answer.data.authorization);
});

test('a bug is a service error, and its error is logged', async () => {
  const entries: LogEntry[] = [];
  const sandbox = await start({ timeZone: 'Nowhere', log: (entry) => entries.push(entry) });
  expect(await call(sandbox)).toEqual({ code: -1, message: 'Service error', data: {} });
  expect(entries).toMatchObject([{ code: -1, error: expect.any(RangeError) }]);
});

test('close ends open requests quickly, and can be repeated', async () => {
  const sandbox = await startSandbox({
    now: () => NOW,
    rows: 5_000_000,
    faults: [
      { name: 'slow', value: 1 },
      { name: 'no-hash', value: true, count: 1 },
    ],
  });
  const { hostname, port } = new URL(sandbox.url);
  const idle = connect(Number(port), hostname);
  await once(idle, 'connect');
  const answer = await call(sandbox);
  const outcomes = Promise.allSettled([
    download(answer),
    // A digest that takes long.
    postJson(`${sandbox.url}/open/v1/trade/bill`, signed()),
    once(idle, 'close'),
  ]);
  await send(`${sandbox.url}/`);
  const started = performance.now();
  await Promise.all([sandbox.close(), sandbox.close()]);
  await sandbox.close();
  await outcomes;
  expect(performance.now() - started).toBeLessThan(500);
  await expect(send(sandbox.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

/** The answer to raw bytes, until the peer closes. */
async function raw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    answer += chunk;
  });
  socket.on('error', () => {});
  socket.end(text);
  await once(socket, 'close');
  return answer;
}
