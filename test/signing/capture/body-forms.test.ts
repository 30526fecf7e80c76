import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { signBody } from '../../../src/signing/body-mode.ts';
import { assertObject } from '../../../src/signing/capture/decoding.ts';
import { readCapture } from '../../../src/signing/capture/read-capture.ts';
import { signHeaders } from '../../../src/signing/header-mode.ts';
import { hasRightSignature, verifySignature } from '../../../src/signing/verification/verify.ts';
import { fakeSource, usageError } from '../helpers.ts';

const SANDBOX = { apiKey: 'sandbox', secret: 'sandbox-secret' };
const BODY = signBody('{"city":"杭州","n":1}', SANDBOX, {}, fakeSource).body;
const SIGNED = signHeaders('{"city":"杭州"}', SANDBOX, {}, fakeSource);
const HEADERS = Object.entries(SIGNED.headers).map(([name, value]) => `${name}: ${value}`);
const WITHOUT_SIGN = HEADERS.filter((line) => !line.startsWith('X-TMS-Sign:'));
const JSON_TYPE = 'Content-Type: application/json';

function message(body: string | Uint8Array, ...headers: readonly string[]): Uint8Array {
  const head = ['POST /open/v1/x HTTP/1.1', 'Host: host', ...headers, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
}

async function verified(request: Uint8Array) {
  const capture = await readCapture(request);
  return { capture, verdict: verifySignature(capture, SANDBOX.secret, { now: 1_795_132_800 }) };
}

/** GBK of 杭州. */
const HANGZHOU_GBK = Uint8Array.of(0xba, 0xbc, 0xd6, 0xdd);
const bytes = (...parts: readonly (string | Uint8Array)[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));
const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('reports a request in a form that the platform rejects:', () => {
  it.each<[form: string, body: string | Uint8Array, message: string]>([
    ['nothing', '', 'the body is empty'],
    ['a byte order mark', `\ufeff${BODY}`, 'the body begins with a byte order mark (EF BB BF)'],
    ['UTF-16LE with a mark', Buffer.from(`\ufeff${BODY}`, 'utf16le'), 'the body is UTF-16, not UTF-8'],
    ['UTF-16LE', Buffer.from(BODY, 'utf16le'), 'the body is UTF-16, not UTF-8'],
    ['UTF-16BE', swapped(BODY), 'the body is UTF-16, not UTF-8'],
    ['GBK', bytes('{"city":"', HANGZHOU_GBK, '"}'), 'the body is not UTF-8 text; it looks like GBK'],
    ['Latin-1', Buffer.from('{"city":"Zoë und Käthe"}', 'latin1'), 'the body is not UTF-8 text; it looks like Latin-1 or a code page of Windows'],
    ['Latin-1 in its last value', Buffer.from('{"city":"é"}', 'latin1'), 'the body is not UTF-8 text; it looks like Latin-1 or a code page of Windows'],
    ['half a character', Buffer.from('{"city":"杭').subarray(0, -1), 'the body is cut off within a character'],
    ['gzip without its header', gzipSync(BODY), 'the body is compressed with gzip; Content-Encoding is missing'],
    ['a cut string', BODY.slice(0, -3), `the body is not JSON: it is cut off after ${Buffer.byteLength(BODY) - 3} bytes`],
    ['a cut object', '{"a":1,"b":{"c":2}', 'the body is not JSON: it is cut off after 18 bytes'],
    ['a cut literal', '{"a":', 'the body is not JSON: it is cut off after 5 bytes'],
    ['JSON twice', JSON.stringify(BODY), 'the body is JSON encoded twice: a string that contains the object'],
    ['a string', '"a"', 'the body is JSON, but not an object (it is a string)'],
    ['null', 'null', 'the body is JSON, but not an object (it is null)'],
    ['true', 'true', 'the body is JSON, but not an object (it is a boolean)'],
    ['a number', '12', 'the body is JSON, but not an object (it is a number)'],
    ['a list', `[${BODY}]`, 'the body is a list of one object, not an object'],
    ['a longer list', `[${BODY},${BODY}]`, 'the body is a list of 2 values, not an object'],
    ['an empty list', '[]', 'the body is JSON, but not an object (it is an array)'],
    ['JSON lines', `${BODY}\n${BODY}\n`, 'the body contains several JSON documents, the second one at line 2 column 1'],
    ['Python', `{'city': '杭州', 'n': None}`, 'the body is not JSON: it contains strings in single quotes, as Python prints a dict at line 1 column 2'],
    ['JavaScript', `{'city':'杭州'}`, 'the body is not JSON: it contains strings in single quotes at line 1 column 2'],
    ['None', '{"a":None}', 'the body is not JSON: it contains Python values (None, True, False) at line 1 column 6'],
    ['NULL', '{"a":NULL}', 'the body is not JSON: it contains null, true or false in another case at line 1 column 6'],
    ['NaN', '{"a":NaN}', 'the body is not JSON: it contains a number that JSON does not have (NaN, Infinity) at line 1 column 6'],
    ['Infinity', '{"a":-Infinity}', 'the body is not JSON: it contains a number that JSON does not have (NaN, Infinity) at line 1 column 6'],
    ['undefined', '{"a":undefined}', 'the body is not JSON: it contains the JavaScript value undefined at line 1 column 6'],
    ['typographic quotes', '{“a”:1}', 'the body is not JSON: it contains typographic quotes at line 1 column 2'],
    ['a trailing comma', '{"a":1, }', 'the body is not JSON: it contains a comma before the end of an object or a list at line 1 column 9'],
    ['a comma in a list', '{"a":[1,]}', 'the body is not JSON: it contains a comma before the end of an object or a list at line 1 column 9'],
    ['a comment', '{"a":1 // one\n}', 'the body is not JSON: it contains a comment at line 1 column 8'],
    ['a comment before a name', '{/* one */"a":1}', 'the body is not JSON: it contains a comment at line 1 column 2'],
    ['bare names', '{a:1}', 'the body is not JSON: it contains names without quotes at line 1 column 2'],
    ['a map of Java', '{city=杭州, n=1}', 'the body is not JSON: it contains a map as Java prints it (name=value) at line 1 column 2'],
    ['a hash of Ruby', '{"a"=>1}', 'the body is not JSON: it contains a hash as Ruby or PHP prints it (=>) at line 1 column 5'],
    ['the name of an object', '[object Object]', 'the body is not JSON: it contains the name of an object instead of its content at line 1 column 2'],
    ['a placeholder', '{"a":{{timestamp}}}', 'the body is not JSON: it contains a placeholder that was not replaced at line 1 column 7'],
    ['a shell variable', '{"a":$NOW}', 'the body is not JSON: it contains a placeholder that was not replaced at line 1 column 6'],
    ['a leading zero', '{"a":007}', 'the body is not JSON: it contains a number that JSON does not allow at line 1 column 7'],
    ['a leading point', '{"a":.5}', 'the body is not JSON: it contains a number that JSON does not allow at line 1 column 6'],
    ['a raw line break', '{"a":"b\nc"}', 'the body is not JSON: it contains a line break or another control character in the string at line 1 column 6'],
    ['an unknown escape', '{"a":"\\x41"}', 'the body is not JSON: a string with an invalid escape at line 1 column 6'],
    ['XML', '<?xml version="1.0"?><a/>', 'the body is XML or HTML, not JSON'],
    ['Base64', Buffer.from(BODY).toString('base64'), 'the body is JSON encoded as Base64'],
    ['text', 'hello', 'the body is neither JSON nor a form'],
    ['too many fields', JSON.stringify(Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`f${n}`, n]))), 'the body has more than 10,000 fields'],
  ])('%s', async (_, body, text) => {
    await expect(verified(message(body, JSON_TYPE))).rejects.toEqual(
      usageError(`read as an HTTP message: ${text}`),
    );
  }); // biome-ignore format: a table

  it.each<[form: string, request: Uint8Array, message: string]>([
    ['a multipart form without its boundary', message('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--', 'Content-Type: multipart/form-data', ...HEADERS), 'Content-Type is multipart/form-data without a boundary'],
    ['a urlencoded form', message('api_key=a&n=1&sign=AB', 'Content-Type: application/x-www-form-urlencoded'), 'the body is a form with the field sign, but body mode requires JSON'],
    ['fields in the address', Buffer.from(`POST /x?lat=1&lng=2 HTTP/1.1\r\n${HEADERS.join('\r\n')}\r\n\r\n`), 'the body is empty, and the address has the fields "lat, lng"'],
    ['the signature of header mode in the body', message('{"city":"杭州","sign":"AB"}', ...WITHOUT_SIGN), 'the signature is in the body (field sign), but the other protocol fields are in X-TMS-* headers'],
    ['the signature in another header', message(SIGNED.body ?? '', ...WITHOUT_SIGN, `X-Other: ${SIGNED.sign}`), 'the request has no header X-TMS-Sign; the header X-Other may contain the signature'],
    ['no signature but headers', message(SIGNED.body ?? '', ...WITHOUT_SIGN), 'the request has X-TMS-Sign-Ver and 4 more X-TMS-* headers, but no X-TMS-Sign'],
    ['a header twice', message(SIGNED.body ?? '', ...HEADERS, 'x-tms-nonce: generated!'), 'the request has the same header twice: X-TMS-Nonce and x-tms-nonce'],
    ['a wrapper', message(`{"data":${BODY}}`), 'the request is wrapped: its fields and its signature are in "data", not at the top of the body'],
    ['a wrapper of text', message(JSON.stringify({ data: BODY, n: 1 })), 'the request is wrapped: its fields and its signature are in "data", not at the top of the body'],
    ['a wrapper of a list', message(`{"list":[${BODY}]}`), 'the request is wrapped: its fields and its signature are in a list in "list", not at the top of the body'],
    ['another name', message('{"api_key":"a","Sign":"AB"}'), 'the request carries no field sign; the field "Sign" may contain the signature'],
    ['no signature', message('{"api_key":"a"}'), 'the request carries no signature'],
    ['a null signature', message('{"api_key":"a","sign":null}'), 'the signature (sign) is null'],
  ])('%s', async (_, request, text) => {
    await expect(verified(request)).rejects.toEqual(usageError(text));
  }); // biome-ignore format: a table
});

it('a body of more than 64 MiB is refused before it is read', () => {
  const text = `{"a":"${' '.repeat(64 * 1024 ** 2)}"}`;
  expect(() => assertObject(text, 'the text', 'json')).toThrow(
    usageError('read as a JSON body: the text has more than 64 MiB'),
  );
});

describe('a compressed body', () => {
  const note =
    'the body is compressed (Content-Encoding: "CODING"); the documents do not say whether the platform accepts that';

  it.each([
    ['gzip', gzipSync(BODY)],
    ['deflate', deflateSync(BODY)],
    ['deflate', deflateRawSync(BODY)],
    ['br', brotliCompressSync(BODY)],
    ['gzip, br', brotliCompressSync(gzipSync(BODY))],
  ])('by %s is decompressed', async (coding, body) => {
    const { capture, verdict } = await verified(message(body, `Content-Encoding: ${coding}`));
    expect(capture).toMatchObject({ body: BODY, notes: [note.replace('CODING', coding)] });
    expect(hasRightSignature(verdict)).toBe(true);
  });

  it.each([
    ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), 'mop decodes gzip, deflate and br'],
    ['gzip, gzip, gzip', gzipSync(BODY), 'mop decodes gzip, deflate and br'],
    ['gzip', gzipSync(BODY).subarray(0, 40), 'unexpected end of file'],
    ['gzip', gzipSync(Buffer.alloc(9 * 1024 * 1024)), 'Cannot create a Buffer larger than 8388608 bytes'],
  ])('by %s that cannot be decompressed is rejected', async (coding, body, reason) => {
    await expect(verified(message(body, `Content-Encoding: ${coding}`))).rejects.toEqual(
      usageError(`(Content-Encoding: "${coding}"), but cannot be decompressed: ${reason}`),
    );
  }); // biome-ignore format: a table
});

it.each([
  ['question marks', '{"city":"??","sign":"AB"}', '"\\"??\\""'],
  ['replacement characters', '{"city":"a\ufffd","sign":"AB"}', '"\\"a�"'],
])('notes lost characters in the form of %s', async (_, body, lost) => {
  const { capture } = await verified(message(body, JSON_TYPE));
  expect(capture.notes).toEqual([
    expect.stringContaining(`the body has ${lost} in place of lost characters`),
  ]);
});

it('does not note a question mark in a question', async () => {
  const { capture } = await verified(message('{"city":"really??","sign":"AB"}', JSON_TYPE));
  expect(capture.notes).toEqual([]);
});
