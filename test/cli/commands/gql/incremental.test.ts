import { beforeAll, describe, expect, it } from 'vitest';
import { ACK, COMPLETE, next, serveSockets } from '../../../graphql/support.ts';
import { checkRows } from '../../../support/rows.ts';
import type { Handler } from '../../../support/server.ts';
import { expectFailure } from '../../support.ts';
import { answer, type Gql, gqlAt, jsonLines, service, warmUp } from './support.ts';

beforeAll(warmUp);

const DOCUMENT = '{ a ... @defer { b } l @stream(initialCount: 1) }';

/** The payloads of graphql-js 17, and of Apollo Server and yoga. */
const PAYLOADS = {
  v2023: [
    '{"data":{"a":1.0,"l":[1e2]},"pending":[{"id":"0","path":[]},{"id":"1","path":["l"]}],"hasNext":true}',
    '{"incremental":[{"id":"1","items":[-0]}],"completed":[{"id":"1"}],"hasNext":true}',
    '{"incremental":[{"id":"0","data":{"b":"杭州 🚕"}}],"completed":[{"id":"0"}],"hasNext":false}',
  ],
  v2022: [
    '{"hasNext":true,"data":{"a":1.0,"l":[1e2]}}',
    '{"hasNext":true,"incremental":[{"path":["l",1],"items":[-0]}]}',
    '{"hasNext":false,"incremental":[{"path":[],"data":{"b":"杭州 🚕"}}]}',
  ],
};

const MERGED = '{"data":{"a":1.0,"l":[1e2,-0],"b":"杭州 🚕"}}\n';

/** The wire formats: the beginning of a response, its parts, and its end. */
const TRANSPORTS = {
  multipart: {
    type: 'multipart/mixed; boundary="-"',
    open: '\r\n---',
    part: (payload: string) =>
      `\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(payload)}\r\n\r\n${payload}\r\n---`,
    close: '--\r\n',
  },
  sse: {
    type: 'text/event-stream',
    open: ':\n\n',
    part: (payload: string) => `event: next\ndata: ${payload}\n\n`,
    close: 'event: complete\ndata:\n\n',
  },
};

type Wire = (typeof TRANSPORTS)[keyof typeof TRANSPORTS];

const bodyOf = ({ open, part, close }: Wire, payloads: readonly string[]): string =>
  open + payloads.map(part).join('') + close;

/** Answers with a body in chunks of `size` bytes. */
const inChunks =
  ({ type }: Wire, body: string, size: number): Handler =>
  async (_, response) => {
    response.writeHead(200, { 'Content-Type': type });
    const bytes = Buffer.from(body);
    for (let at = 0; at < bytes.length; at += size) {
      await new Promise((sent) => response.write(bytes.subarray(at, at + size), sent));
    }
    response.end();
  };

/** Sends payloads over a WebSocket. */
async function overWebSocket(payloads: readonly string[]): Promise<Gql> {
  const { url } = await serveSockets((message, socket) => {
    const { type } = JSON.parse(message);
    if (type === 'connection_init') socket.send(ACK);
    if (type !== 'subscribe') return;
    for (const payload of payloads) socket.send(next(payload));
    socket.send(COMPLETE);
  });
  return gqlAt(url.href);
}

const lines = (payloads: readonly string[]): string => `${payloads.join('\n')}\n`;

describe('@defer and @stream', () => {
  it('are merged, and printed in parts with --stream, over every transport', () =>
    checkRows(Object.values(PAYLOADS), async (payloads) => {
      const overHttp = Object.values(TRANSPORTS).map(async (wire) => {
        const body = bodyOf(wire, payloads);
        return (await service(inChunks(wire, body, 97))).gql;
      });
      for (const gql of await Promise.all([...overHttp, overWebSocket(payloads)])) {
        expect(await gql([DOCUMENT])).toMatchObject({ code: 0, stdout: MERGED, stderr: '' });
        expect(await gql([DOCUMENT, '--stream'])).toMatchObject({
          code: 0,
          stdout: lines(payloads),
          stderr: '',
        });
      }
    }));

  it('are merged with --transport sse, --get, --raw and for a terminal', async () => {
    const { gql } = await service(
      inChunks(TRANSPORTS.sse, bodyOf(TRANSPORTS.sse, PAYLOADS.v2022), 4096),
    );
    const raw = '{"a":1.0,"l":[1e2,-0],"b":"杭州 🚕"}\n';
    expect((await gql([DOCUMENT, '--transport', 'sse', '--raw'])).stdout).toBe(raw);
    expect((await gql([DOCUMENT, '--get', '--raw'])).stdout).toBe(raw);
    expect((await gql([DOCUMENT, '--no-color'], { stdoutIsTerminal: true })).stdout).toContain(
      '\n    "l": [\n',
    );
    const parts = await gql([DOCUMENT, '--transport', 'sse', '--stream', '--no-color'], {
      stdoutIsTerminal: true,
    });
    expect(parts.stdout).toBe(lines(PAYLOADS.v2022));
  });

  it('are the only reason for a longer Accept header', async () => {
    const { gql, requests } = await service();
    await gql(['{ a }']);
    await gql(['{ a ...@defer { b } }', '--stream']);
    await gql(['{ a ...@defer { b } }', '-H', 'Accept: multipart/mixed']);
    expect(requests.map(({ headers }) => headers.accept)).toEqual([
      'application/graphql-response+json, application/json;q=0.9',
      'multipart/mixed; incrementalSpec=v0.2, multipart/mixed; deferSpec=20220824, multipart/mixed;q=0.9, text/event-stream;q=0.8, application/graphql-response+json;q=0.7, application/json;q=0.6',
      'multipart/mixed',
    ]);
  });

  it('are printed as they arrive, and --timeout limits the wait for the next', async () => {
    const [first = ''] = PAYLOADS.v2023;
    const { type, open, part } = TRANSPORTS.multipart;
    const { gql } = await service((_, response) => {
      response.writeHead(200, { 'Content-Type': type }).write(open + part(first));
    });
    const { code, stdout } = await gql([DOCUMENT, '--stream', '--timeout', '0.2']);
    expect([code, stdout]).toEqual([6, `${first}\n`]);
  });

  it('with errors exit with 14, unless they are allowed', async () => {
    const payloads = [
      '{"data":{"a":1},"pending":[{"id":"0","path":[]},{"id":"1","path":[]}],"hasNext":true}',
      '{"incremental":[{"id":"0","data":{"b":null},"errors":[{"message":"first","path":["b"]}]}],"completed":[{"id":"0"}],"hasNext":true}',
      '{"completed":[{"id":"1","errors":[{"message":"second"}]}],"hasNext":false}',
    ];
    const { multipart } = TRANSPORTS;
    const { gql } = await service(inChunks(multipart, bodyOf(multipart, payloads), 4096));
    const merged =
      '{"data":{"a":1,"b":null},"errors":[{"message":"first","path":["b"]},{"message":"second"}]}\n';
    for (const [args, stdout] of [
      [[], merged],
      [['--stream'], lines(payloads)],
    ] as const) {
      const result = await gql([DOCUMENT, ...args]);
      expect([result.code, result.stdout]).toEqual([14, stdout]);
      expect(result.stderr).toContain('the response has 2 errors, first: b: first');
      expect(result.stderr).toContain('mop: second\n');
      const allowed = await gql([DOCUMENT, ...args, '--allow-partial']);
      expect([allowed.code, allowed.stdout]).toEqual([0, stdout]);
      expect(allowed.stderr).toBe('mop: warning: b: first\nmop: warning: second\n');
    }
  });

  it('that are incomplete are an error, and nothing is printed without --stream', () =>
    checkRows<[name: string, handler: Handler, code: number, message: string, parts: number]>(
      [
        [
          'a closed multipart response',
          inChunks(
            TRANSPORTS.multipart,
            bodyOf(TRANSPORTS.multipart, PAYLOADS.v2022.slice(0, 2)),
            4096,
          ),
          5,
          'announced more parts of the result',
          2,
        ],
        [
          'a completed stream of events',
          inChunks(TRANSPORTS.sse, bodyOf(TRANSPORTS.sse, PAYLOADS.v2023.slice(0, 2)), 4096),
          5,
          'announced more parts of the result',
          2,
        ],
        [
          'a multipart response that ends early',
          inChunks(
            TRANSPORTS.multipart,
            bodyOf(TRANSPORTS.multipart, PAYLOADS.v2022).slice(0, 250),
            4096,
          ),
          6,
          'ended the response before its last part',
          1,
        ],
        [
          'a stream of events that ends early',
          inChunks(TRANSPORTS.sse, bodyOf(TRANSPORTS.sse, PAYLOADS.v2022).slice(0, 130), 4096),
          6,
          'ended the stream before',
          1,
        ],
        [
          'a broken connection',
          (_, response) => {
            const { type, open, part } = TRANSPORTS.multipart;
            response.writeHead(200, { 'Content-Type': type });
            response.write(open + part(PAYLOADS.v2022[0] ?? ''), () => response.destroy());
          },
          6,
          'broke',
          1,
        ],
        ['a JSON text', answer(PAYLOADS.v2022[0]), 5, 'announced more parts of the result', 1],
      ],
      async ([_, handler, code, message, parts]) => {
        const { gql, requests } = await service(handler);
        expectFailure(await gql([DOCUMENT, '--retries', '0']), code, message);
        const streamed = await gql([DOCUMENT, '--stream']);
        expect([streamed.code, jsonLines(streamed.stdout).length]).toEqual([code, parts]);
        expect(streamed.stderr).toContain(message);
        expect(requests).toHaveLength(2);
      },
    ));

  it('are an error if a WebSocket completes early', async () => {
    const gql = await overWebSocket(PAYLOADS.v2023.slice(0, 2));
    expectFailure(await gql([DOCUMENT]), 5, 'announced more parts of the result');
  });

  it('in a subscription are merged into one line for each result', async () => {
    const payloads = [...PAYLOADS.v2022, '{"data":{"a":2}}', ...PAYLOADS.v2023];
    const wire = TRANSPORTS.sse;
    const { gql } = await service(inChunks(wire, bodyOf(wire, payloads), 4096));
    const { code, stdout } = await gql(['subscription { a ...@defer { b } }']);
    expect([code, stdout]).toEqual([0, `${MERGED}{"data":{"a":2}}\n${MERGED}`]);
  });

  it('--stream conflicts with options for whole results', () =>
    checkRows(
      [
        ['{ a }', '--raw'],
        [
          'query ($endCursor: String) { a(after: $endCursor) { pageInfo { hasNextPage endCursor } } }',
          '--paginate',
        ],
        ['subscription { a }', '--quiet'],
      ],
      async (args) => {
        const { gql, requests } = await service();
        expectFailure(await gql([...args, '--stream']), 2, '--stream');
        expect(requests).toEqual([]);
      },
    ));
});
