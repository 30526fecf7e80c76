/**
 * The bytes of a text in GBK, encoded like Java: characters outside GBK become `?`. Python does the
 * same, except for `€` and characters of private use, which are outside its GBK. Node decodes GBK
 * but does not encode it, so the table of its decoder is inverted.
 */
export function encodeGbk(text: string): Uint8Array {
  return encodeDoubleByte(text, gbkTable(), () => '?');
}

/** The bytes of a text in GB18030, limited to GBK and characters beyond U+FFFF. */
export function encodeGb18030(text: string): Uint8Array {
  return encodeDoubleByte(text, gbkTable(), (character) => {
    const code = (character.codePointAt(0) ?? 0) - 0x10000;
    if (code < 0) return '?';
    return String.fromCharCode(
      0x90 + Math.floor(code / 12_600),
      0x30 + (Math.floor(code / 1260) % 10),
      0x81 + (Math.floor(code / 10) % 126),
      0x30 + (code % 10),
    );
  });
}

/** The bytes of a text in Big5; other characters become `?`. */
export function encodeBig5(text: string): Uint8Array {
  big5Codes ??= doubleByteTable('big5');
  return encodeDoubleByte(text, big5Codes, () => '?');
}

function encodeDoubleByte(
  text: string,
  codes: ReadonlyMap<string, number>,
  other: (character: string) => string,
): Uint8Array {
  return bytesOf(
    text.replace(/[^\0-\x7f]/gu, (character) => {
      const code = codes.get(character);
      return code === undefined ? other(character) : String.fromCharCode(code >> 8, code & 0xff);
    }),
  );
}

/** The bytes of a text in Latin-1; other characters become `?`. */
export function encodeLatin1(text: string): Uint8Array {
  return bytesOf(text.replace(/[^\0-\xff]/gu, '?'));
}

/** The bytes of a text in ASCII; other characters become `?`. */
export function encodeAscii(text: string): Uint8Array {
  return bytesOf(text.replace(/[^\0-\x7f]/gu, '?'));
}

/** The low byte of each UTF-16 code unit, as old JavaScript libraries for MD5 take it. */
export function encodeLowBytes(text: string): Uint8Array {
  return bytesOf(text);
}

/** The bytes of a text in Windows-1252; other characters become `?`. */
export function encodeWindows1252(text: string): Uint8Array {
  return bytesOf(
    text.replace(/[^\0-\x7f]/gu, (character) => {
      const at = WINDOWS_1252.indexOf(character);
      if (at >= 0) return String.fromCharCode(0x80 + at);
      return character <= '\xff' ? character : '?';
    }),
  );
}

/** The UTF-8 of a text, decoded as Windows-1252. Node's decoder treats it as Latin-1. */
export function misreadAsWindows1252(text: string): string {
  return Buffer.from(text)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (byte) => WINDOWS_1252.charAt(byte.charCodeAt(0) - 0x80));
}

/** Windows-1252 from 0x80 to 0x9f. Its five undefined bytes map to the same code points. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/**
 * The UTF-8 bytes of a text, decoded as GBK, with U+FFFD for invalid bytes. After a lead byte
 * without a trail byte, Python and Java continue at the next byte.
 */
export function misreadAsGbk(text: string): string {
  // Only a browser decodes private-use characters.
  gbkCharacters ??= new Map(
    [...gbkTable()].flatMap(([character, code]) =>
      /^[\ue000-\uf8ff]$/.test(character) ? [] : [[code, character]],
    ),
  );
  const bytes = Buffer.from(text);
  let read = '';
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    const character = gbkCharacters.get(byte * 0x100 + (bytes[at + 1] ?? 0));
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

let gbkCharacters: ReadonlyMap<number, string> | undefined;

/** The bytes of a text in CESU-8: each half of a surrogate pair as three bytes. */
export function encodeCesu8(text: string): Uint8Array {
  const parts = text.split(/([\ud800-\udfff])/).map((part) => {
    if (part.length !== 1 || !/[\ud800-\udfff]/.test(part)) return Buffer.from(part);
    const unit = part.charCodeAt(0);
    return Buffer.of(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
  });
  return Buffer.concat(parts);
}

/** Decodes the UTF-8 of a text as this charset. */
export function misreadAs(charset: string): (text: string) => string {
  return (text) => new TextDecoder(charset).decode(Buffer.from(text));
}

const LINE_FEED = 0x0a;

let gbkCodes: ReadonlyMap<string, number> | undefined;
let big5Codes: ReadonlyMap<string, number> | undefined;

function gbkTable(): ReadonlyMap<string, number> {
  gbkCodes ??= doubleByteTable('gbk').set('€', 0xa2e3);
  return gbkCodes;
}

/** Each character of a text as one byte. */
function bytesOf(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

function doubleByteTable(charset: 'gbk' | 'big5'): Map<string, number> {
  const codes: number[] = [];
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) codes.push(lead * 0x100 + trail);
  }
  // A line end after each pair of bytes separates invalid pairs.
  const bytes = Buffer.alloc(codes.length * 3, LINE_FEED);
  for (let at = 0; at < codes.length; at++) bytes.writeUInt16BE(codes[at] ?? 0, at * 3);
  const characters = new TextDecoder(charset).decode(bytes).split('\n');
  const table = new Map<string, number>();
  for (let at = 0; at < codes.length; at++) {
    const character = characters[at] ?? '';
    if (!table.has(character)) table.set(character, codes[at] ?? 0);
  }
  return table;
}
