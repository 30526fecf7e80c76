import { latin1 } from '../latin1.ts';
import { captureError } from './capture-error.ts';
import {
  type CaptureEntry,
  type CaptureReader,
  looksLikePlatformRequest,
} from './capture-reader.ts';
import { readHttpMessage } from './http-message.ts';

/** A line of the wire log, up to the bytes. A server logs received bytes with `<<`. */
const WIRE = /(>>|<<) "/;
/** The name of the connection, the last word before it: `http-outgoing-0`, `c-0000000001`. */
const CONNECTION = /[\w.]+-\d+ $/;
const REQUEST = /(?:>>|<<) "[A-Z]{3,10} [^\s"]+ HTTP\/\d(?:\.\d)?\[\\r\]\[\\n\]"/;
/** A line of the log of headers, which has no quotes. */
const HEADERS_REQUEST =
  /(?:headers?\b[^\n"]{0,100}|^)>> [A-Z]{3,10} [^\s"]+ HTTP\/\d(?:\.\d)?\s*$/m;

/**
 * Reads the requests of a wire log of Apache HttpClient, versions 3 to 5. Such a log contains every
 * byte.
 */
export const APACHE_LOG: CaptureReader = {
  format: 'apache',
  isFormat: ({ text }) => REQUEST.test(text) || HEADERS_REQUEST.test(text),
  read: (capture) => entriesOf(capture.textAs('apache')),
};

function entriesOf(text: string): readonly CaptureEntry[] {
  const messages = wireMessages(text);
  if (messages.length === 0) {
    throw captureError(
      'apache',
      'it contains the headers without the body',
      'log the bytes too: set the logger org.apache.hc.client5.http.wire (version 4: org.apache.http.wire) to DEBUG',
    );
  }
  return messages.map((pieces) => {
    const printed = pieces.join('');
    return {
      looksSigned: looksLikePlatformRequest(printed),
      read: () => readHttpMessage(bytesOf(printed), 'apache'),
    };
  });
}

/** The printed bytes of each request, piece by piece. Lines of several connections may alternate. */
function wireMessages(text: string): readonly (readonly string[])[] {
  const messages: string[][] = [];
  const current = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const mark = WIRE.exec(line);
    const end = line.lastIndexOf('"');
    if (mark === null || end < mark.index + mark[0].length) continue;
    const connection = CONNECTION.exec(line.slice(Math.max(0, mark.index - 100), mark.index))?.[0];
    const key = `${mark[1]} ${connection ?? ''}`;
    const piece = line.slice(mark.index + mark[0].length, end);
    if (REQUEST.test(line)) {
      const message = [piece];
      messages.push(message);
      current.set(key, message);
    } else {
      current.get(key)?.push(piece);
    }
  }
  return messages;
}

/** Decodes a line of a wire log: `[\r]`, `[\n]`, and `[0xe6]` for a byte that is not ASCII. */
function bytesOf(printed: string): Uint8Array {
  const text = latin1(new TextEncoder().encode(printed)).replace(
    /\[(?:\\r|\\n|0x([\da-f]{1,2}))\]/g,
    (token, hex) => (hex ? decodedByte(token, hex) : token === '[\\r]' ? '\r' : '\n'),
  );
  return new Uint8Array(Buffer.from(text, 'latin1'));
}

/** The logger prints ASCII unchanged, so `[0x41]` is text of the body. */
function decodedByte(token: string, hex: string): string {
  const code = Number.parseInt(hex, 16);
  return code >= 32 && code < 127 ? token : String.fromCharCode(code);
}
