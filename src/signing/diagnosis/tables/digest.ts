import { type HashName, hasHash, hashHex, hmacHex } from '../../../runtime/digests.ts';
import { hexBytes, hexText, utf8Bytes } from '../../bytes.ts';
import { commonFieldText } from '../../received-request.ts';
import { type Evidence, mistake, RARE, type Table, USUAL } from '../mistake.ts';
import { type Steps, withoutSecret } from '../signer.ts';
import { filledBy, type Rows, rowsOf, table } from '../steps.ts';
import { base64Like } from './printing.ts';

// The digest (D1 5.1 step 4).

const md5 = (data: string | Uint8Array): string => hashHex('md5', data);
const upperMd5 = (data: string | Uint8Array): string => md5(data).toUpperCase();

function hmacs(
  { name, title }: Pick<Hash, 'name' | 'title'>,
  suffix: string,
  keys: Rows<readonly string[]>,
  apiKey = '',
): Table {
  return rowsOf(keys).flatMap(([over, cost, samples]) =>
    table(
      'steps',
      `the digest is HMAC-${title}${suffix}, with the key`,
      samples.map((sample) => {
        const fill = filledBy(sample);
        const digest: Steps['digest'] = (message, secret) =>
          hmacHex(name, fill({ secret, api_key: apiKey }), message);
        return [
          `${sample} over ${over}`,
          cost,
          { digest, ...(over === PAIRS && { append: withoutSecret }) },
        ];
      }),
    ),
  );
}

const PAIRS = 'the pairs';
const BOTH = 'the pairs and the secret';
const MD5 = { name: 'md5', title: 'MD5', digits: 32 } as const;

export const digestHmacMd5 = mistake(
  'digest-hmac-md5',
  [
    hmacs(MD5, '', {
      [USUAL]: { [PAIRS]: ['<secret>'], [BOTH]: ['<secret>'] },
      4: { [PAIRS]: ['<secret>&'] },
    }),
    table('steps', 'the digest is HMAC-MD5,', {
      [USUAL]: {
        'with the pairs as its key over the secret': {
          ...{ digest: (message, secret) => hmacHex('md5', message, secret) },
          append: withoutSecret,
        },
      },
    }),
  ],
  {
    'the key of an HMAC-MD5 was the api_key, alone or with the secret': (evidence) => {
      const key = commonFieldText(evidence, 'api_key');
      const joined = ['<api_key>&<secret>', '<secret>&<api_key>', '<api_key><secret>'];
      const keys = { 3: { [PAIRS]: ['<api_key>'], [BOTH]: ['<api_key>'] }, 4: { [PAIRS]: joined } };
      return key === undefined ? [] : hmacs(MD5, '', keys, key);
    },
  },
);

interface Hash {
  readonly name: HashName;
  readonly title: string;
  readonly digits: number;
}

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

function digestsOf(hash: Hash, suffix: string): Table {
  const { name, title } = hash;
  if (!hasHash(name)) return [];
  // Alibaba Cloud adds "&" to the key.
  const keys = ['<secret>', '<secret>&'];
  return [
    ...table('digest', 'the digest is', {
      [USUAL]: { [title + suffix]: (message) => hashHex(name, message) },
    }),
    ...hmacs(hash, suffix, { [USUAL]: { [PAIRS]: keys, [BOTH]: keys } }),
  ];
}

/** MD5 of a digest, as some platforms hash passwords. */
const REPEATED: Table = [
  ...table('digest', 'the MD5 was taken of', {
    [USUAL]: {
      'the MD5 in upper case': (message) => md5(upperMd5(message)),
      'the MD5 in lower case': (message) => md5(md5(message)),
      'the 16 bytes of the MD5': (message) => md5(hexBytes(md5(message))),
    },
    4: {
      'the signature in upper case and the secret': (message, secret) =>
        md5(upperMd5(message) + secret),
      'the signature in lower case and the secret': (message, secret) => md5(md5(message) + secret),
    },
    [RARE]: {
      'SHA-1 in hex': (message) => md5(hashHex('sha1', message)),
      'SHA-256 in hex': (message) => md5(hashHex('sha256', message)),
    },
  }),
  ...(['upper', 'lower'] as const).flatMap((letters) => {
    const rewrite = letters === 'upper' ? upperMd5 : md5;
    return table('steps', `the MD5 was taken of the MD5 of the pairs in ${letters} case`, {
      3: { 'and the secret': { rewrite } },
      4: { 'after the secret': { rewrite, append: (text, secret) => secret + text } },
    });
  }),
];

/** Digests appended to their input: `Sum` of Go does not hash its argument. */
const SUMS: Table = table(
  'steps',
  'the signature is',
  {
    [USUAL]: {
      'the api secret in hex, followed by the MD5 of the pairs': {
        ...{ digest: (message, secret) => hexOf(secret) + md5(message), append: withoutSecret },
      },
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

function base64Digests(signature: string): Table {
  const like = base64Like(signature);
  return [MD5, ...HASHES]
    .filter(({ digits }) => digits === like?.digits)
    .flatMap((hash) => {
      // Plain MD5 as Base64 is a form of the right digest.
      return digestsOf(hash, ' as Base64').slice(hash === MD5 ? 1 : 0);
    })
    .map((row) => ({
      ...row,
      change: (signer) => row.change(signer).with({ ...(like && { write: like.write }) }),
    }));
}
