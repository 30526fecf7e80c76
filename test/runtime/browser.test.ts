/** The runtime of browsers gives the results of the runtime of Node. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as browserDecompress from '../../src/runtime/browser/decompress.ts';
import * as browserDigests from '../../src/runtime/browser/digests.ts';
import * as browserMd5 from '../../src/runtime/browser/md5.ts';
import { decompress } from '../../src/runtime/decompress.ts';
import { type HashName, hasHash, hashHex, hmacHex } from '../../src/runtime/digests.ts';
import { md5Hex } from '../../src/runtime/md5.ts';
import { CHARACTER } from '../support/character.ts';

const NAMES: readonly HashName[] = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sm3'];

const data = fc.oneof(fc.string({ unit: CHARACTER }), fc.uint8Array({ maxLength: 200 }));

describe('digests', () => {
  it.each(NAMES.filter(hasHash))('%s', (name) => {
    fc.assert(
      fc.property(data, data, (key, message) => {
        expect(browserDigests.hashHex(name, message)).toBe(hashHex(name, message));
        expect(browserDigests.hmacHex(name, key, message)).toBe(hmacHex(name, key, message));
      }),
      { numRuns: 50 },
    );
  });

  it('md5 alone, also of a lone surrogate', () => {
    for (const message of ['', 'a\ud800b', '李', new Uint8Array([0, 255])]) {
      expect(browserMd5.md5Hex(message)).toBe(md5Hex(message));
    }
  });

  it('has every hash', () => {
    expect(NAMES.every(browserDigests.hasHash)).toBe(true);
  });
});

describe('decompression', () => {
  const content = Buffer.from('{"a":1}'.repeat(3000));
  const codings = [
    ['gzip', gzipSync(content)],
    ['x-gzip', gzipSync(content)],
    ['deflate', deflateSync(content)],
    ['deflate', deflateRawSync(content)],
  ] as const;

  it.each(codings)('of %s', (coding, bytes) => {
    const expected = decompress(coding, bytes, content.length);
    expect(browserDecompress.decompress(coding, bytes, content.length)).toEqual(expected);
    expect(() => browserDecompress.decompress(coding, bytes, content.length - 1)).toThrow();
    expect(() => browserDecompress.decompress(coding, bytes.subarray(0, 20), 1e6)).toThrow();
    expect(() => browserDecompress.decompress(coding, new Uint8Array(0), 1e6)).toThrow();
  });

  it('names the command for br', () => {
    const bytes = brotliCompressSync(content);
    expect(() => browserDecompress.decompress('br', bytes, 1e6)).toThrow('mop sign verify');
  });
});
