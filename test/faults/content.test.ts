import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, it } from 'vitest';
import { type Answer, type BillScript, CONTENT, scriptedPlatform } from '../support/platform.ts';
import { expectFault, expectStored, type Fault, joined } from './support.ts';

const zipped = gzipSync(CONTENT);
const NO_DIGEST: BillScript = { descriptor: { hash_value: undefined } };

/** Sends a body with these headers. */
function body(content: string | Uint8Array, headers: Record<string, string> = {}): Answer {
  return (response) => response.writeHead(200, headers).end(content);
}

const coded = (coding: string, content: string | Uint8Array): Answer =>
  body(content, { 'Content-Encoding': coding });

describe('a page instead of a file, with status 200,', () => {
  const pages = [
    ['HTML', 'text/html', '<!doctype html><title>Log in</title>'],
    ['XML', 'application/xml', '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'],
  ] as const;

  it.each(pages)('%s, is rejected, and the message shows its beginning', async (_, type, page) => {
    const fault = body(page, { 'Content-Type': type });
    const start = page.slice(0, 12).replace('?', '\\?');
    const plain = new RegExp(
      `does not match its MD5 digest; it is not gzip but starts with "${start}`,
    );
    await expectFault('download', fault, { code: 7, message: plain });
    const unknown = new RegExp(`is not a bill; it is not gzip but starts with "${start}`);
    await expectFault('download', fault, { code: 7, message: unknown }, [], NO_DIGEST);
    const notGzip = new RegExp(`is not a gzip file but starts with "${start}`);
    await expectFault('download', fault, { code: 7, message: notGzip }, ['--keep-gzip']);
    const stream = { code: 7, message: /^the bill does not match its MD5 digest$/ };
    await expectFault('download', fault, stream, ['--tar', 'stream']);
  });

  it.each(pages)('%s, compressed like a bill, is rejected', async (_, type, page) => {
    const fault = body(gzipSync(page), { 'Content-Type': type });
    const message = /^the bill does not match its MD5 digest$/;
    await expectFault('download', fault, { code: 7, message });
  });

  // The documents do not define the format of a plain bill: it need not be CSV.
  it.each(pages)('%s, is stored as a plain bill without a digest', async (_, type, page) => {
    const download = body(page, { 'Content-Type': type });
    const platform = await scriptedPlatform({ ...NO_DIGEST, download });
    const content = Buffer.from(page);
    await expectStored(platform, ['--tar', 'stream'], { content, verified: false });
  });

  it.each(pages)(
    '%s, is not a JSON envelope, and the message shows its beginning',
    async (_, type, page) => {
      const message = new RegExp(
        `HTTP 200 \\(${type}\\) with a body that is not a JSON envelope: "<`,
      );
      await expectFault('descriptor', body(page, { 'Content-Type': type }), { code: 5, message });
    },
  );
});

describe('an empty body with status 200', () => {
  it('is not a bill', async () => {
    const fault = { code: 7, message: /it is not gzip but empty|is not a gzip file but empty/ };
    await expectFault('download', body(''), fault);
    await expectFault('download', body(''), fault, [], NO_DIGEST);
    await expectFault('download', body(''), fault, ['--keep-gzip']);
  });

  it('is not a JSON envelope', async () => {
    await expectFault('descriptor', body(''), { code: 5, message: /an empty body/ });
  });
});

const TRUNCATED: Fault = {
  code: 7,
  message: /^the download is truncated: the compressed data ends too early$/,
};
const CORRUPT: Fault = {
  code: 7,
  message: /^the download is corrupt: the compressed data is not valid$/,
};
const MISMATCH: Fault = { code: 7, message: /^the bill does not match its MD5 digest$/ };

/** The gzip file with one flipped bit, at an offset from its end. */
function damaged(fromEnd: number): Buffer {
  const copy = Buffer.from(zipped);
  const at = copy.length - fromEnd;
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
}

describe('a gzip file', () => {
  it.each<[string, Uint8Array, Fault]>([
    ['truncated in its header', zipped.subarray(0, 5), TRUNCATED],
    ['truncated after its header', zipped.subarray(0, 10), TRUNCATED],
    ['truncated in its data', zipped.subarray(0, zipped.length / 2), TRUNCATED],
    ['truncated before its checksum', zipped.subarray(0, -8), TRUNCATED],
    ['truncated before its last byte', zipped.subarray(0, -1), TRUNCATED],
    ['with a wrong method', Buffer.from(zipped).fill(7, 2, 3), CORRUPT],
    ['with a wrong checksum', damaged(8), CORRUPT],
    ['with a wrong length', damaged(4), CORRUPT],
    ['followed by garbage', joined(zipped, 'garbage'), CORRUPT],
    ['followed by a truncated member', joined(zipped, zipped.subarray(0, 20)), TRUNCATED],
    ['followed by a damaged member', joined(zipped, damaged(8)), CORRUPT],
    ['compressed twice', gzipSync(zipped), MISMATCH],
  ])('%s is rejected, with and without a digest', async (_, file, failure) => {
    await expectFault('download', body(file), failure);
    await expectFault('download', body(file), failure, ['--keep-gzip']);
    if (failure !== MISMATCH) await expectFault('download', body(file), failure, [], NO_DIGEST);
  });

  it('with a damaged byte in its data is rejected', async () => {
    const file = Buffer.from(zipped);
    file.writeUInt8(file.readUInt8(15) ^ 0xff, 15);
    const message = /corrupt|truncated|does not match/;
    await expectFault('download', body(file), { code: 7, message });
  });

  it('is rejected when garbage arrives later', async () => {
    const fault: Answer = (response) =>
      response.write(zipped, () => setImmediate(() => response.end('garbage')));
    await expectFault('download', fault, CORRUPT);
  });

  it('without its first byte is not recognised', async () => {
    const message = /it is not gzip but starts with "./;
    await expectFault('download', body(zipped.subarray(1)), { code: 7, message });
  });

  const members = [...CONTENT].map((byte) => gzipSync(Uint8Array.of(byte)));
  it.each<[string, Answer]>([
    [
      'of two members',
      body(joined(gzipSync(CONTENT.subarray(0, 10)), gzipSync(CONTENT.subarray(10)))),
    ],
    ['of a member for each byte', body(joined(...members))],
    ['of members without content', body(joined(gzipSync(''), zipped, gzipSync('')))],
    ['padded with zeros', body(joined(zipped, Buffer.alloc(1000)))],
    [
      'sent one member at a time',
      async (response) => {
        for (const member of members) {
          await new Promise((resolve) => response.write(member, resolve));
        }
        response.end();
      },
    ],
  ])('%s is read completely', async (_, download) => {
    await expectStored(await scriptedPlatform({ download }));
    await expectStored(await scriptedPlatform({ ...NO_DIGEST, download }), [], { verified: false });
  });
});

describe('a Content-Encoding of the download', () => {
  const twice = gzipSync(zipped);

  it.each<[string, Answer]>([
    ['gzip', coded('gzip', twice)],
    ['GZIP', coded('GZIP', twice)],
    ['x-gzip', coded('x-gzip', twice)],
    ['deflate', coded('deflate', deflateSync(zipped))],
    ['br', coded('br', brotliCompressSync(zipped))],
    ['identity', coded('identity', zipped)],
    // The server declared the compression of the file as the coding.
    ['gzip for the file itself', coded('gzip', zipped)],
  ])('%s is decoded', async (_, download) => {
    await expectStored(await scriptedPlatform({ download }));
  });

  it.each<[string, Answer, Fault]>([
    ['truncated gzip', coded('gzip', twice.subarray(0, -4)), TRUNCATED],
    ['gzip of a truncated file', coded('gzip', gzipSync(zipped.subarray(0, -4))), TRUNCATED],
    ['gzip declared for plain content', coded('gzip', CONTENT), CORRUPT],
    ['gzip followed by garbage', coded('gzip', joined(twice, 'garbage')), CORRUPT],
    ['deflate without its header', coded('deflate', deflateRawSync(zipped)), CORRUPT],
    ['truncated br', coded('br', brotliCompressSync(zipped).subarray(0, -4)), TRUNCATED],
    ['an empty body declared as gzip', coded('gzip', ''), TRUNCATED],
    ...['zstd', 'compress', 'gzip, gzip', 'none'].map((coding): [string, Answer, Fault] => [
      coding,
      coded(coding, zipped),
      { code: 5, message: new RegExp(`Content-Encoding is "${coding}"`) },
    ]),
  ])('%s is rejected', async (_, fault, failure) => {
    await expectFault('download', fault, failure);
  });

  it.each<[string, Answer]>([
    ['br declared for plain content', coded('br', CONTENT)],
    ['deflate with a dictionary', coded('deflate', deflateSync(zipped, { dictionary: CONTENT }))],
  ])('%s is rejected', async (_, fault) => {
    await expectFault('download', fault, CORRUPT);
  });
});

describe('a Content-Encoding of the descriptor', () => {
  const answer: Answer = (response, _number, _request, good) =>
    response.setHeader('Content-Encoding', 'gzip').end(gzipSync(good));

  it('is decoded, as in any answer to a call', async () => {
    await expectStored(await scriptedPlatform({ call: answer }));
  });
});
