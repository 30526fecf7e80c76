/** Each limit of 64 MiB, with answers of servers that never end. */
import { expect, it, onTestFinished } from 'vitest';
import { mergedResults } from '../../src/graphql/incremental.ts';
import { asResponse, RESPONSE_LIMIT } from '../../src/graphql/response.ts';
import { eventStream, multipartStream } from '../../src/graphql/result-stream.ts';
import { parseJson } from '../../src/json/parse.ts';
import {
  answering,
  answeringSocket,
  endpoint,
  failureOf,
  printed,
  QUERY,
  responsesOf,
  serveSockets,
  streamOf,
} from './support.ts';

const REQUEST = { method: 'POST', url: new URL('https://h.example/graphql'), headers: [] } as const;
const MIB = 1 << 20;

/** Reduces the limit to 1 MiB for a test, so that the slow readers have less to read. */
function reduceLimit(): void {
  const usual = { ...RESPONSE_LIMIT };
  expect(usual.maxBytes).toBe(64 * MIB);
  Object.assign(RESPONSE_LIMIT, { maxBytes: MIB });
  onTestFinished(() => {
    Object.assign(RESPONSE_LIMIT, usual);
  });
}

it.each<[part: string, start: string, line: string]>([
  ['a line', 'data: ', 'x'],
  ['lines of data', '', 'data: x\n'],
  ['comments', '', ': x\r\n'],
])('an event is limited by its bytes as they arrive: %s', async (_, start, line) => {
  reduceLimit();
  const endless = function* () {
    yield Buffer.from(start);
    for (const chunk = Buffer.from(line.repeat(1 << 14)); ; ) yield chunk;
  };
  const { code, message } = await failureOf(() =>
    printed(eventStream(streamOf(endless()), REQUEST)),
  );
  expect([code, message]).toEqual(['api', 'h.example sent an event of more than 1 MiB']);
});

it('a part may not exceed 64 MiB', async () => {
  const endless = function* () {
    yield Buffer.from('---\r\n\r\n');
    for (const block = Buffer.alloc(MIB, ' '); ; ) yield block;
  };
  const { code, message } = await failureOf(() =>
    printed(multipartStream(streamOf(endless(), 'multipart/mixed; boundary="-"'), REQUEST)),
  );
  expect([code, message]).toEqual(['api', 'h.example sent a part of more than 64 MiB']);
});

it('the parts of a result may not exceed 64 MiB together', async () => {
  reduceLimit();
  const text = 'x'.repeat(MIB / 64);
  async function* endless() {
    yield asResponse(parseJson('{"data":{"a":""},"hasNext":true}')) ?? expect.fail('not a result');
    const part = asResponse(
      parseJson(`{"incremental":[{"path":[],"data":{"a":"${text}"}}],"hasNext":true}`),
    );
    for (;;) yield part ?? expect.fail('not a part');
  }
  const { code, message } = await failureOf(() =>
    printed(mergedResults(endless(), { url: REQUEST.url, secrets: [] })),
  );
  expect([code, message]).toEqual(['api', 'h.example sent a result of more than 1 MiB in parts']);
});

it('a message of a socket may not be larger than 64 MiB', async () => {
  const server = await serveSockets(answeringSocket(' '.repeat(65 * MIB)));
  const { code, message } = await failureOf(() => printed(responsesOf(server.url)));
  expect([code, message]).toEqual(['api', expect.stringContaining('more than 64 MiB')]);
});

it('a response has a maximum size', async () => {
  const { client } = await endpoint((_, response) => {
    const mebibyte = Buffer.alloc(MIB, ' ');
    const more = (): void => {
      while (!response.destroyed && response.write(mebibyte));
    };
    response.on('drain', more).writeHead(200);
    more();
  });
  const { code, message } = await failureOf(() => client.send(QUERY));
  expect([code, message]).toEqual(['api', expect.stringContaining('more than 64 MiB')]);
});

it('the parts of @defer may not exceed 64 MiB in total', async () => {
  reduceLimit();
  const part = (json: string): string => `\r\ncontent-type: application/json\r\n\r\n${json}\r\n---`;
  const large = part(`{"hasNext":true}${' '.repeat(MIB / 4)}`);
  const body = `\r\n---${part('{"data":{"a":1.0},"hasNext":true}')}${large.repeat(4)}--\r\n`;
  const headers = { 'Content-Type': 'multipart/mixed; boundary="-"; deferSpec=20220824' };
  const { client } = await endpoint(answering(200, body, headers));
  const deferred = { kind: 'query', query: '{ a ... @defer { b } }' } as const;
  const { code, message, details } = await failureOf(() => client.send(deferred));
  expect([code, message]).toEqual(['api', expect.stringContaining('more than 1 MiB')]);
  expect(details.hint).toContain('stream');
});
