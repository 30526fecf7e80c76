import { latin1 } from '../latin1.ts';
import { captureError } from './capture-error.ts';
import {
  type CaptureEntry,
  type CaptureReader,
  looksLikePlatformRequest,
} from './capture-reader.ts';
import { readHttpMessage } from './http-message.ts';
import { quotedEnd } from './quoted.ts';

/** The log line of http.client for each sent piece, up to the content of the literal. */
const SEND = /\bsend: ?([bu]?)(['"])/g;
const REQUEST_LINE = /^[A-Z]{3,10} \S+ HTTP\/\d/;
/** urllib3's log, which names the request without its content. */
const URLLIB3 = /connectionpool\b[^\n]{0,300}"[A-Z]{3,10} [^\s"]+ HTTP\/[\d.]+" \d{3}/;

const TOKEN =
  /((?:\\u[\da-fA-F]{4})+)|\\U([\da-fA-F]{8})|\\x([\da-fA-F]{2})|\\([0-7]{1,3})|\\(.)|[^\\]+/g;
const CHARACTERS: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

/**
 * Reads the requests that Python's http.client printed (`send: b'POST …'`, and the body in further
 * pieces). The literals contain every byte.
 */
export const PYTHON_LOG: CaptureReader = {
  format: 'python',
  isFormat: ({ text }) =>
    /\bsend: ?[bu]?['"](?:[A-Z]{3,10} \/|\{)/.test(text) || URLLIB3.test(text),
  read: (capture) => entriesOf(capture.textAs('python')),
};

function entriesOf(text: string): readonly CaptureEntry[] {
  const messages: Buffer[][] = [];
  for (const bytes of sentPieces(text)) {
    if (REQUEST_LINE.test(latin1(bytes.subarray(0, 10_000)))) messages.push([]);
    messages.at(-1)?.push(bytes);
  }
  if (messages.length === 0) {
    throw captureError(
      'python',
      'it does not contain the sent bytes',
      'set http.client.HTTPConnection.debuglevel = 1 before the request and copy all lines from send: on',
    );
  }
  return messages.map((pieces) => {
    const message = new Uint8Array(Buffer.concat(pieces));
    return {
      looksSigned: looksLikePlatformRequest(latin1(message)),
      read: () => readHttpMessage(message, 'python'),
    };
  });
}

/** The bytes of each literal; for a truncated literal, the bytes before the cut. */
function sentPieces(text: string): readonly Buffer[] {
  const pieces: Buffer[] = [];
  const send = new RegExp(SEND);
  for (let match = send.exec(text); match; match = send.exec(text)) {
    const from = send.lastIndex;
    const { end } = quotedEnd(text, from, match[2] === '"' ? '"' : "'");
    pieces.push(literalBytes(text.slice(from, end), match[1] ?? ''));
    send.lastIndex = end;
  }
  return pieces;
}

/** The bytes of a literal. In a literal without a prefix, of Python 2, `\x` is also a byte. */
function literalBytes(literal: string, prefix: string): Buffer {
  const bytes = literal.replace(TOKEN, (token, shorts, long, hex, octal, character) => {
    // In bytes, \u is not an escape.
    if ((shorts || long) && prefix === 'b') return encoded(token);
    if (shorts) return encoded(JSON.parse(`"${shorts}"`));
    if (long) return encoded(codeText(Number.parseInt(long, 16)));
    if (!hex && !octal) return encoded(CHARACTERS[character] ?? token);
    const code = hex ? Number.parseInt(hex, 16) : Number.parseInt(octal, 8) & 0xff;
    const unit = String.fromCharCode(code);
    return prefix === 'u' ? encoded(unit) : unit;
  });
  return Buffer.from(bytes, 'latin1');
}

/** The UTF-8 bytes of a text, one character per byte. */
function encoded(text: string): string {
  return /[^\0-\x7f]/.test(text) ? latin1(new TextEncoder().encode(text)) : text;
}

function codeText(point: number): string {
  return point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd';
}
