import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSocketServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MopError } from '../../src/errors.ts';
import type { ProxySettings } from '../../src/http/proxy-for.ts';
import type { HttpBody, HttpRequest } from '../../src/http/request.ts';
import { VERSION } from '../../src/version.ts';
import { listen, serve } from '../support/server.ts';
import {
  CA,
  certificate,
  closedPort,
  fetchText,
  get,
  networkFailure,
  proxyServer,
  transport,
} from './support.ts';

describe('send', () => {
  it('sends method, target, headers and body unchanged', async () => {
    const server = await serve((_, response) => response.end());
    await transport().sendForText({
      method: 'POST',
      url: new URL(`${server.url}/a%20b/?q=1&q=%2F`),
      headers: [
        ['Content-Type', 'application/json'],
        ['X-TMS-Sign-Ver', '2.0'],
        ['x-lower', 'é'],
      ],
      body: '{"n":1.0,"name":"名字"}',
    });
    const [request] = server.requests;
    expect(request).toMatchObject({
      method: 'POST',
      path: '/a%20b/?q=1&q=%2F',
      body: '{"n":1.0,"name":"名字"}',
    });
    expect(request?.headers).toMatchObject({
      host: new URL(server.url).host,
      'content-length': '25',
    });
    const named = ['Content-Type', 'X-TMS-Sign-Ver', 'x-lower', 'User-Agent'];
    expect(pairs(request?.rawHeaders).filter(([name]) => named.includes(name))).toEqual([
      ['Content-Type', 'application/json'],
      ['X-TMS-Sign-Ver', '2.0'],
      ['x-lower', 'é'],
      ['User-Agent', `mop/${VERSION}`],
    ]);
  });

  it('speaks HTTP/1.1, also over TLS', async () => {
    const versions: string[] = [];
    const { url } = await serve((_, response) => {
      versions.push(response.req.httpVersion);
      response.end();
    }, certificate('good'));
    await fetchText(url, { ca: CA });
    expect(versions).toEqual(['1.1']);
  });

  it('returns an answer with any status', async () => {
    const { url } = await serve((_, response) => response.writeHead(503).end('busy'));
    const { status, text } = await transport().sendForText(get(url));
    expect({ status, text }).toEqual({ status: 503, text: 'busy' });
  });

  it('returns the first header of a name, which is given in lower case', async () => {
    const { url } = await serve((_, response) => {
      response.setHeader('X-One', 'a');
      response.setHeader('Set-Cookie', ['b', 'c']);
      response.end();
    });
    const { header } = await transport().sendForText(get(url));
    expect(['x-one', 'set-cookie', 'x-none', 'X-One'].map(header)).toEqual([
      'a',
      'b',
      undefined,
      undefined,
    ]);
  });

  it('returns the body as it arrives', async () => {
    const server = createServer((_, response) => response.write('first'));
    const arrived = once(server, 'request');
    const { body } = await transport().send(get(`http://127.0.0.1:${await listen(server)}`));
    const chunks = body[Symbol.asyncIterator]();
    expect(String((await chunks.next()).value)).toBe('first');
    const [, response] = await arrived;
    response.end('second');
    expect(String((await chunks.next()).value)).toBe('second');
    expect((await chunks.next()).done).toBe(true);
  });

  it('ends the exchange on discard', async () => {
    const server = createServer((_, response) => response.write('endless'));
    const url = `http://127.0.0.1:${await listen(server)}`;
    const [[, response], { discard }] = await Promise.all([
      once(server, 'request'),
      transport().send(get(url)),
    ]);
    discard();
    await once(response, 'close');
    expect(response.writableFinished).toBe(false);
  });

  it('reuses a connection', async () => {
    const { url } = await serve((_, response) => response.end(String(response.socket?.remotePort)));
    const sender = transport();
    const ports = new Set<string>();
    for (let request = 0; request < 4; request++) {
      ports.add((await sender.sendForText(get(url))).text);
      await nextTurn();
    }
    expect(ports.size).toBe(1);
  });

  it('fails after it is closed, without retries', async () => {
    const { url } = await serve((_, response) => response.end());
    const closed = transport();
    await closed.close();
    await expect(closed.send(get(url))).rejects.toMatchObject({
      message: 'the transport is closed',
      details: { transient: false },
    });
  });

  it('aborts running exchanges on close', async () => {
    const server = createServer((_, response) => response.write('begun'));
    const sender = transport();
    const { body } = await sender.send(get(`http://127.0.0.1:${await listen(server)}`));
    await sender.close();
    await networkFailure(body[Symbol.asyncIterator]().next());
  });
});

describe('a body that is read while it is sent', () => {
  const bodyOf = (...chunks: string[]) => ({
    length: chunks.join('').length,
    read: async function* () {
      for (const chunk of chunks) yield Buffer.from(chunk);
    },
  });
  const post = (url: string, body: HttpBody): HttpRequest => ({
    ...get(url),
    method: 'POST',
    body,
  });

  it('is sent with its length, from the start each time', async () => {
    const { url, requests } = await serve((_, response) => response.end('fine'));
    const request = post(url, bodyOf('one ', 'two'));
    const sender = transport();
    for (let time = 0; time < 2; time++) {
      expect((await sender.sendForText(request)).text).toBe('fine');
      expect(requests[time]?.body).toBe('one two');
      expect(requests[time]?.headers['content-length']).toBe('7');
    }
  });

  it('throws the error of its reader, and ends the exchange', async () => {
    const { url, requests } = await serve((_, response) => response.end('fine'));
    const error = new MopError('io', 'the disk failed');
    const failing = {
      length: 1_000_000,
      read: async function* () {
        yield Buffer.from('x');
        throw error;
      },
    };
    await expect(transport().send(post(url, failing))).rejects.toBe(error);
    expect(requests).toEqual([]);
  });
});

describe('sendForText', () => {
  const limit = 16 * 1024 * 1024;

  it('decodes UTF-8 across chunks', async () => {
    const bytes = Buffer.from('{"姓":"名"}');
    const { url } = await serve((_, response) => {
      for (const byte of bytes) response.write(Buffer.of(byte));
      response.end();
    });
    expect(await fetchText(url)).toBe('{"姓":"名"}');
  });

  it('reads 16 MiB', async () => {
    const { url } = await serve((_, response) => response.end(Buffer.alloc(limit, 'x')));
    expect((await fetchText(url)).length).toBe(limit);
  });

  it('rejects a larger body and stops reading', async () => {
    const server = createServer((_, response) => {
      response.writeHead(203);
      // The body never ends: the client must count to stop.
      response.write(Buffer.alloc(limit + 1, 'x'));
    });
    const url = `http://127.0.0.1:${await listen(server)}`;
    const closed = once(server, 'request').then(([, response]) => once(response, 'close'));
    await expect(fetchText(url)).rejects.toMatchObject({
      code: 'api',
      message: `${new URL(url).host} answered with more than 16 MiB`,
      details: { httpStatus: 203, hint: expect.stringContaining('check the address') },
    });
    await closed;
  });
});

describe('the signal', () => {
  const reason = new Error('stop');

  /** A server that reads a first chunk and never answers. */
  async function waitingServer(): Promise<{ host: string; reached: Promise<Socket> }> {
    const server = createSocketServer();
    const reached = once(server, 'connection').then(async ([socket]: Socket[]) => {
      await once(socket as Socket, 'data');
      return socket as Socket;
    });
    return { host: `127.0.0.1:${await listen(server)}`, reached };
  }

  it.each<[string, (host: string, proxy: string) => [url: string, proxy?: ProxySettings]]>([
    ['waits for an answer', (host) => [`http://${host}`]],
    ['waits for a connection', (host) => [`https://${host}`]],
    ['waits for a proxy', (host) => ['http://x.invalid', { http: `http://${host}` }]],
    ['waits for a tunnel', (host) => ['https://x.invalid', { https: `http://${host}` }]],
    [
      'waits for a connection through a tunnel',
      (host, proxy) => [`https://${host}`, { https: proxy }],
    ],
  ])('aborts an exchange that %s', async (_, target) => {
    const { host, reached } = await waitingServer();
    const [url, proxy] = target(host, `http://${(await proxyServer()).host}`);
    const controller = new AbortController();
    const exchange = fetchText(url, { signal: controller.signal, proxy });
    // Avoids an unhandled rejection while the test waits for the server.
    const outcome = exchange.catch((error: unknown) => error);
    const socket = await reached;
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    // No open socket keeps the process alive.
    if (!socket.closed) await once(socket, 'close');
  });

  it('prevents every later connection', async () => {
    const sockets: Socket[] = [];
    const controller = new AbortController();
    // Answers only requests after the signal.
    const server = createServer((_, response) =>
      controller.signal.aborted ? response.end() : controller.abort(reason),
    );
    server.on('connection', (socket) => sockets.push(socket));
    const url = `http://127.0.0.1:${await listen(server)}`;
    await expect(fetchText(url, { signal: controller.signal })).rejects.toBe(reason);
    const [first] = sockets;
    if (first && !first.closed) await once(first, 'close');
    // When another connection is complete, the first one is too.
    await fetchText(url);
    expect(sockets).toHaveLength(2);
  });

  it('opens no connection when already aborted', async () => {
    let connections = 0;
    const server = createServer((_, response) => response.end());
    server.on('connection', () => connections++);
    const url = `http://127.0.0.1:${await listen(server)}`;
    await expect(fetchText(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await fetchText(url);
    expect(connections).toBe(1);
  });

  it('aborts an exchange inside the body', async () => {
    const server = createServer((_, response) => response.write('begun'));
    const url = `http://127.0.0.1:${await listen(server)}`;
    const controller = new AbortController();
    const { body } = await transport({ signal: controller.signal }).send(get(url));
    const read = async (): Promise<void> => {
      for await (const _ of body) controller.abort(reason);
    };
    await expect(read()).rejects.toBe(reason);
  });

  it('aborts an exchange with an unread body', async () => {
    const { url } = await serve((_, response) => response.end('all of it'));
    const controller = new AbortController();
    const { body } = await transport({ signal: controller.signal }).send(get(url));
    controller.abort(reason);
    await expect(body[Symbol.asyncIterator]().next()).rejects.toBe(reason);
  });

  it('sends nothing when already aborted', async () => {
    const server = await serve((_, response) => response.end());
    const signal = AbortSignal.abort(reason);
    await expect(fetchText(server.url, { signal })).rejects.toBe(reason);
    expect(server.requests).toEqual([]);
  });

  it('throws a reason that is not an error', async () => {
    const { url } = await serve((_, response) => response.end());
    await expect(fetchText(url, { signal: AbortSignal.abort('a text') })).rejects.toBe('a text');
  });

  it('has no effect unless aborted', async () => {
    const { url } = await serve((_, response) => response.end('done'));
    const { signal } = new AbortController();
    expect(await fetchText(url, { signal })).toBe('done');
    await networkFailure(fetchText(`http://127.0.0.1:${await closedPort()}`, { signal }));
  });
});

describe('the trace', () => {
  it('shows an exchange line by line, without secrets', async () => {
    const echo = 'echo-canary "quoted"/';
    const { url } = await serve((_, response) => {
      response.sendDate = false;
      response.writeHead(302, [
        ['Location', 'https://user:canary@h.test/f?sig=canary#canary'],
        ['Set-Cookie', 'canary=1'],
        ['Set-Cookie', 'canary=2'],
        ['X-Echo', encodeURIComponent(echo)],
        ['X-Plain', 'shown'],
        ['Connection', 'close'],
      ]);
      response.end(
        JSON.stringify({
          code: 0,
          message: `sign ${echo} is bad`,
          data: {
            download_url: 'https://h.test/bill?X-Sig=canary&b="canary"',
            authorization: 'canary "escaped" canary',
            hash_type: 'MD5',
          },
        }),
      );
    });
    const lines: string[] = [];
    await transport({ trace: (line) => lines.push(line) }).sendForText({
      method: 'POST',
      url: new URL(`${url}/path?token=canary`),
      headers: [
        ['X-TMS-Api-Key', 'shown'],
        ['X-TMS-Sign', 'canary'],
        ['authorization', 'canary'],
        ['Proxy-Authenticate', 'shown'],
      ],
      body: '{"a":1.0,"sign":"canary","api_secret": "canary","signature":"shown"}',
      secrets: [echo],
    });
    expect(lines).toEqual([
      `> POST ${url}/path?<redacted>`,
      '> X-TMS-Api-Key: shown',
      '> X-TMS-Sign: <redacted>',
      '> authorization: <redacted>',
      '> Proxy-Authenticate: shown',
      `> User-Agent: mop/${VERSION}`,
      '> Accept-Encoding: identity',
      '> {"a":1.0,"sign":"<redacted>","api_secret": "<redacted>","signature":"shown"}',
      '< 302 Found',
      '< location: https://h.test/f?<redacted>',
      '< set-cookie: <redacted>',
      '< set-cookie: <redacted>',
      '< x-echo: <redacted>',
      '< x-plain: shown',
      '< connection: close',
      '< transfer-encoding: chunked',
      '< {"code":0,"message":"sign <redacted> is bad","data":{' +
        '"download_url":"https://h.test/bill?<redacted>","authorization":"<redacted>","hash_type":"MD5"}}',
    ]);
  });

  it('hides the credentials of an answer wherever the answer repeats them', async () => {
    const data = {
      download_url: 'https://h.test/bill?token=link-canary',
      authorization: 'Bearer token-canary',
    };
    const answer = JSON.stringify({ message: 'token-canary opens link-canary', data });
    const { url } = await serve((_, response) => response.end(answer));
    const lines: string[] = [];
    await fetchText(url, { trace: (line) => lines.push(line) });
    expect(lines.at(-1)).toBe(
      '< {"message":"<redacted> opens <redacted>","data":{' +
        '"download_url":"https://h.test/bill?<redacted>","authorization":"<redacted>"}}',
    );
  });

  it("omits a streamed body and shows the server's reason phrase", async () => {
    const { url } = await serve((_, response) => response.writeHead(299).end('content'));
    const lines: string[] = [];
    const { discard } = await transport({ trace: (line) => lines.push(line) }).send(get(url));
    discard();
    expect(lines).toContain('< 299 unknown');
    expect(lines.join()).not.toContain('content');
  });
});

function pairs(raw: readonly string[] = []): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, at) => [
    raw[2 * at] ?? '',
    raw[2 * at + 1] ?? '',
  ]);
}
