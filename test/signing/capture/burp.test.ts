import { describe, expect, it } from 'vitest';
import { readCapture, readCaptures } from '../../../src/signing/capture/read-capture.ts';
import { crlf, failure, PLAIN_BODY, readRight, SIGNED_BODY, SIGNED_HEADERS } from './support.ts';

const SIGNED = crlf(
  'POST /open/v1/x HTTP/2',
  'Host: host',
  'Content-Type: application/json',
  `Content-Length: ${Buffer.byteLength(SIGNED_BODY)}`,
  '',
  SIGNED_BODY,
);
const PAGE = crlf('GET / HTTP/1.1', 'Host: host', '', '');

function item(request: string, base64 = true): string {
  const data = base64 ? Buffer.from(request).toString('base64') : request;
  return `  <item>
    <time>Thu Nov 19 10:00:00 CST 2026</time>
    <url><![CDATA[https://host:8443${request.split(' ')[1]}]]></url>
    <host ip="192.0.2.1">host</host>
    <port>8443</port>
    <request base64="${base64}"><![CDATA[${data}]]></request>
    <status>200</status>
    <response base64="true"><![CDATA[SFRUUC8xLjEgMjAwIE9L]]></response>
    <comment></comment>
  </item>
`;
}

const file = (...items: readonly string[]) => `<?xml version="1.0"?>
<!DOCTYPE items [
<!ELEMENT items (item*)>
<!ATTLIST items burpVersion CDATA "">
<!ELEMENT request (#PCDATA)>
]>
<items burpVersion="2026.10" exportTime="Thu Nov 19 10:00:00 CST 2026">
${items.join('')}</items>
`;

describe('items of Burp', () => {
  it.each([true, false])('are read in base64: %s', async (base64) => {
    expect(await readRight(file(item(SIGNED, base64)))).toMatchObject({
      format: 'http',
      method: 'POST',
      url: 'https://host/open/v1/x',
      body: SIGNED_BODY,
      notes: [],
    });
  });

  it('are read with signed headers', async () => {
    const lines = SIGNED_HEADERS.map(([name, value]) => `${name}: ${value}`);
    const second = item(crlf('POST /api/open/x HTTP/1.1', ...lines, '', PLAIN_BODY));
    const text = file(item(PAGE), second, item(SIGNED));
    expect((await readRight(text)).headers).toEqual(SIGNED_HEADERS);
    expect((await readCaptures(text)).map(({ entry }) => entry)).toEqual([2, 3]);
    expect((await readCapture(text, { entry: 3 })).body).toBe(SIGNED_BODY);
  });

  it.each([
    ['items without a signature', file(item(PAGE), item(PAGE)), 'read as an HTTP message: none of its 2 requests is signed'], // biome-ignore format: a table
    ['a truncated file', file(item(SIGNED, false)).slice(0, 700), 'read as an HTTP message: no empty line follows the headers'], // biome-ignore format: a table
  ])('%s are rejected', async (_, text, message) => {
    expect(await failure(text)).toContain(message);
  });
});

it('a collection of Postman is rejected', async () => {
  const text = JSON.stringify({
    info: {
      _postman_id: '0',
      name: 'API',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    item: [{ name: 'x', request: { method: 'POST', body: { mode: 'raw', raw: '{{body}}' } } }],
  });
  expect(await failure(text)).toBe(
    'read as a log: it is a Postman collection, which contains templates with variables and scripts, not the request that was sent',
  );
});
