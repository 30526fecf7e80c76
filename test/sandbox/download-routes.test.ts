import { createHash } from 'node:crypto';
import { get } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { BILL, call, content, download, NOW, send, start } from './support.ts';

test.each([
  [0, 'text/csv; charset=utf-8'],
  [1, 'application/gzip'],
])('tar_type %i: the original content matches its digest', async (tar_type, type) => {
  const sandbox = await start();
  const answer = await call(sandbox, { ...BILL, tar_type });
  const { status, headers, body, complete } = await download(answer);
  expect([status, headers['content-type'], complete]).toEqual([200, type, true]);
  expect(headers).not.toHaveProperty('content-encoding');
  const original = tar_type === 1 ? gunzipSync(body) : body;
  expect(createHash('md5').update(original).digest('hex')).toBe(answer.data.hash_value);
  expect(original.toString()).toBe(await content(sandbox));
});

test('a link is valid for 30 seconds, for any number of downloads', async () => {
  let now = NOW;
  const sandbox = await start({ now: () => now });
  const answer = await call(sandbox);
  now = NOW + 30_000;
  expect((await download(answer)).status).toBe(200);
  expect((await download(answer)).status).toBe(200);
  now = NOW + 30_001;
  const { status, headers, body } = await download(answer);
  expect([status, headers['content-type']]).toEqual([403, 'text/plain; charset=UTF-8']);
  expect(body.toString()).toBe('the link has expired: request a new one');
});

test('a link requires its own authorization', async () => {
  const sandbox = await start();
  const { data } = await call(sandbox);
  const other = await call(sandbox, { ...BILL, bill_type: 1 });
  const { download_url = '', authorization = '' } = data;
  const refused = async (url: string, headers: Record<string, string>): Promise<void> => {
    const { status, body } = await send(url, { headers });
    expect([status, body.toString()]).toEqual([403, expect.stringContaining('not authorized')]);
  };
  await refused(download_url, {});
  await refused(download_url, { Authorization: '' });
  await refused(download_url, { Authorization: `${authorization}x` });
  await refused(download_url, { Authorization: `Bearer ${authorization}` });
  await refused(download_url, { Authorization: 'é'.repeat(20) + authorization.slice(20) });
  await refused(other.data.download_url ?? '', { Authorization: authorization });
  await refused(download_url.replace(/expires=\d/, 'expires=9'), { Authorization: authorization });
  await refused(download_url.replace('2026-11-19', '2026-10-13'), { Authorization: authorization });
  await refused(`${sandbox.url}/download/bill`, { Authorization: authorization });
});

test('a link of another sandbox is invalid', async () => {
  const { data } = await call(await start());
  const { port } = new URL((await start()).url);
  const url = new URL(data.download_url ?? '');
  url.port = port;
  expect(
    (await download({ code: 0, message: '', data: { ...data, download_url: url.href } })).status,
  ).toBe(403);
});

test.each(['POST', 'HEAD', 'PUT'])('%s downloads nothing', async (method) => {
  const { data } = await call(await start());
  const headers = { Authorization: data.authorization ?? '' };
  expect(await send(data.download_url ?? '', { method, headers })).toMatchObject({ status: 403 });
});

test('a link has the host that the caller used', async () => {
  const sandbox = await start();
  const { port } = new URL(sandbox.url);
  const { data } = await call({ ...sandbox, url: `http://localhost:${port}` });
  expect(data.download_url).toMatch(`http://localhost:${port}/download/bill?`);
});

test('the sandbox survives a download that the client aborts', async () => {
  const sandbox = await start({ rows: 200_000, faults: [{ name: 'no-hash', value: true }] });
  for (const tar_type of [0, 1]) {
    const { data } = await call(sandbox, { ...BILL, tar_type });
    const bytes = await new Promise<number>((resolve, reject) => {
      const headers = { Authorization: data.authorization };
      const request = get(data.download_url ?? '', { headers, agent: false }, (incoming) => {
        incoming.once('data', (chunk: Buffer) => {
          request.destroy();
          resolve(chunk.length);
        });
      });
      request.on('error', reject);
    });
    expect(bytes).toBeGreaterThan(0);
  }
  expect((await call(sandbox)).code).toBe(0);
});

test('a download waits for a slow reader', async () => {
  const rows = 1_000_000_000;
  const sandbox = await start({ rows, faults: [{ name: 'no-hash', value: true }] });
  const { data } = await call(sandbox);
  const headers = { Authorization: data.authorization };
  const before = process.memoryUsage().arrayBuffers;
  await new Promise<void>((resolve) => {
    get(data.download_url ?? '', { headers, agent: false }, (incoming) => {
      incoming.pause().on('error', () => {});
      resolve();
    });
  });
  // A chunk of 128 KiB is made in a turn, if anything waits for it.
  for (let turn = 0; turn < 1000; turn++) await setImmediate();
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * 1024 * 1024);
  expect((await call(sandbox)).code).toBe(0);
});
