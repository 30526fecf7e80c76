import { createHmac, getHashes, hash } from 'node:crypto';
import { type Mistake, type Variant, variantsIf, withSteps } from '../mistake.ts';
import { type Signer, type Steps, withoutSecret } from '../signer.ts';

/** The digest and how it is written (D1 5.1 step 4). */

const FIX =
  'take the plain MD5 of the string with the secret behind it, as 32 upper-case hex digits';

export const hexLowercase: Mistake = {
  id: 'hex-lowercase',
  fix: 'send the 32 hex digits of the MD5 in upper case',
  variants: ({ signature }) =>
    variantsIf(isHex(signature) && signature !== signature.toUpperCase(), {
      title: 'the signature is not in upper case',
      change: (signer) => {
        const { write } = signer.steps;
        return signer.with({ write: (hex) => write(hex).toLowerCase() });
      },
    }),
};

export const digestHmacMd5: Mistake = {
  id: 'digest-hmac-md5',
  fix: FIX,
  variants: () => [
    keyed('the secret was the key of an HMAC-MD5 over the pairs', 'md5'),
    digested('the secret was appended and was also the key of an HMAC-MD5', (bytes, secret) =>
      hmac('md5', secret, bytes),
    ),
    withSteps('the pairs were the key of an HMAC-MD5 over the secret', {
      append: withoutSecret,
      digest: (bytes, secret) => hmac('md5', bytes, secret),
    }),
  ],
};

export const digestOther: Mistake = {
  id: 'digest-other',
  fix: FIX,
  variants: ({ signature }) => {
    if (!isHex(signature)) return base64Digests(signature);
    const { length } = signature;
    if (length === 16) {
      return [written('only the middle 16 digits of the MD5 were sent', (hex) => hex.slice(8, 24))];
    }
    if (length < 32) {
      return [written('the MD5 lost the zeros at its start', (hex) => hex.replace(/^0+/, ''))];
    }
    if (length === 32) {
      return [
        digested('the MD5 was taken of the MD5 in upper case', (b) => md5(md5(b).toUpperCase())),
        digested('the MD5 was taken of the MD5 in lower case', (b) => md5(md5(b))),
      ];
    }
    return hashesOf(length).flatMap(({ name, title }) => [
      digested(`the digest is ${title}, not MD5`, (bytes) => hash(name, bytes, 'hex')),
      keyed(`the digest is HMAC-${title} with the secret as its key, not MD5`, name),
    ]);
  },
};

function base64Digests(signature: string): readonly Variant[] {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(signature)) return [];
  const alphabet = /[-_]/.test(signature) ? 'base64url' : 'base64';
  const digits = Buffer.from(signature, 'base64').length * 2;
  return [MD5, ...hashesOf(digits)]
    .filter((hash) => hash.digits === digits)
    .flatMap(({ name, title }) => {
      const plain = digested(`the digest is ${title} as Base64, not MD5 as hex`, (bytes) =>
        hash(name, bytes, 'hex'),
      );
      const mac = keyed(`the digest is HMAC-${title} as Base64, with the secret as its key`, name);
      // Without the padding where the signature has none.
      const write = (hex: string): string =>
        Buffer.from(hex, 'hex').toString(alphabet).slice(0, signature.length);
      return [plain, mac].map(({ title, change }) => ({
        title,
        change: (signer: Signer) => change(signer).with({ write }),
      }));
    });
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

/** The hashes of this length that this Node has. */
function hashesOf(digits: number): typeof HASHES {
  return HASHES.filter((hash) => hash.digits === digits && getHashes().includes(hash.name));
}

function isHex(signature: string): boolean {
  return /^[0-9a-f]+$/i.test(signature);
}

function digested(title: string, digest: Steps['digest']): Variant {
  return withSteps(title, { digest });
}

function written(title: string, cut: (hex: string) => string): Variant {
  return withSteps(title, { write: (hex) => cut(hex).toUpperCase() });
}

/** An HMAC over the pairs alone, with the secret as its key. */
function keyed(title: string, name: string): Variant {
  const digest: Steps['digest'] = (bytes, secret) => hmac(name, secret, bytes);
  return withSteps(title, { append: withoutSecret, digest });
}

function md5(bytes: string | Uint8Array): string {
  return hash('md5', bytes, 'hex');
}

function hmac(name: string, key: string | Uint8Array, bytes: string | Uint8Array): string {
  return createHmac(name, key).update(bytes).digest('hex');
}
