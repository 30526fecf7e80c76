import { getHashes } from 'node:crypto';
import { MopError } from '../../errors.ts';

/** The digest that we compute and record when the platform gave none. */
export const OWN_DIGEST = 'SHA-256';

/** A digest of a bill's original content, as the platform wrote it. */
export interface BillDigest {
  readonly type: string;
  readonly value: string;
}

export const DIGEST_ALGORITHMS = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sm3'];

/**
 * The algorithm of `node:crypto` for a `hash_type`, matched without case, dashes or underscores;
 * undefined for an unknown digest.
 */
export function findAlgorithm(hashType: string): string | undefined {
  const name = hashType.toLowerCase().replace(/[-_\s]/g, '');
  return DIGEST_ALGORITHMS.includes(name) && getHashes().includes(name) ? name : undefined;
}

/**
 * The algorithm of `node:crypto` for the `hash_type` of a descriptor.
 *
 * @throws {MopError} `integrity` for an unknown digest: nothing can be verified.
 */
export function digestAlgorithm(hashType: string): string {
  const algorithm = findAlgorithm(hashType);
  if (algorithm !== undefined) return algorithm;
  throw new MopError(
    'integrity',
    `the platform names an unknown digest: ${JSON.stringify(hashType)}`,
    {
      hint: `known are ${DIGEST_ALGORITHMS.join(', ')}; the bill cannot be verified and is not stored`,
      transient: false,
    },
  );
}

/**
 * The bytes of a digest of `length` bytes, written as hex of any case or as base64; otherwise
 * undefined.
 */
export function readDigest(text: string, length: number): Uint8Array | undefined {
  const word = text.trim();
  if (/^[0-9a-f]+$/i.test(word) && word.length === length * 2) return Buffer.from(word, 'hex');
  if (!/^[A-Za-z0-9+/_-]+=*$/.test(word)) return undefined;
  const bytes = Buffer.from(word, 'base64');
  return bytes.length === length ? bytes : undefined;
}

/** Whether a digest equals the expected one, written as hex of any case or as base64. */
export function digestMatches(expected: string, actual: Uint8Array): boolean {
  const bytes = readDigest(expected, actual.length);
  return bytes !== undefined && Buffer.compare(bytes, actual) === 0;
}
