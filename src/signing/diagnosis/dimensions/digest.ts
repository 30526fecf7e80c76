import { createHmac, getHashes, hash } from 'node:crypto';
import { commonFieldText } from '../../received-request.ts';
import {
  type Evidence,
  inFamily,
  type Mistake,
  RARE,
  rarely,
  type Variant,
  withSteps,
} from '../mistake.ts';
import { type Signer, type Steps, withoutSecret } from '../signer.ts';

/** The digest and its form (D1 5.1 step 4). */

const FIX = 'take the plain MD5 of the string followed by the secret, as 32 upper-case hex digits';

export const digestHmacMd5: Mistake = {
  id: 'digest-hmac-md5',
  fix: FIX,
  variants: (evidence) => [
    keyed('the secret was the key of an HMAC-MD5 over the pairs', 'md5'),
    ...keyedByApiKey(evidence),
    digested('the secret was appended and was also the key of an HMAC-MD5', (bytes, secret) =>
      hmac('md5', secret, bytes),
    ),
    withSteps('the pairs were the key of an HMAC-MD5 over the secret', {
      append: withoutSecret,
      digest: (bytes, secret) => hmac('md5', bytes, secret),
    }),
  ],
};

/** The api_key as the key of the HMAC, alone or joined with the secret. */
function keyedByApiKey(evidence: Evidence): readonly Variant[] {
  const apiKey = commonFieldText(evidence, 'api_key');
  if (apiKey === undefined) return [];
  const { secret } = evidence;
  return [
    ...[`${apiKey}&${secret}`, `${secret}&${apiKey}`, `${secret}&`, apiKey + secret].map((key) => ({
      ...withSteps(`the key of an HMAC-MD5 over the pairs was ${shownKey(key, secret)}`, {
        append: withoutSecret,
        digest: (bytes) => hmac('md5', key, bytes),
      }),
      family: `the key of an HMAC-MD5 over the pairs was ${shownKey(key.replace(apiKey, '<api_key>'), secret)}`,
      cost: 4,
    })),
    {
      ...digested('the secret was appended and the api_key was the key of an HMAC-MD5', (bytes) =>
        hmac('md5', apiKey, bytes),
      ),
      cost: 3,
    },
    {
      ...withSteps('the api_key was the key of an HMAC-MD5 over the pairs', {
        append: withoutSecret,
        digest: (bytes) => hmac('md5', apiKey, bytes),
      }),
      cost: 3,
    },
  ];
}

function shownKey(key: string, secret: string): string {
  return JSON.stringify(key.replace(secret, '<secret>'));
}

export const digestOther: Mistake = {
  id: 'digest-other',
  fix: FIX,
  variants: ({ signature, secret }) => {
    if (!isHex(signature)) return base64Digests(signature);
    const { length } = signature;
    if (length === 32) {
      return [
        digested('the MD5 was taken of the MD5 in upper case', (b) => md5(md5(b).toUpperCase())),
        digested('the MD5 was taken of the MD5 in lower case', (b) => md5(md5(b))),
        digested('the MD5 was taken of the 16 bytes of the MD5', (b) =>
          md5(Buffer.from(md5(b), 'hex')),
        ),
        ...['sha1', 'sha256'].map((name) => ({
          ...digested(`the MD5 was taken of ${name === 'sha1' ? 'SHA-1' : 'SHA-256'} in hex`, (b) =>
            md5(hash(name, b, 'hex')),
          ),
          cost: RARE,
        })),
        ...doubled(),
        ...inFamily(
          `the digest is the first half of ${HASHES.map(({ title }) => title).join(', ')} or its HMAC`,
          rarely(
            HASHES.filter(isAvailable).flatMap(({ name, title }) => [
              digested(`the digest is the first half of ${title}, not MD5`, (bytes) =>
                hash(name, bytes, 'hex').slice(0, 32),
              ),
              keyed(`the digest is the first half of HMAC-${title}, not MD5`, name, 32),
            ]),
          ),
        ),
      ];
    }
    const hashed = hashesOf(length).flatMap(({ name, title }) => [
      digested(`the digest is ${title}, not MD5`, (bytes) => hash(name, bytes, 'hex')),
      keyed(`the digest is HMAC-${title} with the secret as its key, not MD5`, name),
      digested(
        `the digest is HMAC-${title} with the secret as its key and appended, not MD5`,
        (bytes, secret) => hmac(name, secret, bytes),
      ),
    ]);
    return [...hashed, ...appendedDigests(signature, secret)];
  },
};

/** Digests appended to the input: `Sum` of Go does not hash its argument. */
function appendedDigests(signature: string, secret: string): readonly Variant[] {
  const hex = (text: string | Uint8Array): string => Buffer.from(text).toString('hex');
  const sums: readonly Variant[] = [
    withSteps('the signature is the api secret in hex, followed by the MD5 of the pairs', {
      append: withoutSecret,
      digest: (bytes, secret) => hex(secret) + md5(bytes),
    }),
    digested(
      'the signature is the api secret in hex, followed by the right MD5',
      (bytes, secret) => hex(secret) + md5(bytes),
    ),
    digested(
      'the signature is the string with the api secret in hex, followed by the MD5 of nothing',
      (bytes) => hex(bytes) + md5(''),
    ),
  ];
  const fix =
    'hash the bytes with Write, then call Sum(nil) (Go); ask for another api secret: the request contains this one';
  return signature.toLowerCase().includes(hex(secret))
    ? sums.map((sum) => ({ ...sum, fix, fields: [] }))
    : [];
}

/** MD5 of the MD5 of the pairs and the secret, as some platforms hash passwords. */
function doubled(): readonly Variant[] {
  const cases = [
    { subject: 'upper', spell: (hex: string) => hex.toUpperCase() },
    { subject: 'lower', spell: (hex: string) => hex },
  ];
  return cases.flatMap(({ subject, spell }) => [
    {
      ...withSteps(
        `the secret was appended to the MD5 of the pairs in ${subject} case and hashed again`,
        {
          rewrite: (canonical) => spell(md5(canonical)),
        },
      ),
      cost: 3,
    },
    {
      ...withSteps(
        `the secret was put in front of the MD5 of the pairs in ${subject} case and hashed again`,
        {
          rewrite: (canonical) => spell(md5(canonical)),
          append: (canonical, secret) => secret + canonical,
        },
      ),
      cost: 4,
    },
    {
      ...digested(
        `the secret was appended to the signature in ${subject} case and hashed again`,
        (bytes, secret) => md5(spell(md5(bytes)) + secret),
      ),
      cost: 4,
    },
  ]);
}

function base64Digests(signature: string): readonly Variant[] {
  const form = base64Form(signature);
  if (form === undefined) return [];
  return [MD5, ...HASHES]
    .filter((each) => each.digits === form.digits && isAvailable(each))
    .flatMap(({ name, title }) => {
      const plain = digested(`the digest is ${title} as Base64, not MD5 as hex`, (bytes) =>
        hash(name, bytes, 'hex'),
      );
      const mac = keyed(`the digest is HMAC-${title} as Base64, with the secret as its key`, name);
      const both = withSteps(
        `the digest is HMAC-${title} as Base64, with the secret as its key and appended`,
        { digest: (bytes, secret) => hmac(name, secret, bytes) },
      );
      // As Alibaba Cloud requires it.
      const withAnd = [withoutSecret, undefined].map((append) =>
        withSteps(
          `the digest is HMAC-${title} as Base64, with the secret and "&" as its key${append ? '' : ', and the secret appended'}`,
          {
            ...(append && { append }),
            digest: (bytes, secret) => hmac(name, `${secret}&`, bytes),
          },
        ),
      );
      // Plain MD5 as Base64 is a form of the right digest.
      return [...(name === MD5.name ? [] : [plain]), mac, both, ...withAnd].map(
        ({ title, change }) => ({
          title,
          family:
            'the digest is another hash as Base64, or an HMAC as Base64 whose key is the secret, or the secret and "&"',
          change: (signer: Signer) => change(signer).with({ write: form.write }),
        }),
      );
    });
}

/** Prints a digest in the Base64 form of a signature: its alphabet, padding and percent-encoding. */
function base64Form(
  signature: string,
): { readonly digits: number; readonly write: (hex: string) => string } | undefined {
  const plain = signature.trim().replace(/%(2B|2F|3D)/gi, (token) => decodeURIComponent(token));
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(plain)) return undefined;
  const isEncoded = plain !== signature.trim();
  const alphabet = /[-_]/.test(plain) ? 'base64url' : 'base64';
  const write = (hex: string): string => {
    // Without padding if the signature is unpadded.
    const text = Buffer.from(hex, 'hex').toString(alphabet).slice(0, plain.length);
    return signature.replace(signature.trim(), isEncoded ? encodeURIComponent(text) : text);
  };
  return { digits: Buffer.from(plain, 'base64').length * 2, write };
}

const MD5 = { digits: 32, name: 'md5', title: 'MD5' };

const HASHES = [
  { digits: 40, name: 'sha1', title: 'SHA-1' },
  { digits: 64, name: 'sha256', title: 'SHA-256' },
  { digits: 64, name: 'sm3', title: 'SM3' },
  { digits: 56, name: 'sha224', title: 'SHA-224' },
  { digits: 96, name: 'sha384', title: 'SHA-384' },
  { digits: 128, name: 'sha512', title: 'SHA-512' },
];

/** The hashes of this length that this Node supports. */
function hashesOf(digits: number): typeof HASHES {
  return HASHES.filter((hash) => hash.digits === digits && isAvailable(hash));
}

function isAvailable({ name }: { readonly name: string }): boolean {
  return getHashes().includes(name);
}

function isHex(signature: string): boolean {
  return /^[0-9a-f]+$/i.test(signature);
}

function digested(title: string, digest: Steps['digest']): Variant {
  return withSteps(title, { digest });
}

/** An HMAC over only the pairs, with the secret as its key. */
function keyed(title: string, name: string, digits?: number): Variant {
  const digest: Steps['digest'] = (bytes, secret) => hmac(name, secret, bytes).slice(0, digits);
  return withSteps(title, { append: withoutSecret, digest });
}

function md5(bytes: string | Uint8Array): string {
  return hash('md5', bytes, 'hex');
}

function hmac(name: string, key: string | Uint8Array, bytes: string | Uint8Array): string {
  return createHmac(name, key).update(bytes).digest('hex');
}
