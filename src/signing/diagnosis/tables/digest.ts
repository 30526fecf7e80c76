import { type HashName, hasHash, hashHex, hmacHex } from '../../../runtime/digests.ts';
import { base64Bytes, base64Text, hexBytes, hexText, utf8Bytes } from '../../bytes.ts';
import { commonFieldText } from '../../received-request.ts';
import { type Evidence, mistake, RARE, type Table, USUAL } from '../mistake.ts';
import { type Steps, withoutSecret } from '../signer.ts';
import { table } from '../steps.ts';

/** The digest (D1 5.1 step 4). */

type Digest = Steps['digest'];

/** A digest over only the pairs. */
const overPairs = (digest: Digest): Partial<Steps> => ({ digest, append: withoutSecret });
const md5 = (data: string | Uint8Array): string => hashHex('md5', data);
const keyed =
  (name: HashName, keyOf = (secret: string) => secret): Digest =>
  (message, secret) =>
    hmacHex(name, keyOf(secret), message);

export const digestHmacMd5 = mistake(
  'digest-hmac-md5',
  [
    table('steps', '', {
      [USUAL]: {
        'the secret was the key of an HMAC-MD5 over the pairs': overPairs(keyed('md5')),
        'the secret was appended and was also the key of an HMAC-MD5': { digest: keyed('md5') },
        'the pairs were the key of an HMAC-MD5 over the secret': overPairs((message, secret) =>
          hmacHex('md5', message, secret),
        ),
      },
      4: {
        'the key of an HMAC-MD5 over the pairs was "<secret>&"': overPairs(
          keyed('md5', (secret) => `${secret}&`),
        ),
      },
    }),
  ],
  { 'the key of an HMAC-MD5 was the api_key, alone or with the secret': withApiKey },
);

function withApiKey(evidence: Evidence): Table {
  const key = commonFieldText(evidence, 'api_key');
  if (key === undefined) return [];
  return table('steps', 'the key of an HMAC-MD5 over the pairs was', {
    3: {
      'the api_key': overPairs(keyed('md5', () => key)),
      'the api_key, and the secret was appended': { digest: keyed('md5', () => key) },
    },
    4: {
      '"<api_key>&<secret>"': overPairs(keyed('md5', (secret) => `${key}&${secret}`)),
      '"<secret>&<api_key>"': overPairs(keyed('md5', (secret) => `${secret}&${key}`)),
      '"<api_key><secret>"': overPairs(keyed('md5', (secret) => key + secret)),
    },
  });
}

interface Hash {
  readonly name: HashName;
  readonly title: string;
  /** The number of hex digits. */
  readonly digits: number;
}

const MD5: Hash = { name: 'md5', title: 'MD5', digits: 32 };
const HASHES: readonly Hash[] = [
  { name: 'sha1', title: 'SHA-1', digits: 40 },
  { name: 'sha256', title: 'SHA-256', digits: 64 },
  { name: 'sm3', title: 'SM3', digits: 64 },
  { name: 'sha224', title: 'SHA-224', digits: 56 },
  { name: 'sha384', title: 'SHA-384', digits: 96 },
  { name: 'sha512', title: 'SHA-512', digits: 128 },
];

export const digestOther = mistake('digest-other', [], {
  'SHA-1, SHA-224, SHA-256, SHA-384, SHA-512 or SM3 was sent, or its HMAC, or MD5 of a digest, as hex or Base64':
    otherDigests,
});

/** Other digests with the length of the signature. */
function otherDigests({ signature, secret }: Evidence): Table {
  if (!/^[\da-f]+$/i.test(signature)) return base64Digests(signature);
  if (signature.length === MD5.digits) return REPEATED;
  const hashes = HASHES.filter(({ digits }) => digits === signature.length);
  const containsSecret = signature.toLowerCase().includes(hexText(utf8Bytes(secret)));
  return [
    ...hashes.flatMap((hash) => digestsOf(hash, ', not MD5')),
    ...(containsSecret ? SUMS : []),
  ];
}

function digestsOf({ name, title }: Hash, suffix: string): Table {
  if (!hasHash(name)) return [];
  // Alibaba Cloud adds "&" to the key.
  const withAnd = keyed(name, (secret) => `${secret}&`);
  return table('steps', 'the digest is', {
    [USUAL]: {
      [`${title}${suffix}`]: { digest: (message) => hashHex(name, message) },
      [`HMAC-${title}${suffix}, with the secret as its key`]: overPairs(keyed(name)),
      [`HMAC-${title}${suffix}, with the secret as its key and appended`]: { digest: keyed(name) },
      [`HMAC-${title}${suffix}, with the secret and "&" as its key`]: overPairs(withAnd),
      [`HMAC-${title}${suffix}, with the secret and "&" as its key and the secret appended`]: {
        digest: withAnd,
      },
    },
  });
}

/** MD5 of a digest, as some platforms hash passwords. */
const REPEATED: Table = [
  ...table('digest', 'the MD5 was taken of', {
    [USUAL]: {
      'the MD5 in upper case': (message) => md5(md5(message).toUpperCase()),
      'the MD5 in lower case': (message) => md5(md5(message)),
      'the 16 bytes of the MD5': (message) => md5(hexBytes(md5(message))),
    },
    4: {
      'the signature in upper case and the secret': (message, secret) =>
        md5(md5(message).toUpperCase() + secret),
      'the signature in lower case and the secret': (message, secret) => md5(md5(message) + secret),
    },
    [RARE]: {
      'SHA-1 in hex': (message) => md5(hashHex('sha1', message)),
      'SHA-256 in hex': (message) => md5(hashHex('sha256', message)),
    },
  }),
  ...table('steps', 'the MD5 was taken of the MD5 of the pairs', {
    3: {
      'in upper case and the secret': { rewrite: (text) => md5(text).toUpperCase() },
      'in lower case and the secret': { rewrite: md5 },
    },
    4: {
      'in upper case after the secret': {
        ...{ rewrite: (text) => md5(text).toUpperCase(), append: (text, secret) => secret + text },
      },
      'in lower case after the secret': { rewrite: md5, append: (text, secret) => secret + text },
    },
  }),
];

/** Digests appended to their input: `Sum` of Go does not hash its argument. */
const SUMS: Table = table(
  'steps',
  'the signature is',
  {
    [USUAL]: {
      'the api secret in hex, followed by the MD5 of the pairs': overPairs(
        (message, secret) => hexOf(secret) + md5(message),
      ),
      'the api secret in hex, followed by the right MD5': {
        digest: (message, secret) => hexOf(secret) + md5(message),
      },
      'the string with the api secret in hex, followed by the MD5 of nothing': {
        digest: (message) => hexOf(message) + md5(''),
      },
    },
  },
  {
    fix: 'hash the bytes with Write, then call Sum(nil) (Go); ask for another api secret: the request contains this one',
    fields: [],
  },
);

function hexOf(data: string | Uint8Array): string {
  return hexText(typeof data === 'string' ? utf8Bytes(data) : data);
}

/** Digests in the Base64 form of a signature: its alphabet, padding and percent-encoding. */
function base64Digests(signature: string): Table {
  const trimmed = signature.trim();
  const plain = trimmed.replace(/%(2B|2F|3D)/gi, (token) => decodeURIComponent(token));
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(plain)) return [];
  const write = (hex: string): string => {
    const text = base64Text(hexBytes(hex));
    const spelled = /[-_]/.test(plain) ? text.replaceAll('+', '-').replaceAll('/', '_') : text;
    // Without padding if the signature is unpadded.
    const cut = spelled.slice(0, plain.length);
    return signature.replace(trimmed, () => (plain === trimmed ? cut : encodeURIComponent(cut)));
  };
  const digits = base64Bytes(plain).length * 2;
  return [MD5, ...HASHES]
    .filter((hash) => hash.digits === digits)
    .flatMap((hash) => {
      // Plain MD5 as Base64 is a form of the right digest.
      return digestsOf(hash, ' as Base64').slice(hash === MD5 ? 1 : 0);
    })
    .map((row) => ({ ...row, change: (signer) => row.change(signer).with({ write }) }));
}
