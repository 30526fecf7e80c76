import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { curlCommand } from '../../../src/cli/context/print-curl.ts';
import type { FormField } from '../../../src/http/multipart.ts';
import { type CaptureOptions, readCapture } from '../../../src/signing/capture/read-capture.ts';
import { CHARACTER } from '../../support/character.ts';
import { accepts, expectBothOutcomes, mutated } from './hostile.ts';
import { fieldsOf, JSON_BODY } from './support.ts';

beforeAll(() => void fc.configureGlobal({ seed: 20261119, numRuns: 100 }));
afterAll(() => fc.resetConfigureGlobal());

const text = fc.oneof(
  fc.string({ unit: CHARACTER }),
  fc.string({ unit: fc.constantFrom(...'ab \'"\\$`!^%&|;\n\r\t{}[]@<=杭🚕') }),
);
const body = fc
  .dictionary(text, fc.oneof(text, fc.jsonValue()), { maxKeys: 5 })
  .map((value) => JSON.stringify(value));
const headers = fc.uniqueArray(
  fc.tuple(
    fc.constantFrom('X-TMS-Sign', 'X-TMS-Nonce', 'x-tms-a', 'Content-Type', 'Accept'),
    fc.string({ unit: 'grapheme-ascii' }).map((value) => value.trim()),
  ),
  { selector: ([name]) => name },
);
// A Content-Type that does not match the body.
const plainHeaders = headers.map((list) => list.filter(([name]) => name !== 'Content-Type'));
const url = fc.webUrl({ withQueryParameters: true });

describe('a printed request is read back', () => {
  it('as a curl command', async () => {
    await fc.assert(
      fc.asyncProperty(body, plainHeaders, url, async (body, headers, url) => {
        const request = { method: 'PUT', url, headers: Object.fromEntries(headers), body };
        expect(await readCapture(curlCommand(request))).toMatchObject({
          format: 'curl',
          method: 'PUT',
          url,
          headers,
          body,
          notes: [],
        });
      }),
    );
  });

  it('as a form of a curl command', async () => {
    const name = text.map((name) => name.replaceAll('=', ''));
    const path = fc.string({ unit: fc.constantFrom(...'ab \'"\\;,$杭'), minLength: 1 });
    const field: fc.Arbitrary<FormField> = fc.oneof(
      fc.record({ name, value: text }),
      fc.record({ name, file: path }),
    );
    const request = { method: 'POST', url: 'https://host/', headers: {}, body: null };
    const options: CaptureOptions = { readFile: async (path) => new TextEncoder().encode(path) };
    await fc.assert(
      fc.asyncProperty(fc.array(field, { minLength: 1, maxLength: 4 }), async (form) => {
        const read = await readCapture(curlCommand(request, form), options);
        expect(fieldsOf(read)).toEqual(
          form.map((field) => ('file' in field ? { ...field, content: field.file } : field)),
        );
      }),
    );
  });

  it.each(['\r\n', '\n'])('as an HTTP message with %j', async (end) => {
    await fc.assert(
      fc.asyncProperty(body, plainHeaders, fc.boolean(), async (body, headers, withLength) => {
        const length = withLength ? [`Content-Length: ${Buffer.byteLength(body)}`] : [];
        const lines = headers.map(([name, value]) => `${name}: ${value}`);
        const message = ['POST /a HTTP/1.1', ...lines, ...length, '', body].join(end);
        const read = await readCapture(new TextEncoder().encode(message));
        expect(read.body).toBe(body);
        expect(read.headers.slice(0, headers.length)).toEqual(headers);
      }),
    );
  });
});

const SAMPLES = [
  JSON_BODY,
  `curl 'https://host/x' -H 'X-TMS-Sign: 1' --json $'{"a":"\\u4e2d"}'`,
  "curl https://host/x -d a=1 --data-urlencode 'b@c' -d @d",
  `curl https://host/x -F "a=\\"b;c\\"" -F 'd=@e;filename="f"' -F 'g=<h' -H @i`,
  'curl ^"https://host/x^" ^\r\n  --data-raw ^"^{^\\^"a^\\^":^\n\n1^}^"',
  JSON.stringify({
    log: {
      entries: [
        { request: { headers: [{ name: 'X-TMS-Sign', value: '1' }], postData: { text: '{}' } } },
        { request: { postData: { params: [{ name: 'sign', fileName: 'a' }] } } },
      ],
    },
  }),
  'POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n7\r\n{"a":1}\r\n0\r\n\r\n',
  'POST /a HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 99\r\n\r\n--b\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\nc\r\n--b--\r\n',
  'POST /a\nContent-Type: application/x-www-form-urlencoded\n\na=1&b=%E6%9D%AD+c',
  'curl a -d \'{"sign":1}\' ;\nif ! X=$(curl b -d @- <<EOF | jq .); then\n{"sign":"$A"}\nEOF\nfi',
  'A=\'{"a":1}\'\nB=$(cat <<E\n{}\nE\n)\ncurl u -d "$A" -H "C: $B"',
  'wget -qO- --header="A: b" --post-data=\'{"a":1}\' https://host/x',
  'http -v POST host/x a=1 b:=\'{"c":[1.50]}\' d:e f==g',
  "http --form host/x a=1 b@c 'd=@efg'",
  'await fetch("https://host/x", {\n  "headers": {\n "a": "b"\n  },\n  "body": "{\\"a\\":1}",\n  "method": "POST"\n});',
  "fetch(`u`, {body: JSON.stringify({a: [1, -2.5e3, 'b\\u{4e2d}'], /* c */ d: null,}), headers: new Headers([['e', 'f']])}) // g",
  '$b = @"\n{`"a`":1}\n"@\nirm -Uri "https://host/x" `\n-Method POST `\n-Headers @{\n"a"="b"\n  "c"=\'d\'\n} `\n-Body $b',
  'iwr u -Body ([System.Text.Encoding]::UTF8.GetBytes("{`"a`":`"$([char]26477)`"}"))',
  '@h = host\n### a\n# @name b\nPOST https://{{h}}/x HTTP/1.1\n  ?a=1\nC: d\n\n{"a":"{{h}}","sign":1}\n\n###\nGET {{h}}/y\n',
  "AxiosError: x\n    at f (g:1:2) {\n  config: {\n    a: [ [Function: b] ],\n    headers: Object [AxiosHeaders] { C: 'd' },\n    url: '/e',\n    data: '{\"a\":1,\"sign\":\"A\"}'\n  },\n  code: 'ERR_BAD_REQUEST'\n}",
  JSON.stringify({ message: 'x', config: { url: 'u', data: '{"a":1}', xsrfCookieName: 'y' } }),
  `<?xml version="1.0"?>\n<items burpVersion="1">\n  <item>\n<url><![CDATA[u]]></url>\n<request base64="true"><![CDATA[${btoa('POST /a HTTP/1.1\r\nA: b\r\n\r\n{"a":1}')}]]></request>\n  </item>\n</items>`,
];

const PIECES = [
  ...'\'"\\$`^%&|;\r\t{}[]@<>=:-#()',
  ...['###\n', '{{a}}', '@{', '"@', 'fetch(', 'irm ', '<<E', '/*', ']]>', '...'],
  ...['--b', '\r\n\r\n', '$(', "$'", '^"', '\ufeff', 'curl '],
];

describe('only usage errors are thrown', () => {
  it.each(SAMPLES)('for %s', async (sample) => {
    expect(await accepts(sample)).toBe(true);
  });

  it('for captures with errors in them', () => expectBothOutcomes(mutated(SAMPLES, PIECES)));

  it('for any input', async () => {
    const input = fc.oneof(text, fc.uint8Array(), fc.string({ unit: 'binary-ascii' }));
    await fc.assert(
      fc.asyncProperty(input, async (input) => {
        await accepts(input);
      }),
    );
  });
});
