import { buffer } from 'node:stream/consumers';
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
} from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { MopError } from '../../src/errors.ts';
import { checkRows } from '../support/rows.ts';
import { serve } from '../support/server.ts';
import { fetchText, get, transport } from './support.ts';

const TEXT = '{"code":0,"name":"名字","n":1.0}'.repeat(5000);
const gzipped = gzipSync(TEXT);
const brotli = brotliCompressSync(TEXT);

/** A server that sends these bytes with this Content-Encoding. */
async function coded(coding: string | string[], body: Uint8Array | string, status = 200) {
  const { url, requests } = await serve((_, response) =>
    response.writeHead(status, { 'Content-Encoding': coding }).end(body),
  );
  return { url, requests };
}

async function failureOf(exchange: Promise<unknown>): Promise<MopError> {
  const error = await exchange.then(
    () => expect.fail('it succeeded'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(MopError);
  return error as MopError;
}

describe('a Content-Encoding', () => {
  it('is not requested', async () => {
    const { url, requests } = await coded('gzip', gzipped);
    await fetchText(url);
    expect(requests[0]?.headers['accept-encoding']).toBe('identity');
  });

  it('is decoded', () =>
    checkRows<readonly [coding: string | string[], body: Uint8Array, text?: string]>(
      [
        ['gzip', gzipped],
        [' GZip ', gzipped],
        ['x-gzip', gzipped],
        ['gzip', Buffer.concat([gzipSync('one,'), gzipSync('two')]), 'one,two'],
        ['br', brotli],
        ['deflate', deflateSync(TEXT)],
        ['deflate', deflateSync(TEXT, { level: 0 })],
        ['deflate', deflateRawSync(TEXT)],
        ['deflate', deflateRawSync(TEXT, { level: 0 })],
        ['identity', Buffer.from(TEXT)],
        ['', Buffer.from(TEXT)],
        ['', gzipped],
        ['identity', gzipped],
        ['identity', Buffer.of(0x1f), '\u001f'],
        ['none', Buffer.from(TEXT)],
        ['gzip, br', brotliCompressSync(gzipped)],
        [['gzip', 'br'], brotliCompressSync(gzipped)],
        ['identity,gzip', gzipped],
        ...['gzip', 'br', 'deflate'].map((coding) => [coding, Buffer.alloc(0), ''] as const),
      ],
      async ([coding, body, text = TEXT]) => {
        const { url } = await coded(coding, body);
        expect(await fetchText(url)).toBe(text);
      },
      ([coding, body]) => `${coding} of ${body.length} bytes`,
    ));

  it('that is not supported is reported with a hint', () =>
    checkRows(['zstd', 'compress', 'gzip, zstd', 'x-none', 'gzip,gzip,gzip'], async (coding) => {
      const { url } = await coded(coding, gzipped);
      const { code, message, details } = await failureOf(fetchText(url));
      expect({ code, message }).toEqual({
        code: 'api',
        message: `${new URL(url).host} answered with the Content-Encoding ${JSON.stringify(coding)}, which is not supported`,
      });
      expect(details).toMatchObject({
        httpStatus: 200,
        hint: expect.stringContaining('gzip, deflate and br'),
      });
    }));

  it('with invalid content is an error', () =>
    checkRows<[coding: string, body: Uint8Array | string, code: string, message: RegExp]>(
      [
        [
          'gzip',
          gzipped.subarray(0, -4),
          'network',
          /sent compressed data \("gzip"\) that ends too/,
        ],
        ['gzip', gzipped.subarray(0, 5), 'network', /ends too early/],
        ['br', brotli.subarray(0, -4), 'network', /ends too early/],
        ['deflate', deflateSync(TEXT).subarray(0, -4), 'network', /ends too early/],
        ['gzip', TEXT, 'api', /sent compressed data that is not valid "gzip"/],
        ['gzip', Buffer.concat([gzipped, Buffer.from('garbage')]), 'api', /not valid/],
        ['br', TEXT, 'api', /not valid "br"/],
        ['deflate', TEXT, 'api', /not valid "deflate"/],
        ['gzip, br', brotli, 'api', /not valid "gzip, br"/],
      ],
      async ([coding, body, code, message]) => {
        const { url } = await coded(coding, body);
        const error = await failureOf(fetchText(url));
        expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)]);
        expect(error.details.hint).toMatch(/./);
      },
    ));

  it('does not hide the status of a failure', () =>
    checkRows<[coding: string, body: Uint8Array | string, text: string]>(
      [
        ['gzip', gzipSync('busy'), 'busy'],
        ['gzip', 'busy', 'busy'],
        ['gzip', gzipSync('busy').subarray(0, 9), ''],
        ['zstd', gzipped, '(compressed with "zstd")'],
      ],
      async ([coding, body, expected]) => {
        const { url } = await coded(coding, body, 503);
        const { status, text } = await transport().sendForText(get(url));
        expect({ status, text }).toEqual({ status: 503, text: expected });
      },
    ));

  it('is decoded up to the limit of the answer', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 ** 2));
    await checkRows(
      [
        ['gzip', bomb],
        ['gzip, gzip', gzipSync(bomb)],
      ],
      async ([coding, body]) => {
        const { url } = await coded(coding, body);
        expect(await failureOf(fetchText(url))).toMatchObject({
          code: 'api',
          message: `${new URL(url).host} answered with more than 16 MiB`,
        });
      },
      ([coding]) => coding,
    );
  });

  it('is kept with skipDecoding', async () => {
    const { url } = await coded('gzip', gzipped);
    const { body } = await transport().send({ ...get(url), skipDecoding: true });
    expect(await buffer(body)).toEqual(gzipped);
  });

  it('does not delay flushed parts of a stream', () =>
    checkRows<[coding: string, encoder: () => ReturnType<typeof createGzip>]>(
      [
        ['gzip', () => createGzip({ flush: constants.Z_SYNC_FLUSH })],
        ['br', () => createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH }) as never],
      ],
      async ([coding, encoder]) => {
        const encoding = encoder();
        const { url } = await serve((_, response) => {
          response.setHeader('Content-Encoding', coding);
          encoding.pipe(response);
          encoding.write('one');
        });
        const response = await transport().send({ ...get(url), isStream: true });
        const parts = response.body[Symbol.asyncIterator]();
        // Each part arrives before the next one is sent.
        for (const part of ['one', 'two', 'three']) {
          const { value } = await parts.next();
          expect(Buffer.from(value).toString()).toBe(part);
          encoding.write({ one: 'two', two: 'three' }[part] ?? 'four');
        }
        response.discard();
      },
      ([coding]) => coding,
    ));
});
