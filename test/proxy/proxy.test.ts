import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request as openRequest } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../src/protocol/sandbox.ts';
import { signBody } from '../../src/signing/body-mode.ts';
import { signHeaders } from '../../src/signing/header-mode.ts';
import { postJson, type Reply, send, start } from '../sandbox/support.ts';
import { envelope, listen, type Received, serve } from '../support/server.ts';
import { proxyTo, SOURCE } from './support.ts';

const BODY = '/open/v1/trade/bill';
const HEADER = '/api/open/takecar/estimate/price';
const BILL = '{"bill_date":"2026-11-19","bill_type":0,"tar_type":1}';

/** A platform that accepts everything. */
const platform = () => serve((_, response) => envelope(response, 0));

function errorOf({ body }: Reply): { code: string; message: string; hint: string } {
  return JSON.parse(body.toString()).error;
}

function only(requests: readonly Received[]): Received {
  expect(requests).toHaveLength(1);
  return requests[0] as Received;
}

test('an unsigned body is signed like mop sign does, in the mode of its path', async () => {
  const sandbox = await start();
  const { url, exchanges } = await proxyTo(sandbox.url);
  for (const [path, body] of [
    [BODY, BILL],
    [HEADER, '{"city":"330100","lat":30.27}'],
    ['/api/open/trade/bill', BILL],
  ] as const) {
    // curl -d declares a form.
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const reply = await send(url + path, { method: 'POST', headers: type, body });
    expect(JSON.parse(reply.body.toString())).toMatchObject({ code: 0 });
    expect(reply.headers).not.toHaveProperty('x-mop-diagnosis');
  }
  expect(exchanges.map(({ status, code, signature }) => [status, code, signature])).toEqual(
    Array(3).fill([200, 0, 'added']),
  );
});

test('numbers, nested values and the order of a body are forwarded unchanged', async () => {
  const upstream = await platform();
  const { url } = await proxyTo(upstream.url);
  const body =
    '{ "b": 1.0, "a": [1e2, {"z": "西湖/", "y": null}], "nonce": null, "n": 12345678901234567890 }';
  await postJson(url + BODY, body);
  const sent = only(upstream.requests);
  expect(sent.body).toBe(signBody(body, SANDBOX_CREDENTIALS, {}, SOURCE).body);
  expect(sent.body).toContain('{"b":1.0,"a":[1e2,{"z":"西湖/","y":null}],"n":12345678901234567890');
});

test('an empty body is signed as an object without fields', async () => {
  const upstream = await platform();
  const { url } = await proxyTo(upstream.url);
  await send(url + BODY, { method: 'POST' });
  expect(only(upstream.requests).body).toBe(signBody('{}', SANDBOX_CREDENTIALS, {}, SOURCE).body);
});

test('X-TMS headers of a request to sign are kept, signed and spelled as documented', async () => {
  const upstream = await platform();
  const { url } = await proxyTo(upstream.url);
  const given = { 'x-tms-nonce': 'NONCE00001', 'X-Tms-Trace': 'a b', 'X-Other': 'Case' };
  await postJson(url + HEADER, '{"city":"330100"}', given);
  const { rawHeaders } = only(upstream.requests);
  const { headers } = signHeaders(
    '{"city":"330100"}',
    SANDBOX_CREDENTIALS,
    { nonce: 'NONCE00001', headers: [['X-TMS-Trace', 'a b']] },
    SOURCE,
  );
  const sent = rawHeaders.flatMap((name, at) => (at % 2 ? [] : [[name, rawHeaders[at + 1]]]));
  for (const header of [...Object.entries(headers), ['X-Other', 'Case']]) {
    expect(sent).toContainEqual(header);
  }
  expect(sent.filter(([name]) => /^x-tms-/i.test(name ?? ''))).toHaveLength(7);
});

test('a signed request is forwarded unchanged, and its signature is checked', async () => {
  const upstream = await platform();
  const { url, exchanges } = await proxyTo(upstream.url);
  const { body } = signBody(BILL, SANDBOX_CREDENTIALS, {}, SOURCE);
  const spaced = body.replaceAll(',', ' ,\n');
  const right = await postJson(url + BODY, spaced, { 'x-LOWER-upper': 'a' });
  expect(right.headers['x-mop-diagnosis']).toBe('ok');
  expect(right.headers).not.toHaveProperty('x-mop-warning');
  expect(upstream.requests[0]?.body).toBe(spaced);
  expect(upstream.requests[0]?.rawHeaders).toContain('x-LOWER-upper');
  const lower = body.replace(/"sign":"(\w+)"/, (_, sign) => `"sign":"${sign.toLowerCase()}"`);
  const wrong = await postJson(url + BODY, lower);
  expect(wrong.headers['x-mop-diagnosis']).toBe('hex-lowercase');
  expect(upstream.requests[1]?.body).toBe(lower);
  const other = await postJson(url + BODY, body.replace(/"sign":"\w+"/, '"sign":"00"'));
  expect(other.headers['x-mop-diagnosis']).toBe('unexplained');
  const nested = signBody('{"a":[1,2]}', SANDBOX_CREDENTIALS, {}, SOURCE).body;
  const { headers } = await postJson(url + BODY, nested.replace('[1,2]', '[1, 2]'));
  expect(headers['x-mop-warning']).toMatch(/^nested-json=compact \(/);
  expect(exchanges.map(({ signature }) => signature)).toEqual(['right', 'wrong', 'wrong', 'right']);
});

test('an empty signature in a header counts as none, and is replaced', async () => {
  const upstream = await platform();
  const { url, exchanges } = await proxyTo(upstream.url);
  const reply = await postJson(url + HEADER, BILL, { 'X-TMS-Sign': '' });
  expect(reply.headers).not.toHaveProperty('x-mop-diagnosis');
  const { sign } = signHeaders(BILL, SANDBOX_CREDENTIALS, {}, SOURCE);
  expect(only(upstream.requests).headers).toMatchObject({ 'x-tms-sign': sign });
  expect(exchanges).toMatchObject([{ signature: 'added' }]);
});

test.each([
  ['header mode at the address of body mode', BODY, 'wrong-scheme', true],
  ['body mode at the address of header mode', HEADER, 'wrong-scheme', false],
])('a signature of %s is judged, not replaced', async (_, path, id, inHeaders) => {
  const upstream = await platform();
  const { url } = await proxyTo(upstream.url);
  const signed = inHeaders
    ? signHeaders(BILL, SANDBOX_CREDENTIALS, {}, SOURCE)
    : { ...signBody(BILL, SANDBOX_CREDENTIALS, {}, SOURCE), headers: {} };
  const reply = await postJson(url + path, signed.body ?? '', signed.headers);
  expect(reply.headers['x-mop-diagnosis']).toContain(id);
  expect(only(upstream.requests).body).toBe(signed.body);
});

test('an unsupported signature version is reported', async () => {
  const upstream = await platform();
  const { url } = await proxyTo(upstream.url);
  const { headers } = signHeaders(
    BILL,
    SANDBOX_CREDENTIALS,
    { headers: [['X-TMS-Sign-Ver', '1.0']] },
    SOURCE,
  );
  const reply = await postJson(url + HEADER, BILL, headers);
  expect(reply.headers['x-mop-diagnosis']).toBe('version');
});

test('--sign-all replaces a signature and keeps the other fields', async () => {
  const upstream = await platform();
  const { url } = await proxyTo(upstream.url, { signAll: true });
  const { body } = signBody(BILL, { ...SANDBOX_CREDENTIALS, secret: 'another' }, {}, SOURCE);
  const reply = await postJson(url + BODY, body);
  expect(upstream.requests[0]?.body).toBe(signBody(BILL, SANDBOX_CREDENTIALS, {}, SOURCE).body);
  expect(reply.headers).not.toHaveProperty('x-mop-diagnosis');
  const headers = { 'X-TMS-Sign': 'OLD', 'X-TMS-Seq-Id': 'mine' };
  await postJson(url + HEADER, BILL, headers);
  expect(upstream.requests[1]?.headers).toMatchObject({
    'x-tms-seq-id': 'mine',
    'x-tms-sign': signHeaders(BILL, SANDBOX_CREDENTIALS, { seqId: 'mine' }, SOURCE).sign,
  });
});

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['[1]', 'not an object'],
  ['{"a":', 'not JSON'],
  ['a=1&b=2', 'urlencoded form'],
  [Buffer.from([0x7b, 0xff, 0x7d]), 'not UTF-8'],
  [gzipSync(BILL), 'compressed', { 'Content-Encoding': 'gzip' }],
  ['{"X-TMS-Api-Key":1}', 'X-TMS-Api-Key', {}, HEADER],
  ['{}', 'X-TMS', { 'X-TMS-Nonce': 'ä' }, HEADER],
  ['--x', 'header mode', { 'Content-Type': 'multipart/form-data; boundary=x' }],
  ['--x', 'form', { 'Content-Type': 'multipart/form-data; boundary=x' }, HEADER],
] as const)(
  'a body that cannot be signed is refused: %s',
  async (body, reason, headers = {}, path: string = BODY) => {
    const upstream = await platform();
    const { url } = await proxyTo(upstream.url);
    const reply = await postJson(url + path, body, headers);
    expect(reply.status).toBe(400);
    expect(reply.headers['content-type']).toBe('application/json');
    expect(errorOf(reply)).toMatchObject({
      code: 'usage',
      message: expect.stringContaining(reason),
    });
    expect(upstream.requests).toEqual([]);
  },
);

test('a body of more than 1 MiB is refused with 413, and the connection stays open', async () => {
  const upstream = await platform();
  const { url } = await proxyTo(upstream.url);
  const reply = await postJson(url + BODY, `{"a":"${'x'.repeat(1024 * 1024)}"}`);
  expect(reply.status).toBe(413);
  expect(upstream.requests).toEqual([]);
});

test.each([
  ['/', 404],
  ['/open/v2/trade/bill', 404],
  ['/open/v1', 404],
  ['/open/v1/../../secret', 404],
  ['/open/v1/%2e%2e/%2e%2e/secret', 404],
  ['//other.example/open/v1/x', 404],
  ['http://other.example/open/v1/x', 404],
])('the path %s is not forwarded', async (path, status) => {
  const upstream = await platform();
  const { url } = await proxyTo(upstream.url);
  const { hostname, port } = new URL(url);
  const reply = await raw(
    Number(port),
    `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
  );
  expect(reply).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(upstream.requests).toEqual([]);
});

test('methods other than POST are refused', async () => {
  const { url } = await proxyTo('http://127.0.0.1:9');
  const reply = await send(url + BODY);
  expect([reply.status, reply.headers.allow]).toEqual([405, 'POST']);
});

test('a path keeps its query, and an address its prefix', async () => {
  const upstream = await platform();
  const { url } = await proxyTo(`${upstream.url}/gateway/`);
  await postJson(`${url}${BODY}?a=%2F&b`, BILL);
  expect(only(upstream.requests).path).toBe('/gateway/open/v1/trade/bill?a=%2F&b');
});

test('a mode without an address answers 502 with the missing setting', async () => {
  const { url } = await proxyTo('http://127.0.0.1:9', {
    addresses: { body: 'http://127.0.0.1:9', header: undefined },
  });
  const reply = await postJson(url + HEADER, '{}');
  expect(reply.status).toBe(502);
  expect(errorOf(reply)).toMatchObject({ code: 'config' });
});

test('an unreachable platform gives 502, and a silent one 504', async () => {
  const unreachable = await proxyTo('http://127.0.0.1:9');
  const refused = await postJson(unreachable.url + BODY, BILL);
  expect([refused.status, errorOf(refused).code]).toEqual([502, 'network']);
  const silent = createServer(() => {});
  const port = await listen(silent);
  const waiting = await proxyTo(`http://127.0.0.1:${port}`, { timeoutSeconds: 0.2 });
  const late = await postJson(waiting.url + BODY, BILL);
  expect([late.status, errorOf(late).code]).toEqual([504, 'network']);
  expect(errorOf(late).hint).toContain('timeout');
});

test('an answer is forwarded unchanged, except the headers of its connection', async () => {
  const zipped = gzipSync('{"code":0}');
  const upstream = await serve((_, response) => {
    response.sendDate = false;
    response.writeHead(418, 'I am', [
      ...['X-One', 'a', 'x-one', 'b', 'Set-Cookie', 'c', 'Set-Cookie', 'd'],
      ...['Content-Encoding', 'gzip', 'Content-Length', `${zipped.length}`],
      ...['Connection', 'keep-alive, X-Hop', 'X-Hop', 'e', 'Keep-Alive', 'timeout=1'],
      ...['Date', 'Thu, 01 Jan 1970 00:00:00 GMT'],
    ]);
    response.end(zipped);
  });
  const { url } = await proxyTo(upstream.url);
  const { port } = new URL(url);
  const reply = await raw(
    Number(port),
    `POST ${BODY} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
  );
  const [head = ''] = reply.split('\r\n\r\n');
  expect(head.split('\r\n')).toEqual([
    'HTTP/1.1 418 I am',
    'X-One: a',
    'x-one: b',
    'Set-Cookie: c',
    'Set-Cookie: d',
    'Content-Encoding: gzip',
    `Content-Length: ${zipped.length}`,
    'Date: Thu, 01 Jan 1970 00:00:00 GMT',
    'Connection: close',
  ]);
  expect(reply.slice(head.length + 4)).toBe(zipped.toString('latin1'));
});

test('an answer without a date is forwarded without one', async () => {
  const upstream = await serve((_, response) => {
    response.sendDate = false;
    envelope(response, 0);
  });
  const { url } = await proxyTo(upstream.url);
  expect((await postJson(url + BODY, BILL)).headers).not.toHaveProperty('date');
});

test('the diagnosis of a sandbox behind the proxy is the only one in the answer', async () => {
  const upstream = await serve((_, response) => {
    response.setHeader('x-mop-diagnosis', 'of-the-sandbox');
    envelope(response, 0);
  });
  const { url } = await proxyTo(upstream.url);
  const { body } = signBody(BILL, SANDBOX_CREDENTIALS, {}, SOURCE);
  const { headers } = await postJson(url + BODY, body);
  expect(headers['x-mop-diagnosis']).toBe('of-the-sandbox');
});

test('headers of the connection and of the user of a page are not forwarded', async () => {
  const upstream = await platform();
  const { url } = await proxyTo(upstream.url, { allowedOrigins: new Set(['http://app.example']) });
  const page = { Origin: 'http://app.example', Referer: 'http://app.example/x', Cookie: 'a=b' };
  const hop = { Connection: 'close, X-Hop', 'X-Hop': '1', TE: 'trailers', Expect: '100-continue' };
  const kept = { Authorization: 'Bearer t', 'User-Agent': 'client/1' };
  const reply = await postJson(url + BODY, BILL, { ...page, ...hop, ...kept });
  expect(reply.headers['access-control-allow-origin']).toBe('http://app.example');
  const { headers } = only(upstream.requests);
  expect(headers).toMatchObject({ authorization: 'Bearer t', 'user-agent': 'client/1' });
  for (const name of ['origin', 'referer', 'cookie', 'x-hop', 'te', 'expect']) {
    expect(headers).not.toHaveProperty(name);
  }
  expect(headers.host).toBe(new URL(upstream.url).host);
});

test.each([
  ['UTF-8', Buffer.from('成功')],
  ['Latin-1', Buffer.from('été', 'latin1')],
])('a reason phrase in %s passes', async (_, reason) => {
  const upstream = createTcpServer((socket) => {
    socket.once('data', () => {
      const head = [
        Buffer.from('HTTP/1.1 200 '),
        reason,
        Buffer.from('\r\nContent-Length: 2\r\n\r\n{}'),
      ];
      socket.write(Buffer.concat(head));
    });
  });
  const { url } = await proxyTo(`http://127.0.0.1:${await listen(upstream)}`);
  const reply = await postJson(url + BODY, BILL);
  expect([reply.status, reply.body.toString()]).toEqual([200, '{}']);
});

test('a reason phrase that Node cannot write is not in the answer about the failure', async () => {
  const upstream = createTcpServer((socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 200 A\x01B\r\nContent-Length: 2\r\n\r\n{}'));
  });
  const { url } = await proxyTo(`http://127.0.0.1:${await listen(upstream)}`);
  const reply = await postJson(url + BODY, BILL);
  expect([reply.status, errorOf(reply).code]).toEqual([500, 'failure']);
});

test('endless interim answers of the platform give 504', async () => {
  const upstream = createTcpServer((socket) => {
    const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 50);
    socket.on('close', () => clearInterval(timer));
  });
  const { url } = await proxyTo(`http://127.0.0.1:${await listen(upstream)}`, {
    timeoutSeconds: 0.3,
  });
  expect((await postJson(url + BODY, BILL)).status).toBe(504);
});

test('an api_key of another account is forwarded with a warning', async () => {
  const upstream = await platform();
  const { url, exchanges } = await proxyTo(upstream.url);
  await postJson(url + BODY, '{"api_key":"other"}');
  await postJson(url + HEADER, '{}', { 'X-TMS-Api-Key': 'other' });
  const warning = expect.stringContaining('the api_key of the request is other');
  expect(exchanges).toMatchObject([{ warnings: [warning] }, { warnings: [warning] }]);
});

test('an answer is streamed as the platform sends it', async () => {
  let finish = (): void => {};
  const upstream = createServer((_, response) => {
    response.write('first');
    finish = () => response.end('last');
  });
  const { url } = await proxyTo(`http://127.0.0.1:${await listen(upstream)}`);
  const outgoing = openRequest(url + BODY, { method: 'POST' }).end(BILL);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const [chunk] = await once(incoming, 'data');
  expect(String(chunk)).toBe('first');
  finish();
  const [last] = await once(incoming, 'data');
  expect(String(last)).toBe('last');
});

test.each<Record<string, number>>([{ 'Content-Length': 100 }, {}])(
  'a truncated answer with the headers %j is truncated for the client too',
  async (headers) => {
    const upstream = await serve((_, response) => {
      response.writeHead(200, headers);
      response.write('part', () => response.destroy());
    });
    const { url, exchanges } = await proxyTo(upstream.url);
    const reply = await postJson(url + BODY, BILL);
    expect([reply.status, reply.complete, reply.body.toString()]).toEqual([200, false, 'part']);
    await vi.waitFor(() => expect(exchanges).toMatchObject([{ error: { code: 'network' } }]));
  },
);

test('a client that disconnects ends the exchange with the platform', async () => {
  const closed = vi.fn();
  const upstream = createServer((_, response) => void response.on('close', closed));
  const asked = once(upstream, 'request');
  const { url, exchanges } = await proxyTo(`http://127.0.0.1:${await listen(upstream)}`);
  const outgoing = openRequest(url + BODY, { method: 'POST' }).on('error', () => {});
  outgoing.end(BILL);
  await asked;
  outgoing.destroy();
  await vi.waitFor(() => expect(closed).toHaveBeenCalled());
  await vi.waitFor(() => expect(exchanges).toMatchObject([{ status: 499 }]));
});

test('connections are kept alive on both sides', async () => {
  let connections = 0;
  const upstream = createServer((incoming, response) => {
    incoming.resume();
    response.end('{"code":0}');
  }).on('connection', () => connections++);
  const { url } = await proxyTo(`http://127.0.0.1:${await listen(upstream)}`);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const reused: boolean[] = [];
  for (let count = 0; count < 3; count++) {
    const outgoing = openRequest(url + BODY, { method: 'POST', agent }).end(BILL);
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    await once(incoming.resume(), 'end');
    reused.push(outgoing.reusedSocket);
  }
  agent.destroy();
  expect(reused).toEqual([false, true, true]);
  expect(connections).toBe(1);
});

test('close waits for exchanges, and refuses new ones', async () => {
  let finish = (): void => {};
  const upstream = createServer((_, response) => {
    finish = () => response.end('done');
  });
  const asked = once(upstream, 'request');
  const { url, close } = await proxyTo(`http://127.0.0.1:${await listen(upstream)}`);
  const reply = postJson(url + BODY, BILL);
  await asked;
  const closed = close();
  await expect(postJson(url + BODY, BILL)).rejects.toThrow('ECONNREFUSED');
  finish();
  expect((await reply).body.toString()).toBe('done');
  await closed;
});

test('close ends exchanges after five seconds', async () => {
  const upstream = createServer(() => {});
  const asked = once(upstream, 'request');
  const { url, close } = await proxyTo(`http://127.0.0.1:${await listen(upstream)}`);
  const reply = postJson(url + BODY, BILL);
  await asked;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const closed = close();
  vi.advanceTimersByTime(5000);
  vi.useRealTimers();
  await expect(reply).rejects.toThrow('socket hang up');
  await closed;
});

/** Sends bytes over a connection and returns all that comes back, in Latin-1. */
async function raw(port: number, ...requests: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let reply = '';
  socket.on('data', (chunk: string) => {
    reply += chunk;
  });
  for (const request of requests) socket.write(request);
  await once(socket, 'close');
  return reply;
}

test('the description of the platform names the proxy as its server', async () => {
  const { url, exchanges } = await proxyTo('http://127.0.0.1:9');
  const reply = await send(`${url}/platform/openapi.json`);
  expect(JSON.parse(reply.body.toString()).servers[0].url).toBe(url);
  expect((await send(`${url}/platform/none`)).status).toBe(404);
  const script = await send(`${url}/assets/debugger.js`, { headers: { Origin: url } });
  expect(script.status).toBe(200);
  const page = await send(url, { headers: { Accept: 'text/html' } });
  expect([page.status, page.body.toString()]).toEqual([
    404,
    expect.stringContaining('mop proxy --help'),
  ]);
  const rebound = await send(`${url}/platform/openapi.json`, { headers: { Host: 'evil.example' } });
  expect(rebound.status).toBe(403);
  expect(exchanges.map(({ status }) => status)).toEqual([403]);
});

test('the page of requests shows the layers of signatures that the proxy made or checked', async () => {
  const upstream = await platform();
  const { url, close } = await proxyTo(upstream.url);
  await postJson(url + BODY, BILL);
  const { body } = signBody(BILL, SANDBOX_CREDENTIALS, {}, SOURCE);
  await postJson(
    url + BODY,
    body.replace(/"sign":"\w+"/, (sign) => sign.toLowerCase()),
  );
  const shown = async (id: number) =>
    JSON.parse((await send(`${url}/requests/${id}`)).body.toString());
  expect(await shown(1)).toMatchObject({
    signature: 'added',
    layers: { signed: null, diagnosis: [] },
  });
  expect(await shown(2)).toMatchObject({
    signature: 'wrong',
    layers: { diagnosis: [{ id: 'hex-lowercase' }] },
  });
  expect((await send(`${url}/requests`)).headers['content-type']).toContain('text/html');
  const events = openRequest(`${url}/requests/events`).end();
  const [incoming] = (await once(events, 'response')) as [IncomingMessage];
  const ended = once(incoming.resume(), 'end');
  await close();
  await ended;
});
