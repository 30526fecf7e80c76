import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { printJson } from '../../src/json/print.ts';
import type { JsonValue } from '../../src/json/value.ts';
import { checkTogether } from '../support/rows.ts';
import {
  ACK,
  all,
  answeringSocket,
  COMPLETE,
  failureOf,
  next,
  parseObject,
  printed,
  responsesOf,
  type SocketServer,
  SUBSCRIPTION,
  serveSockets,
  untilFailure,
} from './support.ts';

const A = '{"data":{"a":1}}';
const B = '{"data":{"b":"名字"}}';

const typesOf = ({ messages }: SocketServer): unknown[] =>
  messages.map((message) => (JSON.parse(message) as { readonly type: string }).type);

describe('an operation', () => {
  it('keeps all digits, and closes the connection', async () => {
    const digits = '{"data":{"a":1.0,"b":12345678901234567890,"c":-0,"d":1e2}}';
    const server = await serveSockets(answeringSocket(next(digits), next(B), COMPLETE));
    const variables = parseObject('{"v":1.0,"big":12345678901234567890,"name":"名字"}');
    const request = { ...SUBSCRIPTION, operationName: 'A', variables };
    expect(await printed(responsesOf(server.url, {}, request))).toEqual([digits, B]);
    expect(server.messages).toEqual([
      '{"type":"connection_init"}',
      `{"type":"subscribe","id":"1","payload":{"query":"subscription { a }","operationName":"A","variables":${printJson(variables)}}}`,
    ]);
    expect(await server.closed).toEqual([1000, '']);
    expect(server.handshakes.map(({ url }) => url)).toEqual(['/graphql']);
  });

  it('opens the connection with parameters, digits included', async () => {
    const server = await serveSockets(answeringSocket(COMPLETE));
    const text = '{"n":1.0,"big":12345678901234567890,"a":{"b":[null]}}';
    expect(await printed(responsesOf(server.url, { connectionParams: parseObject(text) }))).toEqual(
      [],
    );
    expect(server.messages[0]).toBe(`{"type":"connection_init","payload":${text}}`);
  });

  it.each(['http', 'ws'])('may go to a URL of %s', async (scheme) => {
    const server = await serveSockets(answeringSocket(next(A), COMPLETE));
    const endpoint = new URL(server.url.href.replace(/^\w+/, scheme));
    expect(await printed(responsesOf(server.url, { endpoint }))).toEqual([A]);
  });

  it('may have any number of results, read one by one', async () => {
    const results = Array.from({ length: 5000 }, (_, at) => `{"data":{"n":${at}.0}}`);
    const server = await serveSockets(answeringSocket(...results.map(next), COMPLETE));
    const came: string[] = [];
    for await (const { json } of responsesOf(server.url)) {
      if (came.push(printJson(json)) % 100 === 0) await nextTurn();
    }
    expect(came).toEqual(results);
  });

  it('waits until it is acknowledged', async () => {
    const before: string[] = [];
    const server = await serveSockets((message, socket) => {
      if (message.includes('connection_init')) {
        socket.ping();
        socket.once('pong', () => {
          before.push(...server.messages);
          socket.send(ACK);
        });
      } else socket.send(COMPLETE);
    });
    expect(await printed(responsesOf(server.url))).toEqual([]);
    expect(before).toEqual(['{"type":"connection_init"}']);
  });
});

describe('a message', () => {
  it.each([
    ['{"type":"ping"}', '{"type":"pong"}'],
    ['{"type":"ping","payload":{"n":1.0}}', '{"type":"pong","payload":{"n":1.0}}'],
    ['{"payload":null,"type":"ping"}', '{"type":"pong","payload":null}'],
  ])('%s receives the reply %s, at any time', async (ping, pong) => {
    const server = await serveSockets((message, socket) => {
      const { type } = JSON.parse(message) as { readonly type: string };
      if (type === 'connection_init') socket.send(ping);
      else if (type === 'subscribe') for (const answer of [ping, next(A)]) socket.send(answer);
      else if (typesOf(server).filter((type) => type === 'pong').length === 1) socket.send(ACK);
      else socket.send(COMPLETE);
    });
    expect(await printed(responsesOf(server.url))).toEqual([A]);
    expect(typesOf(server)).toEqual(['connection_init', 'pong', 'subscribe', 'pong']);
    expect(server.messages.filter((message) => message === pong)).toHaveLength(2);
  });

  it('that answers a ping is ignored', async () => {
    const server = await serveSockets(answeringSocket('{"type":"pong"}', next(A), COMPLETE));
    expect(await printed(responsesOf(server.url))).toEqual([A]);
    expect(typesOf(server)).toEqual(['connection_init', 'subscribe']);
  });

  it('may carry data along with errors', async () => {
    const partly = '{"data":{"a":null},"errors":[{"message":"no","path":["a"]}]}';
    const server = await serveSockets(answeringSocket(next(partly), next(A), COMPLETE));
    expect(await printed(responsesOf(server.url))).toEqual([partly, A]);
  });

  it('with the type error is the last response', async () => {
    const errors = '[{"message":"no","locations":[{"line":1,"column":3}]},{"message":"nor"}]';
    const server = await serveSockets(
      answeringSocket(`{"id":"1","type":"error","payload":${errors}}`, next(A)),
    );
    const [response, ...others] = await all(responsesOf(server.url));
    expect(response?.json && printJson(response.json)).toBe(`{"errors":${errors}}`);
    expect(response?.errors.map(({ message }) => message)).toEqual(['no', 'nor']);
    expect(others).toEqual([]);
    expect(await server.closed).toEqual([1000, '']);
    expect(typesOf(server)).toEqual(['connection_init', 'subscribe']);
  });

  it.each<[string, string | Uint8Array]>([
    ['garbage', 'garbage'],
    ['nothing', ''],
    ['a list', '[]'],
    ['no type', '{"id":"1"}'],
    ['a type that is not text', '{"type":7}'],
    ['a type for servers', '{"type":"subscribe","id":"1"}'],
    ['an unknown type', '{"type":"data","id":"1","payload":{"data":{}}}'],
    ['no payload', '{"type":"next","id":"1"}'],
    ['no response', next('{"errors":"no"}')],
    ['no errors', '{"type":"error","id":"1"}'],
    ['an empty list of errors', '{"type":"error","id":"1","payload":[]}'],
    ['errors that are not a list', '{"type":"error","id":"1","payload":{"message":"no"}}'],
    ['bytes', Buffer.from([0xff, 0x00, 0x7b])],
  ])('with %s breaks the protocol', async (_, message) => {
    const server = await serveSockets(answeringSocket(next(A), message, next(B)));
    const { came, error } = await untilFailure(responsesOf(server.url));
    expect([came, error.code]).toEqual([[A], 'api']);
    expect(error.message).toContain(`${server.url.host} sent a message outside the protocol`);
    expect(error.details.hint).toContain('sse');
    expect((await server.closed)[0]).toBe(1000);
  });

  it.each([
    // mercurius sends this instead of closing with 4403.
    ['{"type":"connection_error","payload":{"message":"Forbidden"}}', '"Forbidden"'],
    ['{"type":"connection_error","payload":{"code":7}}', '{\\"code\\":7}'],
    ['{"type":"connection_error"}', 'connection_error'],
    ['{"type":"connection_error","payload":{"message":"canary"}}', 'redacted'],
  ])('refuses the connection: %s', async (message, shown) => {
    const server = await serveSockets((_, socket) => socket.send(message));
    const options = { connectionParams: parseObject('{"token":"canary"}') };
    const { came, error } = await untilFailure(responsesOf(server.url, options));
    expect([came, error.code]).toEqual([[], 'api']);
    expect(error.message).toContain(`${server.url.host} refused the connection: `);
    expect(error.message).toContain(shown);
    expect(error.message).not.toContain('canary');
    expect(error.details.hint).toContain('--connection-params');
  });

  it('of another operation breaks the protocol', async () => {
    const foreign = JSON.stringify({ id: '2', type: 'next', payload: { data: { not: 'ours' } } });
    const server = await serveSockets(answeringSocket(foreign, COMPLETE));
    const { came, error } = await untilFailure(responsesOf(server.url));
    expect([came, error.code]).toEqual([[], 'api']);
    expect(error.message).toContain('a message outside the protocol');
  });

  it('with a second acknowledgement breaks the protocol, and the operation is sent once', async () => {
    const server = await serveSockets(answeringSocket(ACK, COMPLETE));
    const { came, error } = await untilFailure(responsesOf(server.url));
    expect([came, error.code]).toEqual([[], 'api']);
    await server.closed;
    expect(typesOf(server)).toEqual(['connection_init', 'subscribe', 'complete']);
  });

  it('that is not UTF-8 breaks the connection', async () => {
    const bytes = Buffer.from([0x22, 0xff, 0x22]);
    const server = await serveSockets(
      answeringSocket(next(A), (socket) => socket.send(bytes, { binary: false })),
    );
    const { came, error } = await untilFailure(responsesOf(server.url));
    expect([came, error.code]).toEqual([[A], 'network']);
    expect(error.message).toContain('UTF-8');
  });

  it('may arrive in the packet of the handshake', async () => {
    const server = await serveSockets(answeringSocket(next(A), COMPLETE), {
      greeting: '{"type":"ping","payload":{"hello":1}}',
    });
    expect(await printed(responsesOf(server.url))).toEqual([A]);
    expect(typesOf(server).sort()).toEqual(['connection_init', 'pong', 'subscribe']);
  });
});

describe('a server that closes the connection', () => {
  const closing =
    (code: number, reason = '') =>
    (socket: WebSocket) =>
      socket.close(code, reason);

  it.each([
    [4400, 'Invalid message', 'api'],
    [4401, 'Unauthorized', 'api'],
    [4403, 'Forbidden', 'api'],
    [4406, 'Subprotocol not acceptable', 'api'],
    [4409, 'Subscriber for 1 already exists', 'api'],
    [4429, 'Too many initialisation requests', 'api'],
    [4408, 'Connection initialisation timeout', 'network'],
    [4500, 'Internal server error', 'network'],
    [1000, '', 'network'],
    [1001, 'going away', 'network'],
    [1011, '', 'network'],
  ])('with %i %s', async (code, reason, kind) => {
    const why = reason === '' ? `(${code})` : `(${code}: ${reason})`;
    // Closes before the acknowledgement, and after a result.
    const early = await serveSockets((_, socket) => socket.close(code, reason));
    const late = await serveSockets(answeringSocket(next(A), closing(code, reason)));
    for (const [server, results] of [
      [early, []],
      [late, [A]],
    ] as const) {
      const { came, error } = await untilFailure(responsesOf(server.url));
      expect([came, error.code]).toEqual([results, kind]);
      expect(error.message).toContain(`${server.url.host} closed the connection`);
      expect(error.message).toContain(why);
      if (kind === 'api') expect(error.details.hint).toContain('--connection-params');
    }
  });

  it('without a close frame', async () => {
    const server = await serveSockets(answeringSocket(next(A), (socket) => socket.terminate()));
    const { came, error } = await untilFailure(responsesOf(server.url));
    expect([came, error.code]).toEqual([[A], 'network']);
    expect(error.message).toContain('closed the connection before the end (1006)');
  });

  it.each([
    ['1000', closing(1000)],
    ['4500', closing(4500)],
    ['nothing', (socket: WebSocket) => socket.terminate()],
  ])('with %s is reported after the received messages', async (_, close) => {
    const results = Array.from({ length: 300 }, (_, at) => `{"data":{"n":${at}}}`);
    const sent = (socket: WebSocket) => {
      for (const result of results) socket.send(next(result));
      // By then, all messages have been sent.
      socket.ping(undefined, undefined, () => socket.once('pong', () => close(socket)));
    };
    const server = await serveSockets(answeringSocket(sent));
    const responses = responsesOf(server.url);
    const first = await responses.next();
    // The socket is paused while messages are unread, so the end cannot arrive yet.
    await sleep(50);
    const { came, error } = await untilFailure(responses);
    expect([printJson((first.value as { json: JsonValue }).json), ...came]).toEqual(results);
    expect(error.code).toBe('network');
  });
});

describe('silence', () => {
  const transport = { timeoutSeconds: 0.5 };

  it('ends with the time-out only without a pong', () =>
    checkTogether({
      'before the acknowledgement, whatever else arrives': async () => {
        const server = await serveSockets((_, socket) => {
          socket.send('{"type":"ping"}');
        });
        const error = await failureOf(() => printed(responsesOf(server.url, { transport })));
        expect([error.code, error.message]).toEqual([
          'network',
          `${server.url.host} was silent for 0.5 s (time-out)`,
        ]);
        expect(error.details.hint).toContain('timeout');
        expect((await server.closed)[0]).toBe(1006);
      },
      'after the acknowledgement, when pings stay unanswered': async () => {
        const server = await serveSockets(answeringSocket(next(A)), { autoPong: false });
        const { came, error } = await untilFailure(responsesOf(server.url, { transport }));
        expect([came, error.code]).toEqual([[A], 'network']);
        expect(error.message).toContain('was silent for 0.5 s');
      },
      'of a server that answers pings is not limited': async () => {
        const pings = (socket: WebSocket) => {
          let count = 0;
          socket.on('ping', () => {
            if (++count === 3) for (const answer of [next(A), COMPLETE]) socket.send(answer);
          });
        };
        const server = await serveSockets(answeringSocket(pings));
        expect(await printed(responsesOf(server.url, { transport }))).toEqual([A]);
      },
      'of the reader makes the server wait, and is not limited': async () => {
        const results = Array.from({ length: 3000 }, (_, at) => `{"data":{"n":${at}}}`);
        let isRead = false;
        const server = await serveSockets(
          answeringSocket(...results.map(next), COMPLETE, (socket) => {
            socket.ping();
            socket.once('pong', () => {
              isRead = true;
            });
          }),
        );
        const responses = responsesOf(server.url, { transport });
        await responses.next();
        // Longer than the time-out.
        await sleep(1200);
        expect(isRead).toBe(false);
        expect(await printed(responses)).toEqual(results.slice(1));
      },
      'at the end is not waited for': async () => {
        let stuck: WebSocket | undefined;
        const server = await serveSockets(
          answeringSocket(next(A), (socket) => {
            stuck = socket;
            socket.pause();
          }),
        );
        for await (const _ of responsesOf(server.url)) break;
        expect(typesOf(server)).toEqual(['connection_init', 'subscribe']);
        stuck?.resume();
        await server.closed;
        expect(typesOf(server)).toEqual(['connection_init', 'subscribe', 'complete']);
      },
    }));
});

describe('a reader that stops', () => {
  it('ends the operation at the server', async () => {
    const server = await serveSockets(answeringSocket(next(A), next(B)));
    for await (const { json } of responsesOf(server.url)) {
      expect(printJson(json)).toBe(A);
      break;
    }
    expect(server.messages.at(-1)).toBe('{"type":"complete","id":"1"}');
    expect(await server.closed).toEqual([1000, '']);
  });

  it('ends it while a result is pending', async () => {
    const server = await serveSockets(answeringSocket(next(A)));
    const responses = responsesOf(server.url);
    await responses.next();
    await responses.return(undefined);
    expect(typesOf(server).at(-1)).toBe('complete');
    expect(await server.closed).toEqual([1000, '']);
  });

  it('may throw an error', async () => {
    const server = await serveSockets(answeringSocket(next(A)));
    const failure = new Error('of the reader');
    const reading = async () => {
      for await (const _ of responsesOf(server.url)) throw failure;
    };
    await expect(reading).rejects.toBe(failure);
    expect(await server.closed).toEqual([1000, '']);
  });
});

describe('a signal', () => {
  const reason = new Error('interrupted');

  it('that is already aborted prevents the connection', async () => {
    const server = await serveSockets(answeringSocket());
    const transport = { signal: AbortSignal.abort(reason) };
    await expect(printed(responsesOf(server.url, { transport }))).rejects.toBe(reason);
    expect(server.handshakes).toEqual([]);
  });

  it.each(['handshake', 'acknowledgement', 'first result', 'next result'])(
    'ends the wait for the %s',
    async (subject) => {
      const controller = new AbortController();
      const abort = () => controller.abort(reason);
      const server = await serveSockets(
        (message, socket, index) => {
          if (subject === 'acknowledgement') abort();
          else
            answeringSocket(subject === 'first result' ? abort : next(A))(message, socket, index);
        },
        {
          verifyClient: (_, accept) => {
            if (subject === 'handshake') abort();
            else accept(true);
          },
        },
      );
      const responses = responsesOf(server.url, { transport: { signal: controller.signal } });
      const reading = async () => {
        for await (const _ of responses) setImmediate(abort);
      };
      await expect(reading).rejects.toBe(reason);
      if (subject === 'handshake') return;
      expect(await server.closed).toEqual([1000, '']);
      const wasUnderWay = subject !== 'acknowledgement';
      expect(typesOf(server).includes('complete')).toBe(wasUnderWay);
    },
  );

  it('that is aborted while a result is read ends the operation', async () => {
    const controller = new AbortController();
    const transport = { signal: controller.signal };
    const server = await serveSockets(answeringSocket(next(A), next(B)));
    const came: string[] = [];
    const reading = async () => {
      for await (const { json } of responsesOf(server.url, { transport })) {
        came.push(printJson(json));
        controller.abort(reason);
      }
    };
    await expect(reading).rejects.toBe(reason);
    expect(came[0]).toBe(A);
    expect(typesOf(server).at(-1)).toBe('complete');
    expect(await server.closed).toEqual([1000, '']);
  });
});
