import { pythonBytes } from '../languages/python-bytes.ts';
import { inFamily, type Mistake, type Variant } from '../mistake.ts';

/** The printed form of the digest (D1 5.1 step 4), recognised from the signature. */

const FIX = 'send the 32 hex digits of the MD5 in upper case, and nothing else';

/** A printed form: recognises signatures in it, and converts hex digits to it. */
interface Printing {
  readonly title: string;
  readonly isForm: (signature: string) => boolean;
  readonly print: (hex: string) => string;
  /** Whether the case of letters is significant, unlike in hex digits. */
  readonly hasCase?: boolean;
}

/** Hex digits in groups: `AB-CD-…`. */
function grouped(title: string, separator: string, sizes: readonly number[]): Printing {
  const groups = sizes.map((size) => `[0-9a-f]{${size}}`).join(separator);
  const form = new RegExp(`^${groups}$`, 'i');
  return {
    title,
    isForm: (signature) => form.test(signature),
    print: (hex) =>
      sizes
        .map((size, index) => {
          const start = sizes.slice(0, index).reduce((sum, before) => sum + before, 0);
          return hex.slice(start, start + size);
        })
        .join(separator),
  };
}

function around(title: string, before: string, behind: string): Printing {
  const isForm = (signature: string): boolean => {
    const inner = signature.slice(before.length, signature.length - behind.length);
    const isFramed = signature.toLowerCase() === `${before}${inner}${behind}`.toLowerCase();
    return isFramed && /^[0-9a-f]{32}$/i.test(inner);
  };
  return { title, isForm, print: (hex) => before + hex + behind };
}

const BYTES = Array.from({ length: 16 }, () => 2);

const PRINTINGS: readonly Printing[] = [
  grouped('with "-" between the bytes (BitConverter of .NET)', '-', BYTES),
  grouped('with ":" between the bytes', ':', BYTES),
  grouped('with " " between the bytes', ' ', BYTES),
  grouped('as a UUID', '-', [8, 4, 4, 4, 12]),
  around('with "0x" in front', '0x', ''),
  around('with a line end after it', '', '\n'),
  around('with a Windows line end after it', '', '\r\n'),
  around('with a space after it', '', ' '),
  around('with a space in front', ' ', ''),
  around('in double quotes', '"', '"'),
  around('in single quotes', "'", "'"),
  around('as a bytes literal of Python', "b'", "'"),
  around('with "md5=" in front', 'md5=', ''),
  around('with "md5:" in front', 'md5:', ''),
  around('with "MD5 " in front', 'MD5 ', ''),
  around('as openssl prints it', '(stdin)= ', ''),
  around('as openssl prints it', 'MD5(stdin)= ', ''),
  around('in brackets', '[', ']'),
  around('in braces', '{', '}'),
  around('with "-" and a file name after it (md5sum)', '', '  -'),
  around('as Swift prints a digest', 'MD5 digest: ', ''),
  {
    title: 'as Node prints a Buffer',
    isForm: (signature) => /^<Buffer(?: [0-9a-f]{2}){16}>$/.test(signature),
    print: (hex) => `<Buffer ${hex.toLowerCase().match(/../g)?.join(' ')}>`,
    hasCase: true,
  },
  ...(['base64', 'base64url'] as const).flatMap((alphabet) =>
    ['==', ''].map((padding) => ({
      title: `as ${alphabet === 'base64' ? 'Base64' : 'Base64 for addresses'}${padding ? '' : ' without padding'}`,
      isForm: (signature: string) => /^[A-Za-z0-9+/_-]{22}(?:==)?$/.test(signature),
      print: (hex: string) =>
        Buffer.from(hex, 'hex').toString(alphabet).replace(/=+$/, '') + padding,
      hasCase: true,
    })),
  ),
  {
    title: 'as Base64 with a line end after it (encode64 of Ruby)',
    isForm: (signature) => /^[A-Za-z0-9+/]{22}==\n$/.test(signature),
    print: (hex) => `${base64(hex)}\n`,
    hasCase: true,
  },
  {
    title: 'as Base64, percent-encoded',
    isForm: (signature) => /^[A-Za-z0-9%]{22,66}%3D%3D$/.test(signature),
    print: (hex) => encodeURIComponent(base64(hex)),
    hasCase: true,
  },
  {
    title: 'as Base64 in upper case',
    isForm: (signature) => /^[A-Z0-9+/]{22}==$/.test(signature),
    print: (hex) => base64(hex).toUpperCase(),
    hasCase: true,
  },
  {
    title: 'as the hex of its hex digits',
    isForm: (signature) => /^[0-9a-f]{64}$/i.test(signature),
    print: (hex) => Buffer.from(hex).toString('hex'),
  },
  {
    title: 'as the hex of its hex digits in upper case',
    isForm: (signature) => /^[0-9a-f]{64}$/i.test(signature),
    print: (hex) => Buffer.from(hex.toUpperCase()).toString('hex'),
  },
  {
    title: 'without the zeros at its start (toString(16) of a BigInteger)',
    isForm: (signature) => /^[1-9a-f][0-9a-f]{25,30}$/i.test(signature),
    print: (hex) => hex.replace(/^0+/, ''),
  },
  {
    title: 'with one digit for each byte below 16 (toHexString without padding)',
    isForm: (signature) => /^[0-9a-f]{16,31}$/i.test(signature),
    print: (hex) => hex.replace(/0([0-9a-f])|(..)/gi, '$1$2'),
  },
  {
    title: 'as a Guid of .NET, whose first bytes are in another order',
    isForm: (signature) => /^[0-9a-f]{8}(-?)(?:[0-9a-f]{4}\1){3}[0-9a-f]{12}$/i.test(signature),
    print: guid('-'),
  },
  {
    title: 'as a Guid of .NET without dashes, whose first bytes are in another order',
    isForm: (signature) => /^[0-9a-f]{32}$/i.test(signature),
    print: guid(''),
  },
  {
    title: 'with its bytes in reverse order',
    isForm: (signature) => /^[0-9a-f]{32}$/i.test(signature),
    print: (hex) => (hex.match(/../g) ?? []).toReversed().join(''),
  },
  {
    title: 'with "ffffff" before bytes above 7f (Integer.toHexString of a Java byte)',
    isForm: (signature) =>
      /ffffff/i.test(signature) &&
      /^(?:ffffff[89a-f][0-9a-f]|[0-7]?[0-9a-f]){16}$/i.test(signature),
    print: (hex) =>
      hex.replace(/../g, (byte) =>
        /^[89a-f]/i.test(byte) ? `ffffff${byte}` : byte.replace(/^0/, ''),
      ),
  },
  {
    title: 'with "ffffff" before bytes above 7f, and two digits for the others',
    isForm: (signature) => /^(?:ffffff[89a-f][0-9a-f]|[0-7][0-9a-f]){16}$/i.test(signature),
    print: (hex) => hex.replace(/../g, (byte) => (/^[89a-f]/i.test(byte) ? `ffffff${byte}` : byte)),
  },
  {
    title: 'as the bytes literal of its 16 bytes in Python',
    isForm: (signature) => /^b['"]/.test(signature),
    print: (hex) => pythonBytes(Buffer.from(hex, 'hex')),
    hasCase: true,
  },
  byteList('decimal', 'in brackets, with ", " between (Arrays.toString of Java)', '[', ', '),
  byteList('decimal', 'in brackets, with " " between (%v of Go)', '[', ' '),
  byteList('decimal', 'with "," between', '', ','),
  byteList('signed decimal', 'in brackets, with ", " between (Arrays.toString of Java)', '[', ', '),
  byteList('signed decimal', 'with "," between', '', ','),
  {
    title: 'cut to its middle 16 digits',
    isForm: (signature) => /^[0-9a-f]{16}$/i.test(signature),
    print: (hex) => hex.slice(8, 24),
  },
  {
    title: 'as a decimal number',
    isForm: (signature) => /^\d{30,39}$/.test(signature),
    print: (hex) => BigInt(`0x${hex}`).toString(),
  },
  {
    title: 'as a signed hex number (BigInteger of Java)',
    isForm: (signature) => /^-[1-9a-f][0-9a-f]{0,31}$/i.test(signature),
    print: (hex) => (BigInt(`0x${hex}`) - (1n << 128n)).toString(16),
  },
  {
    title: 'as Base64 of its hex digits',
    isForm: (signature) => /^[A-Za-z0-9+/]{43}=?$/.test(signature),
    print: (hex) => Buffer.from(hex.toUpperCase()).toString('base64'),
    hasCase: true,
  },
  {
    title: 'as Base64 of its hex digits in lower case',
    isForm: (signature) => /^[A-Za-z0-9+/]{43}=?$/.test(signature),
    print: (hex) => Buffer.from(hex).toString('base64'),
    hasCase: true,
  },
];

function base64(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64');
}

/** The 16 bytes of the digest as decimal numbers. */
function byteList(
  kind: 'decimal' | 'signed decimal',
  how: string,
  open: '[' | '',
  separator: string,
): Printing {
  return {
    title: `as the ${kind} numbers of its bytes ${how}`,
    isForm: (signature) => /^\[?-?\d{1,3}(?:(?:, ?| )-?\d{1,3}){15}\]?$/.test(signature),
    print: (hex) => {
      const bytes = Buffer.from(hex, 'hex');
      const numbers = kind === 'decimal' ? bytes : new Int8Array(bytes);
      return open + Array.from(numbers).join(separator) + (open && ']');
    },
  };
}

/** The digits of a `Guid` made of the 16 bytes. */
function guid(separator: string): (hex: string) => string {
  return (hex) => {
    const bytes = hex.match(/../g) ?? [];
    const group = (...indexes: readonly number[]): string =>
      indexes.map((at) => bytes[at]).join('');
    return [
      group(3, 2, 1, 0),
      group(5, 4),
      group(7, 6),
      group(8, 9),
      group(10, 11, 12, 13, 14, 15),
    ].join(separator);
  };
}

export const hexLowercase: Mistake = {
  id: 'hex-lowercase',
  fix: 'send the 32 hex digits of the MD5 in upper case',
  variants: ({ signature }) => {
    const digits =
      /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i;
    if (!digits.test(signature) || signature === signature.toUpperCase()) return [];
    return [
      {
        title: 'the signature is not in upper case',
        change: (signer) => {
          const { write } = signer.steps;
          return signer.with({ write: (hex) => inCaseOf(signature, write(hex)) });
        },
      },
    ];
  },
};

export const signatureFormat: Mistake = {
  id: 'signature-format',
  fix: FIX,
  variants: ({ signature }) => [
    ...PRINTINGS.filter(({ isForm }) => isForm(signature)).map(printed(signature)),
    ...truncated(signature),
  ],
};

/** The first or last digits of the MD5. */
function truncated(signature: string): readonly Variant[] {
  const { length } = signature;
  // With fewer digits, some signer would match by chance.
  if (!/^[0-9a-f]{16,31}$/i.test(signature)) return [];
  const variants = [
    {
      title: `cut to its first ${length} digits`,
      print: (hex: string) => hex.slice(0, length),
    },
    { title: `cut to its last ${length} digits`, print: (hex: string) => hex.slice(-length) },
  ].map(printed(signature));
  return inFamily('the MD5 was sent cut to its first or last 16 to 31 digits', variants);
}

function printed(signature: string): (printing: Omit<Printing, 'isForm'>) => Variant {
  return ({ title, print, hasCase = false }) => ({
    title: `the MD5 was sent ${title}`,
    change: (signer) =>
      signer.with({ write: (hex) => (hasCase ? print(hex) : inCaseOf(signature, print(hex))) }),
  });
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
