import fc from 'fast-check';
import { curlCommand } from '../../../src/cli/context/print-curl.ts';
import { shellQuote } from '../../../src/errors.ts';
import { signBody } from '../../../src/signing/body-mode.ts';
import { signHeaders } from '../../../src/signing/header-mode.ts';
import { KEY, SECRET } from '../../cli/support.ts';
import { crlf } from '../../signing/capture/support.ts';
import { NOW } from '../../support/cli.ts';
import { mutated, mutatedBytes } from './support.ts';

const SIGNER = { apiKey: KEY, secret: SECRET };
const FIELDS = { timestamp: String(NOW / 1000), nonce: 'abcdefghij', seqId: 'seq-1' };
/** The business fields of every sample with a JSON body. */
export const BODY =
  '{"bill_date":"2026-11-19","remark":"it\'s 5 > 3 %","n":1.0,"o":{"城":[null,"杭州"]}}';

/** Requests signed with the credentials of the tests, in the formats that people copy. */
function signedCaptures(url: string): readonly (readonly [name: string, text: string])[] {
  const { body } = signBody(BODY, SIGNER, FIELDS);
  const plain = signHeaders(BODY, SIGNER, FIELDS);
  const fields = [
    { name: 'a', value: '1' },
    { name: 'photo', file: 'p.png' },
  ];
  const form = signHeaders(fields, SIGNER, FIELDS);
  const lines = (headers: object) =>
    Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const caret = (text: string) =>
    `^"${text.replace(/["{}%<>]/g, (character) => `^${character === '"' ? '\\^"' : character}`)}^"`;
  const har = (headers: object, postData: object) => ({
    request: {
      method: 'POST',
      url,
      headers: [
        { name: ':path', value: '/' },
        ...Object.entries(headers).map(([name, value]) => ({ name, value })),
      ],
      postData,
    },
  });
  const parts = crlf(
    '--b',
    'Content-Disposition: form-data; name="a"',
    '',
    '1',
    '--b',
    'Content-Disposition: form-data; name="photo"; filename="p.png"',
    'Content-Type: image/png',
    '',
    '\x89PNG',
    '--b--',
    '',
  );
  return [
    ['a JSON body', ` ${body}\n`],
    ['a curl command', curlCommand({ method: 'POST', url, headers: {}, body })],
    [
      'curl of a browser',
      `curl '${url}' \\\n  -H 'accept: */*' \\\n  --data-raw $'${body.replace(/[\\']/g, '\\$&')}' \\\n  --insecure`,
    ],
    [
      'curl with signed headers',
      curlCommand({ method: 'POST', url, headers: plain.headers, body: BODY }),
    ],
    [
      'curl with a form',
      curlCommand({ method: 'POST', url, headers: form.headers, body: null }, fields),
    ],
    [
      'curl with a prompt',
      `# a comment\nme@host:~/x$ LC_ALL=C sudo /usr/bin/curl -sSXPOST ${url} --json ${shellQuote(body)} | jq .`,
    ],
    [
      'curl of cmd.exe',
      `curl ^"${url}^" ^\r\n  -H ^"accept: */*^" ^\r\n  --data-raw ${caret(body)} ^\r\n  --compressed`,
    ],
    [
      'a HAR file',
      JSON.stringify({
        log: {
          entries: [
            har({}, { text: '<p>' }),
            har({}, { mimeType: 'application/json', text: body }),
          ],
        },
      }),
    ],
    [
      'a HAR file with base64',
      JSON.stringify({
        log: {
          entries: [
            har(plain.headers, { encoding: 'base64', text: Buffer.from(BODY).toString('base64') }),
          ],
        },
      }),
    ],
    [
      'a HAR file with a form',
      JSON.stringify({
        log: {
          entries: [
            har(form.headers, {
              params: [
                { name: 'a', value: '1' },
                { name: 'photo', fileName: 'p.png' },
              ],
            }),
          ],
        },
      }),
    ],
    [
      'an HTTP message',
      crlf(
        'POST /a HTTP/1.1',
        'Host: host',
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(body)}`,
        '',
        body,
      ),
    ],
    [
      'a chunked HTTP message',
      crlf(
        'POST /a HTTP/1.1',
        'Transfer-Encoding: chunked',
        '',
        Buffer.byteLength(body).toString(16),
        body,
        '0',
        '',
        '',
      ),
    ],
    [
      'a form in an HTTP message',
      crlf(
        'POST /a HTTP/1.1',
        'Content-Type: multipart/form-data; boundary="b"',
        ...lines(form.headers),
        '',
        parts,
      ),
    ],
    ['an HTTP message from notes', ['POST /a', ...lines(plain.headers), '', BODY].join('\n')],
  ];
}

export const SAMPLES = signedCaptures('http://host/x');
const sample = fc.constantFrom(...SAMPLES.map(([, text]) => text));
const PIECES = [
  SECRET,
  ...[
    '',
    "'",
    '"',
    '\\',
    '$',
    '`',
    '^',
    '^"',
    "$'",
    '$"',
    '$(',
    '${',
    '$((',
    ')',
    '}',
    '%',
    '&',
    '|',
    ';',
    '#',
  ],
  ...[
    '\0',
    '\r',
    '\n',
    '\r\n',
    '\r\n\r\n',
    '\\\n',
    '^\r\n',
    ' ',
    '\t',
    '\u00a0',
    '\ufeff',
    '\ud83d',
    '🚕',
  ],
  ...[
    'curl ',
    'curl.exe ',
    '-d ',
    '-d @f ',
    '-H @f ',
    '-F a=@f ',
    '-F a=<f ',
    '-F a',
    '-K f ',
    '-: ',
    '-G ',
    '-X',
  ],
  ...[
    '--b',
    '--b--\r\n',
    'HTTP/1.1',
    'POST / ',
    'Transfer-Encoding: chunked\r\n',
    'Content-Encoding: br\r\n',
  ],
  ...[
    '{',
    '[',
    ',',
    ':',
    '"log":{"entries":[',
    '"request":',
    '"sign":null,',
    'boundary=',
    'filename="',
    '%zz',
  ],
];

/** Captures with mistakes in them, as text or as bytes. */
export const mistakenCapture: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  { weight: 6, arbitrary: mutated(sample, PIECES) },
  { weight: 4, arbitrary: mutatedBytes(sample, PIECES) },
  // PowerShell redirects output as UTF-16.
  mutated(sample, PIECES).map((text) => Buffer.from(`\ufeff${text}`, 'utf16le')),
  // Mixed line ends.
  fc
    .tuple(sample, fc.infiniteStream(fc.constantFrom('\n', '\r\n', '\r')))
    .map(([text, ends]) => text.replace(/\r?\n/g, () => ends.next().value)),
);
