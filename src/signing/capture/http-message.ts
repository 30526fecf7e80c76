import { jsonObject } from '../../json/parse.ts';
import { type Header, headerValue } from '../header-mode.ts';
import { latin1 } from '../latin1.ts';
import { captureError, shown } from './capture-error.ts';
import { type CaptureReader, onlyEntry } from './capture-reader.ts';
import type { CapturedRequest, CaptureFormat } from './captured-request.ts';
import { readContent } from './content.ts';
import { utf8Text } from './decoding.ts';

/** `POST /path HTTP/1.1`; the version may be missing, as in notes and API documents. */
const REQUEST_LINE = /^([A-Z][A-Z-]{0,30}) ((?:\/|https?:\/\/)\S*)(?: HTTP\/\d(?:\.\d)?)?[ \t]*$/;
const SPACE = 0x20;
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/;

/** Reads a single message. */
export const HTTP_MESSAGE: CaptureReader = {
  format: 'http',
  isFormat: ({ head }) => {
    const [line = ''] = head.split(/\r?\n/, 1);
    return REQUEST_LINE.test(line) || /^HTTP\/\d/.test(line);
  },
  read: ({ bytes, text, start }) =>
    onlyEntry(() => readHttpMessage(bytes.subarray(Buffer.byteLength(text.slice(0, start))))),
};

/**
 * Reads an HTTP/1.1 request in wire format (RFC 9112), or printed by a tool with LF line ends. It
 * is read as bytes, because a form may contain files.
 *
 * @param message From its request line on.
 * @param format The format that contains the message.
 * @throws {MopError} `usage`
 */
export function readHttpMessage(
  message: Uint8Array,
  format: CaptureFormat = 'http',
): CapturedRequest {
  const { lines, rest } = splitHead(message, format);
  const [requestLine = '', ...headerLines] = lines;
  const [, method, target = ''] = REQUEST_LINE.exec(requestLine) ?? [];
  if (method === undefined) {
    throw captureError(
      format,
      'it is a response, not a request',
      'only requests are signed: copy from the first line, such as POST /path HTTP/1.1',
    );
  }
  const headers = headerLines.flatMap((line, index) => readHeader(line, index + 2, format));
  if (rest === undefined) {
    throw captureError(
      format,
      'no empty line follows the headers, so there is no body',
      'copy the whole message; an empty line separates the headers and the body',
    );
  }
  const { bytes, notes } = readMessageBody(rest, headers);
  const query = /\?(.+)/.exec(target)?.[1];
  if (bytes.length === 0 && query !== undefined) {
    throw captureError(
      format,
      `the body is empty, and the address has the fields ${shown(namesOf(query))}`,
      'send the fields as a JSON object in the body: only the body and the X-TMS-* headers are signed',
    );
  }
  const { body, notes: bodyNotes } = readContent(bytes, headers, format);
  const host = headerValue(headers, 'Host');
  return {
    format,
    method,
    // A message does not contain the scheme; the platform uses https.
    url: target.startsWith('/') && host ? `https://${host}${target}` : target,
    headers,
    body,
    notes: [...notes, ...bodyNotes],
  };
}

/** The names in a query. Its values may be secrets. */
function namesOf(query: string): string {
  return query
    .slice(0, 1000)
    .replace(/=[^&]*/g, '')
    .replaceAll('&', ', ');
}

/** The lines up to the first empty one, and the bytes after it. */
function splitHead(
  message: Uint8Array,
  format: CaptureFormat,
): {
  lines: readonly string[];
  rest: Uint8Array | undefined;
} {
  const text = latin1(message);
  const empty = /\n\r?\n/.exec(text);
  const head = message.subarray(0, empty?.index);
  return {
    lines: utf8Text(head, 'the head', format).trimEnd().split(/\r?\n/),
    rest: empty ? message.subarray(empty.index + empty[0].length) : undefined,
  };
}

/** The header of a line; undefined for any other line. */
export function headerOf(line: string): Header | undefined {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0));
  return HEADER_NAME.test(name) ? [name, line.slice(colon + 1).trim()] : undefined;
}

function readHeader(line: string, number: number, format: CaptureFormat): Header[] {
  // HTTP/2's request line, as developer tools print it.
  if (line.startsWith(':')) return [];
  const header = headerOf(line);
  if (header) return [header];
  throw captureError(
    format,
    `line ${number} is not a header: ${shown(line)}`,
    'each header is one line, Name: value; an empty line separates them from the body',
  );
}

interface MessageBody {
  readonly bytes: Uint8Array;
  readonly notes: readonly string[];
}

function readMessageBody(rest: Uint8Array, headers: readonly Header[]): MessageBody {
  if (/\bchunked\b/i.test(headerValue(headers, 'Transfer-Encoding') ?? '')) {
    // Many tools print the decoded body and keep the header `Transfer-Encoding`.
    return { bytes: dechunked(rest) ?? rest, notes: [] };
  }
  const length = headerValue(headers, 'Content-Length') ?? '';
  if (!/^\d{1,15}$/.test(length)) return { bytes: rest, notes: [] };
  const end = Number(length);
  if (end >= rest.length) {
    const missing = `${end - rest.length} of the ${end} bytes of Content-Length are missing`;
    return { bytes: rest, notes: end > rest.length ? [missing] : [] };
  }
  const bytes = rest.subarray(0, end);
  const behind = rest.subarray(end);
  if (!behind.some((byte) => byte > SPACE)) return { bytes, notes: [] };
  return (
    reprintedBody(bytes, rest) ?? {
      bytes,
      notes: [`${behind.length} bytes after Content-Length (${end}) were ignored`],
    }
  );
}

/** A body that a tool such as HTTPie reformatted. */
function reprintedBody(sent: Uint8Array, rest: Uint8Array): MessageBody | undefined {
  if (jsonObject(latin1(sent))) return undefined;
  const end = /\r?\n\r?\n\s{0,4}HTTP\/\d/.exec(latin1(rest))?.index;
  const bytes = rest.subarray(0, end);
  if (!jsonObject(latin1(bytes))) return undefined;
  const note =
    'the body is longer than Content-Length: the tool reformatted it, so numbers, white space and the order of names may have changed (http --pretty=none prints it as sent)';
  return { bytes, notes: [note] };
}

/** The content of a chunked body; undefined when it is not chunked. */
function dechunked(body: Uint8Array): Uint8Array | undefined {
  const text = latin1(body);
  const sizeLine = /([\da-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n/iy;
  const chunks: Uint8Array[] = [];
  for (;;) {
    const size = Number.parseInt(sizeLine.exec(text)?.[1] ?? '', 16);
    const start = sizeLine.lastIndex;
    if (Number.isNaN(size) || start + size > body.length) return undefined;
    if (size === 0) return new Uint8Array(Buffer.concat(chunks));
    chunks.push(body.subarray(start, start + size));
    const lineEnd = /\r?\n/y;
    lineEnd.lastIndex = start + size;
    if (!lineEnd.test(text)) return undefined;
    sizeLine.lastIndex = lineEnd.lastIndex;
  }
}
