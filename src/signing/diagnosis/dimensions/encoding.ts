import {
  encodeAscii,
  encodeBig5,
  encodeCesu8,
  encodeGb18030,
  encodeGbk,
  encodeLatin1,
  encodeLowBytes,
  encodeWindows1252,
  misreadAs,
  misreadAsGbk,
  misreadAsWindows1252,
} from '../languages/charset.ts';
import {
  type Evidence,
  type Mistake,
  RARE,
  rewritten,
  USUAL,
  type Variant,
  withSteps,
} from '../mistake.ts';
import type { Steps } from '../signer.ts';
import { someText } from '../values.ts';

/** The encoding of the string, which must be UTF-8 (D1 section 1). */

interface Encoding {
  readonly title: string;
  readonly encode: Steps['encode'];
  readonly cost?: number;
}

const GBK: readonly Encoding[] = [
  { title: 'the string was encoded in GBK', encode: encodeGbk },
  { title: 'the string was encoded in GB18030', encode: encodeGb18030 },
  { title: 'UTF-8 was decoded as GBK and encoded again', encode: misreadAsGbk },
  {
    title: 'UTF-8 was decoded as GBK as in a browser, and encoded again',
    encode: misreadAs('gbk'),
  },
  {
    title: 'UTF-8 was decoded as GBK, dropping invalid bytes, and encoded again',
    encode: (text) => misreadAsGbk(text).replaceAll('\ufffd', ''),
    cost: 4,
  },
  {
    title: 'UTF-8 was decoded as GBK, with "?" for invalid bytes, and encoded again',
    encode: (text) => misreadAsGbk(text).replaceAll('\ufffd', '?'),
    cost: 4,
  },
];

const LATIN_1: readonly Encoding[] = [
  { title: 'the string was encoded in Latin-1', encode: encodeLatin1 },
  { title: 'the string was encoded in ASCII', encode: encodeAscii },
  {
    title: 'the string was encoded in ASCII, with "?" for each half of a surrogate pair',
    // Without the flag u, each half of a pair is one character.
    encode: (text) => text.replace(/[^\0-\x7f]/g, '?'),
  },
  {
    title: 'the string was encoded in Latin-1, with "?" for each half of a surrogate pair',
    encode: (text) => encodeLowBytes(text.replace(/[^\0-\xff]/g, '?')),
  },
  {
    title: 'UTF-8 was decoded as Latin-1 and encoded again',
    encode: (text) => Buffer.from(text).toString('latin1'),
  },
];

/** Encodings that do not change ASCII. */
const OTHER: readonly Encoding[] = [
  { title: 'UTF-8 was decoded as Windows-1252 and encoded again', encode: misreadAsWindows1252 },
  {
    title: 'UTF-8 was decoded as Windows-1252, dropping undefined bytes, and encoded again',
    encode: (text) => misreadAsWindows1252(text).replace(/[\x80-\x9f\ufffd]/g, ''),
    cost: 4,
  },
  { title: 'UTF-8 was decoded as Big5 and encoded again', encode: misreadAs('big5'), cost: RARE },
  { title: 'the string was encoded in Big5', encode: encodeBig5, cost: 3 },
  { title: 'the string was encoded in Windows-1252', encode: encodeWindows1252 },
  { title: 'the low byte of each UTF-16 code unit was signed', encode: encodeLowBytes },
  {
    title: 'characters beyond U+FFFF were encoded as surrogate pairs (CESU-8)',
    encode: encodeCesu8,
  },
  {
    title: 'characters that are not ASCII were dropped',
    encode: (text) => text.replace(/[^\0-\x7f]/g, ''),
  },
  {
    title: 'characters that are not in Latin-1 were dropped',
    encode: (text) => encodeLowBytes(text.replace(/[^\0-\xff]/g, '')),
    cost: 4,
  },
  {
    title: 'each byte that is not ASCII became "?"',
    encode: (text) => Buffer.from(text).map((byte) => (byte > 0x7f ? 0x3f : byte)),
    cost: 4,
  },
  {
    title: 'characters that are not ASCII became U+FFFD',
    encode: (text) => text.replace(/[^\0-\x7f]/gu, '\ufffd'),
    cost: 4,
  },
  {
    title: 'each byte that is not ASCII became U+FFFD',
    encode: (text) =>
      Buffer.from(text)
        .toString('latin1')
        .replace(/[^\0-\x7f]/g, '\ufffd'),
    cost: 4,
  },
  {
    title: 'characters beyond U+FFFF were dropped',
    encode: (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, ''),
    cost: 4,
  },
  {
    title: 'characters beyond U+FFFF became "?"',
    encode: (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '?'),
    cost: 4,
  },
  {
    title: 'characters beyond U+FFFF became "??"',
    encode: (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '??'),
    cost: 4,
  },
  {
    title: 'characters beyond U+FFFF became U+FFFD',
    encode: (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd'),
    cost: 4,
  },
];

/** Encodings that change every string. */
const EVERY_STRING: readonly Encoding[] = [
  { title: 'the string was encoded in UTF-16, little-endian', encode: (text) => utf16(text) },
  { title: 'the string was encoded in UTF-16, big-endian', encode: (text) => swapped(utf16(text)) },
  {
    title: 'the string was encoded in UTF-16, little-endian with a byte order mark',
    encode: (text) => utf16(`\ufeff${text}`),
  },
  {
    title: 'the string was encoded in UTF-16, big-endian with a byte order mark',
    encode: (text) => swapped(utf16(`\ufeff${text}`)),
  },
  { title: 'a byte order mark preceded the string', encode: (text) => `\ufeff${text}` },
  { title: 'the string was encoded in UTF-32, little-endian', encode: utf32, cost: RARE },
  { title: 'a zero byte followed the string', encode: (text) => `${text}\0`, cost: RARE },
  { title: 'a line end followed the string', encode: (text) => `${text}\n`, cost: RARE },
  {
    title: 'the string was signed as Base64',
    encode: (text) => Buffer.from(text).toString('base64'),
    cost: 4,
  },
  {
    title: 'the string was signed as hex',
    encode: (text) => Buffer.from(text).toString('hex'),
    cost: RARE,
  },
];

/** The string in one case, with or without the secret. */
const IN_ONE_CASE: readonly Variant[] = (['lower', 'upper'] as const).flatMap((kind) => {
  const inCase = (text: string): string =>
    kind === 'lower' ? text.toLowerCase() : text.toUpperCase();
  const fix = 'sign names, values and the api secret in the case in which they are sent and issued';
  return [
    { ...withSteps(`the whole string was signed in ${kind} case`, { encode: inCase }), cost: 3 },
    {
      ...rewritten(
        `the pairs were signed in ${kind} case, before the api secret was appended`,
        inCase,
      ),
      cost: 4,
    },
  ].map((variant) => ({ ...variant, fix, fields: [] }));
});

const FIX = 'take the MD5 of the bytes of the string in UTF-8';

export const charsetGbk: Mistake = {
  id: 'charset-gbk',
  readsEveryValue: true,
  fix: FIX,
  variants: (evidence) => whereNotAscii(evidence, GBK),
};

export const charsetLatin1: Mistake = {
  id: 'charset-latin1',
  readsEveryValue: true,
  fix: FIX,
  variants: (evidence) => whereNotAscii(evidence, LATIN_1),
};

export const encodingOther: Mistake = {
  id: 'encoding-other',
  readsEveryValue: true,
  fix: FIX,
  variants: (evidence) => [
    ...whereNotAscii(evidence, OTHER),
    ...EVERY_STRING.map(({ title, encode, cost = USUAL }) => ({
      ...withSteps(title, { encode }),
      fields: [],
      cost,
    })),
    ...IN_ONE_CASE,
  ],
};

/** The encodings that differ from UTF-8 and from each other on the texts of this request. */
function whereNotAscii({ fields, secret }: Evidence, encodings: readonly Encoding[]) {
  const touched = fields.filter(
    (field) => hasNonAscii(field.name) || someText([field], hasNonAscii),
  );
  if (touched.length === 0 && !hasNonAscii(secret)) return [];
  return encodings.map(({ title, encode, cost = USUAL }) => ({
    ...withSteps(title, { encode }),
    fields: touched.map(({ name }) => name),
    cost,
  }));
}

function hasNonAscii(text: string): boolean {
  return /[^\0-\x7f]/.test(text);
}

function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le');
}

function swapped(bytes: Buffer): Buffer {
  return bytes.swap16();
}

function utf32(text: string): Uint8Array {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  return new Uint8Array(Uint32Array.from(codes).buffer);
}
