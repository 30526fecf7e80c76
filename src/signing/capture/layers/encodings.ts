import { base64Bytes, hexBytes, strictUtf8Text, utf8Text } from '../../bytes.ts';

/** Layers that write all bytes of a text in another notation, each in a part of a text. */

/** Up to this many bytes; more would overflow the stack of the regular expressions. */
const BASE64 = /[A-Za-z\d+/_-]{24,200000}={0,2}/g;
const HEX = /(?<![\da-f])[\da-f]{2}(?:[:, -]?[\da-f]{2}){23,60000}/gi;
const ESCAPED_HEX = /(?:0x[\da-f]{2},?\s{0,2}){24,60000}/gi;
const NUMBERS = /(?<![\d.])-?\d{1,3}(?:(?:, ?| )-?\d{1,3}(?![\d.])){23,60000}/g;

/** The beginning of a request: an object, or a request line. */
const REQUEST = /\{\s*\\*"|^[A-Z]{3,10} \S+ HTTP\/\d/m;

/** Decodes Base64 that contains a request. */
export function withoutBase64(text: string): readonly string[] {
  return replaced(text, BASE64, base64Bytes);
}

/** Decodes hex digits, such as the `http.file_data` of tshark. */
export function withoutHex(text: string): readonly string[] {
  return replaced(
    text.replace(ESCAPED_HEX, (run) => run.replace(/0x|[,\s]/g, '')),
    HEX,
    (run) => hexBytes(run.replace(/[^\da-f]/gi, '')),
  );
}

/** Decodes bytes that Go, Java, Erlang or JSON print as a list of numbers. */
export function withoutNumbers(text: string): readonly string[] {
  return replaced(text, NUMBERS, (run) =>
    Uint8Array.from(run.match(/-?\d+/g) ?? [], (number) => Number(number) & 0xff),
  );
}

function replaced(
  text: string,
  pattern: RegExp,
  bytesOf: (run: string) => Uint8Array,
): readonly string[] {
  let found = false;
  const result = text.replace(pattern, (run) => {
    const bytes = bytesOf(run);
    const decoded = strictUtf8Text(bytes) ?? utf8Text(bytes);
    if (!REQUEST.test(decoded.slice(0, 2000)) || /\ufffd{3}/.test(decoded.slice(0, 200)))
      return run;
    found = true;
    // A message must begin a line.
    return /^[A-Z]{3,10} \S+ HTTP\/\d/.test(decoded) ? `\n${decoded}` : decoded;
  });
  return found ? [result] : [];
}
