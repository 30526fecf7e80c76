import { bytesText, withoutBackslashes } from '../../../notations/escapes.ts';
import { latin1Bytes, latin1Text, utf8Bytes } from '../../bytes.ts';

// Layers of logs that print the bytes of a connection in pieces, each in quotes.

const REQUEST = /^[A-Z]{3,10} [^\s"']{1,10000} HTTP\/\d(?:\.\d)?(?:\\r)?\\n/;
const REQUEST_IN_TEXT = /[A-Z]{3,10} [^\s"']{1,2000} HTTP\/\d(?:\.\d)?(?:\\r)?\\n/;

/** A piece of a stream of bytes. */
interface Piece {
  readonly stream: string;
  readonly content: string;
}

/** The messages in pieces: a piece with a request line begins one, the others of its stream follow. */
function messagesIn(pieces: Iterable<Piece>, requestLine: RegExp): readonly string[] {
  const messages: string[][] = [];
  const current = new Map<string, string[]>();
  for (const { stream, content } of pieces) {
    if (requestLine.test(content)) {
      const message = [content];
      messages.push(message);
      current.set(stream, message);
    } else {
      current.get(stream)?.push(content);
    }
  }
  return messages.map((parts) => parts.join(''));
}

/**
 * Joins the quoted pieces of `send: b'…'` of Python, `<- "…"` of Ruby, `sendto(3, "…"` of strace and
 * the like. The word before the quote names the stream.
 */
export function withoutQuotedPieces(text: string): readonly string[] {
  if (!REQUEST_IN_TEXT.test(text)) return [];
  return withoutBackslashes(messagesIn(quotedIn(text), REQUEST).join('\\n'));
}

function* quotedIn(text: string): Generator<Piece> {
  for (const line of text.split('\n')) yield* quotedInLine(line);
}

function* quotedInLine(line: string): Generator<Piece> {
  const opening = /["']/g;
  for (let found = opening.exec(line); found; found = opening.exec(line)) {
    const start = opening.lastIndex;
    const end = closingQuote(line, start, found[0]);
    const before = line.slice(Math.max(0, start - 41), start - 1);
    const stream =
      /\S*[ \t]*$/.exec(before.replace(/(?<![\w])[bBuUrR]{1,2}$/, '').trimEnd())?.[0] ?? '';
    yield { stream, content: line.slice(start, end) };
    opening.lastIndex = end + 1;
  }
}

function closingQuote(line: string, from: number, quote: string): number {
  const special = quote === '"' ? /["\\]/g : /['\\]/g;
  special.lastIndex = from;
  for (let found = special.exec(line); found; found = special.exec(line)) {
    if (found[0] === quote) return found.index;
    special.lastIndex = found.index + 2;
  }
  return line.length;
}

/** A line of the wire log of Apache HttpClient. A server logs received bytes with `<<`. */
const WIRE_MARK = /(>>|<<) "/;
const CONNECTION = /[\w.]+-\d+(?= $)/;
const WIRE_REQUEST = /^[A-Z]{3,10} [^\s"]+ HTTP\/\d(?:\.\d)?\[\\r\]\[\\n\]$/;

/** Joins the lines of a wire log of Apache HttpClient: `[\r]`, `[\n]`, and `[0xe6]` for a byte. */
export function withoutWireLog(text: string): readonly string[] {
  if (!/(?:>>|<<) "[A-Z]{3,10} [^\s"]+ HTTP\/\d(?:\.\d)?\[\\r\]\[\\n\]"/.test(text)) return [];
  return [messagesIn(wirePieces(text), WIRE_REQUEST).map(wireText).join('\n')];
}

function* wirePieces(text: string): Generator<Piece> {
  for (const line of text.split('\n')) {
    const found = WIRE_MARK.exec(line);
    const printed = line.slice((found?.index ?? 0) + (found?.[0].length ?? 0)).trimEnd();
    if (!found || !printed.endsWith('"')) continue;
    const before = line.slice(Math.max(0, found.index - 100), found.index);
    const stream = `${found[1]} ${CONNECTION.exec(before)}`;
    yield { stream, content: printed.slice(0, -1) };
  }
}

function wireText(printed: string): string {
  const bytes = latin1Text(utf8Bytes(printed)).replace(
    /\[(?:\\r|\\n|0x([\da-f]{1,2}))\]/g,
    (token, hex) => (hex ? decodedByte(token, hex) : token === '[\\r]' ? '\r' : '\n'),
  );
  return bytesText(latin1Bytes(bytes));
}

/** The logger prints ASCII unchanged, so `[0x41]` is text of the body. */
function decodedByte(token: string, hex: string): string {
  const code = Number.parseInt(hex, 16);
  return code >= 32 && code < 127 ? token : String.fromCharCode(code);
}
