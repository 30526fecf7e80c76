import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
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
  // GBK: 系统繁忙.
  const busy = Buffer.from([0xcf, 0xb5, 0xcd, 0xb3, 0xb7, 0xb1, 0xc3, 0xa6]);
  const gbkPage = joined('<html><head><title>x</title></head><body>', busy, '</body></html>');
  const pages: [string, string, string | Uint8Array, string][] = [
    ['HTML', 'text/html', '<!doctype html><title>Log in</title>', 'an HTML page: "Log in"'],
    ['HTML in GBK', 'text/html', gbkPage, 'an HTML page: "系统繁忙"'],
    [
      'XML',
      'application/xml',
      '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>',
      'an XML document: "<',
    ],
    ['white space', 'text/csv', '\r\n\r\n  \n', 'empty'],
    [
      'a page after blank lines',
      '',
      `${'\r\n'.repeat(9)}<html>busy</html>`,
      'an HTML page: "busy"',
    ],
    ['binary data', '', 'GIF89a\0\0\0\0\0\0', 'binary data'],
    ['JSON', 'application/json', '{"code":1001,"message":"busy"}', 'a JSON document: "{'],
    ['a ZIP archive', 'application/zip', 'PK\x03\x04\x14\0\0\0\x08\0bill.csv', 'a ZIP archive'],
    [
      'a workbook',
      'application/zip',
      'PK\x03\x04\x14\0\0\0\x08\0[Content_Types].xml',
      'an Excel workbook',
    ],
    [
      'an old workbook',
      '',
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      'an Excel workbook of the old format',
    ],
  ];

  const faultWith = (text: string, shown: string): Fault => ({
    code: 7,
    message: new RegExp(text + shown.replace(/[[\](){}?*+.^$|\\]/g, '\\$&')),
  });

  it.each(pages)('%s, is rejected, and the message shows it', async (_, type, page, shown) => {
    const fault = faultWith('does not match its MD5 digest; it is not gzip but ', shown);
    await expectFault('download', body(page, { 'Content-Type': type }), fault);
  });

  it.each<[string, string, readonly string[], BillScript?]>([
    ['as a stream', 'does not match its MD5 digest; it is ', ['--tar', 'stream']],
    ['kept as gzip', 'is not a gzip file; it is not gzip but ', ['--keep-gzip']],
    ['without a digest', 'the download is not a bill; it is not gzip but ', [], NO_DIGEST],
    [
      'as a stream without a digest',
      'the download is not a bill; it is ',
      ['--tar', 'stream'],
      NO_DIGEST,
    ],
  ])('%s, is rejected', async (_, text, args, script) => {
    for (const [, type, page, shown] of pages.slice(0, 2)) {
      const download = body(page, { 'Content-Type': type });
      await expectFault('download', download, faultWith(text, shown), args, script);
    }
  });

  it.each(pages)('%s, compressed like a bill, is rejected', async (_, type, page, shown) => {
    const fault = body(gzipSync(page), { 'Content-Type': type });
    await expectFault('download', fault, faultWith('is not a bill; it is ', shown), [], NO_DIGEST);
  });

  it.each(['<id>,amount\n1,2\n', '{id},amount\n1,2\n', 'id\n', '\ufeffid,amount\n'])(
    '%j may be a bill',
    async (content) => {
      const download = body(gzipSync(content));
      const platform = await scriptedPlatform({ ...NO_DIGEST, download });
      await expectStored(platform, [], { content: Buffer.from(content), verified: false });
    },
  );

  it.each(pages)(
    '%s, is stored without a digest if any content is accepted',
    async (_, type, page) => {
      const download = body(page, { 'Content-Type': type });
      const platform = await scriptedPlatform({ ...NO_DIGEST, download });
      const stored = { content: Buffer.from(page), verified: false };
      await expectStored(platform, ['--accept-any-content'], stored);
    },
  );

  it.each(pages.filter(([, , page]) => Buffer.from(page).toString('latin1', 0, 1) === '<'))(
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
    const fault = { code: 7, message: /it is not gzip but empty/ };
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
const TWICE: Fault = {
  code: 7,
  message: /(?:match its MD5 digest|is not a bill); it is a gzip file$/,
};

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
    ['followed by a truncated member', joined(zipped, zipped.subarray(0, 20)), TRUNCATED],
    ['followed by a damaged member', joined(zipped, damaged(8)), CORRUPT],
    ['compressed twice', gzipSync(zipped), TWICE],
  ])('%s is rejected, with and without a digest', async (_, file, failure) => {
    await expectFault('download', body(file), failure);
    await expectFault('download', body(file), failure, ['--keep-gzip']);
    await expectFault('download', body(file), failure, [], NO_DIGEST);
  });

  it('with a damaged byte in its data is rejected', async () => {
    const file = Buffer.from(zipped);
    file.writeUInt8(file.readUInt8(15) ^ 0xff, 15);
    const message = /corrupt|truncated|does not match/;
    await expectFault('download', body(file), { code: 7, message });
  });

  it.each<[string, Answer]>([
    ['at once', body(joined(zipped, 'garbage'))],
    [
      'later',
      (response) => response.write(zipped, () => setImmediate(() => response.end('garbage'))),
    ],
  ])(
    'followed by garbage %s is accepted with a warning if its digest matches',
    async (_, download) => {
      const { stderr } = await expectStored(await scriptedPlatform({ download }), [], {
        quiet: false,
      });
      expect(stderr).toContain('7 bytes after the gzip file of the ');
      const message = /^7 bytes follow the gzip file, and no digest proves its content$/;
      await expectFault('download', download, { code: 7, message }, [], NO_DIGEST);
    },
  );

  it('without its first byte is not recognised', async () => {
    const message = /it is not gzip but (?:binary data|starts with ".)/;
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
