import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCapture, readCaptures } from '../../../src/signing/capture/read-capture.ts';
import { hasRightSignature, verifySignature } from '../../../src/signing/verification/verify.ts';
import {
  apacheWire,
  BODY_MODE,
  curlTrace,
  HEADER_MODE,
  jsonEscaped,
  logcat,
  nginxEscaped,
  okHttp,
  pythonSend,
  type SentRequest,
  sent,
} from './printers.ts';
import { failure } from './support.ts';

const two = (number: number) => String(number).padStart(2, '0');
const none = () => '';
const log4j = (line: number) =>
  `2026-11-22 10:00:${two(line)},${line} [main] DEBUG org.apache.http.wire - http-outgoing-0 `;
const hc5 = (line: number) =>
  `10:00:${two(line)}.${line} [http-nio-8080-exec-3] DEBUG org.apache.hc.client5.http.wire -- http-outgoing-12 `;
const spring = (line: number) =>
  `2026-11-22T10:00:${two(line)}.123+08:00 DEBUG 4711 --- [exec-1] org.apache.http.wire : http-outgoing-3 `;
const threadtime = (line: number) => `11-22 10:00:00.${100 + line}  1234  5678 D OkHttp  : `;
const brief = () => 'D/OkHttp  ( 1234): ';
const studio = (line: number) =>
  `2026-11-22 10:00:00.${100 + line}  1234-5678  okhttp.OkHttpClient  com.example.app  I  `;
const docker = (line: number) => `2026-11-22T10:00:00.${1000 * (line + 1)}Z stdout F `;
const k8s = (line: number) => `[pod/app-7d9f/app] 10:00:0${line % 10} INFO `;
const time = '2026-11-22 10:00:00.123 INFO ';

const reads: readonly [subject: string, print: (request: SentRequest) => string][] = [
  ['Apache HttpClient 4', (request) => apacheWire(request, log4j)],
  ['Apache HttpClient 5', (request) => apacheWire(request, hc5)],
  ['Apache HttpClient in Spring', (request) => apacheWire(request, spring)],
  ['Apache HttpClient 3', (request) => apacheWire(request, () => 'httpclient.wire.header - ')],
  ['OkHttp', (request) => okHttp(request, none)],
  ['OkHttp with java.util.logging', (request) => okHttp(request, () => 'Nov 22, 2026 10:00:00 AM okhttp3.internal.platform.Platform log\nINFO: ')], // biome-ignore format: a table
  ['OkHttp in logcat, threadtime', (request) => logcat(request, threadtime, 60)],
  ['OkHttp in logcat, brief', (request) => logcat(request, brief, 100)],
  ['OkHttp in Android Studio', (request) => logcat(request, studio, 4000)],
  ['OkHttp in Docker', (request) => okHttp(request, docker)],
  ['OkHttp in logcat, long', (request) => okHttp(request, none).split('\n').map((line, index) => `[ 11-22 10:00:00.${100 + index}  1234: 5678 D/OkHttp   ]\n${line}\n`).join('\n')], // biome-ignore format: a table
  ['Feign in Kubernetes', (request) => okHttp(request, k8s).replaceAll('--> ', '---> ')],
  ['http.client of Python', (request) => pythonSend(request)],
  ['http.client behind a logger', (request) => pythonSend(request, `${time}`)],
  ['curl --trace', (request) => curlTrace(request, true)],
  ['curl --trace --trace-time', (request) => curlTrace(request, true, '10:00:00.123456 ')],
];

/** These logs contain the body, and in header mode the headers of the log format. */
const loggedHeaders = ({ headers }: SentRequest) =>
  headers.filter(([name]) => name.startsWith('X-TMS-'));
const inLines: readonly [subject: string, print: (request: SentRequest) => string][] = [
  ['a prefix', (request) => `${time}POST ${request.path} headers={${loggedHeaders(request).map(([name, value]) => `${name}=${value}`).join(', ')}} sending ${request.body} took 3 ms`], // biome-ignore format: a table
  ['other objects', (request) => `${time}context={"id":"a"} X-TMS headers: ${loggedHeaders(request).map(([name, value]) => `${name}: ${value}`).join('; ')} mdc={"b":1} body=${request.body} response={"code":0}`], // biome-ignore format: a table
  ['brackets', (request) => `[10:00:00 INF] {${loggedHeaders(request).map(([name, value]) => `${name}=${value}`).join(', ')}} Request body: "${jsonEscaped(request.body)}"`], // biome-ignore format: a table
  ['lines', (request) => `${time}sending\n${loggedHeaders(request).map(([name, value]) => `${time}${name}: ${value}\n`).join('')}${time}body: ${request.body}`], // biome-ignore format: a table
  ['the headers of Spring', (request) => `${time}[${loggedHeaders(request).map(([name, value]) => `${name}:"${value}"`).join(', ')}] ${request.body}`], // biome-ignore format: a table
  ['a dictionary of Python', (request) => `${time}headers {${loggedHeaders(request).map(([name, value]) => `'${name}': '${value}'`).join(', ')}} body ${request.body}`], // biome-ignore format: a table
  ['a map of Go', (request) => `${time}map[${loggedHeaders(request).map(([name, value]) => `${name}:[${value}]`).join(' ')}] ${request.body}`], // biome-ignore format: a table
  ['an escaped string', (request) => `${time}headers="${jsonEscaped(JSON.stringify(Object.fromEntries(loggedHeaders(request))))}" body="${jsonEscaped(request.body)}"`], // biome-ignore format: a table
  ['pino', (request) => JSON.stringify({ level: 30, time: 1, msg: 'sending', headers: Object.fromEntries(loggedHeaders(request)), body: request.body })], // biome-ignore format: a table
  ['zap', (request) => JSON.stringify({ level: 'info', ts: 1.5, request: { url: `https://host${request.path}`, headers: Object.fromEntries(loggedHeaders(request).map(([name, value]) => [name, [value]])), body: request.body } })], // biome-ignore format: a table
  ['a container', (request) => JSON.stringify({ log: `${time}${loggedHeaders(request).map(([name, value]) => `${name}=${value}`).join(' ')} ${request.body}\n`, stream: 'stdout', time: '2026' })], // biome-ignore format: a table
  ['the console of Postman', (request) => `POST https://host${request.path}: ${JSON.stringify({ 'Request Headers': Object.fromEntries(loggedHeaders(request)), 'Request Body': request.body }, null, 2)}`], // biome-ignore format: a table
  ['JSON in a container', (request) => JSON.stringify({ log: JSON.stringify({ level: 'info', headers: Object.fromEntries(loggedHeaders(request)), body: request.body }), stream: 'stdout' })], // biome-ignore format: a table
  ['nginx', (request) => `127.0.0.1 - - [22/Nov/2026:10:00:00 +0800] "POST ${request.path} HTTP/1.1" 200 85 "-" "okhttp/4" ${loggedHeaders(request).map(([name, value]) => `${name.toLowerCase()}="${value}"`).join(' ')} "${nginxEscaped(request.body)}"`], // biome-ignore format: a table
  ['nginx with escape=json', (request) => `127.0.0.1 - - [22/Nov/2026:10:00:00 +0800] "POST ${request.path} HTTP/1.1" 200 85 ${loggedHeaders(request).map(([name, value]) => `${name.toLowerCase().replaceAll('-', '_')}="${value}"`).join(' ')} body="${jsonEscaped(request.body)}"`], // biome-ignore format: a table
  ['nginx with escape=none', (request) => `127.0.0.1 [22/Nov/2026:10:00:00 +0800] "POST ${request.path} HTTP/1.1" 200 ${loggedHeaders(request).map(([name, value]) => `"${name}: ${value}"`).join(' ')} ${request.body}`], // biome-ignore format: a table
  ['nginx in JSON', (request) => `{"time":"2026-11-22T10:00:00+08:00","request":"POST ${request.path} HTTP/1.1",${loggedHeaders(request).map(([name, value]) => `"http_${name.toLowerCase().replaceAll('-', '_')}":"${value}",`).join('')}"request_body":"${jsonEscaped(request.body)}"}`], // biome-ignore format: a table
];

function verdictOf(request: Awaited<ReturnType<typeof readCapture>>) {
  return verifySignature(request, 'sandbox-secret', { now: 1_795_132_800 });
}

describe('a correctly signed request verifies in every log', () => {
  const both: readonly [string, SentRequest][] = [
    ['body', BODY_MODE],
    ['header', HEADER_MODE],
  ];
  const cases = [...reads, ...inLines].flatMap(([subject, print]) =>
    both.map(([mode, request]) => [subject, mode, print(request), request] as const),
  );

  it.each(cases)('of %s, %s mode', async (_, mode, text, { body, path }) => {
    const noise = '10:00:00 INFO starting up {"port": 8080}\n';
    for (const capture of [text, text.replaceAll('\n', '\r\n'), `${noise}${text}\n`]) {
      const request = await readCapture(capture);
      expect(request.body).toBe(body);
      const verdict = verdictOf(request);
      expect({ mode: verdict.mode, right: hasRightSignature(verdict) }).toEqual({
        mode,
        right: true,
      });
    }
    if (!(await readCapture(text)).url) return;
    expect((await readCapture(text)).url).toMatch(new RegExp(`${path}$`));
  });

  it.each([...reads, ...inLines])('of %s, several times', async (_, print) => {
    const text = `${print(BODY_MODE)}\n${print(HEADER_MODE)}\n${print(BODY_MODE)}\n`;
    const requests = (await readCaptures(text)).map((entry) => entry.read());
    expect(requests.map((request) => hasRightSignature(verdictOf(request)))).toEqual([
      true,
      true,
      true,
    ]);
  });
});

describe('formats that contain every byte return the body unchanged', () => {
  const unit = fc.constantFrom(...'ab \'"\\.`[]{}\n\t\r<>=:杭🚕é\u2028');
  const body = fc
    .dictionary(fc.string({ unit }), fc.string({ unit }), { maxKeys: 4 })
    .map((value) => JSON.stringify({ ...value, sign: 'AB' }));

  it.each(reads)('%s', async (_, print) => {
    await fc.assert(
      fc.asyncProperty(body, async (body) => {
        expect((await readCapture(print(sent('/open/v1/x', body)))).body).toBe(body);
      }),
      { seed: 20261122, numRuns: 100 },
    );
  });
});

const ASCII = sent('/open/v1/x', '{"bill_date":"2026-11-19","n":30.27,"sign":"AB"}');
const PRETTY = sent('/open/v1/x', '{\n\t"n": 30.27,\n  "list": [\n1.5\n],\n  "sign": "AB"\n}');

describe('curl --trace-ascii', () => {
  it.each([
    ['one line', ASCII, ASCII.body],
    ['several lines', PRETTY, PRETTY.body.replaceAll('\t', '\n')],
  ])('reads ASCII in %s', async (_, request, body) => {
    expect((await readCapture(curlTrace(request, false))).body).toBe(body);
    const trimmed = curlTrace(request, false).replace(/ +$/gm, '');
    expect((await readCapture(trimmed)).body).toBe(body);
  });

  it('rejects lost characters', async () => {
    expect(await failure(curlTrace(BODY_MODE, false))).toBe(
      'read as a log: the body has 6 dots in a row, and --trace-ascii prints a dot for each byte that is not ASCII: characters may be lost',
    );
  });
});

describe('headers of HTTP/2', () => {
  const headers = HEADER_MODE.headers.slice(1);
  const pseudo = [
    [':authority', 'open.example.com'],
    [':method', 'POST'],
    [':path', '/api/open/user/sync'],
    [':scheme', 'https'],
  ] as const;
  const lines = [...pseudo, ...headers];
  const colons = lines.map(([name, value]) => `${name}: ${value}`).join('\n');
  const alternating = lines.map(([name, value]) => `${name}\n${value}`).join('\n');

  it.each([
    ['in lines', `${colons}\n\n${HEADER_MODE.body}`],
    ['in lines without an empty one', `${colons}\n${HEADER_MODE.body}`],
    ['in two lines each', `${alternating}\n\n${HEADER_MODE.body}`],
    ['in two lines each, with colons', `${lines.map(([name, value]) => `${name}:\n${value}`).join('\n')}\n\n${HEADER_MODE.body}`], // biome-ignore format: a table
    ['with titles', `Request Headers (12)\n${colons}\nRequest Payload\nview source\n${HEADER_MODE.body}`], // biome-ignore format: a table
  ])('%s', async (_, text) => {
    const request = await readCapture(text);
    expect(request).toMatchObject({
      format: 'http',
      method: 'POST',
      url: 'https://open.example.com/api/open/user/sync',
      body: HEADER_MODE.body,
      headers,
    });
    expect(hasRightSignature(verdictOf(request))).toBe(true);
  });
});

const HEAD = 'POST /open/v1/x HTTP/1.1\nHost: host\nContent-Type: application/json\n';
const MARKED = HEAD.replace(/^/gm, '> ');

it.each([
  ['the dump of requests-toolbelt', `${HEAD.replace(/^/gm, '< ')}\n< ${BODY_MODE.body}\n> HTTP/1.1 200 OK\n> \n> {"code":0}`], // biome-ignore format: a table
  ['the timeline of Insomnia', `* Connected\n\n${HEAD.trim().replace(/^/gm, '> ')}\n\n| ${BODY_MODE.body}\n\n* uploaded\n\n< HTTP/2 200\n\n| {"code":0}`], // biome-ignore format: a table
])('reads %s', async (_, text) => {
  expect(await readCapture(text)).toMatchObject({
    format: 'http',
    url: 'https://host/open/v1/x',
    body: BODY_MODE.body,
  });
});

it('reads literals of Python 2', async () => {
  const text = `${String.raw`send: 'POST /x HTTP/1.1\r\nHost: a\r\n\r\n'`}\n`;
  const bodies = [
    [
      String.raw`send: '{"a":"\xe6\x9d\xad \'b\' \\\\","sign":"A"}'`,
      String.raw`{"a":"杭 'b' \\","sign":"A"}`,
    ],
    [String.raw`send: u'{"a":"\u676d\ud83d\ude95\xe9","sign":"A"}'`, '{"a":"杭🚕é","sign":"A"}'],
    [String.raw`send: u'{"a":"\U0001f695\101","sign":"A"}'`, '{"a":"🚕A","sign":"A"}'],
  ];
  for (const [send, body] of bodies) {
    const read = readCapture(`${text}${send}`);
    expect((await read).body).toBe(body);
  }
});

it.each([
  ['http.client', String.raw`send: b'POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n'
send: b'7\r\n{"a":1,\r\n'
send: b'b\r\n"sign":"A"}\r\n'
send: b'0\r\n\r\n'`], // biome-ignore format: a table
  ['Apache HttpClient', String.raw`>> "POST /x HTTP/1.1[\r][\n]"
>> "Transfer-Encoding: chunked[\r][\n]"
>> "[\r][\n]"
>> "12[\r][\n]"
>> "{"a":1,"
>> ""sign":"A"}[\r][\n]"
>> "0[\r][\n]"
>> "[\r][\n]"`], // biome-ignore format: a table
])('joins the chunks of %s', async (_, text) => {
  expect((await readCapture(text)).body).toBe('{"a":1,"sign":"A"}');
});

describe('names the missing part of a log', () => {
  it.each([
    ['the log of headers', 'DEBUG org.apache.http.headers - http-outgoing-0 >> POST /open/v1/x HTTP/1.1\nDEBUG org.apache.http.headers - http-outgoing-0 >> Host: a', 'read as a log: it contains the headers without the body (a log of Apache HttpClient)'], // biome-ignore format: a table
    ['curl -v', `* Connected to host\n${MARKED}\n* upload completely sent off: 12 bytes\n< HTTP/1.1 200 OK\n<\n{"code":0}`, 'read as a log: it is the output of curl -v, which does not print the body'], // biome-ignore format: a table
    ['a trace without data', curlTrace(ASCII, true).split('=> Send data')[0] ?? '', 'read as a log: its trace of curl is not complete: bytes of the request are missing'], // biome-ignore format: a table
    ['a cut trace', curlTrace(ASCII, true).replace(/\n0020: [^\n]*(?=\n<=)/, ''), 'read as a log: its trace of curl is not complete: bytes of the request are missing'], // biome-ignore format: a table
    ['OkHttp at HEADERS', '--> POST https://a/open/v1/x h2\nA: b\n--> END POST', 'read as an HTTP message: the log does not contain the body'], // biome-ignore format: a table
    ['OkHttp with a binary body', '--> POST https://a/open/v1/x h2\nA: b\n\n--> END POST (binary 9-byte body omitted)', 'read as an HTTP message: the log does not contain the body: "binary 9-byte body omitted"'], // biome-ignore format: a table
    ['OkHttp cut', '--> POST https://a/open/v1/x h2\nA: b', 'read as an HTTP message: the log does not contain the body'], // biome-ignore format: a table
    ['OkHttp with a hidden header', '--> POST https://a/api/open/x h2\nX-TMS-Sign: ██\n\n{}\n--> END POST (2-byte body)', 'read as an HTTP message: the log masks the signature (X-TMS-Sign=██)'], // biome-ignore format: a table
    ['urllib3', 'DEBUG:urllib3.connectionpool:https://a:443 "POST /open/v1/x HTTP/1.1" 200 85', 'read as a log: it does not contain the sent bytes (a log of urllib3)'], // biome-ignore format: a table
    ['only headers', ':method: POST\n:path: /open/v1/x\n', 'read as an HTTP message: the body is empty'], // biome-ignore format: a table
    ['a cut line', `INFO sending ${BODY_MODE.body.slice(0, -9)}`, 'read as a log: its JSON is cut off, or is not JSON'], // biome-ignore format: a table
    ['an access log', '127.0.0.1 - - [22/Nov/2026:10:00:00 +0800] "POST /open/v1/x HTTP/1.1" 200 85 "-" "okhttp/4" "-"', 'read as a log: the access log does not contain the body'], // biome-ignore format: a table
    ['a dict of Python', "INFO payload {'city': '杭州', 'sign': 'AB'}", 'read as a log: it contains a dict printed by Python, not the JSON that was sent'], // biome-ignore format: a table
    ['a map of Java', 'INFO payload={city=杭州, sign=AB}', 'read as a log: it contains an object printed by Java, Kotlin or C#, not the JSON that was sent'], // biome-ignore format: a table
    ['a program', `payload = json.dumps({"a": 1})\nheaders = {'X-TMS-Sign-Ver': '2.0', 'X-TMS-Sign': 'AB'}`, 'read as a log: it contains X-TMS-Sign, but the body that it signs was not found'], // biome-ignore format: a table
    ['a signature that is null', 'INFO sending {"a":1,"sign":null}', 'read as a log: its field "sign" is not a string in a JSON body'], // biome-ignore format: a table
    ['a hex dump', 'DEBUG [1] WRITE: 308B\n|00000000| 7b 22 61 22 3a |{"a":|', 'read as a log: it contains a hex dump, but not the bytes of a whole signed request'], // biome-ignore format: a table
    ['a log without a request', 'INFO sending {"a":1} with the right sign\n{"b":2}', 'read as a log: it contains JSON, but no request with a signature: neither sign nor X-TMS-Sign'], // biome-ignore format: a table
  ])('%s', async (_, text, message) => {
    expect(await failure(text)).toBe(message);
  });

  it('compares the byte count of OkHttp', async () => {
    const text = '--> POST https://a/x h2\nA: b\n\n{"a":1}\n--> END POST (9-byte body)';
    expect((await readCapture(text)).notes).toEqual(['the body has 7 bytes, but the log counts 9']);
  });

  it('notes that a logger reformatted the body', async () => {
    const line = `{"level":30,"body":${BODY_MODE.body}}`;
    expect((await readCapture(line)).notes).toEqual([
      'the capture contains the body as an object: its tool may have changed numbers such as 1.0, and white space',
    ]);
  });
});
