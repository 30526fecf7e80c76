import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  billDigest,
  ContentHash,
  matchingType,
  readDigest,
  usableDigest,
} from '../../../src/platform/bills/digest.ts';

const POLICY = { requireHash: false, acceptUnknownHash: false };

describe('usableDigest', () => {
  it.each([
    ['MD5', 'md5'],
    ['md-5', 'md5'],
    ['SHA1', 'sha1'],
    ['SHA-1', 'sha1'],
    ['sha_256', 'sha256'],
    ['SHA-256', 'sha256'],
    ['Sha512', 'sha512'],
    ['SM3', 'sm3'],
  ])('knows %s', (name, algorithm) => {
    const digest = { type: name, value: createHash(algorithm).update('').digest('hex') };
    expect(usableDigest(digest, POLICY)).toEqual({ digest });
    expect(matchingType(digest, new ContentHash(digest).digests())).toBe(name);
  });

  it.each(['CRC32', 'md', 'sha3', '', '__proto__'])('refuses %j permanently', (name) => {
    expect(() => usableDigest({ type: name, value: 'a1b2' }, POLICY)).toThrow(
      expect.objectContaining({
        code: 'integrity',
        details: expect.objectContaining({ transient: false }),
      }),
    );
  });
});

describe('billDigest', () => {
  const names = {
    MD5: 'md5',
    'SHA-1': 'sha1',
    'SHA-224': 'sha224',
    'SHA-256': 'sha256',
    SM3: 'sm3',
    'SHA-384': 'sha384',
    'SHA-512': 'sha512',
  };
  const encodings = ['hex', 'base64', 'base64url'] as const;
  const rows = Object.entries(names).flatMap(([type, algorithm]) =>
    encodings.map(
      (encoding) => [type, encoding, createHash(algorithm).update('').digest(encoding)] as const,
    ),
  );

  it.each(rows)('finds %s by the length of its %s', (type, _, value) => {
    const digest = billDigest(undefined, value);
    expect(digest.type.split(' or ')).toContain(type);
    expect(matchingType(digest, new ContentHash(digest).digests())).toBe(type);
  });

  it('returns both algorithms of one length', () => {
    expect(billDigest(undefined, '0'.repeat(64)).type).toBe('SHA-256 or SM3');
  });

  it.each(['abcd', 'not a digest', '0'.repeat(33), '0'.repeat(16)])(
    'returns no algorithm for %j',
    (value) => {
      expect(billDigest(undefined, value).type).toBe('');
    },
  );

  it('keeps the given name', () => {
    expect(billDigest('SM3', '0'.repeat(64))).toEqual({ type: 'SM3', value: '0'.repeat(64) });
  });
});

describe('matchingType', () => {
  const digest = createHash('md5').update('bill').digest();
  const actual = new Map([['md5', digest]]);

  it.each([
    ['lower-case hex', digest.toString('hex')],
    ['upper-case hex', digest.toString('hex').toUpperCase()],
    ['base64', digest.toString('base64')],
    ['base64 without padding', digest.toString('base64').replace(/=+$/, '')],
    ['base64url', digest.toString('base64url')],
    ['surrounding white space', ` ${digest.toString('hex')}\n`],
  ])('reads %s', (_, text) => {
    expect(matchingType({ type: 'MD5', value: text }, actual)).toBe('md5');
  });

  it.each([
    ['another digest', createHash('md5').update('other').digest('hex')],
    ['a truncated digest', digest.toString('hex').slice(0, -2)],
    ['a digest with trailing characters', `${digest.toString('hex')}00`],
    ['nothing', ''],
    ['other text', 'not a digest'],
  ])('refuses %s', (_, text) => {
    expect(matchingType({ type: 'MD5', value: text }, actual)).toBeUndefined();
  });
});

describe('readDigest', () => {
  const digest = createHash('sha256').update('bill').digest();

  it.each([digest.toString('hex'), digest.toString('base64')])('reads %s', (text) => {
    expect(readDigest(text, 32)).toEqual(digest);
  });

  it.each(['', 'abc', digest.toString('hex').slice(1), `${digest.toString('base64')}AAAA`, '%%'])(
    'does not read %j as a digest of this length',
    (text) => {
      expect(readDigest(text, 32)).toBeUndefined();
    },
  );
});
