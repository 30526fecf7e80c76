import { base64Text, hexText, latin1Bytes, utf8Bytes } from '../../bytes.ts';
import {
  type DiagnosisId,
  type Evidence,
  type Mistake,
  mistake,
  RARE,
  type Table,
} from '../mistake.ts';
import type { Steps } from '../signer.ts';
import { type Rows, table } from '../steps.ts';
import { someText } from '../values.ts';
import * as charset from './charset.ts';

/** The bytes of the string, which must be UTF-8 (D1 section 1). */

type Encode = Steps['encode'];

const misread =
  (read: (text: string) => string, pattern: RegExp, other: string): Encode =>
  (text) =>
    read(text).replace(pattern, other);
const asIs = (text: string): string => text;
const BEYOND = /[\u{10000}-\u{10ffff}]/gu;

export const charsetGbk = ofNotAscii('charset-gbk', 'it was encoded in GBK, or read as GBK', {
  2: {
    'the string was encoded in GBK': charset.encodeGbk,
    'the string was encoded in GB18030': charset.encodeGb18030,
    'UTF-8 was decoded as GBK and encoded again': charset.misreadAsGbk,
    'UTF-8 was decoded as GBK as in a browser, and encoded again': charset.misreadAs('gbk'),
  },
  4: {
    'UTF-8 was decoded as GBK, dropping invalid bytes': misread(
      charset.misreadAsGbk,
      /\ufffd/g,
      '',
    ),
    'UTF-8 was decoded as GBK, with "?" for invalid bytes': misread(
      charset.misreadAsGbk,
      /\ufffd/g,
      '?',
    ),
  },
});

export const charsetLatin1 = ofNotAscii('charset-latin1', 'it was encoded in Latin-1 or ASCII', {
  2: {
    'the string was encoded in Latin-1': charset.encodeLatin1,
    'the string was encoded in ASCII': charset.encodeAscii,
    // Without the flag u, each half of a surrogate pair is one character.
    'the string was encoded in ASCII, with "?" for each half of a surrogate pair': misread(
      asIs,
      /[^\0-\x7f]/g,
      '?',
    ),
    'the string was encoded in Latin-1, with "?" for each half of a surrogate pair': (text) =>
      latin1Bytes(text.replace(/[^\0-\xff]/g, '?')),
    'UTF-8 was decoded as Latin-1 and encoded again': charset.misreadAsLatin1,
  },
});

/** Other bytes for characters that are not ASCII. */
const OTHER: Rows<Encode> = {
  2: {
    'UTF-8 was decoded as Windows-1252 and encoded again': charset.misreadAsWindows1252,
    'the string was encoded in Windows-1252': charset.encodeWindows1252,
    'the low byte of each UTF-16 code unit was signed': latin1Bytes,
    'characters beyond U+FFFF were encoded as surrogate pairs (CESU-8)': charset.encodeCesu8,
    'characters that are not ASCII were dropped': misread(asIs, /[^\0-\x7f]/gu, ''),
  },
  3: { 'the string was encoded in Big5': charset.encodeBig5 },
  4: {
    'UTF-8 was decoded as Windows-1252, dropping undefined bytes': misread(
      charset.misreadAsWindows1252,
      /[\x80-\x9f\ufffd]/g,
      '',
    ),
    'characters that are not ASCII became U+FFFD': misread(asIs, /[^\0-\x7f]/gu, '\ufffd'),
    'characters that are not in Latin-1 were dropped': (text) =>
      latin1Bytes(text.replace(/[^\0-\xff]/g, '')),
    'each byte that is not ASCII became "?"': misread(charset.misreadAsLatin1, /[^\0-\x7f]/g, '?'),
    'each byte that is not ASCII became U+FFFD': misread(
      charset.misreadAsLatin1,
      /[^\0-\x7f]/g,
      '\ufffd',
    ),
    'characters beyond U+FFFF were dropped': misread(asIs, BEYOND, ''),
    'characters beyond U+FFFF became "?"': misread(asIs, BEYOND, '?'),
    'characters beyond U+FFFF became "??"': misread(asIs, BEYOND, '??'),
    'characters beyond U+FFFF became U+FFFD': misread(asIs, BEYOND, '\ufffd'),
  },
  [RARE]: { 'UTF-8 was decoded as Big5 and encoded again': charset.misreadAs('big5') },
};

/** Encodings that change every string. */
const EVERY_STRING: Rows<Encode> = {
  2: {
    'the string was encoded in UTF-16, little-endian': charset.encodeUtf16(true),
    'the string was encoded in UTF-16, big-endian': charset.encodeUtf16(false),
    'the string was encoded in UTF-16, little-endian with a byte order mark': charset.encodeUtf16(
      true,
      '\ufeff',
    ),
    'the string was encoded in UTF-16, big-endian with a byte order mark': charset.encodeUtf16(
      false,
      '\ufeff',
    ),
    'a byte order mark preceded the string': (text) => `\ufeff${text}`,
  },
  4: { 'the string was signed as Base64': (text) => base64Text(utf8Bytes(text)) },
  [RARE]: {
    'the string was encoded in UTF-32, little-endian': charset.encodeUtf32,
    'a zero byte followed the string': (text) => `${text}\0`,
    'a line end followed the string': (text) => `${text}\n`,
    'the string was signed as hex': (text) => hexText(utf8Bytes(text)),
    'the string was signed as hex in upper case': (text) => hexText(utf8Bytes(text)).toUpperCase(),
  },
};

const lower = (text: string): string => text.toLowerCase();
const upper = (text: string): string => text.toUpperCase();
const IN_ONE_CASE: Rows<(text: string) => string> = {
  3: { 'in lower case': lower, 'in upper case': upper },
};
const CASE_SENT = {
  fix: 'sign names, values and the api secret in the case in which they are sent and issued',
  fields: [],
};

export const encodingOther = ofNotAscii(
  'encoding-other',
  'it was encoded otherwise, dropped or replaced',
  OTHER,
  [
    table('encode', '', EVERY_STRING, { fields: [] }),
    table('encode', 'the whole string was signed', IN_ONE_CASE, CASE_SENT),
    table(
      'rewrite',
      'the pairs were signed, before the api secret was appended,',
      { 4: { 'in lower case': lower, 'in upper case': upper } },
      CASE_SENT,
    ),
  ],
);

/** Other encodings of characters that are not ASCII, with the fields that contain them. */
function ofNotAscii(
  id: DiagnosisId,
  about: string,
  rows: Rows<Encode>,
  tables: readonly Table[] = [],
): Mistake {
  const hasOther = (text: string): boolean => /[^\0-\x7f]/.test(text);
  const list = ({ fields, secret }: Evidence): Table => {
    const touched = fields.filter((field) => someText([field], hasOther));
    if (touched.length === 0 && !hasOther(secret)) return [];
    return table('encode', '', rows, { fields: touched.map(({ name }) => name) });
  };
  return mistake(id, tables, { [`of text that is not ASCII: ${about}`]: list });
}
