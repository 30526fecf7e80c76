import { type HashName, hasHash, hashHex, hmacHex } from '../../../runtime/digests.ts';
import { base64Bytes, base64Text, hexBytes, hexText, utf8Bytes } from '../../bytes.ts';
import { commonFieldText } from '../../received-request.ts';
import { type Evidence, RARE, type Variant } from '../mistake.ts';
import { type Steps, withoutSecret } from '../signer.ts';
import { type Row, table } from '../steps.ts';

/** The digest (D1 5.1 step 4). */

type Digest = Steps['digest'];

/** A digest over only the pairs. */
const overPairs = (digest: Digest): Partial<Steps> => ({ digest, append: withoutSecret });
const md5 = (data: string | Uint8Array): string => hashHex('md5', data);
const hmacWithSecret =
  (name: HashName): Digest =>
  (message, secret) =>
    hmacHex(name, secret, message);

const HMAC_MD5 = table('digest-hmac-md5', 'steps', '', [
  ['the secret was the key of an HMAC-MD5 over the pairs', 2, overPairs(hmacWithSecret('md5'))],
  [
    'the secret was appended and was also the key of an HMAC-MD5',
    2,
    { digest: hmacWithSecret('md5') },
  ],
  [
    'the pairs were the key of an HMAC-MD5 over the secret',
    2,
    overPairs((message, secret) => hmacHex('md5', message, secret)),
  ],
]);

/** The api_key as the key of the HMAC, alone or joined with the secret. */
export function hmacMd5(evidence: Evidence): readonly Variant[] {
  const apiKey = commonFieldText(evidence, 'api_key');
  if (apiKey === undefined) return HMAC_MD5;
  const keys: readonly (readonly [shown: string, cost: number, keyOf: (s: string) => string])[] = [
    ['"<api_key>&<secret>"', 4, (secret) => `${apiKey}&${secret}`],
    ['"<secret>&<api_key>"', 4, (secret) => `${secret}&${apiKey}`],
    ['"<secret>&"', 4, (secret) => `${secret}&`],
    ['"<api_key><secret>"', 4, (secret) => apiKey + secret],
    ['the api_key', 3, () => apiKey],
  ];
  return [
    ...HMAC_MD5,
    ...table('digest-hmac-md5', 'steps', 'the key of an HMAC-MD5 over the pairs was', [
      ...keys.map(
        ([shown, cost, keyOf]): Row<'steps'> => [
          shown,
          cost,
          overPairs((message, secret) => hmacHex('md5', keyOf(secret), message)),
        ],
      ),
    ]),
    ...table(
      'digest-hmac-md5',
      'digest',
      'the secret was appended and the key of an HMAC-MD5 was',
      [['the api_key', 3, (message) => hmacHex('md5', apiKey, message)]],
    ),
  ];
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

/** Other digests with the length of the signature. */
export function otherDigests({ signature, secret }: Evidence): readonly Variant[] {
  if (!/^[\da-f]+$/i.test(signature)) return base64Digests(signature);
  if (signature.length === MD5.digits) return [...REPEATED, ...halves()];
  return [
    ...HASHES.filter(({ digits }) => digits === signature.length).flatMap(digestsOf),
    ...(signature.toLowerCase().includes(hexText(utf8Bytes(secret))) ? SUMS : []),
  ];
}

function digestsOf({ name, title }: Hash): readonly Variant[] {
  if (!hasHash(name)) return [];
  const withKey = hmacWithSecret(name);
  return table('digest-other', 'steps', 'the digest is', [
    [`${title}, not MD5`, 2, { digest: (message) => hashHex(name, message) }],
    [`HMAC-${title} with the secret as its key, not MD5`, 2, overPairs(withKey)],
    [`HMAC-${title} with the secret as its key and appended, not MD5`, 2, { digest: withKey }],
    [
      `HMAC-${title} with the secret and "&" as its key, not MD5`,
      2,
      overPairs((message, secret) => hmacHex(name, `${secret}&`, message)),
    ],
    [
      `HMAC-${title} with the secret and "&" as its key, and the secret appended, not MD5`,
      2,
      { digest: (message, secret) => hmacHex(name, `${secret}&`, message) },
    ],
  ]);
}

/** MD5 of a digest, as some platforms hash passwords. */
const REPEATED: readonly Variant[] = [
  ...table('digest-other', 'digest', 'the MD5 was taken of', [
    ['the MD5 in upper case', 2, (message) => md5(md5(message).toUpperCase())],
    ['the MD5 in lower case', 2, (message) => md5(md5(message))],
    ['the 16 bytes of the MD5', 2, (message) => md5(hexBytes(md5(message)))],
    ['SHA-1 in hex', RARE, (message) => md5(hashHex('sha1', message))],
    ['SHA-256 in hex', RARE, (message) => md5(hashHex('sha256', message))],
    [
      'the signature in upper case with the secret after it',
      4,
      (message, secret) => md5(md5(message).toUpperCase() + secret),
    ],
    [
      'the signature in lower case with the secret after it',
      4,
      (message, secret) => md5(md5(message) + secret),
    ],
  ]),
  ...(['upper', 'lower'] as const).flatMap((kind) => {
    const rewrite = (canonical: string): string =>
      kind === 'upper' ? md5(canonical).toUpperCase() : md5(canonical);
    const of = `the MD5 of the pairs in ${kind} case and hashed again`;
    return table('digest-other', 'steps', 'the secret was', [
      [`appended to ${of}`, 3, { rewrite }],
      [`put in front of ${of}`, 4, { rewrite, append: (text, secret) => secret + text }],
    ]);
  }),
];

/** The first half of a longer digest. */
function halves(): readonly Variant[] {
  return HASHES.filter(({ name }) => hasHash(name)).flatMap(({ name, title }) =>
    table('digest-other', 'steps', 'the digest is the first half of', [
      [`${title}, not MD5`, RARE, { digest: (message) => hashHex(name, message).slice(0, 32) }],
      [
        `HMAC-${title}, not MD5`,
        RARE,
        overPairs((message, secret) => hmacHex(name, secret, message).slice(0, 32)),
      ],
    ]),
  );
}

const SUM_FIX =
  'hash the bytes with Write, then call Sum(nil) (Go); ask for another api secret: the request contains this one';

/** Digests appended to their input: `Sum` of Go does not hash its argument. */
const SUMS: readonly Variant[] = table(
  'digest-other',
  'steps',
  'the signature is',
  (
    [
      [
        'the api secret in hex, followed by the MD5 of the pairs',
        overPairs((message, secret) => hexOf(secret) + md5(message)),
      ],
      [
        'the api secret in hex, followed by the right MD5',
        { digest: (message, secret) => hexOf(secret) + md5(message) },
      ],
      [
        'the string with the api secret in hex, followed by the MD5 of nothing',
        { digest: (message) => hexOf(message) + md5('') },
      ],
    ] satisfies readonly (readonly [string, Partial<Steps>])[]
  ).map(([how, change]): Row<'steps'> => [how, 2, change, { fix: SUM_FIX, fields: [] }]),
);

function hexOf(data: string | Uint8Array): string {
  return hexText(typeof data === 'string' ? utf8Bytes(data) : data);
}

/** Digests in the Base64 form of a signature: its alphabet, padding and percent-encoding. */
function base64Digests(signature: string): readonly Variant[] {
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
  return (
    [MD5, ...HASHES]
      .filter((hash) => hash.digits === digits)
      // Plain MD5 as Base64 is a form of the right digest.
      .flatMap((hash) => digestsOf(hash).slice(hash === MD5 ? 1 : 0))
      .map((variant): Variant => {
        const title = variant.title.replace(
          /(HMAC-)?(SHA-\d+|SM3|MD5)(?! and| as hex)/,
          '$& as Base64',
        );
        return { ...variant, title, change: (signer) => variant.change(signer).with({ write }) };
      })
  );
}
