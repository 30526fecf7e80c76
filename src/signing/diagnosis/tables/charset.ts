import { concatBytes, latin1Bytes, latin1Text, utf8Bytes } from '../../bytes.ts';

// Character encodings other than UTF-8. Runtimes decode them, so their tables are inverted here.

type Encode = (text: string) => Uint8Array;

/** As Java: characters outside GBK become `?`. Python agrees, except for `€` and private use. */
export const encodeGbk: Encode = (text) => encodeDoubleByte(text, gbk(), () => '?');

/** The bytes of a text in GB18030, limited to GBK and characters beyond U+FFFF. */
export const encodeGb18030: Encode = (text) =>
  encodeDoubleByte(text, gbk(), (character) => {
    const code = (character.codePointAt(0) ?? 0) - 0x10000;
    if (code < 0) return '?';
    return String.fromCharCode(
      0x90 + Math.floor(code / 12_600),
      0x30 + (Math.floor(code / 1260) % 10),
      0x81 + (Math.floor(code / 10) % 126),
      0x30 + (code % 10),
    );
  });

export const encodeBig5: Encode = (text) => encodeDoubleByte(text, big5(), () => '?');

/** The bytes of a text in Latin-1 or ASCII; other characters become `?`. */
export const encodeLatin1: Encode = (text) => latin1Bytes(text.replace(/[^\0-\xff]/gu, '?'));
export const encodeAscii: Encode = (text) => latin1Bytes(text.replace(/[^\0-\x7f]/gu, '?'));

/** Windows-1252 from 0x80 to 0x9f. Its five undefined bytes map to the same code points. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

export const encodeWindows1252: Encode = (text) =>
  latin1Bytes(
    text.replace(/[^\0-\x7f]/gu, (character) => {
      const at = WINDOWS_1252.indexOf(character);
      if (at >= 0) return String.fromCharCode(0x80 + at);
      return character <= '\xff' ? character : '?';
    }),
  );

/** The bytes of a text in CESU-8: each half of a surrogate pair as three bytes. */
export const encodeCesu8: Encode = (text) =>
  concatBytes(
    text.split(/([\ud800-\udfff])/).map((part) => {
      if (!/^[\ud800-\udfff]$/.test(part)) return utf8Bytes(part);
      const unit = part.charCodeAt(0);
      return Uint8Array.of(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
    }),
  );

export function encodeUtf16(isLittleEndian: boolean, mark = ''): Encode {
  return (text) => {
    const units = mark + text;
    const view = new DataView(new ArrayBuffer(units.length * 2));
    for (let at = 0; at < units.length; at++) {
      view.setUint16(at * 2, units.charCodeAt(at), isLittleEndian);
    }
    return new Uint8Array(view.buffer);
  };
}

/** The bytes of a text in UTF-32, little-endian. */
export function encodeUtf32(text: string): Uint8Array {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const view = new DataView(new ArrayBuffer(codes.length * 4));
  for (const [at, code] of codes.entries()) view.setUint32(at * 4, code, true);
  return new Uint8Array(view.buffer);
}

export function misreadAs(charset: string): (text: string) => string {
  return (text) => new TextDecoder(charset).decode(utf8Bytes(text));
}

export function misreadAsLatin1(text: string): string {
  return latin1Text(utf8Bytes(text));
}

/** The UTF-8 of a text, decoded as Windows-1252. Node's decoder treats it as Latin-1. */
export function misreadAsWindows1252(text: string): string {
  return misreadAsLatin1(text).replace(/[\x80-\x9f]/g, (byte) =>
    WINDOWS_1252.charAt(byte.charCodeAt(0) - 0x80),
  );
}

/**
 * UTF-8 decoded as GBK. After a lead byte without a trail byte, Python and Java continue at the
 * next byte.
 */
export function misreadAsGbk(text: string): string {
  const characters = gbkCharacters();
  const bytes = utf8Bytes(text);
  let read = '';
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    const character = characters.get(byte * 0x100 + (bytes[at + 1] ?? 0));
    if (byte < 0x80) {
      read += String.fromCharCode(byte);
    } else if (character === undefined || at + 1 === bytes.length) {
      read += '\ufffd';
    } else {
      read += character;
      at++;
    }
  }
  return read;
}

const gbk = once(() => doubleByteTable('gbk').set('€', 0xa2e3));
const big5 = once(() => doubleByteTable('big5'));
/** Only a browser decodes private-use characters. */
const gbkCharacters = once(() => {
  const coded = [...gbk()].filter(([character]) => !/^[\ue000-\uf8ff]$/.test(character));
  return new Map(coded.map(([character, code]) => [code, character]));
});

function once<Result>(compute: () => Result): () => Result {
  let result: Result | undefined;
  return () => {
    result ??= compute();
    return result;
  };
}

function encodeDoubleByte(
  text: string,
  codes: ReadonlyMap<string, number>,
  other: (character: string) => string,
): Uint8Array {
  return latin1Bytes(
    text.replace(/[^\0-\x7f]/gu, (character) => {
      const code = codes.get(character);
      return code === undefined ? other(character) : String.fromCharCode(code >> 8, code & 0xff);
    }),
  );
}

function doubleByteTable(charset: 'gbk' | 'big5'): Map<string, number> {
  const decoder = new TextDecoder(charset);
  const table = new Map<string, number>();
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    // A line end after each pair of bytes separates invalid pairs.
    const trails = Array.from({ length: 0xbf }, (_, index) => 0x40 + index);
    const bytes = Uint8Array.from(trails.flatMap((trail) => [lead, trail, LINE_FEED]));
    for (const [at, character] of decoder.decode(bytes).split('\n').entries()) {
      const code = lead * 0x100 + 0x40 + at;
      if (!table.has(character)) table.set(character, code);
    }
  }
  return table;
}

const LINE_FEED = 0x0a;
