import { base64Text, hexBytes, hexText, utf8Bytes } from '../../bytes.ts';
import { mistake, USUAL } from '../mistake.ts';
import { table, tableOf } from '../steps.ts';
import { pythonBytes } from './languages.ts';

/** The printed form of the digest (D1 5.1 step 4), recognised from the signature. */

type Print = (hex: string) => string;

/**
 * A printed form: its pattern, and the conversion of hex digits to it. In a form with `case`, the case
 * of letters is significant, unlike in hex digits.
 */
type Form = readonly [how: string, pattern: RegExp, print: Print, hasCase?: 'case'];

/** Texts before and after the hex digits. */
const FRAMES: readonly (readonly [how: string, before: string, behind: string])[] = [
  ['with "0x" in front', '0x', ''],
  ['with a line end after it', '', '\n'],
  ['with a Windows line end after it', '', '\r\n'],
  ['with a space after it', '', ' '],
  ['with a space in front', ' ', ''],
  ['in double quotes', '"', '"'],
  ['in single quotes', "'", "'"],
  ['as a bytes literal of Python', "b'", "'"],
  ['with "md5=" in front', 'md5=', ''],
  ['with "md5:" in front', 'md5:', ''],
  ['with "MD5 " in front', 'MD5 ', ''],
  ['as openssl prints it', '(stdin)= ', ''],
  ['as openssl prints it', 'MD5(stdin)= ', ''],
  ['in brackets', '[', ']'],
  ['in braces', '{', '}'],
  ['with "-" and a file name after it (md5sum)', '', '  -'],
  ['as Swift prints a digest', 'MD5 digest: ', ''],
];

const BASE64 = /^[A-Za-z0-9+/_-]{22}(?:==)?$/;
const BASE64_OF_HEX = /^[A-Za-z0-9+/]{43}=?$/;
const HEX_OF_HEX = /^[0-9a-f]{64}$/i;
const SHORT_HEX = /^[0-9a-f]{16,31}$/i;
const BYTE_NUMBERS = /^\[?-?\d{1,3}(?:(?:, ?| )-?\d{1,3}){15}\]?$/;
const GUID = /^[0-9a-f]{8}(-?)(?:[0-9a-f]{4}\1){3}[0-9a-f]{12}$/i;

const FORMS: readonly Form[] = [
  grouped('with "-" between the bytes (BitConverter of .NET)', '-'),
  grouped('with ":" between the bytes', ':'),
  grouped('with " " between the bytes', ' '),
  ['as a UUID', /^\w{8}(?:-\w{4}){3}-\w{12}$/, (hex) => hex.replace(UUID_GROUPS, '$1-$2-$3-$4-$5')],
  ...FRAMES.map(
    ([how, before, behind]): Form => [
      how,
      new RegExp(`^${escaped(before)}[0-9a-f]{32}${escaped(behind)}$`, 'i'),
      (hex) => before + hex + behind,
    ],
  ),
  [
    'as Node prints a Buffer',
    /^<Buffer(?: [0-9a-f]{2}){16}>$/,
    (hex) => `<Buffer ${bytePairs(hex).join(' ')}>`,
    'case',
  ],
  ['as Base64', BASE64, base64, 'case'],
  ['as Base64 without padding', BASE64, (hex) => base64(hex).slice(0, 22), 'case'],
  ['as Base64 for addresses', BASE64, urlBase64, 'case'],
  ['as Base64 for addresses without padding', BASE64, (hex) => urlBase64(hex).slice(0, 22), 'case'],
  [
    'as Base64 with a line end after it (encode64 of Ruby)',
    /^[A-Za-z0-9+/]{22}==\n$/,
    (hex) => `${base64(hex)}\n`,
    'case',
  ],
  [
    'as Base64, percent-encoded',
    /^[A-Za-z0-9%]{22,66}%3D%3D$/,
    (hex) => encodeURIComponent(base64(hex)),
    'case',
  ],
  ['as Base64 in upper case', /^[A-Z0-9+/]{22}==$/, (hex) => base64(hex).toUpperCase(), 'case'],
  ['as the hex of its hex digits', HEX_OF_HEX, (hex) => hexText(utf8Bytes(hex))],
  [
    'as the hex of its hex digits in upper case',
    HEX_OF_HEX,
    (hex) => hexText(utf8Bytes(hex.toUpperCase())),
  ],
  [
    'without the zeros at its start (toString(16) of a BigInteger)',
    /^[1-9a-f][0-9a-f]{25,30}$/i,
    (hex) => hex.replace(/^0+/, ''),
  ],
  [
    'with one digit for each byte below 16 (toHexString without padding)',
    SHORT_HEX,
    (hex) => hex.replace(/0([0-9a-f])|(..)/gi, '$1$2'),
  ],
  [
    'with one digit for each signed byte of one digit, and "-" (toString(b, 16) of Java)',
    /^(?=.*-)(?:-?[0-9a-f]{1,2}){16}$/i,
    (hex) =>
      signedBytes(hex)
        .map((byte) => byte.toString(16))
        .join(''),
  ],
  [
    'with two digits for each signed byte, and "-" (%02x of Python)',
    /^(?=.*-)(?:-?[0-9a-f]{1,2}){16}$/i,
    (hex) =>
      signedBytes(hex)
        .map((byte) => byte.toString(16).padStart(2, '0'))
        .join(''),
  ],
  ['as a Guid of .NET, whose first bytes are in another order', GUID, (hex) => guid(hex, '-')],
  [
    'as a Guid of .NET without dashes, whose first bytes are in another order',
    /^[0-9a-f]{32}$/i,
    (hex) => guid(hex, ''),
  ],
  [
    'with its bytes in reverse order',
    /^[0-9a-f]{32}$/i,
    (hex) => bytePairs(hex).toReversed().join(''),
  ],
  [
    'with "ffffff" before bytes above 7f (Integer.toHexString of a Java byte)',
    /^(?=.*ffffff)(?:ffffff[89a-f][0-9a-f]|[0-7]?[0-9a-f]){16}$/i,
    (hex) =>
      hex.replace(/../g, (byte) => (isHigh(byte) ? `ffffff${byte}` : byte.replace(/^0/, ''))),
  ],
  [
    'with "ffffff" before bytes above 7f, two digits for the others (%02x of a signed byte)',
    /^(?=.*ffffff)(?:ffffff[89a-f][0-9a-f]|[0-7][0-9a-f]){16}$/i,
    (hex) => hex.replace(/../g, (byte) => (isHigh(byte) ? `ffffff${byte}` : byte)),
  ],
  [
    'as the bytes literal of its 16 bytes in Python',
    /^b['"]/,
    (hex) => pythonBytes(hexBytes(hex)),
    'case',
  ],
  ...(['decimal', 'signed decimal'] as const).flatMap((kind): Form[] => {
    const how = `as the ${kind} numbers of its bytes`;
    const numbers = (hex: string): readonly number[] =>
      kind === 'decimal' ? [...hexBytes(hex)] : signedBytes(hex);
    return [
      [
        `${how} in brackets, with ", " between (Arrays.toString of Java)`,
        BYTE_NUMBERS,
        (hex) => `[${numbers(hex).join(', ')}]`,
      ],
      [
        `${how} in brackets, with " " between (%v of Go)`,
        BYTE_NUMBERS,
        (hex) => `[${numbers(hex).join(' ')}]`,
      ],
      [`${how} with "," between`, BYTE_NUMBERS, (hex) => numbers(hex).join(',')],
    ];
  }),
  ['cut to its middle 16 digits', /^[0-9a-f]{16}$/i, (hex) => hex.slice(8, 24)],
  ['as a decimal number', /^\d{30,39}$/, (hex) => BigInt(`0x${hex}`).toString()],
  [
    'as a signed hex number (BigInteger of Java)',
    /^-[1-9a-f][0-9a-f]{0,31}$/i,
    (hex) => (BigInt(`0x${hex}`) - (1n << 128n)).toString(16),
  ],
  [
    'as Base64 of its hex digits',
    BASE64_OF_HEX,
    (hex) => base64Text(utf8Bytes(hex.toUpperCase())),
    'case',
  ],
  [
    'as Base64 of its hex digits in lower case',
    BASE64_OF_HEX,
    (hex) => base64Text(utf8Bytes(hex)),
    'case',
  ],
];

/** With fewer than 16 digits, some signer would match by chance. */
export const signatureFormat = mistake(
  'signature-format',
  [],
  [
    'the MD5 was sent in another form: with separators, quotes, prefixes or line ends; as Base64, a UUID, a Guid, decimal numbers or a bytes literal; without zeros; cut to 16 to 31 digits',
    ({ signature }) => {
      const { length } = signature;
      const forms: readonly Form[] = [
        ...FORMS,
        [`cut to its first ${length} digits`, SHORT_HEX, (hex) => hex.slice(0, length)],
        [`cut to its last ${length} digits`, SHORT_HEX, (hex) => hex.slice(-length)],
      ];
      const fitting = forms.filter(([, pattern]) => pattern.test(signature));
      return tableOf('write', 'the MD5 was sent', USUAL, fitting, ([how, , print, hasCase]) => [
        how,
        (hex) => (hasCase ? print(hex) : inCaseOf(signature, print(hex))),
      ]);
    },
  ],
);

/** Hex digits that are not in upper case, also of another digest. */
export const hexLowercase = mistake(
  'hex-lowercase',
  [],
  [
    'the signature is not in upper case',
    ({ signature }) => {
      const isDigest = [32, 40, 56, 64, 96, 128].includes(signature.length);
      const isHex = isDigest && /^[0-9a-f]+$/i.test(signature);
      if (!isHex || signature === signature.toUpperCase()) return [];
      return table('signer', 'the signature is', {
        [USUAL]: {
          'not in upper case': (signer) => {
            const { write } = signer.steps;
            return signer.with({ write: (hex) => inCaseOf(signature, write(hex)) });
          },
        },
      });
    },
  ],
);

/** Text in the case of the signature; letter by letter if the signature has mixed case. */
function inCaseOf(signature: string, text: string): string {
  if (signature === signature.toUpperCase()) return text.toUpperCase();
  if (signature === signature.toLowerCase()) return text.toLowerCase();
  return Array.from(text, (character, index) => {
    const other = signature[index] ?? '';
    return other.toLowerCase() === character.toLowerCase() ? other : character;
  }).join('');
}

const UUID_GROUPS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;

function grouped(how: string, separator: string): Form {
  const pattern = new RegExp(`^[0-9a-f]{2}(?:${separator}[0-9a-f]{2}){15}$`, 'i');
  return [how, pattern, (hex) => bytePairs(hex).join(separator)];
}

function escaped(text: string): string {
  return text.replace(/[()[\]{}]/g, '\\$&');
}

function bytePairs(hex: string): readonly string[] {
  return hex.match(/../g) ?? [];
}

function signedBytes(hex: string): readonly number[] {
  return [...new Int8Array(hexBytes(hex))];
}

function isHigh(byte: string): boolean {
  return /^[89a-f]/i.test(byte);
}

function base64(hex: string): string {
  return base64Text(hexBytes(hex));
}

function urlBase64(hex: string): string {
  return base64(hex).replaceAll('+', '-').replaceAll('/', '_');
}

/** The digits of a `Guid` made of the 16 bytes. */
function guid(hex: string, separator: string): string {
  const reversed = (text: string): string => bytePairs(text).toReversed().join('');
  return hex.replace(UUID_GROUPS, (_, a: string, b: string, c: string, d: string, e: string) =>
    [reversed(a), reversed(b), reversed(c), d, e].join(separator),
  );
}
