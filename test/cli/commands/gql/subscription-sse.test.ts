import type { ServerResponse } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { MopError } from '../../../../src/errors.ts';
import { closedPort, silentServer } from '../../../http/support.ts';
import { checkRows, checkTogether } from '../../../support/rows.ts';
import type { Handler } from '../../../support/server.ts';
import { expectFailure } from '../../support.ts';
import { answer, gqlAt, jsonLines, sentTo, service, warmUp, withResolvers } from './support.ts';

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
  /** Sends the given events and keeps the stream open; reports when the client leaves. */
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

  it('are requested with POST, and printed as lines', async () => {
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

  it('are requested with GET', async () => {
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

  it('are requested with given headers, Accept included', async () => {
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

  const bytes = Buffer.from(next({ city: '杭州 🚕' }));

  it('are read in every form that the format allows', () =>
    checkRows<[name: string, chunks: (string | Uint8Array)[], lines: unknown[]]>(
      [
        ['no results', [COMPLETE], []],
        ['no name', ['data: {"data":{"a":1}}\n\n', COMPLETE], [{ data: { a: 1 } }]],
        [
          'no space after the colon',
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
      ],
      async ([_, chunks, lines]) => {
        const { gql } = await service(events(...chunks));
        const { code, stdout, stderr } = await gql([SUBSCRIPTION]);
        expect([code, stderr]).toEqual([0, '']);
        expect(stdout).toBe(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      },
    ));

  it('are read with the media type in any case', async () => {
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
      const result = await gql([SUBSCRIPTION, '--no-color', ...args], { stdoutIsTerminal });
      expect([result.code, result.stdout]).toEqual([14, stdout]);
    }
  });

  it('end at --count, like the connection', async () => {
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

  it('that are fewer than --count end normally', async () => {
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

  it('with errors in several events report the first', async () => {
    const failed = (message: string) =>
      `data: ${JSON.stringify({ data: null, errors: [{ message }] })}\n\n`;
    const { gql } = await service(events(failed('first'), failed('second'), COMPLETE));
    const { code, stderr } = await gql([SUBSCRIPTION]);
    expect(code).toBe(14);
    expect(stderr).toContain('first');
  });

  it('with one error each report every error on stderr', async () => {
    const failed = (message: string) =>
      `data: ${JSON.stringify({ data: null, errors: [{ message }] })}\n\n`;
    const { gql } = await service(events(failed('first'), failed('second'), COMPLETE));
    expect((await gql([SUBSCRIPTION])).stderr).toContain('second');
  });

  it.each([
    ['{"errors":[{"message":"no such field"}]}', 400, 14, 'hint: mop gql schema'],
    ['{"errors":[{"message":"no such field"}]}', 200, 14, 'no such field'],
    ['{"data":null,"errors":[{"message":"m"}]}', 500, 14, 'm'],
  ])('may be answered with JSON: %s, HTTP %d', async (body, status, code, message) => {
    const { gql, requests } = await service(answer(body, status));
    const result = await gql([SUBSCRIPTION]);
    expect([result.code, result.stdout]).toEqual([code, `${body}\n`]);
    expect(result.stderr).toContain(message);
    expect(requests).toHaveLength(1);
  });

  it('have a hint to WebSockets if the server does not stream', () =>
    checkRows(
      [
        answer('{"data":{"a":null}}'),
        answer('{"data":null,"errors":[{"message":"Cannot return null"}]}'),
        answer({ errors: [{ message: 'Subscriptions are not supported' }] }),
        answer({ errors: [{ message: 'not acceptable' }] }, 406),
        // As graphql-http answers.
        (_, response) => response.writeHead(406, { Accept: 'application/json' }).end(),
      ] satisfies Handler[],
      async (handler) => {
        const { gql } = await service(handler);
        const { code, stderr } = await gql([SUBSCRIPTION]);
        expect(code).not.toBe(0);
        expect(stderr).toMatch(/\nhint: .*\bws\)\n$/);
      },
    ));

  it('may be answered with one result', async () => {
    const { gql } = await service(answer('{"data":{"a":1.0}}'));
    expect(await gql([SUBSCRIPTION])).toMatchObject({ code: 0, stdout: '{"data":{"a":1.0}}\n' });
  });

  const FAILURES: readonly (readonly [
    name: string,
    handler: Handler,
    code: number,
    message: string,
  ])[] = [
    ['HTML', answer('<html>', 200, 'text/html'), 5, 'HTTP 200 (text/html)'],
    ['nothing', answer(''), 5, 'an empty body'],
    ['HTTP 401', answer('who?', 401), 5, 'HTTP 401'],
    ['HTTP 406', answer('no', 406), 5, 'HTTP 406'],
    ['null', answer('{"data":{"a":null}}'), 5, 'answered the subscription with null'],
    ['no data', answer('{"data":{}}'), 5, 'answered the subscription with null'],
    ['HTTP 503', answer('busy', 503, 'text/plain'), 6, 'HTTP 503 (text/plain)'],
    ['HTTP 429', answer('slow down', 429), 6, 'HTTP 429'],
    [
      'a redirect',
      (_, response) => response.writeHead(302, { Location: '/x?canary' }).end(),
      5,
      'HTTP 302',
    ],
    ['a broken connection', (_, response) => response.destroy(), 6, 'the connection to 127.0.0.1:'],
    ['an end without complete', events(), 6, 'ended the stream before the operation completed'],
    [
      'an event that is not JSON',
      events('data: canary{\n\n', COMPLETE),
      5,
      'not a GraphQL response',
    ],
    [
      'an event that is not a response',
      events('data: {"a":1}\n\n', COMPLETE),
      5,
      'not a GraphQL response',
    ],
    [
      'an event without data',
      events('event: next\ndata:\n\n', COMPLETE),
      5,
      'not a GraphQL response',
    ],
  ];

  it('that fail to start are not retried', () =>
    checkRows(FAILURES, async ([_, handler, code, message]) => {
      const { gql, requests } = await service(handler);
      const result = await gql([SUBSCRIPTION]);
      expectFailure(result, code, message);
      expect([requests.length, result.waits]).toEqual([1, []]);
    }));

  it.each<[name: string, end: (response: ServerResponse) => void, message: string]>([
    ['end without complete', (response) => response.end(), 'ended the stream before'],
    ['are interrupted', (response) => response.destroy(), 'the connection to 127.0.0.1:'],
    [
      'end within an event',
      (response) => response.end('event: next\ndata: {"data":{"a"'),
      'ended the stream before',
    ],
  ])('that %s are an error, after the results before are printed', async (_, end, message) => {
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

  it('are not retried when the connection is refused', async () => {
    const endpoint = `http://127.0.0.1:${await closedPort()}/graphql`;
    const result = await gqlAt(endpoint)([SUBSCRIPTION]);
    expectFailure(result, 6, 'refused the connection');
    expect(result.waits).toEqual([]);
  });

  it('end at their time limits, not earlier', () =>
    checkTogether({
      '--timeout of the first byte': async () => {
        const result = await gqlAt(`http://${await silentServer()}/graphql`)([
          SUBSCRIPTION,
          '--timeout',
          '0.05',
        ]);
        expectFailure(result, 6, 'within 0.05 s (time-out)');
        expect(result.waits).toEqual([]);
      },
      'a silent stream that has begun': async () => {
        const { gql } = await open((response) => {
          response.write(next({ a: 1 }));
          setTimeout(() => response.end(next({ a: 2 }) + COMPLETE), 1500);
        });
        const { code, stdout } = await gql([SUBSCRIPTION, '--timeout', '1']);
        expect([code, jsonLines(stdout).length]).toEqual([0, 2]);
      },
      '--max-time, which closes the connection': async () => {
        const { gql, left } = await open((response) => response.write(next({ a: 1 })));
        const { code, stdout, stderr } = await gql([SUBSCRIPTION, '--max-time', '1']);
        await left;
        expect([code, stdout]).toEqual([6, '{"data":{"a":1}}\n']);
        expect(stderr).toMatch(
          /^mop: not done within 1 s \(--max-time\); the output is incomplete: 1 result printed\nhint: .+\n$/,
        );
      },
    }));

  it('end after a signal, like the connection', async () => {
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

  it('end when their reader closes the pipe', async () => {
    const { gql, left } = await open((response) => response.write(next({ a: 1 })));
    const { code, stderr } = await gql([SUBSCRIPTION], { stdoutError: 'EPIPE' });
    await left;
    expect([code, stderr]).toEqual([0, '']);
  });

  it('write no control characters to the terminal', async () => {
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
    it('carry a query or a mutation, indented for a terminal', async () => {
      const { gql, requests } = await service(events(next({ a: 1 }), COMPLETE));
      for (const document of ['{ a }', 'mutation { a }']) {
        const args = [document, '--transport', 'sse'];
        expect(await gql(args)).toMatchObject({ code: 0, stdout: '{"data":{"a":1}}\n' });
        expect((await gql([...args, '--no-color'], { stdoutIsTerminal: true })).stdout).toBe(
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

    it('select an operation of several', async () => {
      const { gql, ...server } = await service(events(next({ a: 1 }), COMPLETE));
      const document = 'query Q { a } subscription S { a }';
      expect((await gql([document, '--operation', 'S'])).code).toBe(0);
      expect(sentTo(server)).toEqual([{ query: document, operationName: 'S' }]);
      expect(server.requests[0]?.headers.accept).toBe('text/event-stream');
    });
  });
});
