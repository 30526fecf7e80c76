import { strictUtf8Text } from '../../signing/bytes.ts';
import { isText } from './runs.ts';

/** Numbers of characters or bytes, each after the same mark: `0x59, 0x6f`, `%u0059`, `chr(89)+chr(111)`. */
const MARKED =
  /([^\s\w]{1,3}(?:0?x|u)?|0x|u\+|\b[a-z]{1,8}\()([\da-f]{2,6})(?:[\s,;?)+.&]{0,4}\1[\da-f]{2,6}){7,20000}/gi;

/** Decodes marked numbers in place, as decimal or else as hexadecimal numbers. */
export function decodeCodes(text: string): string {
  return text.replace(MARKED, (run, mark: string) => {
    const numbers = run
      .split(mark)
      .slice(1)
      .map((each) => /^[\da-f]+/i.exec(each)?.[0] ?? '');
    return codesText(numbers, 10) ?? codesText(numbers, 16) ?? run;
  });
}

/** Bytes of UTF-8, or else code points; undefined for numbers that are not a text. */
function codesText(numbers: readonly string[], base: 10 | 16): string | undefined {
  if (base === 10 && numbers.some((each) => /\D/.test(each))) return undefined;
  const codes = numbers.map((each) => Number.parseInt(each, base));
  if (codes.some((code) => code > 0x10ffff)) return undefined;
  const isBytes = codes.every((code) => code <= 0xff);
  const text = isBytes
    ? strictUtf8Text(Uint8Array.from(codes))
    : codes.map((code) => String.fromCodePoint(code)).join('');
  return text !== undefined && isText(text) ? text : undefined;
}
