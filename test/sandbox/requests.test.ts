import { expect, test } from 'vitest';
import { MAX_BODY_BYTES } from '../../src/server/requests/history.ts';
import type { ShownExchange } from '../../src/server/requests/page-data.ts';
import { readEvents } from '../server/requests/support.ts';
import {
  call,
  callForm,
  callHeaders,
  download,
  filePart,
  formBody,
  NOW,
  post,
  send,
  signed,
  start,
  textPart,
} from './support.ts';

async function requestOf(url: string, id: number): Promise<ShownExchange> {
  const { status, body } = await send(`${url}/requests/${id}`);
  if (status !== 200) throw new Error(`HTTP ${status} ${body}`);
  return JSON.parse(`${body}`) as ShownExchange;
}

test('a request of each mode is kept with its answer and its layers', async () => {
  const { url } = await start();
  const answer = await call({ url });
  await callHeaders({ url });
  const [inBody, inHeaders] = [await requestOf(url, 1), await requestOf(url, 2)];
  expect(inBody).toMatchObject({
    time: NOW,
    method: 'POST',
    path: '/open/v1/trade/bill',
    status: 200,
    code: 0,
    signature: 'right',
    layers: { signed: null, vector: { mode: 'body' } },
  });
  expect(JSON.parse(String(inBody.request?.body))).toMatchObject({ api_key: 'sandbox' });
  expect(JSON.parse(inBody.answer?.body ?? '').data.hash_value).toBe(answer.data.hash_value);
  expect(JSON.stringify(inBody)).not.toContain(answer.data.authorization);
  expect(inHeaders).toMatchObject({ signature: 'right', layers: { vector: { mode: 'header' } } });
});

test('the mistakes of a wrong signature are in its row and its layers', async () => {
  const { url } = await start();
  await callHeaders({ url }, undefined, {}, (headers) => ({
    ...headers,
    'X-TMS-Sign': (headers['X-TMS-Sign'] ?? '').toLowerCase(),
  }));
  expect(await requestOf(url, 1)).toMatchObject({
    code: 1002,
    signature: 'wrong',
    diagnosis: [{ id: 'hex-lowercase' }],
    layers: { vector: { mode: 'header' } },
  });
});

test.each([
  ['a body that is not JSON', '{"sign":', 'unreadable'],
  ['a field of another name', '{"apiKey":"sandbox","sign":"x"}', 'unreadable'],
  ['another api_key', signed(undefined, { apiKey: 'other' }), 'unreadable'],
  ['no signature', '{"api_key":"sandbox"}', undefined],
])('a refused request is kept as it was read: %s', async (_, body, signature) => {
  const { url } = await start();
  await post({ url }, body);
  const { request, ...rest } = await requestOf(url, 1);
  expect([request?.body, rest.signature]).toEqual([body, signature]);
});

test('a form is kept without its files', async () => {
  const { url } = await start();
  const parts = [textPart('place', 'Hangzhou'), filePart('photo', 'a.png', 'pixels')];
  await callForm({ url }, { place: 'Hangzhou' }, formBody(parts));
  expect(await requestOf(url, 1)).toMatchObject({
    signature: 'right',
    request: {
      body: [
        { name: 'place', value: 'Hangzhou' },
        { name: 'photo', file: 'a.png' },
      ],
    },
  });
});

test('only the row of a large request is kept', async () => {
  const { url } = await start();
  await call({ url }, { text: 'a'.repeat(MAX_BODY_BYTES) }, {}, '/user/sync');
  const { request, answer, layers, missingLayers, signature } = await requestOf(url, 1);
  expect([request, layers, signature]).toEqual([undefined, null, 'right']);
  expect(missingLayers).toBe('The request was not kept.');
  expect([answer?.body?.length, answer?.isTruncated]).toEqual([MAX_BODY_BYTES, true]);
});

test('other services have rows without bodies, and pages have no rows', async () => {
  const { url } = await start();
  const answer = await call({ url });
  await download(answer);
  await send(`${url}/api/health`);
  await send(`${url}/graphql?query=%7B__typename%7D`);
  await send(`${url}/nowhere`);
  const pages = [
    '/',
    '/platform',
    '/platform/openapi.json',
    '/assets/dom.js',
    '/requests',
    '/requests/1',
  ];
  for (const path of pages) expect([path, (await send(url + path)).status]).toEqual([path, 200]);
  const reader = await readEvents(url);
  await expect.poll(() => reader.ids(), { interval: 5 }).toEqual([1, 2, 3, 4, 5]);
  for (const [id, path] of [
    [2, '/download/bill'],
    [3, '/api/health'],
    [4, '/graphql'],
    [5, '/nowhere'],
  ] as const) {
    const exchange = await requestOf(url, id);
    expect([exchange.path, exchange.request, exchange.answer]).toEqual([
      path,
      undefined,
      undefined,
    ]);
  }
});

test('closing the sandbox ends the streams', async () => {
  const sandbox = await start();
  const { ended } = await readEvents(sandbox.url);
  await sandbox.close();
  await ended;
});
