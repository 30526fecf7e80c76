import { base64Bytes, hexBytes, strictUtf8Text, utf8Text } from '../signing/bytes.ts';

/** One long line, or lines of a mail. The limits keep the expressions from overflowing the stack. */
const BASE64 =
  /(?:[A-Za-z\d+/_-]{60,76}\r?\n){1,3000}[A-Za-z\d+/_-]{1,76}={0,2}|[A-Za-z\d+/_-]{24,200000}={0,2}/g;
const HEX = /(?<![\da-f])[\da-f]{2}(?:(?:[:, -]|\r?\n)?[\da-f]{2}){23,60000}/gi;
const ESCAPED_HEX = /(?:0x[\da-f]{2},?\s{0,2}){24,60000}/gi;
const NUMBERS = /(?<![\d.])-?\d{1,3}(?:(?:, ?| )-?\d{1,3}(?![\d.])){23,60000}/g;

/** A message, which may contain the bytes of files. */
const MESSAGE = /^[A-Z]{3,10} \S+ HTTP\/\d/;
const ESC = '\u001b';
/** A control character that texts do not contain; an escape begins a colour of a terminal. */
const CONTROL = new RegExp(`[^\\P{Cc}\\t\\r\\n${ESC}]`, 'u');

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
    const text = strictUtf8Text(bytes);
    const isText = text !== undefined && !CONTROL.test(text);
    const decoded = isText ? text : utf8Text(bytes);
    if (!isText && !MESSAGE.test(decoded)) return run;
    found = true;
    // A message must begin a line.
    return MESSAGE.test(decoded) ? `\n${decoded}` : decoded;
  });
  return found ? [result] : [];
}
