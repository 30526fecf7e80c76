import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { postJson, send } from '../sandbox/support.ts';
import { envelope, serve } from '../support/server.ts';
import { proxyTo } from './support.ts';

const PATH = '/open/v1/trade/bill';
const APP = 'http://app.example:5173';

test.each<[subject: string, headers: Record<string, string>, status: number, remote?: 'remote']>([
  ['a program', {}, 200],
  ['a program that names localhost', { Host: 'localhost:1' }, 200],
  ['a program that names IPv6', { Host: '[::1]:1' }, 200],
  ['a page of an allowed origin', { Origin: APP }, 200],
  ['the same page with Sec-Fetch-Site', { Origin: APP, 'Sec-Fetch-Site': 'cross-site' }, 200],
  ['a page of another origin', { Origin: 'http://evil.example' }, 403],
  ['a page of another port', { Origin: 'http://app.example' }, 403],
  ['a page without an origin', { Origin: 'null' }, 403],
  ['a page of this machine', { Origin: 'http://127.0.0.1:1' }, 403],
  ['another site that hides its origin', { 'Sec-Fetch-Site': 'cross-site' }, 403],
  ['another site of the same domain', { 'Sec-Fetch-Site': 'same-site' }, 403],
  ['DNS rebinding', { Host: 'evil.example' }, 403],
  ['an unusable host', { Host: 'a b' }, 403],
  ['a program on another machine', { Host: 'proxy.internal:7801' }, 200, 'remote'],
  ['DNS rebinding', { Host: 'evil.example', Origin: 'http://evil.example' }, 403, 'remote'],
])('%s with %j gets %i', async (_, headers, status, remote) => {
  const upstream = await serve((_request, response) => envelope(response, 0));
  const allowedOrigins = new Set([APP]);
  const { url } = await proxyTo(upstream.url, {
    allowedOrigins,
    allowRemote: remote !== undefined,
  });
  const reply = await postJson(url + PATH, '{}', headers);
  expect(reply.status).toBe(status);
  expect(upstream.requests).toHaveLength(status === 200 ? 1 : 0);
  if (status === 403) {
    const { error } = JSON.parse(reply.body.toString());
    expect(error).toMatchObject({ code: 'usage', hint: expect.stringContaining('--allow-origin') });
    expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
  }
});

test('the proxy answers a preflight request of an allowed origin', async () => {
  const { url } = await proxyTo('http://127.0.0.1:9', { allowedOrigins: new Set([APP]) });
  const asked = {
    Origin: APP,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'content-type,x-tms-nonce',
    'Access-Control-Request-Private-Network': 'true',
  };
  const reply = await send(url + PATH, { method: 'OPTIONS', headers: asked });
  expect(reply.status).toBe(204);
  expect(reply.headers).toMatchObject({
    'access-control-allow-origin': APP,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type,x-tms-nonce',
    'access-control-allow-private-network': 'true',
    vary: 'Origin',
  });
  const other = await send(url + PATH, {
    method: 'OPTIONS',
    headers: { ...asked, Origin: 'http://x' },
  });
  expect(other.status).toBe(403);
});

test('a page may read the diagnosis and errors, but no CORS headers of the platform', async () => {
  const upstream = await serve((_, response) => {
    response.setHeader('Access-Control-Allow-Origin', 'http://platform.example');
    envelope(response, 0);
  });
  const { url } = await proxyTo(upstream.url, { allowedOrigins: new Set([APP]) });
  const good = await postJson(url + PATH, '{"sign":"x"}', { Origin: APP });
  expect(good.headers).toMatchObject({
    'access-control-allow-origin': APP,
    'access-control-expose-headers': '*',
    'x-mop-diagnosis': expect.any(String),
  });
  const bad = await postJson(url + PATH, '[]', { Origin: APP });
  expect([bad.status, bad.headers['access-control-allow-origin']]).toEqual([400, APP]);
});

test('explains its address to a client that uses it as a forward proxy', async () => {
  const { url } = await proxyTo('http://127.0.0.1:1');
  const reply = await answerOf(url, 'POST http://platform.example/open/v1/x HTTP/1.1');
  expect(reply).toMatch(/^HTTP\/1\.1 404 .*not a forward proxy.*HTTP_PROXY/s);
  const tunnel = await answerOf(url, 'CONNECT platform.example:443 HTTP/1.1');
  expect(tunnel).toMatch(/^HTTP\/1\.1 404 mop proxy is not a forward proxy/);
});

/** The answer to a request with this first line. */
async function answerOf(url: string, line: string): Promise<string> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`${line}\r\nHost: platform.example\r\nConnection: close\r\n\r\n`);
  return text(socket);
}

test.each([
  ['compressed', { 'Content-Encoding': 'gzip' }, '{}', 'send the JSON uncompressed'],
  ['in GBK', {}, Buffer.from('{"city":"\xba\xbc\xd6\xdd"}', 'latin1'), 'UTF-8'],
  [
    'a form in body mode',
    { 'Content-Type': 'multipart/form-data; boundary=x' },
    '--x--',
    '/api/open',
  ],
  ['too large', {}, `{"a":"${'a'.repeat(1024 ** 2)}"}`, 'multipart form'],
])('a refused body has a hint: %s', async (_, headers, body, hint) => {
  const { url } = await proxyTo('http://127.0.0.1:1');
  const reply = await postJson(url + PATH, body as string, headers as Record<string, string>);
  expect(JSON.parse(reply.body.toString()).error.hint).toContain(hint);
});
