import { captureError, lineAndColumn } from './capture-error.ts';
import type { CapturedRequest } from './captured-request.ts';
import { latin1 } from './decoding.ts';
import { readHttpMessage } from './http-message.ts';
import { signedRequests } from './signed-requests.ts';

/** What http.client prints of each piece that it sends, up to the content of the literal. */
const SEND = /\bsend: ?([bu]?)(['"])/g;
const CONTENT = {
  "'": /(?:[^\\'\n]|\\[^\n])*/y,
  '"': /(?:[^\\"\n]|\\[^\n])*/y,
};
const REQUEST_LINE = /^[A-Z]{3,10} \S+ HTTP\/\d/;
/** urllib3's log, which names the request and holds nothing of it. */
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

/** Whether a text is what Python's http.client prints with `debuglevel` 1. */
export function isPythonLog(text: string): boolean {
  return /\bsend: ?[bu]?['"](?:[A-Z]{3,10} \/|\{)/.test(text) || URLLIB3.test(text);
}

/**
 * Reads the requests that Python's http.client printed (`send: b'POST …'`, and the body in further
 * pieces). The literals of Python hold every byte.
 *
 * @throws {MopError} `usage`
 */
export function readPythonLog(text: string): readonly CapturedRequest[] {
  const messages: Buffer[][] = [];
  for (const bytes of sentPieces(text)) {
    if (REQUEST_LINE.test(latin1(bytes.subarray(0, 10_000)))) messages.push([]);
    messages.at(-1)?.push(bytes);
  }
  if (messages.length === 0) {
    throw captureError(
      'python',
      'it does not hold what was sent',
      'set http.client.HTTPConnection.debuglevel = 1 before the request and copy all lines from send: on',
    );
  }
  return signedRequests(
    messages.map((pieces) => () => readHttpMessage(new Uint8Array(Buffer.concat(pieces)), 'python')),
    'python',
  );
}

function sentPieces(text: string): readonly Buffer[] {
  return [...text.matchAll(SEND)].map(({ 0: start, 1: prefix = '', 2: quote, index }) => {
    const content = quote === '"' ? CONTENT['"'] : CONTENT["'"];
    content.lastIndex = index + start.length;
    const literal = content.exec(text)?.[0] ?? '';
    if (text[content.lastIndex] !== quote) {
      throw captureError(
        'python',
        `the literal that begins at ${lineAndColumn(text, index)} is not closed`,
        'copy the whole line: terminals and editors wrap it, or cut it',
      );
    }
    return literalBytes(literal, prefix);
  });
}

/** The bytes of a literal. In one without a prefix, of Python 2, `\x` stands for a byte as well. */
function literalBytes(literal: string, prefix: string): Buffer {
  const bytes = literal.replace(TOKEN, (token, shorts, long, hex, octal, character) => {
    // In bytes \u is no escape.
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

/** The bytes of a text in UTF-8, a character each. */
function encoded(text: string): string {
  return latin1(new TextEncoder().encode(text));
}

function codeText(point: number): string {
  return point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd';
}
