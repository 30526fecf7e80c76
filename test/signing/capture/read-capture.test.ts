import { describe, expect, it } from 'vitest';
import { readCapture } from '../../../src/signing/capture/read-capture.ts';
import { failure, JSON_BODY } from './support.ts';

describe('readCapture', () => {
  it('keeps a JSON body unchanged', async () => {
    const body = ` \n${JSON_BODY}\r\n`;
    expect(await readCapture(body)).toMatchObject({
      format: 'json',
      method: undefined,
      url: undefined,
      headers: [],
      body,
      notes: [],
    });
  });

  it('reads a body with a field "log" as a body', async () => {
    const body = '{"log":{"level":1},"sign":"A"}';
    expect(await readCapture(body)).toMatchObject({ format: 'json', body });
  });

  it('replaces headers with the given ones and adds the others', async () => {
    const { headers } = await readCapture("curl -H 'a: 1' -H 'b: 2' -H 'A: 3' -d {}", {
      headers: [
        ['A', '4'],
        ['X-TMS-Sign', 'AB'],
      ],
    });
    expect(headers).toEqual([
      ['b', '2'],
      ['A', '4'],
      ['X-TMS-Sign', 'AB'],
    ]);
  });

  it.each<[encoding: string, text: string, encode: (text: string) => Uint8Array]>([
    ['UTF-8', '', (text) => Buffer.from(text)],
    ['UTF-8 with a mark', '\ufeff', (text) => Buffer.from(text)],
    ['UTF-16LE', '\ufeff', (text) => Buffer.from(text, 'utf16le')],
    ['UTF-16BE', '\ufeff', (text) => Buffer.from(text, 'utf16le').swap16()],
    [
      'colours',
      '\u001b[1;39m',
      (text) => Buffer.from(text.replace(':', '\u001b[0m:\u001b[m\u001b[K')),
    ],
  ])('reads every format in %s', async (_, mark, encode) => {
    const body = '{"city":"杭州🚕"}';
    for (const text of [body, `curl -d '${body}'`, `POST /a HTTP/1.1\r\n\r\n${body}`]) {
      expect((await readCapture(encode(mark + text))).body).toBe(body);
    }
  });

  it.each([
    ['{"a":\n}', 'read as a JSON body: the text is not JSON: unexpected "}" where a value was expected at line 2 column 1'], // biome-ignore format: a table
    ["{'a':1}", 'read as a JSON body: the text is not JSON: it contains strings in single quotes at line 1 column 2'], // biome-ignore format: a table
    ['[{}]', 'read as a JSON body: the text is a list of one object, not an object'],
    ['"a"', 'read as a JSON body: the text is JSON, but not an object (it is a string)'],
    ['', 'the request is empty'],
    [' \n\ufeff', 'the request is empty'],
    [
      'hello\u0000\u202e',
      'the request is in an unknown format; it begins with "hello\\u0000\\u{202e}"',
    ],
    ['x'.repeat(50), `the request is in an unknown format; it begins with "${'x'.repeat(40)}"…`],
    ['a=1&b=2', 'the request is in an unknown format; it begins with "a=1&b=2"'],
    [
      'lynx https://host/',
      'the request is in an unknown format; it begins with "lynx https://host/"',
    ],
    ['curly', 'the request is in an unknown format; it begins with "curly"'],
  ])('names the format of %j', async (text, message) => {
    expect(await failure(text)).toBe(message);
  });

  it.each(['{"a":"b\nc"}', '{"a":1\n2}'])('suggests that a terminal wrapped %j', async (text) => {
    await expect(readCapture(text)).rejects.toMatchObject({
      details: { hint: expect.stringContaining('if a terminal wrapped the line') },
    });
  });

  it.each(['{"a":"b\tc"}', '{"a":1,\n}'])('does not suggest it for %j', async (text) => {
    await expect(readCapture(text)).rejects.toMatchObject({
      details: { hint: expect.not.stringContaining('wrapped') },
    });
  });

  it('rejects bytes that are not text', async () => {
    expect(await failure(Uint8Array.from([0x7b, 0xff]))).toBe(
      'read as a JSON body: the text is not UTF-8 text',
    );
    expect(await failure(Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0]))).toBe(
      'the request is in an unknown format; it begins with "�PNG\\u0000"',
    );
  });
});
