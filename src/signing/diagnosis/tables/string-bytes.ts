import { base64Text, hexText, latin1Bytes, utf8Bytes } from '../../bytes.ts';
import { type DiagnosisId, type Evidence, RARE, type Variant } from '../mistake.ts';
import { type Row, table } from '../steps.ts';
import { allTexts } from '../values.ts';
import {
  encodeAscii,
  encodeBig5,
  encodeCesu8,
  encodeGb18030,
  encodeGbk,
  encodeLatin1,
  encodeUtf16,
  encodeUtf32,
  encodeWindows1252,
  misreadAs,
  misreadAsGbk,
  misreadAsLatin1,
  misreadAsWindows1252,
} from './charset.ts';

/** The bytes of the string, which must be UTF-8 (D1 section 1). */

const GBK: readonly Row<'encode'>[] = [
  ['the string was encoded in GBK', 2, encodeGbk],
  ['the string was encoded in GB18030', 2, encodeGb18030],
  ['UTF-8 was decoded as GBK and encoded again', 2, misreadAsGbk],
  ['UTF-8 was decoded as GBK as in a browser, and encoded again', 2, misreadAs('gbk')],
  [
    'UTF-8 was decoded as GBK, dropping invalid bytes, and encoded again',
    4,
    (text) => misreadAsGbk(text).replaceAll('\ufffd', ''),
  ],
  [
    'UTF-8 was decoded as GBK, with "?" for invalid bytes, and encoded again',
    4,
    (text) => misreadAsGbk(text).replaceAll('\ufffd', '?'),
  ],
];

// Without the flag u, each half of a surrogate pair is one character.
const LATIN_1: readonly Row<'encode'>[] = [
  ['the string was encoded in Latin-1', 2, encodeLatin1],
  ['the string was encoded in ASCII', 2, encodeAscii],
  [
    'the string was encoded in ASCII, with "?" for each half of a surrogate pair',
    2,
    (text) => text.replace(/[^\0-\x7f]/g, '?'),
  ],
  [
    'the string was encoded in Latin-1, with "?" for each half of a surrogate pair',
    2,
    (text) => latin1Bytes(text.replace(/[^\0-\xff]/g, '?')),
  ],
  ['UTF-8 was decoded as Latin-1 and encoded again', 2, misreadAsLatin1],
];

/** Other bytes for characters that are not ASCII. */
const OTHER: readonly Row<'encode'>[] = [
  ['UTF-8 was decoded as Windows-1252 and encoded again', 2, misreadAsWindows1252],
  [
    'UTF-8 was decoded as Windows-1252, dropping undefined bytes, and encoded again',
    4,
    (text) => misreadAsWindows1252(text).replace(/[\x80-\x9f\ufffd]/g, ''),
  ],
  ['UTF-8 was decoded as Big5 and encoded again', RARE, misreadAs('big5')],
  ['the string was encoded in Big5', 3, encodeBig5],
  ['the string was encoded in Windows-1252', 2, encodeWindows1252],
  ['the low byte of each UTF-16 code unit was signed', 2, latin1Bytes],
  ['characters beyond U+FFFF were encoded as surrogate pairs (CESU-8)', 2, encodeCesu8],
  ...['', '\ufffd'].map(
    (other): Row<'encode'> => [
      `characters that are not ASCII ${became(other)}`,
      other === '' ? 2 : 4,
      (text) => text.replace(/[^\0-\x7f]/gu, other),
    ],
  ),
  [
    'characters that are not in Latin-1 were dropped',
    4,
    (text) => latin1Bytes(text.replace(/[^\0-\xff]/g, '')),
  ],
  ...['?', '\ufffd'].map(
    (other): Row<'encode'> => [
      `each byte that is not ASCII ${became(other)}`,
      4,
      (text) => misreadAsLatin1(text).replace(/[^\0-\x7f]/g, other),
    ],
  ),
  ...['', '?', '??', '\ufffd'].map(
    (other): Row<'encode'> => [
      `characters beyond U+FFFF ${became(other)}`,
      4,
      (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, other),
    ],
  ),
];

function became(other: string): string {
  if (other === '') return 'were dropped';
  return `became ${other === '\ufffd' ? 'U+FFFD' : JSON.stringify(other)}`;
}

/** Encodings that change every string. */
const EVERY_STRING: readonly Row<'encode'>[] = [
  ...[true, false].flatMap((isLittle): readonly Row<'encode'>[] => {
    const title = `the string was encoded in UTF-16, ${isLittle ? 'little' : 'big'}-endian`;
    return [
      [title, 2, (text) => encodeUtf16(text, isLittle)],
      [`${title} with a byte order mark`, 2, (text) => encodeUtf16(`\ufeff${text}`, isLittle)],
    ];
  }),
  ['a byte order mark preceded the string', 2, (text) => `\ufeff${text}`],
  ['the string was encoded in UTF-32, little-endian', RARE, encodeUtf32],
  ['a zero byte followed the string', RARE, (text) => `${text}\0`],
  ['a line end followed the string', RARE, (text) => `${text}\n`],
  ['the string was signed as Base64', 4, (text) => base64Text(utf8Bytes(text))],
  ['the string was signed as hex', RARE, (text) => hexText(utf8Bytes(text))],
  ['the string was signed as hex in upper case', RARE, (t) => hexText(utf8Bytes(t)).toUpperCase()],
];

const CASE_FIX = 'sign names, values and the api secret in the case in which they are sent';

/** The string in one case, with or without the secret. */
const IN_ONE_CASE: readonly Variant[] = (['Lower', 'Upper'] as const).flatMap((kind) => {
  const inCase = (text: string): string => text[`to${kind}Case`]();
  const more = { fix: CASE_FIX, fields: [] };
  const subject = `in ${kind.toLowerCase()} case`;
  return [
    ...table('encoding-other', 'encode', 'the whole string was signed', [
      [subject, 3, inCase, more],
    ]),
    ...table('encoding-other', 'rewrite', 'the pairs were signed', [
      [`${subject}, before the api secret was appended`, 4, inCase, more],
    ]),
  ];
});

export const ENCODING_OTHER = [
  ...table(
    'encoding-other',
    'encode',
    '',
    EVERY_STRING.map(([how, cost, encode]): Row<'encode'> => [how, cost, encode, { fields: [] }]),
  ),
  ...IN_ONE_CASE,
];

/** Other encodings of characters that are not ASCII, with the fields that contain them. */
function notAscii(
  id: DiagnosisId,
  rows: readonly Row<'encode'>[],
): (evidence: Evidence) => readonly Variant[] {
  const hasOther = (text: string): boolean => /[^\0-\x7f]/.test(text);
  return ({ fields, secret }) => {
    const touched = fields.filter(
      (field) => hasOther(field.name) || allTexts([field]).some(hasOther),
    );
    if (touched.length === 0 && !hasOther(secret)) return [];
    const names = touched.map(({ name }) => name);
    const named = rows.map(
      ([how, cost, encode]): Row<'encode'> => [how, cost, encode, { fields: names }],
    );
    return table(id, 'encode', '', named);
  };
}

export const charsetGbk = notAscii('charset-gbk', GBK);
export const charsetLatin1 = notAscii('charset-latin1', LATIN_1);
export const charsetOther = notAscii('encoding-other', OTHER);
