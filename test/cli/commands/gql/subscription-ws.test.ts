import { beforeAll, describe, expect, it } from 'vitest';
import { silentServer } from '../../../http/support.ts';
import { errorOf } from '../../../support/cli.ts';
import { checkRows, checkTogether } from '../../../support/rows.ts';
import { expectFailure } from '../../support.ts';
import {
  type Connection,
  DONE,
  event,
  ID,
  type Message,
  replying,
  type Script,
  type SocketService,
  sockets,
} from './socket-service.ts';
import { gqlAt, jsonLines, warmUp } from './support.ts';

beforeAll(warmUp);

const SUBSCRIPTION = 'subscription { count }';

/** The unhandled rejections during `run`, which would end a process. */
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

  it.each(['{ a }', 'mutation { a }'])('carries %s, indented for a terminal', async (document) => {
    const { gql, connections } = await sockets(replying(event({ a: 1 }), DONE));
    expect(await gql([document])).toMatchObject({
      code: 0,
      stdout: '{"data":{"a":1}}\n',
      stderr: '',
    });
    expect((await gql([document, '--raw', '--no-color'], { stdoutIsTerminal: true })).stdout).toBe(
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

  // An unhandled failure while the connection closes would end the process with a stack trace
  // and exit code 1.
  it('leaves no unhandled rejection while it closes', async () => {
    const { gql } = await sockets(
      replying({ id: ID, type: 'next', payload: { errors: [{ message: 'm' }] } }, DONE),
    );
    expect(await unhandled(() => gql(['{ a }']))).toEqual([]);
  });

  it('without a result for a query is an error', async () => {
    const { gql } = await sockets(replying(DONE));
    expectFailure(await gql(['{ a }']), 5, 'completed without a result');
  });

  it('completes the operation after --count results', async () => {
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

  // The ping arrives before a listener is added, unless the client adds it at once.
  it('answers a ping that comes with the handshake', async () => {
    const { gql, connected } = await sockets(
      { pong: ({ socket }) => socket.close(1000) },
      { greet: ({ send }) => send({ type: 'ping' }) },
    );
    await gql([SUBSCRIPTION, '--max-time', '5']);
    expect((await connected).types()).toContain('pong');
  });

  it('that is closed in the handshake is reported like a later close', async () => {
    const { gql } = await sockets({}, { greet: ({ socket }) => socket.close(4403, 'Forbidden') });
    expectFailure(await gql([SUBSCRIPTION]), 5, '4403: Forbidden');
  });

  it('answers pings, and ignores pongs', async () => {
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

  it('with errors in a result continues, and the exit code is 14', async () => {
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

  it('with an invalid message is a protocol error', () =>
    checkRows<[name: string, script: Script]>(
      [
        ['a text that is not JSON', { subscribe: ({ socket }) => socket.send('canary{') }],
        ['JSON that is not an object', { subscribe: ({ socket }) => socket.send('[1]') }],
        ['no type', replying({ id: ID })],
        ['an unknown type', replying({ id: ID, type: 'data', payload: { data: {} } })],
        ['an invalid result', replying({ id: ID, type: 'next', payload: { a: 1 } })],
        ['a missing result', replying({ id: ID, type: 'next' })],
        ['an error without errors', replying({ id: ID, type: 'error', payload: 'no' })],
      ],
      async ([_, script]) => {
        const { gql, connected } = await sockets(script);
        expectFailure(
          await gql([SUBSCRIPTION]),
          5,
          'a message outside the protocol',
          '--transport sse',
        );
        await (await connected).closed;
      },
    ));

  it('that is closed by the server ends with 5 or 6, by the close code', () =>
    checkRows(
      [
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
      ],
      async ([close, reason, code]) => {
        const { gql, connections } = await sockets({
          connection_init: ({ socket }) => socket.close(close, reason),
        });
        const result = await gql([SUBSCRIPTION]);
        expectFailure(result, code, `${close}${reason && `: ${reason}`}`);
        expect([connections.length, result.waits]).toEqual([1, []]);
      },
    ));

  it('that is closed early is an error, after the earlier results are printed', async () => {
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
    ['is interrupted', ({ socket }) => socket.terminate()],
    // A frame of a kind that does not exist.
    ['sends a broken frame', ({ raw }) => raw.write(Buffer.from([0x83, 0x00]))],
  ])('that %s is a network error', async (_, end) => {
    const { gql, connections } = await sockets({ subscribe: end });
    const result = await gql([SUBSCRIPTION]);
    expect([result.code, result.stdout]).toEqual([6, '']);
    expect(result.stderr).toMatch(/^mop: .+\nhint: .+\n$/);
    expect([connections.length, result.waits]).toEqual([1, []]);
  });

  it('ends at its time limits, not earlier', () =>
    checkTogether({
      '--timeout of the handshake': async () => {
        const gql = gqlAt(`ws://${await silentServer()}/graphql`);
        const result = await gql([SUBSCRIPTION, '--timeout', '0.05']);
        expectFailure(result, 6, 'opened no WebSocket within 0.05 s', 'timeout');
      },
      '--timeout of the acknowledgement': async () => {
        const { gql, connected } = await sockets({ connection_init: () => {} });
        const result = await gql([SUBSCRIPTION, '--timeout', '0.3']);
        expectFailure(result, 6, 'was silent for 0.3 s (time-out)', 'timeout');
        await (await connected).closed;
      },
      'a silent server that answers pings': async () => {
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
      },
      'a server that answers no ping': async () => {
        const { gql, connected } = await sockets({}, { autoPong: false });
        const result = await gql([SUBSCRIPTION, '--timeout', '0.2']);
        expectFailure(result, 6, 'was silent for 0.2 s (time-out)');
        await (await connected).closed;
      },
      '--max-time, which completes the operation': async () => {
        const { gql, connected } = await sockets(replying(event({ a: 1 })));
        const { code, stdout, stderr } = await gql([SUBSCRIPTION, '--max-time', '1']);
        expect([code, stdout]).toEqual([6, '{"data":{"a":1}}\n']);
        expect(stderr).toMatch(
          /^mop: not done within 1 s \(--max-time\); the output is incomplete: 1 result printed\nhint: .+\n$/,
        );
        const { types, closed } = await connected;
        expect([types().at(-1), await closed]).toEqual(['complete', { code: 1000, reason: '' }]);
      },
      '--max-time of the handshake': async () => {
        const gql = gqlAt(`ws://${await silentServer()}/graphql`);
        expectFailure(await gql([SUBSCRIPTION, '--max-time', '0.2']), 6, '--max-time');
      },
      'a server that does not answer the close': async () => {
        const { gql } = await sockets({
          subscribe: ({ raw, send }) => {
            send(event({ a: 1 }));
            raw.pause();
          },
        });
        const { code, stdout } = await gql([SUBSCRIPTION, '--count', '1']);
        expect([code, stdout]).toEqual([0, '{"data":{"a":1}}\n']);
      },
    }));

  it('ends when its reader closes the pipe', async () => {
    const { gql, connected } = await sockets(replying(event({ a: 1 })));
    const { code, stderr } = await gql([SUBSCRIPTION], { stdoutError: 'EPIPE' });
    expect([code, stderr]).toEqual([0, '']);
    const { types, closed } = await connected;
    expect([types().at(-1), await closed]).toEqual(['complete', { code: 1000, reason: '' }]);
  });

  it('keeps all of many simultaneous results', async () => {
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

  it('closes normally when results and the close arrive together', async () => {
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
