import { promisify } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import { send } from '../../sandbox/support.ts';
import { type EventReader, EXCHANGE, readEvents, servePages } from './support.ts';

afterEach(() => {
  vi.useRealTimers();
});

const expectIds = (reader: EventReader, ids: readonly number[]) =>
  expect.poll(() => reader.ids(), { interval: 5 }).toEqual(ids);

test('sends the kept exchanges, then each new one', async () => {
  const { url, history } = await servePages();
  const path = `/${'a'.repeat(400)}\n\ndata: x`;
  history.add({
    ...EXCHANGE,
    path,
    signature: 'wrong',
    diagnosis: ['version', 'hex-lowercase', 'version'].map((id) => ({
      id: id as 'version',
      title: '',
      fields: [],
      fix: '',
    })),
  });
  const reader = await readEvents(url);
  expect([reader.status, reader.headers['content-type']]).toEqual([200, 'text/event-stream']);
  await expectIds(reader, [1]);
  history.add(EXCHANGE);
  await expectIds(reader, [1, 2]);
  const [first = '', second = ''] = [...reader.text().matchAll(/^data: (\{.*)$/gm)].map(
    ([, data]) => data,
  );
  expect(JSON.parse(first)).toMatchObject({
    id: 1,
    path: path.slice(0, 300),
    signature: 'wrong',
    mistakes: ['version', 'hex-lowercase'],
  });
  expect(JSON.parse(second)).toEqual({ id: 2, ...EXCHANGE, mistakes: [], hasWarnings: false });
});

test.each([
  ['2', [3]],
  ['3', []],
  // An id of an earlier server at this address.
  ['9', [1, 2, 3]],
  ['x', [1, 2, 3]],
])('a reader that reconnects with Last-Event-ID %s misses nothing', async (last, ids) => {
  const { url, history } = await servePages();
  for (let count = 0; count < 3; count++) history.add(EXCHANGE);
  const reader = await readEvents(url, { 'Last-Event-ID': last });
  history.add(EXCHANGE);
  await expectIds(reader, [...ids, 4]);
});

test('each server has a different id', async () => {
  const nameOf = async (url: string): Promise<string> => {
    const reader = await readEvents(url);
    await expect.poll(reader.text, { interval: 5 }).toContain('\n\n');
    return /event: server\ndata: (.*)\n/.exec(reader.text())?.[1] ?? '';
  };
  const [one, other] = [await servePages(), await servePages()];
  const names = [await nameOf(one.url), await nameOf(one.url), await nameOf(other.url)];
  expect(names[0]).toMatch(/^[\da-f-]{36}$/);
  expect([names[1] === names[0], names[2] === names[0]]).toEqual([true, false]);
});

test('a comment every 15 seconds keeps the connection open', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { url } = await servePages();
  const reader = await readEvents(url);
  vi.advanceTimersByTime(14_999);
  expect(reader.text()).not.toContain('\n:\n');
  vi.advanceTimersByTime(15_001);
  await expect.poll(() => reader.text().match(/^:$/gm)?.length, { interval: 5 }).toBe(2);
  reader.request.destroy();
  await expect.poll(() => vi.getTimerCount(), { interval: 5 }).toBe(0);
});

test('serves up to 20 readers', async () => {
  const { url, history } = await servePages();
  const readers = await Promise.all(Array.from({ length: 20 }, () => readEvents(url)));
  expect(readers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  const refused = await send(`${url}/requests/events`);
  expect([refused.status, `${refused.body}`]).toEqual([
    503,
    'too many pages are open: close some of them',
  ]);
  readers[0]?.request.destroy();
  await expect.poll(async () => (await readEvents(url)).status, { interval: 20 }).toBe(200);
  history.add(EXCHANGE);
  for (const reader of readers.slice(1)) await expectIds(reader, [1]);
});

test('disconnects only a reader that does not read', async () => {
  const { url, history, server } = await servePages();
  const connections = promisify(server.getConnections.bind(server));
  const [slow, quick] = [await readEvents(url), await readEvents(url)];
  slow.incoming.pause();
  const path = `/${'a'.repeat(299)}`;
  // The system buffers some megabytes.
  for (let count = 0; (await connections()) === 2; count += 500) {
    expect(count).toBeLessThan(100_000);
    for (let each = 0; each < 500; each++) history.add({ ...EXCHANGE, path });
    const last = `id: ${count + 500}\n`;
    await expect.poll(() => quick.text().lastIndexOf(last), { interval: 1 }).toBeGreaterThan(0);
  }
  slow.incoming.resume();
  await slow.ended;
  history.add({ ...EXCHANGE, path: '/still-here' });
  await expect.poll(() => quick.text().slice(-500), { interval: 5 }).toContain('/still-here');
});

test('close ends all streams, and later ones immediately', async () => {
  const { url, close } = await servePages();
  const readers = [await readEvents(url), await readEvents(url)];
  close();
  await Promise.all(readers.map(({ ended }) => ended));
  await (await readEvents(url)).ended;
});
