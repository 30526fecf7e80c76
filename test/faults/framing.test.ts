import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, it } from 'vitest';
import { type Answer, CONTENT, scriptedPlatform } from '../support/platform.ts';
import {
  ENDS,
  type End,
  expectFault,
  expectStored,
  type Fault,
  faultyPlatform,
  head,
  raw,
} from './support.ts';

type Bytes = Parameters<typeof raw>[0];

const BROKE: Fault = { code: 6, message: /^the connection to 127\.0\.0\.1:\d+ broke: ./ };

/** The faults of a truncated answer with complete framing. */
const TRUNCATED: Record<End, Fault> = {
  // A truncated answer looks like an answer that is not JSON, so it is not retried.
  descriptor: { code: 5, message: /with a body that is not a JSON envelope: "\{\\"code\\":0/ },
  download: { code: 7, message: /the download is truncated/ },
};

const chunked = head('Transfer-Encoding: chunked');
const untilClose = head('Connection: close');
const chunk = (data: Uint8Array): (string | Uint8Array)[] => [
  `${data.length.toString(16)}\r\n`,
  data,
  '\r\n',
];
const length = (bytes: number | string): string => `Content-Length: ${bytes}`;
const half = (data: Buffer): Buffer => data.subarray(0, data.length / 2);

describe.each(ENDS)('the body at the %s', (end) => {
  it.each<[string, Bytes]>([
    ['a Content-Length that is too long', (good) => [head(length(good.length + 1)), good]],
    [
      'two different Content-Lengths',
      (good) => [head(length(good.length), length(good.length + 1)), good],
    ],
    ['a negative Content-Length', (good) => [head(length(-1)), good]],
    ['a Content-Length that overflows', (good) => [head(length('9'.repeat(30))), good]],
    [
      'a Content-Length and chunked coding',
      (good) => [
        head(length(good.length), 'Transfer-Encoding: chunked'),
        ...chunk(good),
        '0\r\n\r\n',
      ],
    ],
    ['a chunk without a size', (good) => [chunked, 'zz\r\n', good, '\r\n0\r\n\r\n']],
    ['a chunk size that overflows', (good) => [chunked, `${'f'.repeat(20)}\r\n`, good]],
    [
      'a chunk that is longer than its size',
      (good) => [chunked, `${(good.length - 1).toString(16)}\r\n`, good, '\r\n0\r\n\r\n'],
    ],
    ['no final chunk', (good) => [chunked, ...chunk(good)]],
    ['a truncated final chunk', (good) => [chunked, ...chunk(good), '0\r\n']],
    [
      'no final chunk, and Connection: close',
      (good) => [head('Transfer-Encoding: chunked', 'Connection: close'), ...chunk(good)],
    ],
  ])('with %s is a broken connection', async (_, bytes) => {
    await expectFault(end, raw(bytes), BROKE);
  });

  it('with a Content-Length that is too short is truncated', async () => {
    const fault = raw((good) => [head(length(good.length - 5)), good]);
    await expectFault(end, fault, TRUNCATED[end]);
  });

  it('is truncated if the connection ends too early', async () => {
    await expectFault(
      end,
      raw((good) => [untilClose, half(good)]),
      TRUNCATED[end],
    );
  });

  it.each<[string, Bytes]>([
    ['without a length, ended by the connection', (good) => [untilClose, good]],
    ['of HTTP/1.0', (good) => ['HTTP/1.0 200 OK\r\n\r\n', good]],
    ['in chunks of a byte', (good) => [chunked, ...[...good].flatMap(byteChunk), '0\r\n\r\n']],
    [
      'with garbage after its last chunk',
      (good) => [chunked, ...chunk(good), '0\r\n\r\n', 'garbage'],
    ],
    [
      'with chunk extensions and trailers',
      (good) => [chunked, `${good.length.toString(16)};a=b\r\n`, good, '\r\n0\r\nX-Sum: 1\r\n\r\n'],
    ],
  ])('%s is complete', async (_, bytes) => {
    await expectStored(await faultyPlatform(end, raw(bytes)));
  });
});

const byteChunk = (byte: number): (string | Uint8Array)[] => chunk(Uint8Array.of(byte));

describe('a large download', () => {
  // Random bytes do not compress, so most of the file is written before the connection breaks.
  const file = gzipSync(randomBytes(300_000));

  it.each<[string, Record<string, number>]>([
    ['with a Content-Length', { 'Content-Length': file.length }],
    ['in chunks', {}],
  ])('that is truncated %s is a broken connection', async (_, headers) => {
    const fault: Answer = (response) => {
      response.writeHead(200, headers);
      response.write(file.subarray(0, 200_000), () => response.destroy());
    };
    await expectFault('download', fault, BROKE);
  });
});

describe('a plain download that the end of its connection completes', () => {
  const stream = ['--tar', 'stream'];
  const truncated = half(CONTENT);

  it('is complete if its digest matches', async () => {
    const platform = await faultyPlatform(
      'download',
      raw(() => [untilClose, CONTENT]),
    );
    await expectStored(platform, stream);
  });

  it.each(['end', 'reset'] as const)(
    'is rejected when the %s of the connection truncates it',
    async (afterwards) => {
      const fault = raw(() => [untilClose, truncated], afterwards);
      const message = /^the bill does not match its MD5 digest$|broke/;
      await expectFault('download', fault, { code: 7, message }, stream);
    },
  );

  it('is stored with a warning without a digest', async () => {
    const platform = await scriptedPlatform({
      descriptor: { hash_value: undefined },
      download: raw(() => [untilClose, truncated]),
    });
    await expectStored(platform, stream, { content: truncated, verified: false });
  });

  it('is rejected before the download with --require-hash', async () => {
    const script = { descriptor: { hash_value: undefined } };
    const failure = { code: 7, message: /^the platform gave no digest/, transient: false };
    const giveDescriptor = raw((good) => [head(length(good.length)), good]);
    const args = [...stream, '--require-hash'];
    await expectFault('descriptor', giveDescriptor, failure, args, script);
  });
});
