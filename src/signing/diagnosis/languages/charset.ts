/**
 * The bytes of a text in GBK, as Java encodes it: what GBK does not hold becomes `?`. Python does
 * the same, but for `€` and characters of private use, which it does not have there.
 * Node decodes GBK but does not encode it, so its own table is turned round.
 */
export function encodeGbk(text: string): Uint8Array {
  gbkCodes ??= gbkTable();
  const codes = gbkCodes;
  return bytesOf(
    text.replace(/[^\0-\x7f]/gu, (character) => {
      const code = codes.get(character);
      return code === undefined ? '?' : String.fromCharCode(code >> 8, code & 0xff);
    }),
  );
}

/** The bytes of a text in Latin-1; what it does not hold becomes `?`. */
export function encodeLatin1(text: string): Uint8Array {
  return bytesOf(text.replace(/[^\0-\xff]/gu, '?'));
}

/** The bytes of a text in ASCII; what it does not hold becomes `?`. */
export function encodeAscii(text: string): Uint8Array {
  return bytesOf(text.replace(/[^\0-\x7f]/gu, '?'));
}

const LINE_FEED = 0x0a;

let gbkCodes: ReadonlyMap<string, number> | undefined;

/** Each character of a text as one byte. */
function bytesOf(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

function gbkTable(): ReadonlyMap<string, number> {
  const codes: number[] = [];
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) codes.push(lead * 0x100 + trail);
  }
  // A line end after each pair of bytes keeps those apart that are no character.
  const bytes = Uint8Array.from(codes.flatMap((code) => [code >> 8, code & 0xff, LINE_FEED]));
  const characters = new TextDecoder('gbk').decode(bytes).split('\n');
  const table = new Map<string, number>();
  for (const [index, code] of codes.entries()) {
    const character = characters[index] ?? '';
    if (!table.has(character)) table.set(character, code);
  }
  // Node knows it as the single byte 0x80 of Windows alone.
  table.set('€', 0xa2e3);
  return table;
}
