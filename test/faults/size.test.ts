import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { AtomicFile } from '../../src/files/atomic-file.ts';
import { type Answer, CONTENT, md5, scriptedPlatform } from '../support/platform.ts';
import { expectFault, expectStored, type Fault } from './support.ts';

const LIMIT = 1_000_000;
const ARGS = ['--max-bytes', String(LIMIT)];
const TOO_LARGE: Fault = {
  code: 7,
  message: new RegExp(`^the bill is larger than ${LIMIT} bytes$`),
  hint: /max-bytes/,
  // A retry would return the same size.
  transient: false,
};

/** 20 MiB of zeros in 20 KiB: more than an answer to the call may have. */
const BOMB = gzipSync(Buffer.alloc(20 * 1024 * 1024));

function body(content: Uint8Array, headers: Record<string, string> = {}): Answer {
  return (response) => response.writeHead(200, headers).end(content);
}

/** Sends the same piece repeatedly, after a start, until the client closes the connection. */
function endless(
  piece: Uint8Array,
  headers: Record<string, string> = {},
  start: Uint8Array = Buffer.alloc(0),
): Answer {
  return async (response) => {
    response.writeHead(200, headers).write(start);
    while (!response.destroyed) {
      await new Promise((resolve) => response.write(piece, resolve));
      await setImmediate();
    }
  };
}

const CODED = { 'Content-Encoding': 'gzip' };

describe('a bill that is larger than --max-bytes', () => {
  const written = vi.spyOn(AtomicFile.prototype, 'write');
  afterEach(() => {
    written.mockClear();
  });
  afterAll(() => written.mockRestore());

  it.each<[string, Answer, readonly string[]]>([
    ['a gzip bomb', body(BOMB), []],
    ['a gzip bomb with --keep-gzip', body(BOMB), ['--keep-gzip']],
    ['a gzip bomb as Content-Encoding', body(BOMB, CODED), []],
    ['a gzip bomb, compressed again as Content-Encoding', body(gzipSync(BOMB), CODED), []],
    ['a gzip bomb as Content-Encoding of a stream', body(BOMB, CODED), ['--tar', 'stream']],
    ['an endless gzip file', endless(gzipSync(Buffer.alloc(10_000))), []],
    ['an endless stream', endless(Buffer.alloc(10_000, 'x')), ['--tar', 'stream']],
  ])('stops the download: %s', async (_, fault, args) => {
    await expectFault('download', fault, TOO_LARGE, [...ARGS, ...args]);
    const bytes = written.mock.calls.map(([chunk]) => chunk.length);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(2 * LIMIT);
  });

  it('is detected at the exact byte', async () => {
    const platform = await scriptedPlatform();
    const { length } = CONTENT;
    await expectStored(platform, ['--max-bytes', String(length)]);
    const failure = { ...TOO_LARGE, message: new RegExp(`larger than ${length - 1} bytes`) };
    await expectFault('download', body(gzipSync(CONTENT)), failure, [
      '--max-bytes',
      String(length - 1),
    ]);
  });

  /** The header of a gzip file with these flags, and the bytes that continue it without content. */
  const endlessAfter = (flags: number, start: string, piece: Uint8Array): Answer => {
    const header = Uint8Array.of(0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3);
    return endless(piece, {}, Buffer.concat([header, Buffer.from(start, 'hex')]));
  };
  const text = Buffer.alloc(10_000, 'x');

  it.each<[string, Answer]>([
    ['members', endless(Buffer.concat(new Array(500).fill(gzipSync(''))))],
    // A stored block of length 0 that is not the last.
    ['blocks', endlessAfter(0, '', Buffer.alloc(10_000, Uint8Array.of(0, 0, 0, 0xff, 0xff)))],
    ['a file name', endlessAfter(0x08, '', text)],
    ['a comment after an extra field', endlessAfter(0x14, '020078', text)],
    ['zeros after the content', endless(Buffer.alloc(10_000), {}, gzipSync(CONTENT))],
    ['garbage after the content', endless(text, {}, gzipSync(CONTENT))],
  ])('stops the download: an endless gzip file of %s without content', async (_, fault) => {
    const small = ['--max-bytes', '1000'];
    const failure = { ...TOO_LARGE, message: /^the bill is larger than 1000 bytes$/ };
    await expectFault('download', fault, failure, small);
    const noDigest = { descriptor: { hash_value: undefined } };
    await expectFault('download', fault, failure, small, noDigest);
  });

  it('stops the download: an endless gzip file without content, kept compressed', async () => {
    const member = gzipSync('');
    const nothing = Buffer.alloc(100_000 * member.length, member);
    const descriptor = { hash_value: md5(Buffer.alloc(0)) };
    const args = [...ARGS, '--keep-gzip'];
    await expectFault('download', body(nothing), TOO_LARGE, args, { descriptor });
  });
});

describe('an answer to the call', () => {
  it.each<[string, Answer, RegExp]>([
    ['a gzip bomb as Content-Encoding', body(BOMB, CODED), /more than 16 MiB/],
    ['an endless text', endless(Buffer.alloc(65_536, ' ')), /more than 16 MiB/],
    [
      'JSON of a million brackets',
      body(Buffer.from(`{"code":0,"data":${'['.repeat(1_000_000)}`)),
      /a body that is not a JSON envelope/,
    ],
  ])('is read up to its limit: %s', async (_, fault, message) => {
    await expectFault('descriptor', fault, { code: 5, message });
  });
});
