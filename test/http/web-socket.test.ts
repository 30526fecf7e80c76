import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { WebSocket as ServerSocket } from 'ws';
import type { WebSocketOptions } from '../../src/graphql/socket-subscription.ts';
import type { TransportOptions } from '../../src/http/transport.ts';
import { canReply, closeWebSocket, messagesOf, openWebSocket } from '../../src/http/web-socket.ts';
import { VERSION } from '../../src/version.ts';
import {
  all,
  answeringSocket,
  asObject,
  COMPLETE,
  failureOf,
  next,
  printed,
  responsesOf,
  serveSockets,
} from '../graphql/support.ts';
import { type Handler, serve } from '../support/server.ts';
import { CA, closedPort, proxyServer, silentServer, socketServer } from './support.ts';
import { A, serveA } from './web-socket-service.ts';

const BROTLI = brotliCompressSync('not you');

describe('openWebSocket', () => {
  const protocol = 'graphql-transport-ws';
  const open = (url: string | URL, options: TransportOptions = {}) =>
    openWebSocket({ url: new URL(url), protocol, headers: [] }, options);

  it('opens a socket that speaks the protocol, and closeWebSocket ends it', async () => {
    const server = await serveA();
    const handshake = await open(server.url);
    const socket = 'socket' in handshake ? handshake.socket : expect.fail('no socket');
    expect([socket.protocol, socket.readyState]).toEqual([protocol, socket.OPEN]);
    const [received] = server.handshakes;
    expect(received?.headers['sec-websocket-protocol']).toBe(protocol);
    await closeWebSocket(socket);
    expect([await server.closed, socket.readyState]).toEqual([[1000, ''], socket.CLOSED]);
    await closeWebSocket(socket);
  });

  it('sends the given headers', async () => {
    const server = await serveA();
    const headers = [
      ['X-Trace-ID', '1'],
      ['Authorization', 'Bearer a'],
      ['cookie', 'a=b; c=d'],
    ] as const;
    await printed(responsesOf(server.url, { headers }));
    const [received] = server.handshakes;
    expect(received?.rawHeaders).toEqual(expect.arrayContaining(headers.flat()));
    expect(received?.headers['user-agent']).toBe(`mop/${VERSION}`);
  });

  it('sends a given User-Agent only', async () => {
    const server = await serveA();
    await printed(responsesOf(server.url, { headers: [['uSER-aGENT', 'mine']] }));
    const raw = server.handshakes[0]?.rawHeaders ?? [];
    expect(raw.filter((_, at) => /^user-agent$/i.test(raw[at - 1] ?? ''))).toEqual(['mine']);
  });

  it('sends each of several headers of one name', async () => {
    const server = await serveA();
    const headers = [
      ['X-Tag', 'a'],
      ['X-Tag', 'b'],
    ] as const;
    await printed(responsesOf(server.url, { headers }));
    expect(server.handshakes[0]?.headers['x-tag']).toBe('a, b');
  });

  it.each<[string, Handler, number, string]>([
    ['404', (_, response) => response.writeHead(404).end('none'), 404, 'none'],
    ['a redirect', (_, response) => response.writeHead(302, { Location: '/b' }).end(), 302, ''],
    ['200', (_, response) => response.end('\ufeff{}'), 200, '{}'],
    [
      'compressed',
      (_, response) => response.writeHead(403, { 'Content-Encoding': 'br' }).end(BROTLI),
      403,
      'not you',
    ],
    ['invalid UTF-8', (_, response) => response.end(Buffer.from([0xff])), 200, '\ufffd'],
  ])('returns an HTTP answer: %s', async (_, handler, status, text) => {
    const { url, requests } = await serve(handler);
    const handshake = await open(url);
    const answer = 'answer' in handshake ? handshake.answer : expect.fail('it is open');
    expect(answer).toMatchObject({ status, text, isUtf8: text !== '\ufffd' });
    expect(answer.header('location')).toBe(status === 302 ? '/b' : undefined);
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['with a length', 'Content-Length: 2', 'no', 'no'],
    ['without a length', '', 'no', 'no'],
    ['in chunks', 'Transfer-Encoding: chunked', '2\r\nno\r\n0\r\n\r\n', 'no'],
    ['in chunks without an end', 'Transfer-Encoding: chunked', '2\r\nno\r\n', 'no'],
    ['shorter than its length', 'Content-Length: 9', 'no', 'no'],
    ['without a body', 'Upgrade: websocket', '', ''],
    ['that never ends', '', 'no'.repeat(1_000_000), 'no'],
  ])(
    'closes the connection of a refusal %s that the server keeps open',
    async (_, field, body, text) => {
      const fields = ['HTTP/1.1 404 Not Found', 'Connection: keep-alive', field].filter(Boolean);
      let isClosed: Promise<unknown> | undefined;
      const host = await socketServer((socket) => {
        isClosed = new Promise((resolve) => socket.once('close', resolve));
        socket.once('data', () => socket.write(`${fields.join('\r\n')}\r\n\r\n${body}`));
      });
      const handshake = await open(`http://${host}`, { timeoutSeconds: 60 });
      const answer = 'answer' in handshake ? handshake.answer : expect.fail('it is open');
      expect([answer.status, answer.text.slice(0, 2)]).toEqual([404, text]);
      expect(answer.text.length).toBeLessThan(1_000_000);
      await isClosed;
    },
  );

  it('traces the handshake without credentials', async () => {
    const lines: string[] = [];
    const trace = (line: string): void => void lines.push(line);
    const headers = [['Authorization', 'canary']] as const;
    const { url } = await serve((_, response) => response.writeHead(404).end());
    const address = new URL(`${url}/graphql?token=canary`);
    await openWebSocket({ url: address, protocol, headers }, { trace });
    expect(lines).toEqual([
      expect.stringMatching(/^> GET .*\/graphql\?<redacted> \(WebSocket, graphql-transport-ws\)$/),
      `> User-Agent: mop/${VERSION}`,
      '> Authorization: <redacted>',
      '< 404',
    ]);
  });
});

describe('a handshake', () => {
  const NO = '{"errors":[{"message":"no"}]}';
  const answering =
    (status: number, body: string, headers = {}): Handler =>
    (_, response) =>
      response.writeHead(status, headers).end(body);

  it.each([
    [404, 'Not Found', {}, 'api', 'another address'],
    [401, '{"error":"who are you?"}', {}, 'api', 'Authorization'],
    [302, '', { Location: 'https://h.example/?token=canary' }, 'api', 'another address'],
    [200, '<h1>Hello</h1>', {}, 'api', 'sse'],
    // The operation was never sent, so this is not its result.
    [200, A, {}, 'api', 'sse'],
    [400, NO, {}, 'api', 'sse'],
    [426, 'Upgrade Required', {}, 'api', 'sse'],
    [500, '<h1>Oops</h1>', { 'Content-Type': 'text/html' }, 'network', 'try again later'],
    [503, 'busy', { 'Retry-After': '3' }, 'network', 'try again later'],
  ])('may be refused: HTTP %i %s', async (status, body, headers, code, hint) => {
    const { url } = await serve(answering(status, body, headers));
    const { message, details, ...error } = await failureOf(() => printed(responsesOf(url)));
    expect([error.code, details.httpStatus]).toEqual([code, status]);
    const target = status === 302 ? ', a redirect to https://h.example/?<redacted>,' : '';
    expect(message).toContain(`${new URL(url).host} answered HTTP ${status}${target}`);
    expect(details.hint).toContain(hint);
    expect(details.retryAfterMs).toBe(status === 503 ? 3000 : undefined);
  });

  it.each<[string, () => false | string]>([
    ['none', () => false],
    ['another', () => 'graphql-ws'],
  ])('may end with the wrong subprotocol: %s', async (_, handleProtocols) => {
    const { url } = await serveSockets(() => {}, { handleProtocols });
    const { code, message, details } = await failureOf(() => printed(responsesOf(url)));
    expect([code, message]).toEqual(['api', expect.stringContaining('subprotocol')]);
    expect(details.hint).toContain('sse');
  });

  it('may be refused by a closed port', async () => {
    const host = `127.0.0.1:${await closedPort()}`;
    const { code, message } = await failureOf(() => printed(responsesOf(`ws://${host}`)));
    expect([code, message]).toEqual(['network', `${host} refused the connection`]);
  });

  it('may fail with an unknown host', async () => {
    const host = `${'x'.repeat(64)}.invalid`;
    const { code, message } = await failureOf(() => printed(responsesOf(`ws://${host}`)));
    expect([code, message]).toEqual([
      'network',
      expect.stringContaining(`cannot find the host ${host}`),
    ]);
  });

  it('may time out', async () => {
    const host = await silentServer();
    const transport = { timeoutSeconds: 0.2 };
    const call = () => printed(responsesOf(`ws://${host}`, { transport }));
    const { code, message, details } = await failureOf(call);
    expect([code, message]).toEqual([
      'network',
      `${host} opened no WebSocket within 0.2 s (time-out)`,
    ]);
    expect(details).toMatchObject({ sent: false, hint: expect.stringContaining('timeout') });
  });

  it('may receive an answer that never ends', async () => {
    const { url } = await serve((_, response) => response.writeHead(200).write('{'));
    const transport = { timeoutSeconds: 0.2 };
    const { code } = await failureOf(() => printed(responsesOf(url, { transport })));
    expect(code).toBe('network');
  });

  it.each([
    ['bytes that are not HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['nothing', ''],
    ['half an answer', 'HTTP/1.1 101 Switching'],
  ])('may be answered with %s', async (_, answer) => {
    const host = await socketServer((socket) => socket.once('data', () => socket.end(answer)));
    const { code, message } = await failureOf(() => printed(responsesOf(`ws://${host}`)));
    expect([code, message]).toEqual(['network', expect.stringContaining(host)]);
  });

  it('may be accepted with a wrong key', async () => {
    const answer = [
      'HTTP/1.1 101 Switching Protocols',
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Accept: nonsense',
      'Sec-WebSocket-Protocol: graphql-transport-ws',
    ];
    const host = await socketServer((socket) =>
      socket.once('data', () => socket.write(`${answer.join('\r\n')}\r\n\r\n`)),
    );
    const { code, message } = await failureOf(() => printed(responsesOf(`ws://${host}`)));
    expect([code, message]).toEqual(['api', expect.stringContaining('is not usable')]);
  });

  it('ends when the signal is aborted', async () => {
    const controller = new AbortController();
    const reason = new Error('interrupted');
    const host = await socketServer((socket) =>
      socket.once('data', () => controller.abort(reason)),
    );
    const transport = { signal: controller.signal };
    await expect(printed(responsesOf(`ws://${host}`, { transport }))).rejects.toBe(reason);
  });
});

describe('TLS', () => {
  it('is checked with a given certificate authority', async () => {
    const { url } = await serveA('good');
    expect(await printed(responsesOf(url, { transport: { ca: CA } }))).toEqual([A]);
    const https = url.href.replace('wss', 'https');
    expect(await printed(responsesOf(https, { transport: { ca: CA } }))).toEqual([A]);
  });

  it.each([
    ['good', undefined, 'the certificate authority is not trusted'],
    ['expired', CA, 'the certificate has expired'],
  ] as const)('fails with a certificate that is %s', async (name, ca, why) => {
    const { url, handshakes } = await serveA(name);
    const error = await failureOf(() => printed(responsesOf(url, { transport: { ca } })));
    expect([error.code, error.message]).toEqual(['network', `TLS to ${url.host} failed: ${why}`]);
    expect(error.details).toMatchObject({ sent: false });
    expect(handshakes).toEqual([]);
  });

  it('fails at a server without TLS', async () => {
    const { url } = await serveA();
    const error = await failureOf(() => printed(responsesOf(url.href.replace('ws', 'wss'))));
    expect([error.code, error.message]).toEqual(['network', expect.stringContaining('TLS to')]);
  });
});

describe('a credential', () => {
  /** Whether the credential is refused for a remote server, before a proxy receives a request. */
  async function refused(scheme: string, options: Partial<WebSocketOptions>) {
    const { host, received } = await proxyServer(502);
    const proxy = { http: `http://${host}`, https: `http://${host}` };
    const endpoint = `${scheme}://h.invalid/graphql`;
    const call = () => printed(responsesOf(endpoint, { ...options, transport: { proxy } }));
    return { error: await failureOf(call), received };
  }

  const params = [
    ['by its name', { authToken: 'canary' }],
    ['by its value', { x: 'Bearer canary' }],
    ['among others', { a: 1, b: null, Authorization: 'canary' }],
  ] as const;

  it.each(params)('among the parameters is not sent without TLS: %s', async (_, params) => {
    const { error, received } = await refused('ws', { connectionParams: asObject(params) });
    expect([error.code, received]).toEqual(['usage', []]);
    expect(error.message).toContain('h.invalid is requested over plain ws');
    expect(inspect(error)).not.toContain('canary');
  });

  it.each(params)('among the parameters is sent over TLS: %s', async (_, params) => {
    const { received } = await refused('wss', { connectionParams: asObject(params) });
    expect(received).toEqual(['CONNECT h.invalid:443']);
  });

  it.each(params)('among the parameters is sent to this machine: %s', async (_, params) => {
    const { url, messages } = await serveA();
    const connectionParams = asObject(params);
    expect(await printed(responsesOf(url, { connectionParams }))).toEqual([A]);
    expect(JSON.parse(messages[0] ?? '')).toMatchObject({ payload: params });
  });

  it.each([
    ['nested', { headers: { Authorization: 'Bearer canary' } }],
    ['in a list', { tokens: ['Bearer canary'] }],
    ['that is a number', { api_key: 12345678 }],
    ['below a name of a credential', { token: { access: 'canary' } }],
  ])('among the parameters is not sent without TLS: %s', async (_, params) => {
    const { error, received } = await refused('ws', { connectionParams: asObject(params) });
    expect([error.code, received]).toEqual(['usage', []]);
  });

  // GraphqlClient checks the headers; this function does not.
  it('in a header is not sent without TLS', async () => {
    const { error, received } = await refused('ws', { headers: [['Authorization', 'canary']] });
    expect([error.code, received]).toEqual(['usage', []]);
  });

  /** The whole trace and the result of an operation. */
  async function shown(url: URL | string, options: Partial<WebSocketOptions>): Promise<string> {
    const lines: string[] = [];
    const transport = { trace: (line: string) => void lines.push(line) };
    const outcome: unknown = await all(responsesOf(url, { ...options, transport })).catch(
      (error: unknown) => error,
    );
    const error = outcome instanceof Error ? inspect(outcome, { depth: 10, showHidden: true }) : '';
    return `${lines.join('\n')}\n${error}`;
  }

  const headers = [
    ['X-Api-Key', 'canary-1'],
    ['Authorization', 'Bearer canary-2'],
    ['Cookie', 'a=canary-3'],
  ] as const;
  const connectionParams = asObject({ token: 'canary-4', n: 1 });
  const echo = 'canary-1 canary-2 canary-3 canary-4';

  it('is not in the trace, even when a server echoes it', async () => {
    const echoed = next(JSON.stringify({ data: { a: echo } }));
    const server = await serveSockets(answeringSocket(echoed, COMPLETE));
    const trace = await shown(server.url, { headers, connectionParams });
    expect(trace).not.toContain('canary');
    expect(trace.split('\n').filter((line) => /^[<>] \{/.test(line))).toEqual([
      '> {"type":"connection_init","payload":{"token":"<redacted>","n":1}}',
      '< {"type":"connection_ack"}',
      '> {"type":"subscribe","id":"1","payload":{"query":"subscription { a }"}}',
      expect.stringContaining('"a":"<redacted> <redacted> <redacted> <redacted>"'),
      '< {"id":"1","type":"complete"}',
    ]);
  });

  it('is not in the trace when it is nested', async () => {
    const server = await serveA();
    const connectionParams = asObject({ headers: { Authorization: 'Bearer canary' } });
    const trace = await shown(server.url, { connectionParams });
    expect(trace).not.toContain('canary');
  });

  it.each<[string, () => Promise<{ readonly url: URL | string }>]>([
    ['an invalid message', () => serveSockets(answeringSocket(echo))],
    [
      'a reason to close',
      () => serveSockets(answeringSocket((socket) => socket.close(4403, echo))),
    ],
    ['an answer of HTTP', () => serve((_, response) => response.writeHead(401).end(echo))],
  ])('is not in the error when a server echoes it in %s', async (_, serving) => {
    const { url } = await serving();
    expect(await shown(url, { headers, connectionParams })).not.toContain('canary');
  });
});

describe('the messages of a socket', () => {
  /** Opens a socket to a server that runs `then` after a first message. */
  async function socketOf(then: (server: ServerSocket) => void) {
    const { url } = await serveSockets((_, server) => then(server));
    const handshake = await openWebSocket(
      { url, protocol: 'graphql-transport-ws', headers: [] },
      {},
    );
    const socket = 'socket' in handshake ? handshake.socket : expect.fail('it is not open');
    socket.send('go');
    return socket;
  }

  it('are all read before an error', async () => {
    const socket = await socketOf((server) => {
      for (const message of ['a', 'b', 'c']) server.send(message);
      // A frame with reserved bits.
      (server as unknown as { _socket: Socket })._socket.write(Buffer.of(0xff, 0));
    });
    const messages = messagesOf(socket, undefined);
    expect((await messages.next()).value).toBe('a');
    await setTimeout(50);
    expect([(await messages.next()).value, (await messages.next()).value]).toEqual(['b', 'c']);
    await expect(messages.next()).rejects.toThrow('Invalid WebSocket frame');
  });

  it('wait for the reader, up to an abort', async () => {
    const socket = await socketOf((server) => {
      for (let count = 0; count < 100; count++) server.send('x');
    });
    const controller = new AbortController();
    const messages = messagesOf(socket, controller.signal);
    await messages.next();
    await setTimeout(50);
    expect(socket.isPaused).toBe(true);
    controller.abort(new Error('stopped'));
    await expect(messages.next()).rejects.toThrow('stopped');
    await closeWebSocket(socket);
  });

  it('are answered while the server reads', () => {
    const replies = [0, 65_535, 65_536].map((bufferedAmount) =>
      canReply({ bufferedAmount } as ServerSocket),
    );
    expect(replies).toEqual([true, true, false]);
  });
});
