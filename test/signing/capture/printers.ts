import { signBody } from '../../../src/signing/body-mode.ts';
import type { Header } from '../../../src/signing/header-mode.ts';
import { signHeaders } from '../../../src/signing/header-mode.ts';
import { fakeSource } from '../helpers.ts';

/** The log formats of tools, from their source code. */

export interface SentRequest {
  readonly path: string;
  readonly headers: readonly Header[];
  readonly body: string;
}

const SANDBOX = { apiKey: 'sandbox', secret: 'sandbox-secret' };
const BUSINESS =
  '{"city":"杭州","lat":30.10,"memo":"a \\"b\\" \\\\ c\\nd","gone":null,"stops":[{"name":"西湖🚕","at":{"x":1.50}}]}';

export const BODY_MODE: SentRequest = sent(
  '/open/v1/user/sync',
  signBody(BUSINESS, SANDBOX, {}, fakeSource).body,
);
const signed = signHeaders(BUSINESS, SANDBOX, {}, fakeSource);
export const HEADER_MODE: SentRequest = sent(
  '/api/open/user/sync',
  signed.body ?? '',
  Object.entries(signed.headers),
);

export function sent(path: string, body: string, headers: readonly Header[] = []): SentRequest {
  return {
    path,
    headers: [
      ['Host', 'open.example.com'],
      ['Content-Type', 'application/json; charset=utf-8'],
      ['Content-Length', String(Buffer.byteLength(body))],
      ...headers,
    ],
    body,
  };
}

function head({ path, headers }: SentRequest): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return `${[`POST ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`;
}

const prefixed = (lines: readonly string[], prefix: (line: number) => string): string =>
  lines.map((line, index) => `${prefix(index)}${line}`).join('\n');

/** The wire log of Apache HttpClient: one line for each line feed and each buffer. */
export function apacheWire(request: SentRequest, prefix: (line: number) => string): string {
  const pieces = [...head(request).split(/(?<=\n)/), request.body];
  return prefixed(
    pieces.filter((piece) => piece !== '').flatMap(wireLines),
    (line) => `${prefix(line)}>> `,
  );
}

function wireLines(piece: string): readonly string[] {
  const printed = [...Buffer.from(piece)].map((byte) => {
    if (byte === 13) return '[\\r]';
    if (byte === 10) return '[\\n]';
    return byte < 32 || byte >= 127 ? `[0x${byte.toString(16)}]` : String.fromCharCode(byte);
  });
  return printed
    .join('')
    .split(/(?<=\[\\n\])/)
    .map((line) => `"${line}"`);
}

/** HttpLoggingInterceptor at the level BODY. */
export function okHttp({ path, headers, body }: SentRequest, prefix: (line: number) => string) {
  const lines = [
    `--> POST https://open.example.com${path} h2`,
    ...headers.filter(([name]) => name !== 'Host').map(([name, value]) => `${name}: ${value}`),
    '',
    ...body.split('\n'),
    `--> END POST (${Buffer.byteLength(body)}-byte body)`,
  ];
  return prefixed(lines, prefix);
}

/** Logcat, which splits messages of more than 4,000 characters (fewer here). */
export function logcat(request: SentRequest, prefix: (line: number) => string, limit: number) {
  const lines = okHttp(request, () => '').split('\n');
  const pieces = lines.flatMap((line) =>
    line === '' ? [''] : (line.match(new RegExp(`[^\\n]{1,${limit}}`, 'gu')) ?? []),
  );
  return prefixed(pieces, prefix);
}

/** The repr of Python for bytes. */
function pythonBytes(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const content = [...Buffer.from(text)].map((byte) => {
    const character = String.fromCharCode(byte);
    if (character === '\\' || character === quote) return `\\${character}`;
    const named = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[character];
    if (named !== undefined) return named;
    const isPrinted = byte >= 32 && byte < 127;
    return isPrinted ? character : `\\x${byte.toString(16).padStart(2, '0')}`;
  });
  return `b${quote}${content.join('')}${quote}`;
}

export function pythonSend(request: SentRequest, prefix = ''): string {
  return [
    `${prefix}send: ${pythonBytes(head(request))}`,
    `${prefix}send: ${pythonBytes(request.body)}`,
    `${prefix}reply: 'HTTP/1.1 200 OK\\r\\n'`,
    `${prefix}header: Content-Type: application/json`,
  ].join('\n');
}

/** `dump` of tool_cb_dbg.c of curl. */
export function curlTrace(request: SentRequest, isHex: boolean, time = ''): string {
  const piece = (kind: string, text: string): string => {
    const bytes = Buffer.from(text);
    const size = bytes.length;
    const lines = isHex ? hexDump(bytes) : asciiDump(bytes);
    return [`${time}=> Send ${kind}, ${size} bytes (0x${size.toString(16)})`, ...lines].join('\n');
  };
  return [
    `${time}== Info: Connected to open.example.com (127.0.0.1) port 443`,
    `${time}=> Send SSL data, 5 bytes (0x5)`,
    isHex ? '0000: 16 03 01 02 00                                  .....' : '0000: .....',
    piece('header', head(request)),
    piece('data', request.body),
    `${time}<= Recv header, 17 bytes (0x11)`,
    '0000: HTTP/1.1 200 OK',
  ].join('\n');
}

const hex = (number: number, width: number) => number.toString(16).padStart(width, '0');
const printable = (byte: number) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.');

function hexDump(bytes: Buffer): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const row = [...bytes.subarray(at, at + 16)];
    const digits = row.map((byte) => `${hex(byte, 2)} `).join('');
    lines.push(`${hex(at, 4)}: ${digits.padEnd(48)}${row.map(printable).join('')}`);
  }
  return lines;
}

function asciiDump(bytes: Buffer): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\r\n', at);
    const hasEnd = end !== -1 && end - at <= 64;
    const row = bytes.subarray(at, hasEnd ? end : at + 64);
    lines.push(`${hex(at, 4)}: ${[...row].map(printable).join('')}`);
    at += row.length + (hasEnd ? 2 : 0);
  }
  return lines;
}

/** `escape=default` of nginx. */
export function nginxEscaped(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const isEscaped = byte < 32 || byte > 126 || byte === 0x22 || byte === 0x5c;
      return isEscaped ? `\\x${hex(byte, 2).toUpperCase()}` : String.fromCharCode(byte);
    })
    .join('');
}

/** A JSON string without its quotes: `escape=json` of nginx, and JSON loggers. */
export function jsonEscaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
