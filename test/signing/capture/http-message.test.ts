import { describe, expect, it } from 'vitest';
import { readCapture } from '../../../src/signing/capture/read-capture.ts';
import { crlf, failure, fieldsOf, JSON_BODY } from './support.ts';

const message = (...headers: string[]) =>
  crlf('POST /open/v1/x HTTP/1.1', 'Host: host', ...headers, '', JSON_BODY);

describe('readCapture of an HTTP message', () => {
  it.each<[subject: string, text: string]>([
    ['as on the wire', message('X-TMS-Sign: 1', `Content-Length: ${JSON_BODY.length}`)],
    ['with only line feeds', message('X-TMS-Sign: 1').replaceAll('\r', '')],
    [
      'with a newline behind it',
      `${message('X-TMS-Sign:1', `content-length: ${JSON_BODY.length}`)}\n\n`,
    ],
    ['with blank lines before it', `\ufeff\r\n\n${message('X-TMS-Sign:\t1 ')}`],
    ['with a stale Transfer-Encoding', message('X-TMS-Sign: 1', 'Transfer-Encoding: chunked')],
    ['stored decoded', message('X-TMS-Sign: 1', 'Content-Encoding: gzip')],
  ])('reads a message %s', async (_, text) => {
    const request = await readCapture(text);
    expect(request).toMatchObject({
      format: 'http',
      method: 'POST',
      url: 'https://host/open/v1/x',
      body: JSON_BODY,
      notes: [],
    });
    expect(request.headers.slice(0, 2)).toEqual([
      ['Host', 'host'],
      ['X-TMS-Sign', '1'],
    ]);
  });

  it.each([
    ['POST /a?b=c HTTP/1.0', 'https://host/a?b=c'],
    ['POST http://other:8080/a HTTP/1.1', 'http://other:8080/a'],
    ['M-SEARCH /a HTTP/2', 'https://host/a'],
    ['POST /a HTTP/2.0', 'https://host/a'],
    ['POST /a', 'https://host/a'],
  ])('reads the request line %s', async (line, url) => {
    const text = crlf(line, 'host: host', '', '{}');
    expect(await readCapture(text)).toMatchObject({ url });
  });

  it('omits the pseudo-headers of HTTP/2', async () => {
    const text = crlf('POST /a HTTP/2', ':authority: host', ':method: POST', 'a: b', '', '{}');
    expect(await readCapture(text)).toMatchObject({ url: '/a', headers: [['a', 'b']] });
  });

  it.each<[subject: string, body: string]>([
    ['chunks', '5\r\n{"a":\r\n2;x=y\r\n1}\r\n0\r\n\r\n'],
    ['chunks with line feeds', '5\n{"a":\n02\n1}\n0\n\n'],
  ])('joins %s', async (_, body) => {
    const text = crlf('POST /a HTTP/1.1', 'Transfer-Encoding: chunked', '', body);
    expect((await readCapture(text)).body).toBe('{"a":1}');
  });

  it.each([
    ['10', '{"a":1}', ['3 of the 10 bytes of Content-Length are missing']],
    ['7', '{"a":1}\r\n\r\n', []],
    ['7', '{"a":1}\r\nHTTP/1.1 200 OK', ['17 bytes after Content-Length (7) were ignored']],
    ['x', '{"a":1}', []],
  ])('with Content-Length %s', async (length, body, notes) => {
    const text = crlf('POST /a HTTP/1.1', `Content-Length: ${length}`, '', body);
    expect(await readCapture(text)).toMatchObject({ body: '{"a":1}', notes });
  });

  it('reads a body that the tool reformatted, up to the response', async () => {
    const body = '{\n    "city": "杭州",\n    "sign": "AB"\n}';
    const text = `POST /a HTTP/1.1\nContent-Length: 28\n\n${body}\n\n\nHTTP/1.1 200 OK\n\n{}`;
    expect(await readCapture(text)).toMatchObject({
      body,
      notes: [expect.stringContaining('the tool reformatted it')],
    });
  });

  it('reads a form with a file of any bytes', async () => {
    const head = crlf(
      'POST /a HTTP/1.1',
      'Content-Type: multipart/form-data; boundary="b b"',
      '',
      '--b b',
      'Content-Disposition: form-data; name="city"',
      '',
      '杭州',
      '--b b',
      'Content-Type: image/png',
      'content-disposition: form-data; filename="a \\"b\\".png"; name=photo',
      '',
      '',
    );
    const file = Uint8Array.from([0xff, 0xfe, 0, 0x0d, 0x0a, 0x2d, 0x2d, 0x0d]);
    const input = Buffer.concat([Buffer.from(head), file, Buffer.from('\r\n--b b--\r\n')]);
    expect((await readCapture(input)).body).toEqual([
      { name: 'city', value: '杭州' },
      { name: 'photo', file: 'a "b".png', content: file },
    ]);
  });

  it('reads a form with bare line feeds, as mitmproxy and editors write it', async () => {
    const text =
      'POST /a HTTP/1.1\ncontent-type: multipart/form-data; boundary=b\n\n--b\nContent-Disposition: form-data; name="a%22"\n\nx\ny\n--b\nContent-Disposition: form-data; name="e"\n\n\n--b--\n';
    const request = await readCapture(text);
    expect(fieldsOf(request)).toEqual([
      { name: 'a"', value: 'x\ny' },
      { name: 'e', value: '' },
    ]);
    expect(request.notes).toEqual([
      'the form was captured with bare line feeds: line ends in its values may have been CR LF',
    ]);
  });

  it('reads a form without its Content-Type', async () => {
    const part = 'Content-Disposition: form-data; name="a"\r\n\r\n--bb\r\n--b--\r\n';
    expect(fieldsOf(await readCapture(`POST /a\r\nA: b\r\n\r\n--b\r\n${part}`))).toEqual([
      { name: 'a', value: '--bb' },
    ]);
  });

  it.each<[subject: string, text: string, message: string]>([
    ['a response', 'HTTP/1.1 200 OK\r\n\r\n{}', 'it is a response, not a request'],
    ['no body', 'POST /a HTTP/1.1\r\nHost: a\r\n', 'no empty line follows the headers, so there is no body'], // biome-ignore format: a table
    ['an empty body', 'POST /a HTTP/1.1\r\nHost: a\r\n\r\n', 'the body is empty'],
    [
      'no empty line',
      'POST /a HTTP/1.1\nHost: a\n{"a":1}',
      'line 3 is not a header: "{\\"a\\":1}"',
    ],
    ['a folded header', 'POST /a HTTP/1.1\nA: a\n b\n\n{}', 'line 3 is not a header: " b"'],
    ['broken JSON', 'POST /a HTTP/1.1\n\n{"a":\n1,}', 'the body is not JSON: it contains a comma before the end of an object or a list at line 2 column 3'], // biome-ignore format: a table
    ['compressed', 'POST /a HTTP/1.1\nContent-Encoding: br\n\n\x1f\x8b', 'the body is compressed (Content-Encoding: "br"), but cannot be decompressed: unexpected end of file'], // biome-ignore format: a table
    ['a form without a boundary', 'POST /a HTTP/1.1\nContent-Type: multipart/form-data\n\nx', 'Content-Type is multipart/form-data without a boundary, so no server can read the form'], // biome-ignore format: a table
    ['another boundary', 'POST /a HTTP/1.1\nContent-Type: multipart/form-data; boundary=c\n\n--b\nx', 'the boundary "c" is not in the body'], // biome-ignore format: a table
    ['a cut form', 'POST /a HTTP/1.1\n\n--b\nContent-Disposition: form-data; name=a\n\nx', 'the multipart form is cut off in part 1, before its last boundary "--b--"'], // biome-ignore format: a table
    ['a part without content', 'POST /a HTTP/1.1\n\n--b\nContent-Type: x\n--b--', 'part 1 of the multipart form has no empty line between its headers and its content'], // biome-ignore format: a table
    ['a part without a name', 'POST /a HTTP/1.1\n\n--b\nContent-Type: x\n\ny\n--b--', 'part 1 of the multipart form has no name in a Content-Disposition header'], // biome-ignore format: a table
  ])('is rejected when it is %s', async (_, text, message) => {
    expect(await failure(text)).toBe(`read as an HTTP message: ${message}`);
  });

  it('rejects headers that are not UTF-8', async () => {
    const text = 'POST /a HTTP/1.1\r\nA: \xff\r\n\r\n{}';
    expect(await failure(Buffer.from(text, 'latin1'))).toBe(
      'read as an HTTP message: the head is not UTF-8 text',
    );
  });

  it('names a form field that is not UTF-8', async () => {
    const text = '\r\n\r\n--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\xff\r\n--b--';
    expect(await failure(Buffer.from(`POST /a HTTP/1.1${text}`, 'latin1'))).toBe(
      'read as an HTTP message: the form field "a" is not UTF-8 text',
    );
  });
});
