import { once } from 'node:events';
import { request } from 'node:http';
import { expect, test, vi } from 'vitest';
import { MopError } from '../../../src/errors.ts';
import { send } from '../../sandbox/support.ts';
import { EXCHANGE, servePages } from './support.ts';

const SIGNED = { body: `{"sign":"${'A'.repeat(32)}"}` };

const PATHS = ['/requests/events', '/requests/1'];

test('accepts only GET and HEAD', async () => {
  const { url, history } = await servePages();
  history.add(EXCHANGE);
  for (const path of PATHS) {
    const head = await send(url + path, { method: 'HEAD' });
    expect([path, head.status, head.body.length]).toEqual([path, 200, 0]);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await send(url + path, { method });
      expect([path, method, status, headers.allow]).toEqual([path, method, 405, 'GET, HEAD']);
    }
  }
  for (const path of ['/requests/0', '/requests/x', '/requests/1/2']) {
    expect([path, (await send(url + path)).status]).toEqual([path, 404]);
  }
});

test.each([
  ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
  ['another origin', { Origin: 'https://evil.example' }],
  ['another port', { Origin: 'http://127.0.0.1:1' }],
  ['an opaque origin', { Origin: 'null' }],
  ['DNS rebinding', { Host: 'evil.example' }],
])('refuses %s', async (_, headers) => {
  const { url, history } = await servePages();
  history.add(EXCHANGE);
  for (const path of PATHS) {
    const { status, body } = await send(url + path, { headers });
    expect([path, status]).toEqual([path, 403]);
    expect(body.toString()).toBe('pages of other sites cannot read these requests');
  }
});

test('a page of the same server may read', async () => {
  const { url, history } = await servePages();
  history.add(EXCHANGE);
  const headers = { Origin: url, 'Sec-Fetch-Site': 'same-origin' };
  expect((await send(`${url}/requests/1`, { headers })).status).toBe(200);
});

test('an exchange that is no longer kept is answered with 404 and the reason', async () => {
  const { url } = await servePages();
  const { status, body } = await send(`${url}/requests/7`);
  expect([status, `${body}`]).toEqual([
    404,
    'request 7 is not available: only the last 200 are kept',
  ]);
});

test('the layers are computed only on demand, for the time of the request', async () => {
  const layers = vi.fn(async () => undefined);
  const { url, history } = await servePages({ layers });
  history.add({ ...EXCHANGE, request: SIGNED });
  expect(layers).not.toHaveBeenCalled();
  const { body } = await send(`${url}/requests/1`);
  expect(layers.mock.calls).toEqual([[SIGNED, EXCHANGE.time, expect.any(AbortSignal)]]);
  expect(JSON.parse(`${body}`)).toMatchObject({ layers: null, missingLayers: expect.any(String) });
});

test('the examination ends when its reader leaves', async () => {
  const layers = vi.fn(async (_request, _time, ended: AbortSignal) => {
    await once(ended, 'abort');
    return undefined;
  });
  const { url, history } = await servePages({ layers });
  history.add({ ...EXCHANGE, request: SIGNED });
  const outgoing = request(`${url}/requests/1`, { agent: false }).on('error', () => {});
  outgoing.end();
  await vi.waitFor(() => expect(layers).toHaveBeenCalled());
  outgoing.destroy();
  await layers.mock.results[0]?.value;
});

test.each([
  [new MopError('usage', 'it is not signed', { hint: 'sign it' }), 'it is not signed (sign it)'],
  [new Error('a bug'), 'Error: a bug'],
])('shows the reason for missing layers: %s', async (error, reason) => {
  const { url, history } = await servePages({ layers: () => Promise.reject(error) });
  history.add({ ...EXCHANGE, request: SIGNED, error });
  const { body } = await send(`${url}/requests/1`);
  expect(JSON.parse(`${body}`)).toMatchObject({ missingLayers: reason, error: reason });
});

test('the content of files is not sent to the page', async () => {
  const { url, history } = await servePages();
  const file = { name: 'photo', file: 'a.png', content: Buffer.from('pixels') };
  history.add({ ...EXCHANGE, request: { body: [file] } });
  const { body } = await send(`${url}/requests/1`);
  expect(JSON.parse(`${body}`).request.body).toEqual([{ name: 'photo', file: 'a.png' }]);
});

test('a request that is not signed is not examined, and the reason is shown', async () => {
  const layers = vi.fn(async () => undefined);
  const { url, history } = await servePages({ layers });
  history.add({ ...EXCHANGE, request: { body: '{}' } });
  const { body } = await send(`${url}/requests/1`);
  expect(JSON.parse(`${body}`).missingLayers).toMatch(/^the request carries no signature/);
  expect(layers).not.toHaveBeenCalled();
});

test('the messages of an exchange are in the language of the page', async () => {
  const { url, history } = await servePages();
  const title = 'the signature is not in upper case';
  const fix = 'send the 32 hex digits of the MD5 in upper case';
  history.add({
    ...EXCHANGE,
    diagnosis: [{ id: 'hex-lowercase', title, fields: ['sign'], fix }],
    warnings: ['permission denied'],
  });
  const shown = async (query: string) => JSON.parse(`${(await send(url + query)).body}`);
  expect(await shown('/requests/1')).toMatchObject({ diagnosis: [{ title, fix }] });
  const { diagnosis, warnings } = await shown('/requests/1?lang=zh-CN');
  expect(diagnosis).toEqual([
    {
      id: 'hex-lowercase',
      title: '签名不是大写',
      fields: ['sign'],
      fix: expect.stringContaining('大写'),
    },
  ]);
  expect(warnings).toEqual(['没有权限']);
});
