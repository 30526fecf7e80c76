import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createHandler } from 'graphql-sse/lib/use/http';
import { useServer } from 'graphql-ws/use/ws';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { MopError } from '../../../../src/errors.ts';
import { CA, certificate, closedPort, proxyServer, silentServer } from '../../../http/support.ts';
import { type CliWorld, errorOf, temporaryDirectory } from '../../../support/cli.ts';
import { type Certificate, type Handler, listen } from '../../../support/server.ts';
import { expectFailure, file } from '../../support.ts';
import {
  answer,
  executableSchema,
  gqlAt,
  jsonLines,
  sentTo,
  served,
  service,
  warmUp,
  withResolvers,
} from './support.ts';

beforeAll(warmUp);

const SUBSCRIPTION = 'subscription { count }';

const EVENT_STREAM = { 'Content-Type': 'text/event-stream; charset=utf-8' };

const next = (value: unknown): string =>
  `event: next\ndata: ${JSON.stringify({ data: value })}\n\n`;

const COMPLETE = 'event: complete\ndata: \n\n';

/** Answers with a stream of events. */
const events =
  (...chunks: readonly (string | Uint8Array)[]): Handler =>
  async (_, response) => {
    response.writeHead(200, EVENT_STREAM);
    for (const chunk of chunks) await new Promise((sent) => response.write(chunk, sent));
    response.end();
  };

describe('server-sent events', () => {
  /** Sends what it is told and keeps the stream open; says when the client has gone. */
  async function open(begin: (response: ServerResponse) => unknown) {
    const { promise: left, resolve } = withResolvers();
    const { promise: asked, resolve: ask } = withResolvers();
    const server = await service((_, response) => {
      response.on('close', () => resolve()).writeHead(200, EVENT_STREAM);
      begin(response);
      ask();
    });
    return { ...server, asked, left };
  }

  it('are asked for with POST, and printed as lines', async () => {
    const lines = [
      '{"data":{"z":12345678901234567890,"a":1.0,"10":1e2},"extensions":{"n":-0}}',
      '{"data":{"城市":"杭州 🚕"}}',
    ];
    const { gql, requests } = await service(
      events(...lines.map((line) => `event: next\ndata: ${line}\n\n`), COMPLETE),
    );
    const document = 'subscription S($n: Float) { count(n: $n) }';
    const { code, stdout, stderr } = await gql([document, '-F', 'n=1.0']);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `${lines.join('\n')}\n`,
      stderr: '',
    });
    const [request] = requests;
    expect(request).toMatchObject({ method: 'POST', path: '/graphql' });
    expect(request?.headers).toMatchObject({
      accept: 'text/event-stream',
      'content-type': 'application/json',
    });
    expect(request?.body).toBe(`{"query":"${document}","operationName":"S","variables":{"n":1.0}}`);
  });

  it('are asked for with GET', async () => {
    const { gql, url, requests } = await service(events(next({ a: 1 }), COMPLETE));
    const args = ['subscription ($n: Int) { a(n: $n) }', '--get', '-F', 'n=1'];
    const result = await gql(args, { env: { MOP_GQL_URL: `${url}/graphql?tenant=a` } });
    expect([result.code, result.stdout]).toEqual([0, '{"data":{"a":1}}\n']);
    const [{ method, path, headers, body }] = requests as [(typeof requests)[0]];
    expect([method, body, headers.accept]).toEqual(['GET', '', 'text/event-stream']);
    expect(headers).not.toHaveProperty('content-type');
    expect([...new URL(path, url).searchParams]).toEqual([
      ['tenant', 'a'],
      ['query', 'subscription ($n: Int) { a(n: $n) }'],
      ['variables', '{"n":1}'],
    ]);
  });

  it('take headers, of which Accept is one', async () => {
    const { gql, requests } = await service(events(COMPLETE));
    const lines = ['-H', 'accept: text/event-stream;q=1', '-H', 'Authorization: Bearer canary'];
    const { code, stderr } = await gql([SUBSCRIPTION, ...lines, '--verbose']);
    expect(code).toBe(0);
    expect(stderr).not.toContain('canary');
    expect(requests[0]?.headers).toMatchObject({
      accept: 'text/event-stream;q=1',
      authorization: 'Bearer canary',
    });
  });

  it('are shown by --dry-run, which sends nothing', async () => {
    const { gql, endpoint, requests } = await service();
    expect((await gql([SUBSCRIPTION, '--dry-run'])).stdout).toBe(`curl -X POST ${endpoint} \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: text/event-stream' \\
  --data-raw '{"query":"${SUBSCRIPTION}"}'
`);
    const json = await gql([SUBSCRIPTION, '--dry-run', '--json', '--get']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      method: 'GET',
      headers: { Accept: 'text/event-stream' },
      body: null,
    });
    expect(requests).toEqual([]);
  });

  const bytes = Buffer.from(next({ city: '杭州 🚕' }));

  it.each<[name: string, chunks: (string | Uint8Array)[], lines: unknown[]]>([
    ['no results', [COMPLETE], []],
    ['no name', ['data: {"data":{"a":1}}\n\n', COMPLETE], [{ data: { a: 1 } }]],
    [
      'no space behind the colon',
      ['event:next\ndata:{"data":{"a":1}}\n\n', COMPLETE],
      [{ data: { a: 1 } }],
    ],
    [
      'data in several lines',
      ['event: next\ndata: {"data":\ndata: {"a":1}}\n\n', COMPLETE],
      [{ data: { a: 1 } }],
    ],
    [
      'line ends of Windows',
      ['event: next\r\ndata: {"data":{"a":1}}\r\n\r\n', COMPLETE.replaceAll('\n', '\r\n')],
      [{ data: { a: 1 } }],
    ],
    [
      'comments, identifiers and pings',
      [
        ':\n\n',
        ': ping\nid: 7\nretry: 1\n\n',
        next({ a: 1 }),
        'event: ping\ndata: {}\n\n',
        COMPLETE,
      ],
      [{ data: { a: 1 } }],
    ],
    ['a byte order mark', [`\ufeff${next({ a: 1 })}`, COMPLETE], [{ data: { a: 1 } }]],
    [
      'an event in many pieces',
      [...bytes].map((byte) => Buffer.from([byte])).concat(Buffer.from(COMPLETE)),
      [{ data: { city: '杭州 🚕' } }],
    ],
    [
      'many events in one piece',
      [next({ a: 1 }) + next({ a: 2 }) + COMPLETE + next({ a: 3 })],
      [{ data: { a: 1 } }, { data: { a: 2 } }],
    ],
  ])('with %s are read', async (_, chunks, lines) => {
    const { gql } = await service(events(...chunks));
    const { code, stdout, stderr } = await gql([SUBSCRIPTION]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  });

  it('are read in the charset that they say, with the type in any case', async () => {
    const { gql } = await service((_, response) => {
      response.writeHead(200, { 'Content-Type': 'Text/Event-Stream;charset=UTF-8' });
      response.end(next({ a: 1 }) + COMPLETE);
    });
    expect((await gql([SUBSCRIPTION])).stdout).toBe('{"data":{"a":1}}\n');
  });

  it.each([
    ['--raw', ['--raw'], '{"a":1.0}\nnull\n'],
    ['--json', ['--json'], '{"data":{"a":1.0}}\n{"data":null,"errors":[{"message":"m"}]}\n'],
    ['--quiet', ['-q'], '{"data":{"a":1.0}}\n{"data":null,"errors":[{"message":"m"}]}\n'],
  ])('are lines with %s, also in a terminal', async (_, args, stdout) => {
    const { gql } = await service(
      events(
        'data: {"data":{"a":1.0}}\n\n',
        'data: {"data":null,"errors":[{"message":"m"}]}\n\n',
        COMPLETE,
      ),
    );
    for (const stdoutIsTerminal of [false, true]) {
      const result = await gql([SUBSCRIPTION, ...args], { stdoutIsTerminal });
      expect([result.code, result.stdout]).toEqual([14, stdout]);
    }
  });

  it('end with --count, and so does the connection', async () => {
    let value = 0;
    const { gql, left, requests } = await open((response) => {
      const more = (): void => {
        if (!response.destroyed) response.write(next({ value: ++value }), () => setImmediate(more));
      };
      more();
    });
    const { code, stdout, stderr } = await gql([SUBSCRIPTION, '--count', '3']);
    await left;
    expect([code, stderr, requests.length]).toEqual([0, '', 1]);
    expect(jsonLines(stdout)).toEqual([1, 2, 3].map((value) => ({ data: { value } })));
  });

  it('that are fewer than --count end by themselves', async () => {
    const { gql } = await service(events(next({ a: 1 }), COMPLETE));
    expect(await gql([SUBSCRIPTION, '--count', '5'])).toMatchObject({
      code: 0,
      stdout: '{"data":{"a":1}}\n',
    });
  });

  it('with errors are all printed, and the exit code is 14', async () => {
    const failed = {
      data: { a: null },
      errors: [{ message: 'lost', path: ['a'], locations: [{ line: 1, column: 16 }] }],
    };
    const handler = events(
      next({ a: 1 }),
      `data: ${JSON.stringify(failed)}\n\n`,
      next({ a: 3 }),
      COMPLETE,
    );
    const { gql } = await service(handler);
    const result = await gql([SUBSCRIPTION]);
    expect(result.code).toBe(14);
    expect(jsonLines(result.stdout)).toEqual([{ data: { a: 1 } }, failed, { data: { a: 3 } }]);
    expect(result.stderr).toMatch(
      /^mop: the response has an error: a: lost \(document:1:16\)\nhint: .+\n$/,
    );
    const json = await gql([SUBSCRIPTION, '--json']);
    expect([json.code, jsonLines(json.stdout).length]).toEqual([14, 3]);
    expect(jsonLines(json.stderr)).toEqual([
      { error: expect.objectContaining({ code: 'graphql', exit_code: 14 }) },
    ]);
    const allowed = await gql([SUBSCRIPTION, '--allow-partial']);
    expect([allowed.code, allowed.stderr]).toEqual([0, 'mop: warning: a: lost (document:1:16)\n']);
    expect(jsonLines(allowed.stdout)).toHaveLength(3);
    expect((await gql([SUBSCRIPTION, '--count', '1'])).code).toBe(0);
    expect((await gql([SUBSCRIPTION, '--count', '2'])).code).toBe(14);
  });

  it('with errors in several events are all told', async () => {
    const failed = (message: string) =>
      `data: ${JSON.stringify({ data: null, errors: [{ message }] })}\n\n`;
    const { gql } = await service(events(failed('first'), failed('second'), COMPLETE));
    const { code, stderr } = await gql([SUBSCRIPTION]);
    expect(code).toBe(14);
    expect(stderr).toContain('first');
  });

  // Only the first failure is kept, and an event's only error is told by the failure itself.
  it('with one error each say each of them on stderr', async () => {
    const failed = (message: string) =>
      `data: ${JSON.stringify({ data: null, errors: [{ message }] })}\n\n`;
    const { gql } = await service(events(failed('first'), failed('second'), COMPLETE));
    expect((await gql([SUBSCRIPTION])).stderr).toContain('second');
  });

  it.each([
    ['{"errors":[{"message":"no such field"}]}', 400, 14, 'no such field'],
    ['{"errors":[{"message":"no such field"}]}', 200, 14, 'no such field'],
    ['{"data":null,"errors":[{"message":"m"}]}', 500, 14, 'm'],
  ])('may be answered with JSON: %s, HTTP %d', async (body, status, code, message) => {
    const { gql, requests } = await service(answer(body, status));
    const result = await gql([SUBSCRIPTION]);
    expect([result.code, result.stdout]).toEqual([code, `${body}\n`]);
    expect(result.stderr).toContain(message);
    expect(requests).toHaveLength(1);
  });

  it('may be answered with one result', async () => {
    const { gql } = await service(answer('{"data":{"a":1.0}}'));
    expect(await gql([SUBSCRIPTION])).toMatchObject({ code: 0, stdout: '{"data":{"a":1.0}}\n' });
  });

  it.each<[name: string, handler: Handler, code: number, message: string]>([
    ['HTML', answer('<html>', 200, 'text/html'), 5, 'HTTP 200 (text/html)'],
    ['nothing', answer(''), 5, 'an empty body'],
    ['HTTP 401', answer('who?', 401), 5, 'HTTP 401'],
    ['HTTP 406', answer('no', 406), 5, 'HTTP 406'],
    ['HTTP 503', answer('busy', 503, 'text/plain'), 6, 'HTTP 503 (text/plain)'],
    ['HTTP 429', answer('slow down', 429), 6, 'HTTP 429'],
    [
      'a redirect',
      (_, response) => response.writeHead(302, { Location: '/x?canary' }).end(),
      5,
      'HTTP 302',
    ],
    ['a cut connection', (_, response) => response.destroy(), 6, 'the connection to 127.0.0.1:'],
    ['an end without complete', events(), 6, 'ended the stream before the operation was complete'],
    ['an event that is no JSON', events('data: canary{\n\n', COMPLETE), 5, 'no GraphQL response'],
    [
      'an event that is no response',
      events('data: {"a":1}\n\n', COMPLETE),
      5,
      'no GraphQL response',
    ],
    ['an event without data', events('event: next\ndata:\n\n', COMPLETE), 5, 'no GraphQL response'],
  ])('do not come, and are not asked for again: %s', async (_, handler, code, message) => {
    const { gql, requests } = await service(handler);
    const result = await gql([SUBSCRIPTION]);
    expectFailure(result, code, message);
    expect([requests.length, result.waits]).toEqual([1, []]);
  });

  it.each<[name: string, end: (response: ServerResponse) => void, message: string]>([
    ['end without complete', (response) => response.end(), 'ended the stream before'],
    ['are cut', (response) => response.destroy(), 'the connection to 127.0.0.1:'],
    [
      'end within an event',
      (response) => response.end('event: next\ndata: {"data":{"a"'),
      'ended the stream before',
    ],
  ])('that %s are an error, after what came was printed', async (_, end, message) => {
    const { gql, requests } = await open((response) =>
      response.write(next({ a: 1 }) + next({ a: 2 }), () => end(response)),
    );
    const result = await gql([SUBSCRIPTION, '--retries', '3']);
    expect([result.code, jsonLines(result.stdout)]).toEqual([
      6,
      [{ data: { a: 1 } }, { data: { a: 2 } }],
    ]);
    expect(result.stderr).toMatch(/^mop: .+\nhint: .+\n$/);
    expect(result.stderr).toContain(message);
    expect([requests.length, result.waits]).toEqual([1, []]);
  });

  it('do not come from where nobody listens', async () => {
    const endpoint = `http://127.0.0.1:${await closedPort()}/graphql`;
    const result = await gqlAt(endpoint)([SUBSCRIPTION]);
    expectFailure(result, 6, 'refused the connection');
    expect(result.waits).toEqual([]);
  });

  it('that do not begin within --timeout are an error', async () => {
    const result = await gqlAt(`http://${await silentServer()}/graphql`)([
      SUBSCRIPTION,
      '--timeout',
      '0.05',
    ]);
    expectFailure(result, 6, 'within 0.05 s (time-out)');
    expect(result.waits).toEqual([]);
  });

  it('may keep silent for longer than --timeout once they have begun', async () => {
    const { gql } = await open((response) => {
      response.write(next({ a: 1 }));
      setTimeout(() => response.end(next({ a: 2 }) + COMPLETE), 1500);
    });
    const { code, stdout } = await gql([SUBSCRIPTION, '--timeout', '1']);
    expect([code, jsonLines(stdout).length]).toEqual([0, 2]);
  });

  it('end with --max-time, and so does the connection', async () => {
    const { gql, left } = await open((response) => response.write(next({ a: 1 })));
    const { code, stdout, stderr } = await gql([SUBSCRIPTION, '--max-time', '1']);
    await left;
    expect([code, stdout]).toEqual([6, '{"data":{"a":1}}\n']);
    expect(stderr).toMatch(/^mop: not done within 1 s \(--max-time\)\nhint: .+\n$/);
  });

  it('end with a signal, and so does the connection', async () => {
    const controller = new AbortController();
    const { gql, asked, left } = await open((response) => response.write(next({ a: 1 })));
    const running = gql([SUBSCRIPTION], { signal: controller.signal });
    await asked;
    controller.abort(new MopError('terminated', 'terminated', { hint: 'nothing was left' }));
    expect(await running).toMatchObject({
      code: 143,
      stderr: expect.stringContaining('terminated'),
    });
    await left;
  });

  it('end with their reader', async () => {
    const { gql, left } = await open((response) => response.write(next({ a: 1 })));
    const { code, stderr } = await gql([SUBSCRIPTION], { stdoutError: 'EPIPE' });
    await left;
    expect([code, stderr]).toEqual([0, '']);
  });

  it('draw nothing on the terminal', async () => {
    const wild = 'a\u001b[2J\u009b1m\u202e';
    const { gql } = await service(
      events(
        `data: ${JSON.stringify({ data: { wild }, errors: [{ message: wild }] })}\n\n`,
        COMPLETE,
      ),
    );
    const terminals = { stdoutIsTerminal: true, stderrIsTerminal: true };
    const { stdout, stderr } = await gql([SUBSCRIPTION, '--no-color'], terminals);
    expect(stdout + stderr).not.toMatch(/[^\P{C}\n]/u);
  });

  describe('with --transport sse', () => {
    it('carry a query or a mutation, laid out for a person', async () => {
      const { gql, requests } = await service(events(next({ a: 1 }), COMPLETE));
      for (const document of ['{ a }', 'mutation { a }']) {
        const args = [document, '--transport', 'sse'];
        expect(await gql(args)).toMatchObject({ code: 0, stdout: '{"data":{"a":1}}\n' });
        expect((await gql(args, { stdoutIsTerminal: true })).stdout).toBe(
          '{\n  "data": {\n    "a": 1\n  }\n}\n',
        );
      }
      expect(requests.map(({ headers }) => headers.accept)).toEqual(
        Array(4).fill('text/event-stream'),
      );
    });

    it.each<[name: string, handler: Handler, code: number, message: string]>([
      ['no result', events(COMPLETE), 5, 'completed without a result'],
      ['errors', events('data: {"errors":[{"message":"m"}]}\n\n', COMPLETE), 14, 'an error: m'],
      ['an end', events(), 6, 'ended the stream'],
    ])('a query that gets %s is an error', async (_, handler, code, message) => {
      const { gql, requests } = await service(handler);
      const result = await gql(['{ a }', '--transport', 'sse']);
      expect(result.code).toBe(code);
      expect(result.stderr).toContain(message);
      expect(requests).toHaveLength(1);
    });

    it('take an operation of several', async () => {
      const { gql, ...server } = await service(events(next({ a: 1 }), COMPLETE));
      const document = 'query Q { a } subscription S { a }';
      expect((await gql([document, '--operation', 'S'])).code).toBe(0);
      expect(sentTo(server)).toEqual([{ query: document, operationName: 'S' }]);
      expect(server.requests[0]?.headers.accept).toBe('text/event-stream');
    });
  });
});

describe('the server of graphql-sse', () => {
  async function graphqlSse() {
    const { promise: ended, resolve } = withResolvers();
    const handler = createHandler({ schema: executableSchema({ onEnd: () => resolve() }) });
    let count = 0;
    const endpoint = await served((request, response) => {
      count++;
      handler(request, response).catch(() => response.destroy());
    });
    return { gql: gqlAt(endpoint), ended, count: () => count };
  }

  it.each([
    ['POST', []],
    ['GET', ['--get']],
  ])('streams with %s', async (_, args) => {
    const { gql, count } = await graphqlSse();
    const document = 'subscription Up($to: Int!) { n: count(to: $to) }';
    const { code, stdout, stderr } = await gql([document, '-F', 'to=3', ...args]);
    expect([code, stderr, count()]).toEqual([0, '', 1]);
    expect(jsonLines(stdout)).toEqual([1, 2, 3].map((n) => ({ data: { n } })));
  });

  it('is told that --count is reached', async () => {
    const { gql, ended } = await graphqlSse();
    const { code, stdout } = await gql(['subscription { endless }', '--count', '2']);
    expect([code, jsonLines(stdout).length]).toEqual([0, 2]);
    await ended;
  });

  it('sends errors among its events', async () => {
    const { gql } = await graphqlSse();
    const { code, stdout, stderr } = await gql(['subscription { shaky }']);
    expect(code).toBe(14);
    expect(jsonLines(stdout).map(({ data }) => data)).toEqual([
      { shaky: 1 },
      { shaky: null },
      { shaky: 3 },
    ]);
    expect(stderr).toContain('shaky: the second broke (document:1:16)\n');
  });

  it.each([
    ['subscription { nothing }', 'Cannot query field "nothing"'],
    ['subscription { refused }', 'not for you'],
    ['subscription { count }', 'argument "to"'],
  ])('refuses %s', async (document, message) => {
    const { gql, count } = await graphqlSse();
    const { code, stderr } = await gql([document]);
    expect([code, count()]).toEqual([14, 1]);
    expect(stderr).toContain(message);
  });

  it('carries out a query and a mutation', async () => {
    const { gql } = await graphqlSse();
    const sse = ['--transport', 'sse'];
    expect((await gql(['{ hello }', ...sse])).stdout).toBe('{"data":{"hello":"hello world"}}\n');
    expect((await gql(['mutation { add(by: 2) }', ...sse])).stdout).toBe('{"data":{"add":2}}\n');
    expect((await gql(['{ broken }', ...sse])).code).toBe(14);
  });
});

/** A message of graphql-transport-ws. */
type Message = Readonly<Record<string, unknown>>;

interface Connection {
  readonly socket: WebSocket;
  /** What it runs over. */
  readonly raw: Socket;
  readonly headers: IncomingMessage['headers'];
  readonly url: string | undefined;
  /** What came, as text. */
  readonly texts: readonly string[];
  /** The types of what came. */
  readonly types: () => unknown[];
  readonly send: (message: Message) => void;
  /** With which code and reason it ended. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

interface SocketService {
  /** `ws:` and `http:` of the same server. */
  readonly endpoint: string;
  readonly http: string;
  readonly gql: ReturnType<typeof gqlAt>;
  readonly connections: readonly Connection[];
  /** The first. */
  readonly connected: Promise<Connection>;
}

type Script = Readonly<Record<string, (connection: Connection, message: Message) => unknown>>;

const ID = '1';

const event = (value: unknown): Message => ({
  id: ID,
  type: 'next',
  payload: { data: value },
});

const DONE: Message = { id: ID, type: 'complete' };

const ACKNOWLEDGE: Script = { connection_init: ({ send }) => send({ type: 'connection_ack' }) };

/** A server that does to each type of message what its script says, by default acknowledges. */
async function sockets(
  script: Script,
  options: {
    readonly tls?: Certificate;
    readonly autoPong?: boolean;
    readonly protocol?: string | false;
    /** What it does at once, in one piece with its side of the handshake. */
    readonly greet?: (connection: Connection) => void;
  } = {},
): Promise<SocketService> {
  const { tls, protocol = 'graphql-transport-ws', greet, ...rest } = options;
  const server = tls ? createTlsServer(tls) : createServer();
  server.on('upgrade', (_, raw) => raw.cork());
  const webSockets = new WebSocketServer({ server, handleProtocols: () => protocol, ...rest });
  onTestFinished(() => {
    for (const client of webSockets.clients) client.terminate();
  });
  const connections: Connection[] = [];
  const { promise: connected, resolve } = withResolvers<Connection>();
  webSockets.on('connection', (socket, { headers, url, socket: raw }) => {
    const texts: string[] = [];
    const connection: Connection = {
      socket,
      raw,
      headers,
      url,
      texts,
      types: () => texts.map((text) => JSON.parse(text).type),
      send: (message) => socket.send(JSON.stringify(message)),
      closed: new Promise((resolve) => {
        socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
      }),
    };
    socket.on('error', () => {});
    socket.on('message', (data) => {
      texts.push(String(data));
      const message = JSON.parse(String(data)) as Message;
      ({ ...ACKNOWLEDGE, ...script })[String(message.type)]?.(connection, message);
    });
    connections.push(connection);
    greet?.(connection);
    raw.uncork();
    resolve(connection);
  });
  const host = `127.0.0.1:${await listen(server)}/graphql`;
  const endpoint = `${tls ? 'wss' : 'ws'}://${host}`;
  const http = `${tls ? 'https' : 'http'}://${host}`;
  return { endpoint, http, gql: gqlAt(endpoint), connections, connected };
}

/** What Node would end a process for while `run` is under way. */
async function unhandled(run: () => Promise<unknown>): Promise<unknown[]> {
  const others = process.listeners('unhandledRejection');
  const reasons: unknown[] = [];
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', (reason) => reasons.push(reason));
  try {
    await run();
    return reasons;
  } finally {
    process.removeAllListeners('unhandledRejection');
    for (const listener of others) process.on('unhandledRejection', listener);
  }
}

/** Sends these in answer to a subscription. */
const replying = (...messages: readonly Message[]): Script => ({
  subscribe: ({ send }) => messages.forEach(send),
});

describe('a WebSocket', () => {
  it.each([
    ['for a ws:// address', (server: SocketService) => [server.endpoint, []] as const],
    [
      'with --transport ws',
      (server: SocketService) => [server.http, ['--transport', 'ws']] as const,
    ],
    ['with both', (server: SocketService) => [server.endpoint, ['--transport', 'ws']] as const],
  ])('carries a subscription %s', async (_, way) => {
    const lines = [
      '{"data":{"z":12345678901234567890,"a":1.0,"10":1e2},"extensions":{"n":-0}}',
      '{"data":{"城市":"杭州 🚕"}}',
    ];
    const server = await sockets({
      subscribe: ({ socket, send }) => {
        for (const line of lines) socket.send(`{"id":"${ID}","type":"next","payload":${line}}`);
        send(DONE);
      },
    });
    const [endpoint, args] = way(server);
    const document = 'subscription S($n: Float) { count(n: $n) }';
    const { code, stdout, stderr } = await gqlAt(endpoint)([document, '-F', 'n=1.0', ...args]);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `${lines.join('\n')}\n`,
      stderr: '',
    });
    const { headers, url, texts, closed } = await server.connected;
    expect(texts).toEqual([
      '{"type":"connection_init"}',
      `{"type":"subscribe","id":"${ID}","payload":{"query":"${document}","operationName":"S","variables":{"n":1.0}}}`,
    ]);
    expect([url, headers['sec-websocket-protocol']]).toEqual(['/graphql', 'graphql-transport-ws']);
    expect(await closed).toEqual({ code: 1000, reason: '' });
    expect(server.connections).toHaveLength(1);
  });

  it.each(['{ a }', 'mutation { a }'])('carries %s, laid out for a person', async (document) => {
    const { gql, connections } = await sockets(replying(event({ a: 1 }), DONE));
    expect(await gql([document])).toMatchObject({
      code: 0,
      stdout: '{"data":{"a":1}}\n',
      stderr: '',
    });
    expect((await gql([document, '--raw'], { stdoutIsTerminal: true })).stdout).toBe(
      '{\n  "a": 1\n}\n',
    );
    expect(connections).toHaveLength(2);
    for (const { closed } of connections) expect(await closed).toMatchObject({ code: 1000 });
  });

  it.each<[name: string, errors: Message]>([
    ['in a result', { id: ID, type: 'next', payload: { data: null, errors: [{ message: 'm' }] } }],
    ['alone', { id: ID, type: 'error', payload: [{ message: 'm' }] }],
  ])('ends with 14 for a query with errors %s', async (_, message) => {
    const { gql } = await sockets(replying(message, DONE));
    await unhandled(async () => {
      const { code, stdout, stderr } = await gql(['{ a }']);
      expect([code, JSON.parse(stdout).errors]).toEqual([14, [{ message: 'm' }]]);
      expect(stderr).toMatch(/^mop: the response has an error: m\nhint: .+\n$/);
    });
  });

  // Nobody waits for the failure while the connection is closed: Node ends the process with a
  // stack trace and exit code 1.
  it('lets no error get lost while it closes', async () => {
    const { gql } = await sockets(
      replying({ id: ID, type: 'next', payload: { errors: [{ message: 'm' }] } }, DONE),
    );
    expect(await unhandled(() => gql(['{ a }']))).toEqual([]);
  });

  it('without a result for a query is an error', async () => {
    const { gql } = await sockets(replying(DONE));
    expectFailure(await gql(['{ a }']), 5, 'completed without a result');
  });

  it('is opened with headers and the query of its address', async () => {
    const { endpoint, connected } = await sockets(replying(DONE));
    const lines = ['-H', 'Authorization: Bearer x', '-H', 'X-Trace: 1', '-H', 'User-Agent: me'];
    const { code } = await gqlAt(`${endpoint}?tenant=a%20b`)([SUBSCRIPTION, ...lines]);
    const { headers, url } = await connected;
    expect([code, url]).toEqual([0, '/graphql?tenant=a%20b']);
    expect(headers).toMatchObject({
      authorization: 'Bearer x',
      'x-trace': '1',
      'user-agent': 'me',
    });
  });

  // Of several with one name the last is sent; over HTTP all are.
  it('is opened with several headers of one name', async () => {
    const { gql, connected } = await sockets(replying(DONE));
    await gql([SUBSCRIPTION, '-H', 'X-Trace: 1', '-H', 'X-Trace: 2']);
    expect((await connected).headers['x-trace']).toBe('1, 2');
  });

  it.each<[name: string, given: () => Promise<{ argument: string; world?: CliWorld }>]>([
    ['JSON', async () => ({ argument: '{"token":"t","n":1.0}' })],
    ['@FILE', async () => ({ argument: `@${await file('{"token":"t","n":1.0}')}` })],
    ['-', async () => ({ argument: '-', world: { stdin: '{"token":"t","n":1.0}' } })],
  ])('is begun with --connection-params %s', async (_, given) => {
    const { gql, connected } = await sockets(replying(DONE));
    const { argument, world = {} } = await given();
    expect((await gql([SUBSCRIPTION, '--connection-params', argument], world)).code).toBe(0);
    const { texts } = await connected;
    expect(texts[0]).toBe('{"type":"connection_init","payload":{"token":"t","n":1.0}}');
  });

  it.each([
    ['{"token":', 'the parameters are not JSON'],
    ['[1]', 'no JSON object'],
    ['@/does/not/exist', 'ENOENT'],
  ])('is not opened with --connection-params %s', async (argument, message) => {
    const { gql, connections } = await sockets({});
    expectFailure(await gql([SUBSCRIPTION, '--connection-params', argument]), 2, message);
    expect(connections).toEqual([]);
  });

  it('does not take a credential over plain ws to another machine', async () => {
    const proxy = await proxyServer(503);
    const args = [SUBSCRIPTION, '--proxy', `http://${proxy.host}`, '--connection-params'];
    for (const params of ['{"token":"canary"}', '{"x":"Bearer canary"}']) {
      const result = await gqlAt('ws://h.example/graphql')([...args, params]);
      expectFailure(result, 2, 'looks like a credential');
      expect(result.stderr).not.toContain('canary');
    }
    expect(proxy.asked).toEqual([]);
  });

  // Only the texts at the top are looked at.
  it('does not take a credential within others there either', async () => {
    const proxy = await proxyServer(503);
    const result = await gqlAt('ws://h.example/graphql')([
      SUBSCRIPTION,
      '--proxy',
      `http://${proxy.host}`,
      '--connection-params',
      '{"headers":{"Authorization":"Bearer canary"}}',
    ]);
    expect([result.code, proxy.asked]).toEqual([2, []]);
  });

  it('does not show credentials in its trace', async () => {
    const { gql, endpoint } = await sockets({
      ...replying(event({ echo: 'canary-1 canary-2' }), DONE),
    });
    const args = [SUBSCRIPTION, '--verbose', '-H', 'Authorization: Bearer canary-1'];
    const params = ['--connection-params', '{"token":"canary-2","x":1}'];
    const env = { MOP_GQL_URL: `${endpoint}?key=canary-3` };
    const { code, stderr } = await gql([...args, ...params], { env });
    expect(code).toBe(0);
    expect(stderr).not.toContain('canary');
    expect(stderr).toContain('"type":"connection_init"');
    expect(stderr).toContain('"type":"subscribe"');
    expect(stderr).toContain('"type":"next"');
  });

  // The same as above: what stands deeper is not known to be one.
  it('does not show credentials within other parameters either', async () => {
    const { gql } = await sockets(replying(DONE));
    const params = '{"headers":{"Authorization":"Bearer canary"}}';
    const { stderr } = await gql([SUBSCRIPTION, '--verbose', '--connection-params', params]);
    expect(stderr).not.toContain('canary');
  });

  it('ends with --count, and says so', async () => {
    const { gql, connected } = await sockets({
      subscribe: ({ socket, send }) => {
        let value = 0;
        const more = (): void => {
          if (socket.readyState === socket.OPEN) send(event({ value: ++value }));
          if (socket.readyState === socket.OPEN) setImmediate(more);
        };
        more();
      },
    });
    const { code, stdout, stderr } = await gql([SUBSCRIPTION, '--count', '3']);
    expect([code, stderr]).toEqual([0, '']);
    expect(jsonLines(stdout)).toEqual([1, 2, 3].map((value) => ({ data: { value } })));
    const { texts, closed } = await connected;
    expect(await closed).toEqual({ code: 1000, reason: '' });
    expect(texts.slice(2)).toEqual([`{"type":"complete","id":"${ID}"}`]);
  });

  // It is gone before anybody listens.
  it('answers a ping that comes with the handshake', async () => {
    const { gql, connected } = await sockets({}, { greet: ({ send }) => send({ type: 'ping' }) });
    await gql([SUBSCRIPTION, '--max-time', '1']);
    expect((await connected).types()).toContain('pong');
  });

  it('that is closed with the handshake ends as one that is closed later', async () => {
    const { gql } = await sockets({}, { greet: ({ socket }) => socket.close(4403, 'Forbidden') });
    expectFailure(await gql([SUBSCRIPTION]), 5, '4403: Forbidden');
  });

  it('ends also when the server does not answer the end', async () => {
    const { gql } = await sockets({
      subscribe: ({ raw, send }) => {
        send(event({ a: 1 }));
        raw.pause();
      },
    });
    const { code, stdout } = await gql([SUBSCRIPTION, '--count', '1']);
    expect([code, stdout]).toEqual([0, '{"data":{"a":1}}\n']);
  });

  it('answers pings, and takes pongs', async () => {
    const { gql, connected } = await sockets({
      subscribe: ({ send }) => {
        send({ type: 'pong' });
        send({ type: 'ping' });
        send({ type: 'ping', payload: { n: 1 } });
      },
      pong: ({ send }, { payload }) => {
        if (!payload) return;
        send(event({ a: 1 }));
        send(DONE);
      },
    });
    expect(await gql([SUBSCRIPTION])).toMatchObject({ code: 0, stdout: '{"data":{"a":1}}\n' });
    expect((await connected).texts.slice(2)).toEqual([
      '{"type":"pong"}',
      '{"type":"pong","payload":{"n":1}}',
    ]);
  });

  it('with errors in a result prints on, and the exit code is 14', async () => {
    const failed = { data: { a: null }, errors: [{ message: 'lost', path: ['a'] }] };
    const { gql } = await sockets(
      replying(event({ a: 1 }), { id: ID, type: 'next', payload: failed }, event({ a: 3 }), DONE),
    );
    const { code, stdout, stderr } = await gql([SUBSCRIPTION]);
    expect(code).toBe(14);
    expect(jsonLines(stdout)).toEqual([{ data: { a: 1 } }, failed, { data: { a: 3 } }]);
    expect(stderr).toMatch(/^mop: the response has an error: a: lost\nhint: .+\n$/);
    expect((await gql([SUBSCRIPTION, '--allow-partial'])).code).toBe(0);
  });

  it('with an error message ends with 14', async () => {
    const errors = [{ message: 'no such field', locations: [{ line: 1, column: 16 }] }];
    const { gql, connected } = await sockets(replying({ id: ID, type: 'error', payload: errors }));
    const result = await gql([SUBSCRIPTION]);
    expect([result.code, jsonLines(result.stdout)]).toEqual([14, [{ errors }]]);
    expect(result.stderr).toMatch(
      /^mop: the response has an error: no such field \(document:1:16\)\nhint: .+\n$/,
    );
    const { types, closed } = await connected;
    // The operation is over: there is nothing to complete.
    expect([types(), await closed]).toEqual([
      ['connection_init', 'subscribe'],
      { code: 1000, reason: '' },
    ]);
    const json = await gql([SUBSCRIPTION, '--json']);
    expect(errorOf(json)).toMatchObject({ code: 'graphql', exit_code: 14 });
  });

  it.each<[name: string, script: Script]>([
    ['no JSON', { subscribe: ({ socket }) => socket.send('canary{') }],
    ['no object', { subscribe: ({ socket }) => socket.send('[1]') }],
    ['no type', replying({ id: ID })],
    ['another type', replying({ id: ID, type: 'data', payload: { data: {} } })],
    ['a result that is none', replying({ id: ID, type: 'next', payload: { a: 1 } })],
    ['no result', replying({ id: ID, type: 'next' })],
    ['an error without errors', replying({ id: ID, type: 'error', payload: 'no' })],
  ])('with %s breaks the protocol', async (_, script) => {
    const { gql, connected } = await sockets(script);
    expectFailure(await gql([SUBSCRIPTION]), 5, 'no message of the protocol', '--transport sse');
    await (await connected).closed;
  });

  it.each([
    [4400, 'Bad Request', 5],
    [4401, 'Unauthorized', 5],
    [4403, 'Forbidden', 5],
    [4406, 'Subprotocol not acceptable', 5],
    [4409, 'Subscriber for 1 already exists', 5],
    [4429, 'Too many initialisation requests', 5],
    [4408, 'Connection initialisation timeout', 6],
    [4500, 'Internal Error', 6],
    [1000, '', 6],
    [1001, 'going away', 6],
    [1011, '', 6],
    [1012, 'restart', 6],
  ])('that is closed with %d (%s) ends with exit %d', async (close, reason, code) => {
    const { gql, connections } = await sockets({
      connection_init: ({ socket }) => socket.close(close, reason),
    });
    const result = await gql([SUBSCRIPTION]);
    expectFailure(result, code, `${close}${reason && `: ${reason}`}`);
    expect([connections.length, result.waits]).toEqual([1, []]);
  });

  it('that is closed in the middle is an error, after what came was printed', async () => {
    const { gql, connections } = await sockets({
      subscribe: ({ socket, send }) => {
        send(event({ a: 1 }));
        socket.close(1011, 'overload\u001b[2J');
      },
    });
    const { code, stdout, stderr, waits } = await gql([SUBSCRIPTION, '--retries', '3']);
    expect([code, stdout]).toEqual([6, '{"data":{"a":1}}\n']);
    expect(stderr).toMatch(/^mop: .*1011: overload.*\nhint: .+\n$/);
    expect(stderr).not.toContain('\u001b');
    expect([connections.length, waits]).toEqual([1, []]);
  });

  it.each<[name: string, end: (connection: Connection) => void]>([
    ['is cut', ({ socket }) => socket.terminate()],
    // A frame of a kind that does not exist.
    ['sends a broken frame', ({ raw }) => raw.write(Buffer.from([0x83, 0x00]))],
  ])('that %s is an error of the network', async (_, end) => {
    const { gql, connections } = await sockets({ subscribe: end });
    const result = await gql([SUBSCRIPTION]);
    expect([result.code, result.stdout]).toEqual([6, '']);
    expect(result.stderr).toMatch(/^mop: .+\nhint: .+\n$/);
    expect([connections.length, result.waits]).toEqual([1, []]);
  });

  it.each<[name: string, handler: Handler, code: number, message: string]>([
    ['HTTP 401', answer('who?', 401, 'text/plain'), 5, 'HTTP 401 (text/plain)'],
    ['HTTP 403', answer('<html>', 403, 'text/html'), 5, 'HTTP 403'],
    ['HTTP 404', answer('', 404), 5, 'HTTP 404'],
    ['HTTP 200', answer('<html>', 200, 'text/html'), 5, 'HTTP 200 (text/html)'],
    [
      'HTTP 301',
      (_, response) => response.writeHead(301, { Location: '/x?canary' }).end(),
      5,
      '/x?<redacted>',
    ],
    ['HTTP 503', answer('busy', 503), 6, 'HTTP 503'],
    ['a cut connection', (_, response) => response.destroy(), 6, ''],
  ])('that is refused with %s', async (_, handler, code, message) => {
    const { endpoint, requests } = await service(handler);
    const gql = gqlAt(endpoint.replace('http', 'ws'));
    const result = await gql([SUBSCRIPTION]);
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(result.stderr).toMatch(/^mop: .+\nhint: .+\n$/);
    expect(result.stderr).toContain(message);
    expect(result.stderr).not.toContain('canary');
    expect([requests.length, result.waits]).toEqual([1, []]);
  });

  it('that is refused with errors of GraphQL ends with 14', async () => {
    const body = '{"errors":[{"message":"not here"}]}';
    const { endpoint } = await service(answer(body, 400));
    const result = await gqlAt(endpoint.replace('http', 'ws'))([SUBSCRIPTION]);
    expect([result.code, result.stdout]).toEqual([14, `${body}\n`]);
  });

  it('of a server of another protocol is not used', async () => {
    for (const protocol of [false, 'graphql-ws'] as const) {
      const { gql } = await sockets({}, { protocol });
      expectFailure(await gql([SUBSCRIPTION]), 5, 'is not usable', 'graphql-transport-ws');
    }
  });

  it('is not opened where nobody listens', async () => {
    const port = await closedPort();
    const result = await gqlAt(`ws://127.0.0.1:${port}/graphql`)([SUBSCRIPTION]);
    expectFailure(result, 6, `127.0.0.1:${port} refused the connection`);
    expect(result.waits).toEqual([]);
  });

  it('is not opened at a host without an address', async () => {
    const result = await gqlAt(`wss://${'x'.repeat(64)}.invalid/graphql`)([SUBSCRIPTION]);
    expectFailure(result, 6, 'cannot find the host');
  });

  it('is opened over TLS that is trusted', async () => {
    const script = replying(event({ a: 1 }), DONE);
    const { gql, connections } = await sockets(script, { tls: certificate('good') });
    expectFailure(await gql([SUBSCRIPTION]), 6, 'an authority that is not trusted here');
    expect(connections).toEqual([]);
    const args = ['--ca-file', await file(CA), '-H', 'Authorization: Bearer x'];
    expect((await gql([SUBSCRIPTION, ...args])).stdout).toBe('{"data":{"a":1}}\n');
    expect(connections).toHaveLength(1);
    const other = await sockets(script, { tls: certificate('wrong-host') });
    expectFailure(
      await other.gql([SUBSCRIPTION, ...args]),
      6,
      'the certificate is for another host',
    );
    expect(other.connections).toEqual([]);
  });

  it('is opened through a proxy', async () => {
    const { gql, endpoint } = await sockets(replying(event({ a: 1 }), DONE));
    const proxy = await proxyServer();
    const world = { env: { HTTP_PROXY: `http://${proxy.host}` } };
    expect((await gql([SUBSCRIPTION], world)).stdout).toBe('{"data":{"a":1}}\n');
    expect(proxy.asked).toEqual([`CONNECT ${new URL(endpoint).host}`]);
    const dead = `http://127.0.0.1:${await closedPort()}`;
    expectFailure(await gql([SUBSCRIPTION, '--proxy', dead]), 6, 'the proxy 127.0.0.1:');
  });

  it.each([
    ['schema'],
    ['{ a }', '--transport', 'sse'],
    ['{ a }', '--transport', 'ws'],
    ['subscription { a }'],
  ])('of wss:// shows a proxy nothing but its host: %s', async (...args) => {
    const proxy = await proxyServer(403);
    const more = ['-H', 'Authorization: Bearer canary', '--retries', '0'];
    const world = { env: { HTTPS_PROXY: `http://${proxy.host}` } };
    await gqlAt('wss://h.example/graphql?key=canary')([...args, ...more], world);
    expect(proxy.asked).toEqual(['CONNECT h.example:443']);
    expect(proxy.rawHeaders.flat().join()).not.toContain('canary');
  });

  // The answer of the proxy is taken for one of the endpoint: exit 5, and a hint about credentials.
  it('is not opened through a proxy that refuses', async () => {
    const { gql } = await sockets({});
    const { host } = await proxyServer(403);
    const result = await gql([SUBSCRIPTION, '--proxy', `http://${host}`]);
    expectFailure(result, 6, `the proxy ${host} failed`);
  });

  it('that is not opened within --timeout is an error', async () => {
    const gql = gqlAt(`ws://${await silentServer()}/graphql`);
    const result = await gql([SUBSCRIPTION, '--timeout', '0.05']);
    expectFailure(result, 6, 'opened no WebSocket within 0.05 s', '--timeout');
  });

  it('that is not acknowledged within --timeout is an error', async () => {
    const { gql, connected } = await sockets({ connection_init: () => {} });
    const result = await gql([SUBSCRIPTION, '--timeout', '0.3']);
    expectFailure(result, 6, 'was silent for 0.3 s (time-out)', '--timeout');
    await (await connected).closed;
  });

  it('may keep silent for longer than --timeout, as long as it is there', async () => {
    const { gql } = await sockets({
      subscribe: ({ socket, send }) => {
        let pings = 0;
        socket.on('ping', () => {
          // Each comes after a time-out without a result.
          if (++pings === 2) [event({ a: 1 }), DONE].forEach(send);
        });
      },
    });
    const { code, stdout } = await gql([SUBSCRIPTION, '--timeout', '0.5']);
    expect([code, stdout]).toEqual([0, '{"data":{"a":1}}\n']);
  });

  it('that answers no ping is given up', async () => {
    const { gql, connected } = await sockets({}, { autoPong: false });
    const result = await gql([SUBSCRIPTION, '--timeout', '0.2']);
    expectFailure(result, 6, 'was silent for 0.2 s (time-out)');
    await (await connected).closed;
  });

  it('ends with --max-time, and says so', async () => {
    const { gql, connected } = await sockets(replying(event({ a: 1 })));
    const { code, stdout, stderr } = await gql([SUBSCRIPTION, '--max-time', '1']);
    expect([code, stdout]).toEqual([6, '{"data":{"a":1}}\n']);
    expect(stderr).toMatch(/^mop: not done within 1 s \(--max-time\)\nhint: .+\n$/);
    const { types, closed } = await connected;
    expect([types().at(-1), await closed]).toEqual(['complete', { code: 1000, reason: '' }]);
  });

  it('that is being opened ends with --max-time', async () => {
    const gql = gqlAt(`ws://${await silentServer()}/graphql`);
    expectFailure(await gql([SUBSCRIPTION, '--max-time', '0.2']), 6, '--max-time');
  });

  it('ends with its reader', async () => {
    const { gql, connected } = await sockets(replying(event({ a: 1 })));
    const { code, stderr } = await gql([SUBSCRIPTION], { stdoutError: 'EPIPE' });
    expect([code, stderr]).toEqual([0, '']);
    const { types, closed } = await connected;
    expect([types().at(-1), await closed]).toEqual(['complete', { code: 1000, reason: '' }]);
  });

  it('loses nothing of many results that come at once', async () => {
    const { gql } = await sockets({
      subscribe: ({ send }) => {
        for (let value = 0; value < 5000; value++) send(event({ value }));
        send(DONE);
      },
    });
    const { code, stdout } = await gql([SUBSCRIPTION, '--raw']);
    expect(code).toBe(0);
    expect(jsonLines(stdout).map(({ value }) => value)).toEqual([...Array(5000).keys()]);
  });

  it('closes as told when results and the end come at once', async () => {
    const { gql } = await sockets({
      subscribe: ({ socket, send }) => {
        send(event({ a: 1 }));
        send(DONE);
        socket.close(1000);
      },
    });
    expect(await gql([SUBSCRIPTION])).toMatchObject({
      code: 0,
      stdout: '{"data":{"a":1}}\n',
      stderr: '',
    });
  });
});

describe('the server of graphql-ws', () => {
  async function graphqlWs(allowed = true) {
    const { promise: ended, resolve } = withResolvers();
    const server = createServer();
    const webSockets = new WebSocketServer({ server });
    const params: unknown[] = [];
    const { promise: closed, resolve: close } = withResolvers<number>();
    const disposable = useServer(
      {
        schema: executableSchema({ onEnd: () => resolve() }),
        onConnect: ({ connectionParams }) => {
          params.push(connectionParams);
          return allowed;
        },
        onClose: (_, code) => {
          if (code !== undefined) close(code);
        },
      },
      webSockets,
    );
    onTestFinished(() => void disposable.dispose());
    const gql = gqlAt(`ws://127.0.0.1:${await listen(server)}/graphql`);
    return { gql, ended, params, closed };
  }

  it('streams', async () => {
    const { gql, closed } = await graphqlWs();
    const document = 'subscription Up($to: Int!) { n: count(to: $to) }';
    const { code, stdout, stderr } = await gql([document, '-F', 'to=3']);
    expect([code, stderr]).toEqual([0, '']);
    expect(jsonLines(stdout)).toEqual([1, 2, 3].map((n) => ({ data: { n } })));
    expect(await closed).toBe(1000);
  });

  it('is told that --count is reached', async () => {
    const { gql, ended, closed } = await graphqlWs();
    const { code, stdout } = await gql(['subscription { endless }', '--count', '2']);
    expect([code, jsonLines(stdout).length]).toEqual([0, 2]);
    await ended;
    expect(await closed).toBe(1000);
  });

  it('carries out a query and a mutation', async () => {
    const { gql } = await graphqlWs();
    expect((await gql(['{ hello }'])).stdout).toBe('{"data":{"hello":"hello world"}}\n');
    expect((await gql(['mutation { add(by: 2) }'])).stdout).toBe('{"data":{"add":2}}\n');
    const partial = await gql(['{ hello broken }', '--allow-partial', '--raw']);
    expect([partial.code, partial.stdout]).toEqual([0, '{"hello":"hello world","broken":null}\n']);
  });

  it.each([
    ['subscription { nothing }', 'Cannot query field "nothing"'],
    ['subscription { refused }', 'not for you'],
  ])('refuses %s', async (document, message) => {
    const { gql } = await graphqlWs();
    const { code, stdout, stderr } = await gql([document]);
    expect([code, Object.keys(JSON.parse(stdout))]).toEqual([14, ['errors']]);
    expect(stderr).toContain(message);
  });

  it('sends errors among its results', async () => {
    const { gql } = await graphqlWs();
    const { code, stdout } = await gql(['subscription { shaky }']);
    expect([code, jsonLines(stdout).map(({ data }) => data.shaky)]).toEqual([14, [1, null, 3]]);
  });

  it('sees the connection parameters, and may refuse them', async () => {
    const { gql, params } = await graphqlWs(false);
    const result = await gql([SUBSCRIPTION, '--connection-params', '{"token":"t"}']);
    expectFailure(result, 5, '4403: Forbidden', '--connection-params');
    expect(params).toEqual([{ token: 't' }]);
  });
});

describe('as a process', () => {
  const BIN = fileURLToPath(new URL('../../../../bin/mop.js', import.meta.url));

  async function start(command: string, args: readonly string[]): Promise<ChildProcess> {
    const child = spawn(command, args, {
      env: { PATH: process.env.PATH, MOP_CONFIG_DIR: await temporaryDirectory() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    return child;
  }

  const gql = (...args: readonly string[]) => start(process.execPath, [BIN, 'gql', ...args]);

  it('a stream of events ends with SIGINT', async () => {
    const { promise: left, resolve } = withResolvers();
    const { endpoint } = await service((_, response) => {
      response.on('close', () => resolve()).writeHead(200, EVENT_STREAM);
      response.write(next({ a: 1 }));
    });
    const child = await gql(SUBSCRIPTION, '--endpoint', endpoint);
    const said = text(child.stderr as NodeJS.ReadableStream);
    const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data');
    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    await left;
    expect([String(line), code]).toEqual(['{"data":{"a":1}}\n', 130]);
    expect(await said).toMatch(/^mop: interrupted\nhint: .+\n$/);
  });

  it('a WebSocket ends with SIGINT, and says so', async () => {
    const { endpoint, connected } = await sockets(replying(event({ a: 1 })));
    const child = await gql(SUBSCRIPTION, '--endpoint', endpoint);
    const said = text(child.stderr as NodeJS.ReadableStream);
    const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data');
    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    const { texts, closed } = await connected;
    expect([String(line), code]).toEqual(['{"data":{"a":1}}\n', 130]);
    expect(await closed).toEqual({ code: 1000, reason: '' });
    expect(texts.at(-1)).toBe(`{"type":"complete","id":"${ID}"}`);
    expect(await said).toMatch(/^mop: interrupted\nhint: .+\n$/);
  });

  it('a stream ends quietly with head -1', async () => {
    const { promise: left, resolve } = withResolvers();
    const { endpoint } = await service((_, response) => {
      response.on('close', () => resolve()).writeHead(200, EVENT_STREAM);
      const more = (value: number): void => {
        if (response.destroyed) return;
        response.write(next({ value }), () => setTimeout(() => more(value + 1), 10));
      };
      more(1);
    });
    const script = '{ "$@"; echo "code $?" >&2; } | head -n 1';
    const args = [process.execPath, BIN, 'gql', SUBSCRIPTION, '--endpoint', endpoint];
    const child = await start('sh', ['-c', script, 'sh', ...args]);
    const [stdout, stderr] = await Promise.all(
      [child.stdout, child.stderr].map((stream) => text(stream as NodeJS.ReadableStream)),
    );
    await left;
    expect([stdout, stderr]).toEqual(['{"data":{"value":1}}\n', 'code 0\n']);
  });
});
