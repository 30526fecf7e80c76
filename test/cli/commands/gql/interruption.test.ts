import type { ServerResponse } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { MopError } from '../../../../src/errors.ts';
import { checkRows } from '../../../support/rows.ts';
import type { Handler } from '../../../support/server.ts';
import { event, type Message, type Script, sockets } from './socket-service.ts';
import { answer, jsonLines, service, warmUp } from './support.ts';

const STOP_HINT = 'run it again: --count N ends a subscription after N results, with exit code 0';

beforeAll(warmUp);

/** The system's signals, as `context/signals.ts` reports them. */
const stop = (controller: AbortController, name: 'interrupted' | 'terminated'): void =>
  controller.abort(new MopError(name, name));

describe('--paginate', () => {
  const DOCUMENT = `query ($endCursor: String) {
    rides(after: $endCursor) { nodes { id } pageInfo { hasNextPage endCursor } }
  }`;
  const CURSORS = ["it's 1", '@2', null];

  const page = (index: number) => ({
    data: {
      rides: {
        nodes: Array.from({ length: 700 }, (_, at) => ({ id: index * 700 + at })),
        pageInfo: { hasNextPage: CURSORS[index] !== null, endCursor: CURSORS[index] },
      },
    },
  });

  /** Three pages by their cursors; `fail` answers the one of this index. */
  const paged = (failing?: number, fail?: (response: ServerResponse) => unknown) =>
    service((request, response, index) => {
      const cursor = JSON.parse(request.body).variables?.endCursor;
      const at = cursor === undefined ? 0 : CURSORS.indexOf(cursor) + 1;
      if (at === failing) return fail?.(response);
      return answer(page(at))(request, response, index);
    });

  type Failure = (response: ServerResponse, controller: AbortController) => unknown;

  const end: Record<string, Failure> = {
    interrupt: (_, controller) => stop(controller, 'interrupted'),
    terminate: (_, controller) => stop(controller, 'terminated'),
    reset: (response) => response.destroy(),
    refuse: (response) => response.writeHead(401).end('no'),
    hang: () => {},
  };

  it('reports the printed lines, and how to continue', () =>
    checkRows<
      [how: string, at: number, code: number, message: string, hint: string, args?: string[]]
    >(
      [
        [
          'interrupt',
          2,
          130,
          'interrupted; the output is incomplete: 2 pages (1,400 items) printed',
          'to continue, run it again with -f endCursor=@2',
        ],
        [
          'terminate',
          1,
          143,
          'terminated; the output is incomplete: 1 page (700 items) printed',
          "to continue, run it again with -f 'endCursor=it'\\''s 1'",
        ],
        [
          'hang',
          2,
          6,
          'not done within 1 s (--max-time); the output is incomplete: 2 pages (1,400 items) printed',
          'to continue, run it again with -f endCursor=@2',
          ['--max-time', '1'],
        ],
        [
          'reset',
          2,
          6,
          '; the output is incomplete: 2 pages (1,400 items) printed',
          'to continue, run it again with -f endCursor=@2',
          ['--retries', '0'],
        ],
        [
          'refuse',
          2,
          5,
          '; the output is incomplete: 2 pages (1,400 items) printed',
          'to continue, run it again with -f endCursor=@2',
        ],
        // Nothing was printed, so nothing is left half-done.
        ['interrupt', 0, 130, 'interrupted', ''],
      ],
      async ([how, at, code, message, hint, args = []]) => {
        const controller = new AbortController();
        const { gql } = await paged(at, (response) => end[how]?.(response, controller));
        const result = await gql([DOCUMENT, '--paginate', ...args], { signal: controller.signal });
        expect([result.code, jsonLines(result.stdout).length]).toEqual([code, at]);
        const [reported, next = ''] = result.stderr.split('\n');
        expect(reported?.endsWith(message), reported).toBe(true);
        expect(next === '' ? hint === '' : next.endsWith(hint), next).toBe(true);
      },
    ));

  it('continues with the given cursor', async () => {
    const { gql } = await paged();
    const { stdout } = await gql([DOCUMENT, '--paginate', '-f', 'endCursor=@2']);
    expect(jsonLines(stdout)).toEqual([page(2)]);
  });
});

/** Prints two results, then pings: the pong comes when they are printed. */
const twoThen = (
  [first, second]: readonly [Message, Message],
  fail: (connection: Parameters<NonNullable<Script['pong']>>[0]) => void,
): Script => ({
  subscribe: ({ send }) => [first, second, { type: 'ping' }].forEach(send),
  pong: fail,
});

describe('a stream', () => {
  const EVENTS = [event({ a: 1 }), event({ a: 2 })] as const;
  const part = (payload: object): Message => ({ id: '1', type: 'next', payload });
  const PARTS = [
    part({ data: { a: 1 }, hasNext: true }),
    part({ incremental: [], hasNext: true }),
  ] as const;
  const DOUBT = 'the server may have executed the request: check before you repeat it';
  const subscription = 'subscription { a }';

  it('reports the printed lines', () =>
    checkRows<
      [args: string[], messages: readonly [Message, Message], reported: string, hint: string]
    >(
      [
        [[subscription], EVENTS, '; the output is incomplete: 2 results printed', STOP_HINT],
        [
          ['{ a ... @defer { b } }', '--stream'],
          PARTS,
          '; the output is incomplete: 2 parts printed',
          STOP_HINT,
        ],
        [
          ['mutation { a ... @defer { b } }', '--stream'],
          PARTS,
          '; the output is incomplete: 2 parts printed',
          DOUBT,
        ],
        // The parts are merged, and the result is not printed before the last.
        [['{ a ... @defer { b } }'], PARTS, '', ''],
        [['mutation { a ... @defer { b } }'], PARTS, '', DOUBT],
      ],
      async ([args, messages, reported, hint]) => {
        const controller = new AbortController();
        const script = twoThen(messages, () => stop(controller, 'interrupted'));
        const { gql } = await sockets(script);
        const result = await gql(args, { signal: controller.signal });
        expect([result.code, result.stderr]).toEqual([
          130,
          `mop: interrupted${reported}\n${hint && `hint: ${hint}\n`}`,
        ]);
        expect(result.stdout.split('\n')).toHaveLength(reported === '' ? 1 : 3);
      },
    ));

  const broken =
    (type: string, ...chunks: readonly string[]): Handler =>
    async (_, response) => {
      response.writeHead(200, { 'Content-Type': type });
      for (const chunk of chunks) await new Promise((sent) => response.write(chunk, sent));
      response.end();
    };

  it('reports the printed lines when its connection breaks', () =>
    checkRows<[args: string[], handler: Handler, code: number, reported: string, hint: string]>(
      [
        [
          [subscription],
          broken('text/event-stream', 'data: {"data":{"a":1}}\n\n'),
          6,
          'ended the stream before the operation completed; the output is incomplete: 1 result printed',
          'run it again with a trace (--verbose)',
        ],
        [
          ['{ a ... @defer { b } }', '--stream'],
          broken(
            'multipart/mixed; boundary="-"',
            '\r\n---\r\nContent-Type: application/json\r\n\r\n{"data":{"a":1},"hasNext":true}\r\n-----\r\n',
          ),
          5,
          'announced more parts of the result, but did not send them; the output is incomplete: 1 part printed',
          'run it without @defer and @stream',
        ],
      ],
      async ([args, handler, code, reported, hint]) => {
        const { gql } = await service(handler);
        const result = await gql(args);
        expect([result.code, jsonLines(result.stdout).length]).toEqual([code, 1]);
        expect(result.stderr).toContain(reported);
        expect(result.stderr).toContain(`hint: ${hint}`);
      },
    ));
});

// Nothing repeats a stream, so --retries is not advised.
it('a mutation over a broken stream may have been executed, unless it was not sent', async () => {
  const sse = await service((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end();
  });
  const broken = await sse.gql(['mutation { a }', '--transport', 'sse']);
  expect(broken.code).toBe(6);
  expect(broken.stderr).toMatch(
    /hint: .*; the server may have executed the request: check before you repeat it\n$/,
  );
  const busy = await service(answer('busy', 503));
  const unsent = await busy.gql(['mutation { a }', '--transport', 'ws']);
  expect(unsent.code).toBe(6);
  expect(unsent.stderr).not.toContain('carried out');
});
