import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, request as openRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../src/protocol/sandbox.ts';
import { signHeaders } from '../../src/signing/header-mode.ts';
import { type Reply, send, start } from '../sandbox/support.ts';
import { listen } from '../support/server.ts';
import { proxyTo, SOURCE } from './support.ts';

const PATH = '/api/open/user/sync';
const TYPE = 'multipart/form-data; boundary=b';
const TEXTS = [
  { name: 'user_id', value: '7' },
  { name: 'name', value: '西湖 & "x"' },
];

/** A form with a file of random bytes before its last text. */
function form(fileBytes: number): Buffer {
  const [first, last] = TEXTS.map(
    ({ name, value }) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = '--b\r\nContent-Disposition: form-data; name="avatar"; filename="a.png"\r\n\r\n';
  const file = Buffer.alloc(fileBytes, '0123456789abcdef');
  return Buffer.concat([Buffer.from(first + head), file, Buffer.from(`\r\n${last}--b--\r\n`)]);
}

const signedHeaders = () =>
  signHeaders([...TEXTS, { name: 'avatar', file: 'a.png' }], SANDBOX_CREDENTIALS, {}, SOURCE)
    .headers;

const post = (url: string, body: Buffer, headers: Record<string, string> = {}): Promise<Reply> =>
  send(url + PATH, { method: 'POST', headers: { 'Content-Type': TYPE, ...headers }, body });

/** Other tests have temporary files, too. */
const usual = process.env.TMPDIR;

beforeAll(async () => {
  process.env.TMPDIR = await mkdtemp(join(tmpdir(), 'mop-forms-'));
});

afterAll(async () => {
  await rm(tmpdir(), { recursive: true });
  if (usual === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = usual;
});

const spools = async () =>
  (await readdir(tmpdir())).filter((name) => name.startsWith('mop-temporary-'));

test.each([
  ['to sign', {}, undefined],
  ['already signed', signedHeaders(), 'ok'],
])('a form %s reaches the sandbox with its file', async (_, headers, diagnosis) => {
  const sandbox = await start();
  const { url } = await proxyTo(sandbox.url);
  const reply = await post(url, form(100_000), headers);
  expect(JSON.parse(reply.body.toString())).toMatchObject({ code: 0 });
  expect(reply.headers['x-mop-diagnosis']).toBe(diagnosis);
});

test('a form is forwarded unchanged, with any framing', async () => {
  const digests: string[] = [];
  const upstream = createServer(async (incoming, response) => {
    const digest = createHash('md5');
    await pipeline(incoming, digest);
    digests.push(digest.digest('hex'));
    response.end('{"code":0}');
  });
  const { url } = await proxyTo(`http://127.0.0.1:${await listen(upstream)}`);
  const body = form(3_000_000);
  await post(url, body);
  await post(url, body, signedHeaders());
  await chunked(url, body, {});
  await chunked(url, body, signedHeaders());
  expect(digests).toEqual(Array(4).fill(createHash('md5').update(body).digest('hex')));
  expect(await spools()).toEqual([]);
});

/** Sends a form in chunks of 64 KiB, without a length. */
function chunked(url: string, body: Buffer, headers: Record<string, string>): Promise<void> {
  const chunks = Array.from({ length: Math.ceil(body.length / 65_536) }, (_, at) =>
    body.subarray(at * 65_536, (at + 1) * 65_536),
  );
  return new Promise((resolve, reject) => {
    const outgoing = openRequest(url + PATH, {
      method: 'POST',
      headers: { 'Content-Type': TYPE, ...headers },
    });
    outgoing.on('response', (incoming) => incoming.resume().on('end', resolve));
    outgoing.on('error', reject);
    Readable.from(chunks).pipe(outgoing);
  });
}

test('a wrong signature over a form is diagnosed', async () => {
  const sandbox = await start();
  const { url } = await proxyTo(sandbox.url);
  const file = { name: 'avatar', value: '0123456789abcdef' };
  const { headers } = signHeaders([...TEXTS, file], SANDBOX_CREDENTIALS, {}, SOURCE);
  const reply = await post(url, form(16), headers);
  expect(reply.headers['x-mop-diagnosis']).toBe('multipart-file-included');
});

test('a signed form that cannot be read is forwarded, and reported as unreadable', async () => {
  let received = '';
  const upstream = createServer(async (incoming, response) => {
    for await (const chunk of incoming) received += chunk;
    response.end('{"code":1001}');
  });
  const { url } = await proxyTo(`http://127.0.0.1:${await listen(upstream)}`);
  const reply = await post(url, Buffer.from('--b\r\nno form'), signedHeaders());
  expect(reply.headers['x-mop-diagnosis']).toBe('unreadable');
  expect(received).toBe('--b\r\nno form');
});

test.each([
  ['signed', signedHeaders()],
  ['to be signed', {}],
])(
  'a client that goes away within a form without a boundary, %s, ends its exchange only',
  async (_, headers) => {
    const upstream = createServer((incoming) => void incoming.resume());
    const { url, exchanges } = await proxyTo(`http://127.0.0.1:${await listen(upstream)}`);
    const outgoing = openRequest(url + PATH, {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data', 'Content-Length': '1000000', ...headers },
    });
    outgoing.on('error', () => {}).write(Buffer.alloc(50_000));
    await new Promise((resolve) => setTimeout(resolve, 50));
    outgoing.destroy();
    await vi.waitFor(() => expect(exchanges).toHaveLength(1));
  },
);

test.each([
  ['a text', 'name="city"\r\n\r\n', Buffer.from([0xba, 0xbc, 0xd6, 0xdd])],
  ['a name', 'name="', Buffer.concat([Buffer.from([0xba, 0xbc]), Buffer.from('"\r\n\r\nx')])],
])('a form to sign with %s in another charset than UTF-8 is refused', async (_, head, bytes) => {
  const { url } = await proxyTo('http://127.0.0.1:9');
  const start = Buffer.from(`--b\r\nContent-Disposition: form-data; ${head}`);
  const reply = await post(url, Buffer.concat([start, bytes, Buffer.from('\r\n--b--\r\n')]));
  expect(reply.status).toBe(400);
  expect(reply.body.toString()).toContain('is not UTF-8');
});

test('the content of large files is not kept in memory', async () => {
  const sandbox = await start();
  const { url, exchanges } = await proxyTo(sandbox.url);
  const part = (at: number): string =>
    `--b\r\nContent-Disposition: form-data; name="f${at}"; filename="f"\r\n\r\n${'x'.repeat(30_000)}\r\n`;
  for (const count of [3, 1]) {
    const files = Array.from({ length: count }, (_, at) => part(at));
    await post(url, Buffer.from(`${files.join('')}--b--\r\n`));
  }
  await vi.waitFor(() => expect(exchanges).toHaveLength(2));
  const held = exchanges.map(({ request }) => JSON.stringify(request?.body).length);
  expect(held[0]).toBeLessThan(1000);
  expect(held[1]).toBeGreaterThan(30_000);
});

test('a client that disconnects within a form leaves no file', async () => {
  const upstream = createServer((incoming) => void incoming.resume());
  const { url, exchanges } = await proxyTo(`http://127.0.0.1:${await listen(upstream)}`);
  for (const headers of [{}, signedHeaders()]) {
    const outgoing = openRequest(url + PATH, {
      method: 'POST',
      headers: { 'Content-Type': TYPE, 'Content-Length': '1000000', ...headers },
    });
    outgoing.on('error', () => {}).write(form(100_000).subarray(0, 50_000));
    await new Promise((resolve) => setTimeout(resolve, 50));
    outgoing.destroy();
  }
  await vi.waitFor(() => expect(exchanges.map(({ status }) => status)).toEqual([499, 499]));
  expect(await spools()).toEqual([]);
});

test('a client without progress is disconnected', async () => {
  const { url, exchanges } = await proxyTo('http://127.0.0.1:9', { idleMs: 100 });
  for (const path of [PATH, '/open/v1/trade/bill']) {
    const type = path === PATH ? TYPE : 'application/json';
    const headers = { 'Content-Type': type, 'Content-Length': '1000' };
    const outgoing = openRequest(url + path, { method: 'POST', headers });
    const broken = new Promise((resolve) => outgoing.on('error', resolve));
    outgoing.write('{');
    await broken;
  }
  await vi.waitFor(() => expect(exchanges).toHaveLength(2));
});
