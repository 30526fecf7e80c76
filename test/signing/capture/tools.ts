import { inspect } from 'node:util';
import type { Header } from '../../../src/signing/header-mode.ts';
import { jsonEscaped, type SentRequest } from './printers.ts';

/** Texts that tools print about a request; each contains the body, and the signed headers if any. */

const hex = (byte: number) => byte.toString(16).padStart(2, '0');
const bytesOf = (text: string) => [...Buffer.from(text)];
const base64 = (text: string) => Buffer.from(text).toString('base64');
const quoted = JSON.stringify;
export const csv = (text: string) => `"${text.replaceAll('"', '""')}"`;
export const sql = (text: string) => `'${text.replaceAll("'", "''")}'`;
export const html = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
/** A string with bytes in hex, as in C, Python, Ruby and Rust. */
const escapedBytes = (text: string, quote: string) =>
  bytesOf(text)
    .map((byte) => {
      const character = String.fromCharCode(byte);
      if (character === quote || character === '\\') return `\\${character}`;
      if (character === '\n') return '\\n';
      if (character === '\r') return '\\r';
      return byte >= 32 && byte < 127 ? character : `\\x${hex(byte)}`;
    })
    .join('');
export const octal = (text: string) =>
  escapedBytes(text, '"').replace(/\\x(..)/g, (_, digits: string) => {
    return `\\${Number.parseInt(digits, 16).toString(8).padStart(3, '0')}`;
  });
/** The repr of a str of Python 3. */
const pythonText = (text: string) => `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
/** The repr of bytes of Python 3. */
export const pythonBytes = (text: string) => `b'${escapedBytes(text, "'")}'`;
const pythonHeaders = (headers: readonly Header[]) =>
  `{${headers.map(([name, value]) => `'${name}': '${value}'`).join(', ')}}`;

export const own = ({ headers }: SentRequest) =>
  headers.filter(([name]) => name.startsWith('X-TMS-'));
const object = (request: SentRequest) => Object.fromEntries(own(request));
const list = (request: SentRequest) => own(request).map(([name, value]) => ({ name, value }));
const lower = (request: SentRequest) =>
  Object.fromEntries(own(request).map(([name, value]) => [name.toLowerCase(), value]));
const lines = (request: SentRequest, by = '\n', between = ': ') =>
  own(request)
    .map(([name, value]) => `${name}${between}${value}`)
    .join(by);
const url = ({ path }: SentRequest) => `https://open.example.com${path}`;
/** The message in wire format. */
export const wire = ({ path, headers, body }: SentRequest) =>
  [`POST ${path} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), '', body].join(
    '\r\n',
  );
/** The notation of cat -v for bytes above 127. */
const catV = (text: string) =>
  bytesOf(text)
    .map((byte) => {
      if (byte < 128) return String.fromCharCode(byte);
      const low = byte - 128;
      if (low < 32) return `M-^${String.fromCharCode(low + 64)}`;
      return low === 127 ? 'M-^?' : `M-${String.fromCharCode(low)}`;
    })
    .join('');
const quotedPrintable = (text: string) =>
  `Content-Transfer-Encoding: quoted-printable\n\n${bytesOf(text)
    .map((byte) =>
      (byte > 126 || byte < 32 || byte === 61) && byte !== 10
        ? `=${hex(byte).toUpperCase()}`
        : String.fromCharCode(byte),
    )
    .join('')
    .split('\n')
    .map((line) => (line.match(/(?:=..|[^=]){1,70}/g) ?? []).join('=\n'))
    .join('\n')}`;
const dumped = (text: string, row: (offset: number, row: readonly number[]) => string) => {
  const bytes = bytesOf(text);
  const rows = [];
  for (let at = 0; at < bytes.length; at += 16) rows.push(row(at, bytes.slice(at, at + 16)));
  return rows.join('\n');
};
const visible = (row: readonly number[]) =>
  row.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
const pairs = (row: readonly number[], size: number) =>
  Array.from({ length: Math.ceil(row.length / size) }, (_, at) =>
    row
      .slice(at * size, at * size + size)
      .map(hex)
      .join(''),
  ).join(' ');
export const xxd = (text: string) =>
  dumped(
    text,
    (at, row) =>
      `${at.toString(16).padStart(8, '0')}: ${pairs(row, 2).padEnd(39)}  ${visible(row)}`,
  );
export const prefixed = (text: string, prefix: string) => text.replace(/^/gm, prefix);
const pretty = ({ body }: SentRequest) => JSON.stringify(JSON.parse(body), null, 2);
const wrapped = (text: string, width: number) =>
  (text.match(new RegExp(`[^\\n]{1,${width}}`, 'g')) ?? []).join('\n');

const TIME = '2026-11-27 16:43:20.101';

/** Each tool, with its text. */
export const TOOLS: readonly (readonly [tool: string, print: (request: SentRequest) => string])[] = [
  ['journald', (r) => `Nov 27 16:43:20 host app[123]: POST ${url(r)} ${lines(r, ' ', '=')} body=${r.body}`],
  ['journalctl -o json', (r) => quoted({ MESSAGE: `sending ${lines(r, ' ', '=')} ${r.body}`, PRIORITY: '6', _PID: '12' })],
  ['GELF', (r) => quoted({ version: '1.1', host: 'a', short_message: 'sending', full_message: `${lines(r)}\n\n${r.body}`, level: 7 })],
  ['Loki', (r) => quoted({ streams: [{ stream: { app: 'x' }, values: [['1795769000000000000', quoted({ level: 'info', headers: object(r), body: r.body })]] }] })],
  ['CloudWatch', (r) => quoted({ events: [{ timestamp: 1, message: `${TIME} INFO ${quoted({ request: { headers: object(r), body: r.body } })}` }] })],
  ['a CSV of Splunk', (r) => `"_raw","_time"\n${csv(`${TIME} ${lines(r, ' ', '=')} body=${r.body}`)},"2026-11-27"`],
  ['JSON in a CSV', (r) => `id,message\n1,${csv(quoted({ msg: 'sending', headers: object(r), body: r.body }))}`],
  ['Envoy', (r) => quoted({ method: 'POST', path: r.path, ...Object.fromEntries(own(r).map(([name, value]) => [name.toLowerCase(), value])), request_body: r.body, response_code: 200 })],
  ['the http-log of Kong', (r) => quoted({ request: { method: 'POST', uri: r.path, headers: object(r), body: r.body }, response: { status: 200, headers: { 'content-type': 'application/json' } }, latencies: { kong: 1 } })],
  ['mitmproxy', (r) => `127.0.0.1:51234: POST ${url(r)}\n    Content-Type: application/json\n${prefixed(lines(r), '    ')}\n\n    ${r.body}\n\n << 200 OK 10b`],
  ['an export of Insomnia', (r) => quoted({ _type: 'export', resources: [{ _type: 'request', method: 'POST', url: url(r), headers: list(r), body: { mimeType: 'application/json', text: r.body } }] })],
  ['Bruno', (r) => `post {\n  url: ${url(r)}\n  body: json\n}\n\nheaders {\n${prefixed(lines(r), '  ')}\n}\n\nbody:json {\n  ${r.body}\n}\n`],
  ['k6', (r) => `import http from 'k6/http';\nhttp.post('${url(r)}', ${pythonText(r.body)}, { headers: ${pythonHeaders(own(r))} });`],
  ['a report of JMeter', (r) => `<httpSample t="12"><requestHeader class="java.lang.String">${html(lines(r))}</requestHeader><queryString class="java.lang.String">${html(r.body)}</queryString></httpSample>`],
  ['WireMock', (r) => quoted({ request: { url: r.path, method: 'POST', headers: object(r), body: r.body, bodyAsBase64: base64(r.body) }, responseDefinition: { status: 404 } })],
  ['a cassette of VCR', (r) => `http_interactions:\n- request:\n    method: post\n    uri: ${url(r)}\n    body:\n      encoding: UTF-8\n      string: ${sql(r.body)}\n    headers:\n${own(r).map(([name, value]) => `      ${name}:\n      - ${value}`).join('\n')}\n  response:\n    status:\n      code: 200\n`],
  ['a cassette in double quotes', (r) => `- request:\n    body: "${jsonEscaped(r.body)}"\n    headers:\n${own(r).map(([name, value]) => `      ${name}:\n      - ${value}`).join('\n')}\n    method: POST`],
  ['xxd', (r) => xxd(wire(r))],
  ['hexdump -C', (r) => `${dumped(wire(r), (at, row) => `${at.toString(16).padStart(8, '0')}  ${pairs(row.slice(0, 8), 1)}  ${pairs(row.slice(8), 1)}`.padEnd(60).concat(`|${visible(row)}|`))}\n${Buffer.byteLength(wire(r)).toString(16).padStart(8, '0')}`],
  ['tcpdump -X', (r) => `16:43:20.101 IP a.51234 > b.80: Flags [P.], length 300\n${dumped(`E\u0000\u0001@\u0000\u0000@\u0006${wire(r)}`, (at, row) => `\t0x${at.toString(16).padStart(4, '0')}:  ${pairs(row, 2).padEnd(39)}  ${visible(row)}`)}`],
  ['Netty', (r) => `DEBUG [1] WRITE: 300B\n         +-------------------------------------------------+\n|  0  1  2  3 |\n+--------+----+\n${dumped(wire(r), (at, row) => `|${at.toString(16).padStart(8, '0')}| ${pairs(row, 1).padEnd(48)}|${visible(row).padEnd(16)}|`)}\n+--------+----+`],
  ['tcpdump -A', (r) => `16:43:20.101 IP a.51234 > b.80: Flags [P.], length 300\nE..4..@.@.....P.${wire(r)}\n`],
  ['Logback with an MDC', (r) => `16:43:20.101 [nio-1] DEBUG c.e.Client [traceId=ab, user=x] - headers: [${lines(r, ', ', ':')}], request body: ${r.body}`],
  ['Log4j in XML', (r) => `<log4j:event logger="a" level="DEBUG"><log4j:message><![CDATA[sending ${lines(r, '; ')} ${r.body}]]></log4j:message></log4j:event>`],
  ['a breadcrumb of Sentry', (r) => quoted({ breadcrumbs: { values: [{ category: 'http', data: { method: 'POST', url: url(r), request_headers: object(r), request_body: r.body } }] } })],
  ['a mail', (r) => `On Friday, a wrote:\n> the request is\n>> ${wire(r).replaceAll('\r\n', '\n>> ')}\n> and the answer is 1002`],
  ['Slack', (r) => `it fails :(\n\`\`\`${lines(r)}\n${r.body}\`\`\``],
  ['Jira', (r) => `h2. Request\n{code:json}\n${lines(r)}\n${r.body}\n{code}\n`],
  ['a table of Jira', (r) => `||name||value||\n|headers|${lines(r, '\\\\ ')}|\n|body|{noformat}${r.body}{noformat}|`],
  ['a PowerShell transcript', (r) => `PS C:\\Users\\a> $headers\r\n\r\nName                           Value\r\n----                           -----\r\n${lines(r, '\r\n', '=')}\r\n\r\nPS C:\\Users\\a> $body\r\n${r.body}\r\nPS C:\\Users\\a>`],
  ['the bytes of Python', (r) => `DEBUG:root:headers=${pythonHeaders(own(r))} body=${pythonBytes(r.body)}`],
  ['a dict of Python with the text', (r) => `INFO {'method': 'POST', 'url': '${url(r)}', 'headers': ${pythonHeaders(own(r))}, 'data': ${pythonText(r.body)}}`],
  ['Dio on Android', (r) => prefixed(`*** Request ***\nuri: ${url(r)}\nmethod: POST\nheaders:\n ${lines(r, '\n ')}\ndata:\n${r.body}\n`, 'I/flutter ( 1234): ')],
  ['os_log of Xcode', (r) => `${TIME} App[123:456] [network] POST ${url(r)} headers: ${quoted(object(r))} body: ${r.body}`],
  ['a debug description of Swift', (r) => `Optional(${quoted(quoted(object(r)))}) Optional("${jsonEscaped(r.body)}")`],
  ['HttpLogging of ASP.NET', (r) => `info: Microsoft.AspNetCore.HttpLogging.HttpLoggingMiddleware[1]\n      Request:\n      Protocol: HTTP/1.1\n      Method: POST\n      Path: ${r.path}\n${prefixed(lines(r), '      ')}\ninfo: Microsoft.AspNetCore.HttpLogging.HttpLoggingMiddleware[3]\n      RequestBody: ${r.body}`],
  ['a terminal that wrapped the lines', (r) => wrapped(`${TIME} sending ${lines(r, ' ', '=')} ${r.body}`, 80)],
  ['an inspected string of Ruby', (r) => `D, [2026-11-27T16:43:20 #1] DEBUG -- : headers: {${own(r).map(([name, value]) => `"${name}"=>"${value}"`).join(', ')}} body: "${jsonEscaped(r.body).replaceAll('杭州', '\\u676D\\u5DDE')}"`],
  ['bytes of Rust', (r) => `DEBUG hyper: headers={${own(r).map(([name, value]) => `"${name.toLowerCase()}": "${value}"`).join(', ')}} body=b"${escapedBytes(r.body, '"')}"`],
  ['bytes of Go', (r) => `headers=map[${own(r).map(([name, value]) => `${name}:[${value}]`).join(' ')}] body=[${bytesOf(r.body).join(' ')}]`],
  ['bytes of Java', (r) => `headers={${lines(r, ', ', '=')}} body=[${bytesOf(r.body).map((byte) => (byte > 127 ? byte - 256 : byte)).join(', ')}]`],
  ['a Buffer of Node in JSON', (r) => quoted({ headers: object(r), body: { type: 'Buffer', data: bytesOf(r.body) } })],
  ['a binary of Elixir', (r) => `[debug] headers: [${own(r).map(([name, value]) => `{"${name}", "${value}"}`).join(', ')}] body: "${jsonEscaped(r.body)}"`],
  ['var_export of PHP', (r) => `array (\n  'headers' => \n  array (\n${own(r).map(([name, value]) => `    '${name}' => '${value}',`).join('\n')}\n  ),\n  'body' => '${r.body.replace(/[\\']/g, '\\$&')}',\n)`],
  ['print_r of PHP', (r) => `Array\n(\n    [headers] => Array\n        (\n${own(r).map(([name, value]) => `            [${name}] => ${value}`).join('\n')}\n        )\n\n    [body] => ${r.body}\n)`],
  ['Kinesis', (r) => quoted({ records: [{ recordId: '1', data: base64(quoted({ headers: object(r), body: r.body })) }] })],
  ['SQS in SNS', (r) => quoted({ Records: [{ body: quoted({ Type: 'Notification', Message: quoted({ event: 'send', headers: object(r), payload: r.body }) }) }] })],
  ['a query string', (r) => `GET /collect?h=${encodeURIComponent(lines(r))}&body=${encodeURIComponent(r.body)}`],
  ['twice in percent-encoding', (r) => `t=${encodeURIComponent(encodeURIComponent(`${lines(r)}\n${r.body}`))}`],
  ['a page', (r) => `<html><body><pre>${html(wire(r))}</pre></body></html>`],
  ['tshark -T json', (r) => quoted([{ _source: { layers: { http: { 'http.request.line': own(r).map(([name, value]) => `${name}: ${value}\r\n`), 'http.file_data': bytesOf(r.body).map(hex).join(':') } } } }])],
  ['GoReplay', (r) => `1 abc 1795769000 0\n${wire(r)}\n🐵🙈🙉\n2 abc 1795769001 0\nHTTP/1.1 200 OK\r\n\r\n{}`],
  ['a PreparedRequest', (r) => `method=POST url=${url(r)} headers=${pythonHeaders(own(r))} body=${pythonBytes(r.body)}`],
  ['Guzzle', (r) => `[${TIME}] guzzle.DEBUG: >>>>>>>>\n${wire(r)}\n<<<<<<<<\nHTTP/1.1 200 OK\r\n\r\n{"code":0}\n--------`],
  ['an interceptor of RestTemplate', (r) => `${TIME} DEBUG ===== request begin =====\nURI         : ${url(r)}\nMethod      : POST\nHeaders     : [${own(r).map(([name, value]) => `${name}:"${value}"`).join(', ')}]\nRequest body: ${r.body}\n===== request end =====`],
  ['Ktor', (r) => `REQUEST: ${url(r)}\nMETHOD: HttpMethod(value=POST)\nCOMMON HEADERS\n-> ${lines(r, '\n-> ')}\nBODY Content-Type: application/json\nBODY START\n${r.body}\nBODY END`],
  ['an INSERT with doubled quotes', (r) => `INSERT INTO api_log VALUES (1, ${sql(lines(r))}, ${sql(r.body)});`],
  ['an INSERT of mysqldump', (r) => `INSERT INTO \`api_log\` VALUES (1,'${lines(r, '\\n')}','${r.body.replace(/[\\'"]/g, '\\$&')}');`],
  ['three layers of JSON', (r) => quoted({ a: quoted({ b: quoted({ headers: object(r), body: r.body }) }) })],
  ['strace with octal bytes', (r) => `write(5, "${octal(wire(r))}", 300) = 300`],
  ['an access log with escapes', (r) => `127.0.0.1 - - [27/Nov/2026] "POST ${r.path} HTTP/1.1" 200 ${lines(r, ' ', '=')} "${escapedBytes(r.body, '"').replaceAll('\\"', '\\x22').replaceAll('\\\\', '\\x5C')}"`],
  ['a sum of strings', (r) => `headers.put(${own(r).map(([name, value]) => `"${name}", "${value}"`).join('); headers.put(')});\nString body = "${jsonEscaped(r.body).replace(/,/, ',"\n    + "')}";`],
  ['a commit of a chat in UTF-16 escapes', (r) => quoted({ text: `${lines(r)} ${r.body}` }).replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)],
  ['Postman in a console', (r) => `POST ${url(r)}\n200\n12 ms\nRequest Headers\n${lines(r)}\nRequest Body\n${r.body}\nResponse Headers\ncontent-type: application/json\nResponse Body\n{"code":0}`],
  ['printed by docker compose', (r) => prefixed(wire(r).replaceAll('\r', ''), 'api-1  | ')],
  ['printed JSON in kubectl', (r) => prefixed(`sending ${url(r)} ${lines(r, ' ', '=')}\n${pretty(r)}`, '[pod/app-7d9f/app] ')],
  ['redis monitor', (r) => `1795769000.1 [0 127.0.0.1:5] "SET" "req:1" "${escapedBytes(quoted({ headers: object(r), body: r.body }), '"')}"`],
  ['mongo', (r) => quoted({ _id: { $oid: '6' }, at: { $date: 'x' }, req: { headers: object(r), body: r.body } }, null, 2)],
  ['mongosh', (r) => `{\n  _id: ObjectId('6'),\n  headers: { ${own(r).map(([n, v]) => `'${n}': '${v}'`).join(', ')} },\n  body: '${r.body.replace(/[\\']/g, '\\$&')}'\n}`],
  ['kafka', (r) => `key1\t${quoted({ headers: object(r), body: r.body })}`],
  ['laravel', (r) => `[2026-11-27 16:43:20] local.INFO: request ${quoted({ headers: Object.fromEntries(own(r).map(([n, v]) => [n.toLowerCase(), [v]])), content: r.body })} []`],
  ['symfony', (r) => `[2026-11-27T16:43:20.1+08:00] app.DEBUG: Request: "POST ${r.path}" {"options":{"headers":${quoted(own(r).map(([n, v]) => `${n}: ${v}`))},"body":${quoted(r.body)}}} []`],
  ['faraday', (r) => `I, [2026-11-27T16:43:20 #1]  INFO -- request: POST https://h${r.path}\nI, [2026-11-27T16:43:20 #1]  INFO -- request: ${own(r).map(([n, v]) => `${n}: "${v}"`).join('\n')}\nI, [2026-11-27T16:43:20 #1]  INFO -- request: ${r.body}`],
  ['httplog ruby', (r) => `[httplog] Sending: POST https://h${r.path}\n${own(r).map(([n, v]) => `[httplog] Header: ${n}: ${v}`).join('\n')}\n[httplog] Data: ${r.body}\n[httplog] Status: 200\n[httplog] Response:\n{"code":0}`],
  ['logrus', (r) => `time="2026-11-27T16:43:20+08:00" level=debug msg="${jsonEscaped(`POST ${r.path} ${lines(r, ' ', '=')} ${r.body}`)}"`],
  ['zap console', (r) => `2026-11-27T16:43:20.101+0800\tDEBUG\tclient/c.go:12\tsend\t${quoted({ headers: object(r), body: r.body })}`],
  ['resty', (r) => `==============================================================================\n~~~ REQUEST ~~~\nPOST  ${r.path}  HTTP/1.1\nHOST   : h\nHEADERS:\n\t${lines(r, '\n\t')}\nBODY   :\n${r.body}\n------------------------------------------------------------------------------\n~~~ RESPONSE ~~~\nSTATUS       : 200 OK\nBODY         :\n{"code":0}`],
  ['dumprequestout', (r) => `2026/11/27 16:43:20 "${jsonEscaped(wire(r))}"`],
  ['elixir tesla', (r) => `[debug] POST https://h${r.path} -> 200\n>>> REQUEST >>>\n(no query)\n${lines(r)}\n\n${r.body}\n<<< RESPONSE <<<\ncontent-type: application/json\n\n{"code":0}`],
  ['got', (r) => `{ method: 'POST', url: 'https://h${r.path}', headers: ${inspect(object(r))}, body: ${inspect(r.body)} }`],
  ['undici', (r) => `UNDICI 1: sending request to POST https://h${r.path}\nwrite: '${jsonEscaped(wire(r)).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`],
  ['cloudflare', (r) => quoted([{ scriptName: 'x', logs: [{ message: ['send', quoted(object(r)), r.body], level: 'log' }], event: { request: { url: 'https://w/', method: 'GET', headers: { a: 'b' } } } }])],
  ['vercel', (r) => `2026-11-27T08:43:20.101Z\tINFO\t${quoted({ headers: object(r) })} ${r.body}`],
  ['lambda console', (r) => `2026-11-27T08:43:20.101Z\tb1\tINFO\t${inspect({ headers: object(r), body: r.body }, { breakLength: 80 })}`],
  ['alb', (r) => quoted({ requestContext: { elb: {} }, httpMethod: 'POST', path: r.path, multiValueHeaders: Object.fromEntries(own(r).map(([n, v]) => [n, [v]])), body: Buffer.from(r.body).toString('base64'), isBase64Encoded: true })],
  ['apigw v2', (r) => quoted({ version: '2.0', rawPath: r.path, headers: lower(r), requestContext: { http: { method: 'POST', path: r.path } }, body: r.body, isBase64Encoded: false }, null, 2)],
  ['aliyun sls', (r) => quoted({ __topic__: 'a', content: `2026 DEBUG ${lines(r, ' ', '=')} body:${r.body}`, __time__: 1 })],
  ['datadog csv', (r) => `date,host,message\n2026,h,${csv(`sending ${quoted({ headers: object(r), body: r.body })}`)}`],
  ['excel tsv', (r) => `1\t"${`${lines(r, ' ', '=')} ${r.body}`.replaceAll('"', '""')}"\t2`],
  ['postgres csvlog', (r) => `2026-11-27,"a","b",,"INSERT INTO l VALUES ('${`${lines(r, ' ')} ${r.body}`.replaceAll("'", "''").replaceAll('"', '""')}')",,`],
  ['jaeger', (r) => quoted({ data: [{ spans: [{ tags: [{ key: 'http.method', value: 'POST' }, { key: 'http.request.headers', value: quoted(object(r)) }, { key: 'http.request.body', value: r.body }] }] }] })],
  ['otel', (r) => quoted({ resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: `send ${lines(r, ' ', '=')} ${r.body}` } }] }] }] })],
  ['feign', (r) => prefixed(`---> POST https://h${r.path} HTTP/1.1\n${lines(r)}\n\n${r.body}\n---> END HTTP (300-byte body)`, '2026-11-27 16:43:20.101 DEBUG 1 --- [main] c.e.Api : [Api#sync] ')],
  ['hutool', (r) => `\nRequest Url: \nhttps://h${r.path}\nRequest Headers: \n${lines(r, '\n    ', ': ')}\nRequest Body: \n    ${r.body}\n`],
  ['reactor', (r) => `[1] WRITE: 300B POST ${r.path} HTTP/1.1\nhost: h\n${lines(r)}\ncontent-length: ${Buffer.byteLength(r.body)}\n\n\n2026 DEBUG [1] WRITE: 200B ${r.body}`],
  ['jetty', (r) => `${lines(r, ', ', '=')} HeapByteBuffer@1[p=0,l=200]={<<<${r.body}>>>}`],
  ['python requests print', (r) => `-----------START-----------\nPOST https://h${r.path}\n${lines(r)}\n\n${pythonBytes(r.body)}`],
  ['httpx', (r) => `headers=Headers(${quoted(lower(r)).replaceAll('"', "'")}) content=${pythonBytes(r.body)}`],
  ['django', (r) => `{'HTTP_HOST': 'h', ${own(r).map(([n, v]) => `'HTTP_${n.toUpperCase().replaceAll('-', '_')}': '${v}'`).join(', ')}} body ${pythonBytes(r.body)}`],
  ['fastapi', (r) => `headers [${own(r).map(([n, v]) => `(b'${n.toLowerCase()}', b'${v}')`).join(', ')}] body ${pythonBytes(r.body)}`],
  ['objc', (r) => `headers: {\n${own(r).map(([n, v]) => `    "${n}" = "${v}";`).join('\n')}\n} body: ${r.body}`],
  ['rust debug', (r) => `Request { method: POST, headers: {${own(r).map(([n, v]) => `"${n.toLowerCase()}": "${v}"`).join(', ')}}, body: "${jsonEscaped(r.body)}" }`],
  ['whistle', (r) => quoted({ '0': { req: { method: 'POST', headers: lower(r), base64: Buffer.from(r.body).toString('base64') }, url: `https://h${r.path}` } })],
  ['fiddler session', (r) => `${wire(r)}\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"code":0}`],
  ['gitlab issue', (r) => `## 问题\n1. 请求：\n\n    POST ${r.path} HTTP/1.1\n    Host: h\n${prefixed(lines(r), '    ')}\n\n    ${r.body}\n\n返回 1002`],
  ['dingtalk', (r) => `张三 16:43\n报文如下\n${lines(r)}\n${r.body}\n李四 16:44\n收到 {"a":1}`],
  ['word quotes', (r) => `headers：${lines(r, '；', '：')} body：${r.body}`],
  ['http toolkit', (r) => quoted({ log: { version: '1.2', entries: [{ request: { method: 'POST', url: `https://h${r.path}`, headers: own(r).map(([name, value]) => ({ name, value })), postData: { mimeType: 'application/json', text: r.body } }, response: {} }] } })],
  ['openresty', (r) => `2026/11/27 16:43:20 [info] 1#1: *1 [lua] log.lua:1: headers: ${quoted(lower(r))}, body: ${r.body}, client: 1.1.1.1, request: "POST ${r.path} HTTP/1.1", host: "h"`],
  ['haproxy', (r) => `haproxy[1]: 1.1.1.1:1 {${own(r).map(([, v]) => v).join('|')}} "POST ${r.path} HTTP/1.1" ${lines(r, ' ', '=')} ${r.body}`],
  ['json lines of 2', (r) => `${quoted({ level: 'info', msg: 'start' })}\n${quoted({ level: 'info', headers: object(r), body: r.body })}\n${quoted({ level: 'info', msg: 'end', body: { code: 0 } })}`],
  ['cdp', (r) => quoted({ method: 'Network.requestWillBeSent', params: { request: { url: `https://h${r.path}`, method: 'POST', headers: object(r), postData: r.body, hasPostData: true } } })],
  ['selenium perf', (r) => quoted({ level: 'INFO', message: quoted({ message: { method: 'Network.requestWillBeSent', params: { request: { url: `https://h${r.path}`, method: 'POST', headers: object(r), postData: r.body } } } }) })],
  ['bytes in go %x', (r) => `${lines(r, ' ', '=')} body=${Buffer.from(r.body).toString('hex')}`],
  ['quoted printable', (r) => `Content-Transfer-Encoding: base64\n\n${(Buffer.from(`${lines(r)}\n${r.body}`).toString('base64').match(/.{1,76}/g) ?? []).join('\n')}`],
  ['xml attribute', (r) => `<request headers="${html(lines(r, ' '))}" body="${html(r.body)}"/>`],
  ['log + response', (r) => `16:43:20 --> ${lines(r, ', ', '=')} ${r.body}\n16:43:21 <-- 200 {"code":1002,"message":"sign error"}`],
  ['mysql general', (r) => `2026-11-27T08:43:20Z\t 1 Query\tINSERT INTO l (h,b) VALUES ('${lines(r, ' ')}', ${sql(r.body.replaceAll('\\', '\\\\'))})`],
  ['a line with other objects', (r) => `${TIME} ${lines(r, ' ', '=')} {"id":"a"} {"b":1} ${r.body} {"c":2}`],
  ['a message and its response', (r) => `${wire(r).replace(/Content-Length.*\r\n/, '')}\r\n\r\nHTTP/1.1 200 OK\r\n\r\n{"code":0}`],
  ['a body beside the one of the response', (r) => quoted({ headers: object(r), body: '{"code":0,"data":{}}', requestBody: r.body })],
  ['a response before its request', (r) => quoted({ response: { status: 200, body: '{"a":1}' }, request: { headers: object(r), body: r.body } })],
  ['a body with an unusual name', (r) => quoted({ headers: object(r), event: { original: r.body } })],
  ['a body deep in a document', (r) => quoted({ _source: { http: { request: { headers: lower(r), payload_as_string: { inner: r.body } } } } })],
  ['a body in Base64 with an unusual name', (r) => quoted({ headers: object(r), encoded: base64(r.body) })],
  ['attributes of OpenTelemetry', (r) => quoted({ attributes: [...own(r).map(([name, value]) => ({ key: `http.request.header.${name.toLowerCase()}`, value: { arrayValue: { values: [{ stringValue: value }] } } })), { key: 'http.request.body', value: { stringValue: r.body } }] })],
  ['tags of a trace', (r) => quoted({ tags: [...own(r).map(([key, value]) => ({ key, type: 'string', value })), { key: 'request.body', type: 'string', value: r.body }] })],
  ['an event of CloudFront', (r) => quoted({ request: { headers: Object.fromEntries(own(r).map(([key, value]) => [key.toLowerCase(), [{ key, value }]])), body: { action: 'read-only', data: base64(r.body), encoding: 'base64' } } })],
  ['headers in brackets with commas', (r) => `${own(r).map(([name, value]) => `[${name}, ${value}]`).join(' ')} ${r.body}`],
  ['a table with tabs', (r) => `${lines(r, '\n', '\t')}\nbody\t${r.body}`],
  ['a panel of two lines', (r) => `${lines(r, '\n', '\n')}\n\nRequest Payload\n${r.body}`],
  ['a message in prose', (r) => `hi, we post this:\n\nPOST https://h${r.path}\n${lines(r)}\n\nand the body is:\n${r.body}\n\nbut 1002`],
  ['http4s', (r) => `HTTP/1.1 POST https://h${r.path} Headers(${lines(r, ', ')}) body="${r.body}"`],
  ['a dump of Laravel', (r) => `array:${own(r).length} [\n${own(r).map(([n, v]) => `  "${n.toLowerCase()}" => array:1 [\n    0 => "${v}"\n  ]`).join('\n')}\n]\n${r.body}`],
  ['a response between headers and body', (r) => `${lines(r)}\nresponse: {"code":1002,"message":"sign error"}\nrequest body: ${r.body}`],
  ['a masked copy before the whole one', (r) => `headers: ${own(r).map(([n, v]) => `${n}: ${v}`).join(', ')} body: ${r.body.replace('1+1', '***')}\nretry: ${lines(r, ', ')} body: ${r.body}`],
  ['a copy with a masked signature first', (r) => `${wire(r).replace(/[\dA-F]{32}/, '********')}\n\nthe same:\n${wire(r)}`],
  ['NSLog', (r) => `${TIME} App[1:2] headers {\n${own(r).map(([n, v]) => `    "${n}" = "${v}";`).join('\n')}\n} body ${r.body.replaceAll('\\', '\\\\').replace(/[^\0-\x7f]/g, (c) => `\\U${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}`],
  ['cat -v', (r) => `${lines(r)}\n${catV(r.body)}`],
  ['less', (r) => `${lines(r)}\n${bytesOf(r.body).map((byte) => (byte < 128 ? String.fromCharCode(byte) : `<${hex(byte).toUpperCase()}>`)).join('')}`],
  ['a mail in quoted-printable', (r) => quotedPrintable(`${lines(r)}\n\n${r.body}`)],
  ['a mail in quoted-printable with CR LF', (r) => quotedPrintable(`${lines(r)}\n\n${r.body}`).replaceAll('\n', '\r\n')],
  ['a page with marked words', (r) => `<pre>${html(`${lines(r)}\n${r.body}`).replace('lat', '<em class="hit">lat</em>').replace('remark', 're<wbr>mark').replace('sign', '<mark>sign</mark>')}</pre>`],
  ['a document of MongoDB', (r) => quoted({ _id: { $oid: '65f' }, status: { $numberLong: '200' }, headers: object(r), body: r.body })],
  ['xxd -p', (r) => (Buffer.from(wire(r)).toString('hex').match(/.{1,60}/g) ?? []).join('\n')],
  ['a C array of Wireshark', (r) => `char peer0_0[] = { /* Packet 4 */\n${(Buffer.from(wire(r)).toString('hex').match(/.{1,16}/g) ?? []).map((row) => (row.match(/../g) ?? []).map((b) => `0x${b}`).join(', ')).join(', \n')} };`],
  ['cat -A', (r) => catV(wire(r)).replaceAll('\r', '^M').replace(/$/gm, '$')],
  ['many other bodies before', (r) => `${'INFO event={"orderId":1}\n'.repeat(120)}INFO ${lines(r, ', ', '=')} body=${r.body}`],
  ['an additional header of another request', (r) => `INFO headers={X-TMS-Trace=1} body={"a":1}\nINFO headers={${lines(r, ', ', '=')}} body=${r.body}`],
  ['empty parameters beside the body', (r) => quoted({ level: 30, req: { method: 'POST', params: {}, query: {}, headers: lower(r) }, body: r.body })],
  ['the shell of MongoDB', (r) => `{ "_id" : ObjectId("65f"), "status" : NumberLong("200"), "headers" : ${quoted(object(r))}, "body" : ${quoted(r.body)} }`],
]; // biome-ignore format: a table
