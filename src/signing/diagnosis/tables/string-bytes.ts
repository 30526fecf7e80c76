import { latin1Bytes } from '../../bytes.ts';
import {
  type DiagnosisId,
  type Evidence,
  type Mistake,
  mistake,
  RARE,
  type Table,
} from '../mistake.ts';
import type { Steps } from '../signer.ts';
import {
  base64,
  type Convert,
  changeOf,
  hex,
  lowerCase,
  type Row,
  type Rows,
  table,
  upperCase,
} from '../steps.ts';
import { someText } from '../values.ts';
import * as charset from './charset.ts';

// The bytes of the string, which must be UTF-8 (D1 section 1).

type Encode = Steps['encode'];

const replaced =
  (pattern: RegExp, other: string, read = (text: string) => text): Encode =>
  (text) =>
    read(text).replace(pattern, other);
const { misreadAsGbk, misreadAsLatin1, misreadAsWindows1252 } = charset;

const NOT_ASCII = /[^\0-\x7f]/gu;
// Without the flag u, each half of a surrogate pair is one character.
const UNITS_BEYOND_ASCII = /[^\0-\x7f]/g;
const UNITS_BEYOND_LATIN_1 = /[^\0-\xff]/g;
const BEYOND_FFFF = /[\u{10000}-\u{10ffff}]/gu;
const INVALID = /\ufffd/g;

export const charsetGbk = ofNotAscii('charset-gbk', 'it was encoded in GBK, or read as GBK', {
  2: {
    'the string was encoded in GBK': charset.encodeGbk,
    'the string was encoded in GB18030': charset.encodeGb18030,
    'UTF-8 was decoded as GBK and encoded again': misreadAsGbk,
    'UTF-8 was decoded as GBK as in a browser, and encoded again': charset.misreadAs('gbk'),
  },
  4: {
    'UTF-8 was decoded as GBK, dropping invalid bytes': replaced(INVALID, '', misreadAsGbk),
    'UTF-8 was decoded as GBK, with "?" for invalid bytes': replaced(INVALID, '?', misreadAsGbk),
  },
});

export const charsetLatin1 = ofNotAscii('charset-latin1', 'it was encoded in Latin-1 or ASCII', {
  2: {
    'the string was encoded in Latin-1': charset.encodeLatin1,
    'the string was encoded in ASCII': charset.encodeAscii,
    'the string was encoded in ASCII, with "?" for each half of a surrogate pair': replaced(
      UNITS_BEYOND_ASCII,
      '?',
    ),
    'the string was encoded in Latin-1, with "?" for each half of a surrogate pair': (text) =>
      latin1Bytes(text.replace(UNITS_BEYOND_LATIN_1, '?')),
    'UTF-8 was decoded as Latin-1 and encoded again': misreadAsLatin1,
  },
});

const OTHER: Rows<Encode> = {
  2: {
    'UTF-8 was decoded as Windows-1252 and encoded again': misreadAsWindows1252,
    'the string was encoded in Windows-1252': charset.encodeWindows1252,
    'the low byte of each UTF-16 code unit was signed': latin1Bytes,
    'characters beyond U+FFFF were encoded as surrogate pairs (CESU-8)': charset.encodeCesu8,
    'characters that are not ASCII were dropped': replaced(NOT_ASCII, ''),
  },
  3: { 'the string was encoded in Big5': charset.encodeBig5 },
  4: {
    'UTF-8 was decoded as Windows-1252, dropping undefined bytes': replaced(
      /[\x80-\x9f\ufffd]/g,
      '',
      misreadAsWindows1252,
    ),
    'characters that are not ASCII became U+FFFD': replaced(NOT_ASCII, '\ufffd'),
    'characters that are not in Latin-1 were dropped': (text) =>
      latin1Bytes(text.replace(UNITS_BEYOND_LATIN_1, '')),
    'each byte that is not ASCII became "?"': replaced(NOT_ASCII, '?', misreadAsLatin1),
    'each byte that is not ASCII became U+FFFD': replaced(NOT_ASCII, '\ufffd', misreadAsLatin1),
    'characters beyond U+FFFF were dropped': replaced(BEYOND_FFFF, ''),
    'characters beyond U+FFFF became "?"': replaced(BEYOND_FFFF, '?'),
    'characters beyond U+FFFF became "??"': replaced(BEYOND_FFFF, '??'),
    'characters beyond U+FFFF became U+FFFD': replaced(BEYOND_FFFF, '\ufffd'),
  },
  [RARE]: { 'UTF-8 was decoded as Big5 and encoded again': charset.misreadAs('big5') },
};

const MARK = '\ufeff';

const EVERY_STRING: Rows<Encode> = {
  2: {
    ...Object.fromEntries(
      [true, false].flatMap((isLittle) => {
        const how = `the string was encoded in UTF-16, ${isLittle ? 'little' : 'big'}-endian`;
        return [
          [how, charset.encodeUtf16(isLittle)],
          [`${how} with a byte order mark`, charset.encodeUtf16(isLittle, MARK)],
        ];
      }),
    ),
    'a byte order mark preceded the string': changeOf(`${MARK}V`),
  },
  4: { 'the string was signed as Base64': base64 },
  [RARE]: {
    'the string was encoded in UTF-32, little-endian': charset.encodeUtf32,
    'a zero byte followed the string': changeOf('V\0'),
    'a line end followed the string': changeOf('V\n'),
    'the string was signed as hex': hex,
    'the string was signed as hex in upper case': (text) => hex(text).toUpperCase(),
  },
};

const cases = (cost: number): readonly Row<Convert>[] => [
  ['in lower case', cost, lowerCase],
  ['in upper case', cost, upperCase],
];
const CASE_SENT = {
  fix: 'sign names, values and the api secret in the case in which they are sent and issued',
  fields: [],
};
const BEFORE_SECRET = 'the pairs were signed, before the api secret was appended,';

export const encodingOther = ofNotAscii(
  'encoding-other',
  'it was encoded otherwise, dropped or replaced',
  OTHER,
  [
    table('encode', '', EVERY_STRING, { fields: [] }),
    table('encode', 'the whole string was signed', cases(3), CASE_SENT),
    table('rewrite', BEFORE_SECRET, cases(4), CASE_SENT),
  ],
);

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
