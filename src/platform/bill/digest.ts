import { getHashes } from 'node:crypto';
import { MopError } from '../../errors.ts';

/** What a bill is checked with when the platform gave no digest: to compare and to remember. */
export const OWN_DIGEST = 'SHA-256';

const ALGORITHMS = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sm3'];

/**
 * The name that `node:crypto` has for a `hash_type`, matched without case, dashes or underscores.
 *
 * @throws {MopError} `integrity` for a digest that is not known here: nothing can be verified.
 */
export function digestAlgorithm(hashType: string): string {
  const name = hashType.toLowerCase().replace(/[-_\s]/g, '');
  if (ALGORITHMS.includes(name) && getHashes().includes(name)) return name;
  throw new MopError(
    'integrity',
    `the platform names an unknown digest: ${JSON.stringify(hashType)}`,
    {
      hint: `known are ${ALGORITHMS.join(', ')}; the bill cannot be verified and is not stored`,
      transient: false,
    },
  );
}

/** Whether a digest is the one that the platform gave, as hex of any case or as base64. */
export function digestMatches(expected: string, actual: Buffer): boolean {
  const text = expected.trim();
  if (/^[0-9a-f]+$/i.test(text) && text.length === actual.length * 2) {
    return text.toLowerCase() === actual.toString('hex');
  }
  return /^[A-Za-z0-9+/_-]+=*$/.test(text) && Buffer.from(text, 'base64').equals(actual);
}
