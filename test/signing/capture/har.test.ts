import { describe, expect, it } from 'vitest';
import { readCapture } from '../../../src/signing/capture/read-capture.ts';
import { failure, fieldsOf, JSON_BODY } from './support.ts';

interface HarRequest {
  readonly method?: string;
  readonly httpVersion?: string;
  readonly headers?: readonly { name: string; value: string }[];
  readonly postData?: object;
}

function har(...requests: readonly HarRequest[]): string {
  const entries = requests.map((request, index) => ({
    startedDateTime: '2026-11-19T10:00:00.000Z',
    request: { method: 'POST', url: `https://host/${index + 1}`, headers: [], ...request },
    response: { status: 200 },
  }));
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'x' }, entries } });
}

const json = (text: string) => ({ mimeType: 'application/json', text });
const header = (name: string, value = '1') => ({ name, value });

const PAGE: HarRequest = { method: 'GET' };
const UNSIGNED: HarRequest = { postData: json('{"a":1}') };
const SIGNED_BODY: HarRequest = { postData: json(JSON_BODY) };
const SIGNED_HEADER: HarRequest = { headers: [header('x-tms-sign')], postData: json('{"a":1}') };
const SIGNED_FORM: HarRequest = { postData: { mimeType: 'x', params: [header('sign')] } };

describe('readCapture of a HAR', () => {
  it.each<[name: string, requests: HarRequest[], entry: number | undefined, url: string]>([
    ['the first with a signature in the body', [PAGE, UNSIGNED, SIGNED_BODY, SIGNED_HEADER], undefined, '3'], // biome-ignore format: a table
    ['the first with a signature in a header', [PAGE, SIGNED_HEADER, SIGNED_BODY], undefined, '2'],
    ['the first with a signature in a form', [PAGE, SIGNED_FORM], undefined, '2'],
    ['the requested entry', [SIGNED_BODY, SIGNED_HEADER, SIGNED_BODY], 3, '3'],
  ])('reads %s', async (_, requests, entry, url) => {
    expect(await readCapture(har(...requests), { entry })).toMatchObject({
      format: 'har',
      method: 'POST',
      url: `https://host/${url}`,
    });
  });

  it('reads Chrome over HTTP/2', async () => {
    const request = await readCapture(
      har({
        httpVersion: 'http/2.0',
        headers: [header(':method', 'POST'), header('x-tms-sign'), header('accept', '*/*')],
        postData: json(JSON_BODY),
      }),
    );
    expect(request).toMatchObject({
      format: 'har',
      method: 'POST',
      url: 'https://host/1',
      headers: [
        ['x-tms-sign', '1'],
        ['accept', '*/*'],
      ],
      body: JSON_BODY,
      notes: [],
    });
  });

  it('decodes a body in base64', async () => {
    const text = Buffer.from('{"sign":"杭"}').toString('base64');
    const request = har({ postData: { mimeType: 'application/json', encoding: 'base64', text } });
    expect((await readCapture(request)).body).toBe('{"sign":"杭"}');
  });

  it('reads the fields of Charles', async () => {
    const request = await readCapture(
      har({
        headers: [header('X-TMS-Sign')],
        postData: {
          mimeType: 'multipart/form-data; boundary=x',
          params: [
            { name: 'city', value: '杭州' },
            { name: 'photo', fileName: 'a.png', contentType: 'image/png' },
          ],
        },
      }),
    );
    expect(request.body).toEqual([
      { name: 'city', value: '杭州' },
      { name: 'photo', file: 'a.png' },
    ]);
    expect(request.notes).toEqual([
      'the capture contains the fields of the form, not the body as sent',
      'the capture omits uploaded files',
    ]);
  });

  it('reads the multipart text of Chrome', async () => {
    const text =
      '--b\r\nContent-Disposition: form-data; name="f"; filename="a.png"\r\n\r\n\r\n--b--\r\n';
    const request = await readCapture(
      har({
        headers: [header('x-tms-sign')],
        postData: { mimeType: 'multipart/form-data; boundary=b', text },
      }),
    );
    expect(fieldsOf(request)).toEqual([{ name: 'f', file: 'a.png', content: '' }]);
    expect(request.notes).toEqual(['the capture corrupts or omits uploaded files']);
  });

  it.each<[subject: string, text: string, entry: number | undefined, message: string]>([
    ['is empty', har(), undefined, 'it contains no request'],
    ['has no signed request', har(PAGE, UNSIGNED), undefined, 'none of its 2 requests is signed; entry 1 cannot be read: the body is empty'], // biome-ignore format: a table
    ['has no entry 4', har(PAGE, SIGNED_BODY, SIGNED_HEADER), 4, 'entry 4 does not exist, the last is 3'], // biome-ignore format: a table
    ['has no entry 0', har(PAGE), 0, 'it has no entry 0, only one request'],
    ['has entry 1 unsigned', har(UNSIGNED, SIGNED_BODY), 1, 'entry 1 of 2 is not signed'], // biome-ignore format: a table
    ['has an unreadable entry 1', har(PAGE, SIGNED_BODY), 1, 'the body is empty'], // biome-ignore format: a table
    ['is empty and has no entry 1', har(), 1, 'it contains no request'], // biome-ignore format: a table
    ['has no body', har({ headers: [header('X-TMS-Sign')] }), undefined, 'the body is empty'],
    ['contains an invalid body', har({ headers: [header('X-TMS-Sign')], postData: json('{"a"}') }), 1, 'the body is not JSON: unexpected "}" where ":" was expected at line 1 column 5'], // biome-ignore format: a table
    ['is cut', '{ "log": {"entries": [', undefined, 'the text is not JSON: it is cut off after 22 bytes'], // biome-ignore format: a table
    ['contains other values', '{"log":{"entries":[1,{"request":{"headers":[{}],"postData":7}}]}}', 2, 'the body is empty'], // biome-ignore format: a table
  ])('is rejected when it %s', async (_, text, entry, message) => {
    expect(await failure(text, { entry })).toBe(`read as a HAR file: ${message}`);
  });

  it.each([
    [1, 'the body is empty'],
    [4, 'entry 4 does not exist, the last is 3'],
  ])('lists the signed requests when entry %i is chosen', async (entry, message) => {
    const request = readCapture(har(PAGE, SIGNED_BODY, SIGNED_HEADER), { entry });
    await expect(request).rejects.toMatchObject({
      message: expect.stringContaining(message),
      details: { hint: 'choose a signed request with --entry N (signed: 2, 3)' },
    });
  });
});
