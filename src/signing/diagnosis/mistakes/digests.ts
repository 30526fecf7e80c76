import { createHmac, getHashes, hash } from 'node:crypto';
import type { Draft } from '../draft.ts';
import type { Mistake, Variant } from '../mistake.ts';

/** The digest and how it is written (D1 5.1 step 4). */

const FIX =
  'take the plain MD5 of the string with the secret behind it, as 32 upper-case hex digits';

export const hexLowercase: Mistake = {
  id: 'hex-lowercase',
  fix: 'send the 32 hex digits of the MD5 in upper case',
  variants: ({ signature }) => {
    if (!isHex(signature) || signature === signature.toUpperCase()) return [];
    return [
      {
        title: 'the signature is not in upper case',
        change: (draft) => {
          const { digest } = draft.steps;
          return draft.with({ digest: (bytes, secret) => digest(bytes, secret).toLowerCase() });
        },
      },
    ];
  },
};

export const digestHmacMd5: Mistake = {
  id: 'digest-hmac-md5',
  fix: FIX,
  variants: () => [
    {
      title: 'the secret was the key of an HMAC-MD5 over the pairs',
      change: (draft) =>
        draft.with({
          append: (text) => text,
          digest: (bytes, secret) => hmac('md5', secret, bytes),
        }),
    },
    {
      title: 'the secret was appended and was also the key of an HMAC-MD5',
      change: (draft) => draft.with({ digest: (bytes, secret) => hmac('md5', secret, bytes) }),
    },
    {
      title: 'the pairs were the key of an HMAC-MD5 over the secret',
      change: (draft) =>
        draft.with({
          append: (text) => text,
          digest: (bytes, secret) => hmac('md5', bytes, secret),
        }),
    },
  ],
};

export const digestOther: Mistake = {
  id: 'digest-other',
  fix: FIX,
  variants: ({ signature }) => {
    if (!isHex(signature)) return base64Digests(signature);
    const { length } = signature;
    if (length === 16) {
      return [digest('only the middle 16 digits of the MD5 were sent', (b) => md5(b).slice(8, 24))];
    }
    if (length < 32) {
      return [digest('the MD5 lost the zeros at its start', (b) => md5(b).replace(/^0+/, ''))];
    }
    if (length === 32) {
      return [
        digest('the MD5 was taken of the MD5 in upper case', (b) => md5(md5(b))),
        digest('the MD5 was taken of the MD5 in lower case', (b) => md5(md5(b).toLowerCase())),
      ];
    }
    return hashesOf(length).flatMap(({ name, title }) => [
      digest(`the digest is ${title}, not MD5`, (bytes) => hexDigest(name, bytes)),
      {
        title: `the digest is HMAC-${title} with the secret as its key, not MD5`,
        change: (draft: Draft) =>
          draft.with({
            append: (text) => text,
            digest: (bytes, secret) => hmac(name, secret, bytes),
          }),
      },
    ]);
  },
};

function base64Digests(signature: string): readonly Variant[] {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(signature)) return [];
  const alphabet = /[-_]/.test(signature) ? 'base64url' : 'base64';
  const digits = Buffer.from(signature, 'base64').length * 2;
  return [MD5, ...hashesOf(digits)]
    .filter((hash) => hash.digits === digits)
    .map(({ name, title }) =>
      digest(`the digest is ${title} as Base64, not MD5 as hex`, (bytes) =>
        // Without the padding where the signature has none.
        hash(name, bytes, 'buffer').toString(alphabet).slice(0, signature.length),
      ),
    );
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

/** Those with so many hex digits that this Node has. */
function hashesOf(digits: number): typeof HASHES {
  return HASHES.filter((hash) => hash.digits === digits && getHashes().includes(hash.name));
}

function isHex(signature: string): boolean {
  return /^[0-9a-f]+$/i.test(signature);
}

function digest(title: string, digest: (bytes: string | Uint8Array) => string): Variant {
  return { title, change: (draft) => draft.with({ digest }) };
}

function md5(bytes: string | Uint8Array): string {
  return hexDigest('md5', bytes);
}

function hexDigest(name: string, bytes: string | Uint8Array): string {
  return hash(name, bytes, 'hex').toUpperCase();
}

function hmac(name: string, key: string | Uint8Array, bytes: string | Uint8Array): string {
  return createHmac(name, key).update(bytes).digest('hex').toUpperCase();
}
