import { base64Bytes, base64Text, hexBytes } from '../../bytes.ts';
import { type Evidence, mistake, type Table, USUAL } from '../mistake.ts';
import type { Signer } from '../signer.ts';
import {
  base64,
  type Convert,
  changeOf,
  framed,
  hex as hexOf,
  type Row,
  table,
  upperCase,
} from '../steps.ts';
import { aroundMembers, pythonBytes } from './languages.ts';

// The printed form of a digest (D1 5.1 step 4) is recognised from the signature.

/** Prints the hex digits of a digest. Default of the pattern: the text of another digest. */
type Form = Convert | readonly [pattern: RegExp, print: Convert];
type Forms = Readonly<Record<string, Form>>;

// With fewer than 16 digits, some signer would match by chance.
const SHORT_HEX = /^[\da-f]{16,31}$/i;
const SIGNED_HEX = /^(?=.*-)(?:-?[\da-f]{1,2}){16}$/i;
const BYTE_NUMBERS = /^\[?-?\d{1,3}(?:(?:, ?| )-?\d{1,3}){15}\]?$/;
const BASE64_OF_HEX = /^[A-Za-z0-9+/]{43}=?$/;
const WIDENED = 'with "ffffff" before bytes above 7f';

const UUID_GROUPS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;
/** The bytes of three numbers, and the others. */
const GUID = /^(..)(..)(..)(..)(..)(..)(..)(..)(.{4})(.{12})$/;

function ofBytes(print: (byte: number) => string, separator = ''): Convert {
  return (hex) => Array.from(hexBytes(hex), print).join(separator);
}

function twoDigits(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

function signed(byte: number): number {
  return (byte << 24) >> 24;
}

function numberForms(
  how: string,
  print: (byte: number) => string,
  samples: Readonly<Record<string, string>>,
): Forms {
  const rows = Object.entries(samples).map(([end, sample]): [string, Form] => {
    const { open, comma, close } = aroundMembers(sample);
    return [how + end, [BYTE_NUMBERS, (hex) => open + ofBytes(print, comma)(hex) + close]];
  });
  return Object.fromEntries(rows);
}

/** Texts around the hex digits. The last ones are those of openssl, md5sum, Swift and Python. */
const FRAMES = framed(
  USUAL,
  ...['0xV', 'V\n', 'V\r\n', 'V ', ' V', '"V"', "'V'", '[V]', '{V}', 'md5=V', 'md5:V', 'MD5 V'],
  ...['(stdin)= V', 'MD5(stdin)= V', 'V  -', 'MD5 digest: V', "b'V'"],
);

/** Forms in which the case of hex digits has no meaning. */
const FORMS: Forms = {
  'with "-" between the bytes (BitConverter of .NET)': ofBytes(twoDigits, '-'),
  'with ":" between the bytes': ofBytes(twoDigits, ':'),
  'with " " between the bytes': ofBytes(twoDigits, ' '),
  ...Object.fromEntries(FRAMES.map(([how, , sample]) => [how, changeOf(sample)])),
  'as Node prints a Buffer': (hex) => `<Buffer ${ofBytes(twoDigits, ' ')(hex)}>`,
  'as a UUID': changeOf([UUID_GROUPS, '$1-$2-$3-$4-$5']),
  'as the hex of its hex digits': [/^[\da-f]{64}$/i, hexOf],
  'as the hex of its hex digits in upper case': [/^[\da-f]{64}$/i, (hex) => hexOf(upperCase(hex))],
  'without the zeros at its start (toString(16) of a BigInteger)': [
    /^[1-9a-f][\da-f]{25,30}$/i,
    changeOf([/^0+/, '']),
  ],
  'with one digit for each byte below 16 (toHexString without padding)': [
    SHORT_HEX,
    ofBytes((byte) => byte.toString(16)),
  ],
  'with "-" for bytes above 7f (toString(b, 16) of a Java byte)': [
    SIGNED_HEX,
    ofBytes((byte) => signed(byte).toString(16)),
  ],
  'with "-" for bytes above 7f, two characters each (%02x of a signed byte in Python)': [
    SIGNED_HEX,
    ofBytes((byte) => twoDigits(signed(byte))),
  ],
  [`${WIDENED} (Integer.toHexString of a Java byte)`]: [
    /^(?=.*ffffff)(?:ffffff[89a-f][\da-f]|[0-7]?[\da-f]){16}$/i,
    ofBytes((byte) => (signed(byte) >>> 0).toString(16)),
  ],
  [`${WIDENED}, two digits for the others (%02x of a signed byte)`]: [
    /^(?=.*ffffff)(?:ffffff[89a-f][\da-f]|[0-7][\da-f]){16}$/i,
    ofBytes((byte) => twoDigits(signed(byte) >>> 0)),
  ],
  'as a Guid of .NET, whose first bytes are in another order': changeOf([
    GUID,
    '$4$3$2$1-$6$5-$8$7-$9-$10',
  ]),
  'as a Guid of .NET without dashes, whose first bytes are in another order': changeOf([
    GUID,
    '$4$3$2$1$6$5$8$7$9$10',
  ]),
  'with its bytes in reverse order': (hex) => (hex.match(/../g) ?? []).reverse().join(''),
  ...numberForms('as the decimal numbers of its bytes', String, {
    ' in brackets, with ", " between (Java)': '[V, V]',
    ' in brackets, with " " between (%v of Go)': '[V V]',
    ' with "," between': 'V,V',
  }),
  ...numberForms('as the signed decimal numbers of its bytes', (byte) => `${signed(byte)}`, {
    ' in brackets (Arrays.toString of Java)': '[V, V]',
    ' with "," between': 'V,V',
  }),
  'cut to its middle 16 digits': (hex) => hex.slice(8, 24),
  'as a decimal number': [/^\d{30,39}$/, (hex) => BigInt(`0x${hex}`).toString()],
  'as a signed hex number (BigInteger of Java)': [
    /^-[1-9a-f][\da-f]{0,31}$/i,
    (hex) => (BigInt(`0x${hex}`) - (1n << 128n)).toString(16),
  ],
};

/** Forms in which the case of letters has a meaning. */
const FORMS_WITH_CASE: Forms = {
  'as Base64 in upper case': [/^[A-Z0-9+/]{22}==$/, (hex) => upperCase(base64Text(hexBytes(hex)))],
  'as the bytes literal of its 16 bytes in Python': [/^b['"]/, (hex) => pythonBytes(hexBytes(hex))],
  'as Base64 of its hex digits': [BASE64_OF_HEX, (hex) => base64(upperCase(hex))],
  'as Base64 of its hex digits in lower case': [BASE64_OF_HEX, base64],
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
  const shapeOf = changeOf([/[\da-f]/gi, '0']);
  const possible = (list: Forms) =>
    Object.entries(list).flatMap(([how, form]) => {
      const [pattern, print] = typeof form === 'function' ? [undefined, form] : form;
      const isPossible = pattern?.test(signature) ?? shapeOf(print(ZERO)) === shapeOf(signature);
      return isPossible ? [[how, print] as const] : [];
    });
  const like = base64Like(signature);
  return table('write', 'the MD5 was sent', [
    ...possible(forms).map(([how, print]): Row<Convert> => {
      return [how, USUAL, (hex) => inCaseOf(signature, print(hex))];
    }),
    ...(like?.digits === ZERO.length ? [['as Base64', USUAL, like.write] as const] : []),
    ...possible(FORMS_WITH_CASE).map(([how, print]): Row<Convert> => [how, USUAL, print]),
  ]);
}

/**
 * Prints digests as Base64 with the alphabet, padding, percent-encoding and white space of a
 * signature.
 */
export function base64Like(signature: string) {
  const trimmed = signature.trim();
  const plain = trimmed.replace(/%(2B|2F|3D)/gi, (token) => decodeURIComponent(token));
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(plain)) return undefined;
  const write: Convert = (hex) => {
    const text = base64Text(hexBytes(hex));
    const spelled = /[-_]/.test(plain) ? text.replaceAll('+', '-').replaceAll('/', '_') : text;
    // Without padding if the signature is unpadded.
    const cut = spelled.slice(0, plain.length);
    return signature.replace(trimmed, () => (plain === trimmed ? cut : encodeURIComponent(cut)));
  };
  return { digits: base64Bytes(plain).length * 2, write };
}

const ZERO = '0'.repeat(32);

export const hexLowercase = mistake('hex-lowercase', [], {
  'the signature is not in upper case': notInUpperCase,
});

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
