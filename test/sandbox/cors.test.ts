import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { parseFault } from '../../src/sandbox/faults.ts';
import { checkRows, testTable } from '../support/rows.ts';
import { call, type Reply, send, signed, start } from './support.ts';

const APP = 'http://app.example:5173';
const FROM_APP = { Origin: APP, 'Sec-Fetch-Site': 'cross-site' };
const QUERY = '{"query":"{ __typename }"}';

/** Answers of each service, with errors. */
const REQUESTS: readonly (readonly [path: string, status: number, body?: string])[] = [
  ['/open/v1/trade/bill', 200, signed()],
  ['/open/v1/trade/bill', 200, '[]'],
  ['/api/open/trade/bill', 200],
  ['/download/bill', 403],
  ['/api/detect', 200, '{"text":"x"}'],
  ['/api/detect', 400, '[]'],
  ['/api/detect', 405],
  ['/api/health', 200],
  ['/graphql', 200, QUERY],
  ['/graphql', 200, '{"query":"{"}'],
  ['/platform/openapi.json', 200],
  ['/nowhere', 404],
];

function exchange(
  url: string,
  [path, , body]: readonly [path: string, status: number, body?: string],
  headers: Readonly<Record<string, string>>,
): Promise<Reply> {
  if (body === undefined) return send(url + path, { headers });
  const typed = { 'Content-Type': 'application/json', ...headers };
  return send(url + path, { method: 'POST', headers: typed, body });
}

const allowedBy = ({ headers }: Reply) => headers['access-control-allow-origin'];

it('a page of an allowed origin reads every answer of the services', async () => {
  const { url } = await start({ allowedOrigins: ['http://localhost:5173', APP] });
  await checkRows(REQUESTS, async (row) => {
    const { status, headers } = await exchange(url, row, FROM_APP);
    expect([status, headers]).toEqual([
      row[1],
      expect.objectContaining({
        'access-control-allow-origin': APP,
        'access-control-expose-headers': '*',
        vary: 'Origin',
      }),
    ]);
  });
});

it('it also reads a download, a stream of events and the answer of a gateway', async () => {
  const sandbox = await start({ allowedOrigins: [APP], faults: [parseFault('http=503:1')] });
  expect(allowedBy(await send(`${sandbox.url}/api/health`, { headers: FROM_APP }))).toBe(APP);
  const { data } = await call(sandbox);
  const headers = { ...FROM_APP, Authorization: data.authorization ?? '' };
  const { status, ...reply } = await send(data.download_url ?? '', { headers });
  expect([status, allowedBy({ status, ...reply })]).toEqual([200, APP]);
  const events = await send(`${sandbox.url}/graphql`, {
    method: 'POST',
    headers: { ...FROM_APP, 'Content-Type': 'application/json', Accept: 'text/event-stream' },
    body: QUERY,
  });
  expect([events.headers['content-type'], allowedBy(events)]).toEqual([
    'text/event-stream; charset=utf-8',
    APP,
  ]);
});

it('a preflight of an allowed origin is answered at each address', async () => {
  const { url } = await start({ allowedOrigins: [APP] });
  const preflight = {
    'Access-Control-Request-Method': 'PUT',
    'Access-Control-Request-Headers': 'authorization,x-tms-sign',
    'Access-Control-Request-Private-Network': 'true',
  };
  await checkRows(REQUESTS, async ([path]) => {
    const ask = (Origin: string) =>
      send(url + path, { method: 'OPTIONS', headers: { ...preflight, Origin } });
    const { status, headers } = await ask(APP);
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': APP,
      'access-control-allow-methods': 'PUT',
      'access-control-allow-headers': 'authorization,x-tms-sign',
      'access-control-allow-private-network': 'true',
      vary: 'Origin',
    });
    const other = await ask('http://app.example');
    expect([other.status === 204, allowedBy(other)]).toEqual([false, undefined]);
  });
});

testTable<readonly [title: string, headers: Readonly<Record<string, string>>, status?: number]>(
  'other pages get no permission',
  [
    ['another origin', { Origin: 'https://evil.example' }],
    ['another port', { Origin: 'http://app.example' }],
    ['no origin', { Origin: 'null' }],
    ['an origin that is hidden', { 'Sec-Fetch-Site': 'cross-site' }],
    ['DNS rebinding', { Host: 'evil.example', Origin: 'http://evil.example' }],
    ['a program', {}, 200],
  ],
  ([title]) => title,
  async ([, headers, status = 403]) => {
    const { url } = await start({ allowedOrigins: [APP] });
    for (const row of REQUESTS)
      expect(allowedBy(await exchange(url, row, headers))).toBeUndefined();
    for (const [path, body] of [
      ['/api/detect', '{"text":"x"}'],
      ['/graphql', QUERY],
    ] as const) {
      expect((await exchange(url, [path, status, body], headers)).status).toBe(status);
    }
  },
);

testTable<readonly [allowed: string, origin: string, status: number]>(
  'null allows pages without an origin, and * all pages',
  [
    ['null', 'null', 200],
    ['null', APP, 403],
    ['*', 'null', 200],
    ['*', APP, 200],
  ],
  String,
  async ([allowed, origin, status]) => {
    const { url } = await start({ allowedOrigins: [allowed] });
    const reply = await exchange(url, ['/graphql', status, QUERY], { Origin: origin });
    expect([reply.status, allowedBy(reply)]).toEqual([status, status === 200 ? origin : undefined]);
    const rebound = await send(`${url}/graphql?query={bill{id}}`, {
      headers: { Host: 'evil.example' },
    });
    expect(rebound.status).toBe(403);
  },
);

it('a cache distinguishes origins also for pages, and for other origins', async () => {
  const { url } = await start({ allowedOrigins: [APP] });
  const varyOf = async (path: string, headers = {}) =>
    (await send(url + path, { headers })).headers.vary;
  expect(await varyOf('/platform', FROM_APP)).toBe('Accept-Language, Origin');
  expect(await varyOf('/api/health')).toBe('Origin');
});

it('no origin is allowed to read the requests', async () => {
  const { url } = await start({ allowedOrigins: [APP, '*'] });
  await call({ url });
  for (const path of ['/requests/events', '/requests/1']) {
    expect([path, (await send(url + path, { headers: FROM_APP })).status]).toEqual([path, 403]);
  }
});

it('a page of an allowed origin opens a WebSocket', async () => {
  const { url } = await start({ allowedOrigins: [APP] });
  const address = `${url.replace('http', 'ws')}/graphql`;
  const socket = new WebSocket(address, 'graphql-transport-ws', { headers: FROM_APP });
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
});
