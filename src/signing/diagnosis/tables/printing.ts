import { base64Text, hexBytes, hexText, utf8Bytes } from '../../bytes.ts';
import { type Evidence, mistake, type Table, USUAL } from '../mistake.ts';
import type { Signer, Steps } from '../signer.ts';
import { type Row, table, tableOf } from '../steps.ts';
import { pythonBytes } from './languages.ts';

/** The printed form of the digest (D1 5.1 step 4), recognised from the signature. */

/** The printed form of a digest: its pattern, and the conversion of hex digits to it. */
type Form = readonly [pattern: RegExp, print: (hex: string) => string];
type Forms = Readonly<Record<string, Form>>;

const HEX = /^[\da-f]{32}$/i;
// With fewer than 16 digits, some signer would match by chance.
const SHORT_HEX = /^[\da-f]{16,31}$/i;
const HEX_OF_HEX = /^[\da-f]{64}$/i;
const GUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
const SIGNED_HEX = /^(?=.*-)(?:-?[\da-f]{1,2}){16}$/i;
const BYTE_NUMBERS = /^\[?-?\d{1,3}(?:(?:, ?| )-?\d{1,3}){15}\]?$/;
const BASE64 = /^[A-Za-z0-9+/_-]{22}(?:==)?$/;
const BASE64_OF_HEX = /^[A-Za-z0-9+/]{43}=?$/;
const WIDENED = 'with "ffffff" before bytes above 7f';
const NUMBERS = 'as the decimal numbers of its bytes';
const SIGNED_NUMBERS = 'as the signed decimal numbers of its bytes';

/** Forms in which the case of hex digits has no meaning. */
const FORMS: Forms = {
  'with "-" between the bytes (BitConverter of .NET)': joined('-'),
  'with ":" between the bytes': joined(':'),
  'with " " between the bytes': joined(' '),
  'as a UUID': [GUID, (hex) => hex.replace(UUID_GROUPS, '$1-$2-$3-$4-$5')],
  'with "0x" in front': framed('0x', ''),
  'with a line end after it': framed('', '\n'),
  'with a Windows line end after it': framed('', '\r\n'),
  'with a space after it': framed('', ' '),
  'with a space in front': framed(' ', ''),
  'in double quotes': framed('"', '"'),
  'in single quotes': framed("'", "'"),
  'as a bytes literal of Python': framed("b'", "'"),
  'with "md5=" in front': framed('md5=', ''),
  'with "md5:" in front': framed('md5:', ''),
  'with "MD5 " in front': framed('MD5 ', ''),
  'as openssl prints it': framed('(stdin)= ', ''),
  'as openssl 3 prints it': framed('MD5(stdin)= ', ''),
  'in brackets': framed('[', ']'),
  'in braces': framed('{', '}'),
  'with "-" and a file name after it (md5sum)': framed('', '  -'),
  'as Swift prints a digest': framed('MD5 digest: ', ''),
  'as the hex of its hex digits': [HEX_OF_HEX, hexOfText],
  'as the hex of its hex digits in upper case': [HEX_OF_HEX, (hex) => hexOfText(upper(hex))],
  'without the zeros at its start (toString(16) of a BigInteger)': [
    /^[1-9a-f][\da-f]{25,30}$/i,
    (hex) => hex.replace(/^0+/, ''),
  ],
  'with one digit for each byte below 16 (toHexString without padding)': [
    SHORT_HEX,
    (hex) => hex.replace(/0([\da-f])|(..)/gi, '$1$2'),
  ],
  'with "-" for bytes above 7f (toString(b, 16) of a Java byte)': signedHex(1),
  'with "-" for bytes above 7f, two characters each (%02x of a signed byte in Python)':
    signedHex(2),
  [`${WIDENED} (Integer.toHexString of a Java byte)`]: [
    /^(?=.*ffffff)(?:ffffff[89a-f][\da-f]|[0-7]?[\da-f]){16}$/i,
    (hex) => widened(hex, /^0/),
  ],
  [`${WIDENED}, two digits for the others (%02x of a signed byte)`]: [
    /^(?=.*ffffff)(?:ffffff[89a-f][\da-f]|[0-7][\da-f]){16}$/i,
    (hex) => widened(hex, /^$/),
  ],
  'as a Guid of .NET, whose first bytes are in another order': guid(GUID, '-'),
  'as a Guid of .NET without dashes, whose first bytes are in another order': guid(HEX, ''),
  'with its bytes in reverse order': [HEX, (hex) => pairsOf(hex).reverse().join('')],
  [`${NUMBERS} in brackets, with ", " between (Java)`]: numbers(false, '[', ', '),
  [`${NUMBERS} in brackets, with " " between (%v of Go)`]: numbers(false, '[', ' '),
  [`${NUMBERS} with "," between`]: numbers(false, '', ','),
  [`${SIGNED_NUMBERS} in brackets (Arrays.toString of Java)`]: numbers(true, '[', ', '),
  [`${SIGNED_NUMBERS} with "," between`]: numbers(true, '', ','),
  'cut to its middle 16 digits': [/^[\da-f]{16}$/i, (hex) => hex.slice(8, 24)],
  'as a decimal number': [/^\d{30,39}$/, (hex) => BigInt(`0x${hex}`).toString()],
  'as a signed hex number (BigInteger of Java)': [
    /^-[1-9a-f][\da-f]{0,31}$/i,
    (hex) => (BigInt(`0x${hex}`) - (1n << 128n)).toString(16),
  ],
};

/** Forms in which the case of letters has a meaning. */
const FORMS_WITH_CASE: Forms = {
  'as Node prints a Buffer': [/^<Buffer(?: [\da-f]{2}){16}>$/, nodeBuffer],
  'as Base64': [BASE64, base64],
  'as Base64 without padding': [BASE64, (hex) => base64(hex).slice(0, 22)],
  'as Base64 for addresses': [BASE64, urlBase64],
  'as Base64 for addresses without padding': [BASE64, (hex) => urlBase64(hex).slice(0, 22)],
  'as Base64 with a line end after it (encode64 of Ruby)': [
    /^[A-Za-z0-9+/]{22}==\n$/,
    (hex) => `${base64(hex)}\n`,
  ],
  'as Base64, percent-encoded': [/^[\w%]{22,66}%3D%3D$/, (hex) => encodeURIComponent(base64(hex))],
  'as Base64 in upper case': [/^[A-Z0-9+/]{22}==$/, (hex) => upper(base64(hex))],
  'as the bytes literal of its 16 bytes in Python': [/^b['"]/, (hex) => pythonBytes(hexBytes(hex))],
  'as Base64 of its hex digits': [BASE64_OF_HEX, (hex) => base64Text(utf8Bytes(upper(hex)))],
  'as Base64 of its hex digits in lower case': [BASE64_OF_HEX, (hex) => base64Text(utf8Bytes(hex))],
};

export const signatureFormat = mistake('signature-format', [], {
  'the MD5 was sent in another form: with separators, quotes, prefixes or line ends; as Base64, a UUID, a Guid, decimal numbers or a bytes literal; without zeros; cut to 16 to 31 digits':
    otherForms,
});

function otherForms({ signature }: Evidence): Table {
  const { length } = signature;
  const forms: Forms = {
    ...FORMS,
    [`cut to its first ${length} digits`]: [SHORT_HEX, (hex) => hex.slice(0, length)],
    [`cut to its last ${length} digits`]: [SHORT_HEX, (hex) => hex.slice(-length)],
  };
  const rows = (list: Forms, spell: (text: string) => string): readonly Row<Steps['write']>[] =>
    Object.entries(list)
      .filter(([, [pattern]]) => pattern.test(signature))
      .map(([how, [, print]]) => [how, USUAL, (hex) => spell(print(hex))]);
  return tableOf('write', 'the MD5 was sent', [
    ...rows(forms, (text) => inCaseOf(signature, text)),
    ...rows(FORMS_WITH_CASE, (text) => text),
  ]);
}

export const hexLowercase = mistake('hex-lowercase', [], {
  'the signature is not in upper case': notInUpperCase,
});

/** Also of another digest. */
function notInUpperCase({ signature }: Evidence): Table {
  const isDigest = [32, 40, 56, 64, 96, 128].includes(signature.length);
  const isHex = isDigest && /^[0-9a-f]+$/i.test(signature);
  if (!isHex || signature === signature.toUpperCase()) return [];
  const change = (signer: Signer): Signer => {
    const { write } = signer.steps;
    return signer.with({ write: (hex) => inCaseOf(signature, write(hex)) });
  };
  return table('signer', 'the signature is', { [USUAL]: { 'not in upper case': change } });
}

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

function joined(separator: string): Form {
  const pattern = new RegExp(`^[\\da-f]{2}(?:${separator}[\\da-f]{2}){15}$`, 'i');
  return [pattern, (hex) => pairsOf(hex).join(separator)];
}

/** Hex digits with texts before and after them. */
function framed(before: string, behind: string): Form {
  const escaped = (text: string): string => text.replace(/[()[\]{}]/g, '\\$&');
  const pattern = new RegExp(`^${escaped(before)}[\\da-f]{32}${escaped(behind)}$`, 'i');
  return [pattern, (hex) => before + hex + behind];
}

/** The 16 bytes as decimal numbers. */
function numbers(isSigned: boolean, open: '[' | '', separator: string): Form {
  return [
    BYTE_NUMBERS,
    (hex) => {
      const bytes = isSigned ? new Int8Array(hexBytes(hex)) : hexBytes(hex);
      return open + Array.from(bytes).join(separator) + (open && ']');
    },
  ];
}

function pairsOf(hex: string): string[] {
  return hex.match(/../g) ?? [];
}

/** Each byte as a signed number in hex, at least `width` characters long. */
function signedHex(width: number): Form {
  const print = (byte: number): string => byte.toString(16).padStart(width, '0');
  return [SIGNED_HEX, (hex) => Array.from(new Int8Array(hexBytes(hex)), print).join('')];
}

/** Each byte as a 32-bit number: `ffffff80` for 80. `dropped` is left out of the others. */
function widened(hex: string, dropped: RegExp): string {
  return hex.replace(/../g, (byte) =>
    /^[89a-f]/i.test(byte) ? `ffffff${byte}` : byte.replace(dropped, ''),
  );
}

function base64(hex: string): string {
  return base64Text(hexBytes(hex));
}

function urlBase64(hex: string): string {
  return base64(hex).replaceAll('+', '-').replaceAll('/', '_');
}

function hexOfText(text: string): string {
  return hexText(utf8Bytes(text));
}

function upper(text: string): string {
  return text.toUpperCase();
}

function nodeBuffer(hex: string): string {
  return `<Buffer ${pairsOf(hex).join(' ')}>`;
}

/** The digits of a `Guid` made of the 16 bytes. */
function guid(pattern: RegExp, separator: string): Form {
  const reversed = (group: string): string => pairsOf(group).reverse().join('');
  return [
    pattern,
    (hex) => {
      const [, a = '', b = '', c = '', ...others] = UUID_GROUPS.exec(hex) ?? [];
      return [reversed(a), reversed(b), reversed(c), ...others].join(separator);
    },
  ];
}
