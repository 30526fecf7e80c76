import { getHashes } from 'node:crypto';
import { MopError } from '../../errors.ts';

/** The digest that we compute and record when the platform gave none. */
export const OWN_DIGEST = 'SHA-256';

/** A digest of a bill's original content, as the platform wrote it. */
export interface BillDigest {
  /** Empty when the platform named no algorithm and no known digest has the length of the value. */
  readonly type: string;
  readonly value: string;
  /** Whether the platform named no algorithm, so that the length of the value chose it. */
  readonly byLength?: boolean | undefined;
}

export const DIGEST_ALGORITHMS = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sm3'];

/** The bytes of each digest that can be chosen by its length. SM3 is as long as SHA-256. */
const LENGTHS = { MD5: 16, 'SHA-1': 20, 'SHA-256': 32, 'SHA-384': 48, 'SHA-512': 64 };

/** A digest; without a type its algorithm is chosen by the length of the value. */
export function billDigest(type: string | undefined, value: string): BillDigest {
  if (type !== undefined) return { type, value };
  // The shortest comes first: 64 hex digits could also be read as 48 bytes of base64.
  const fitting = Object.entries(LENGTHS).find(([, bytes]) => readDigest(value, bytes));
  return { type: fitting?.[0] ?? '', value, byLength: true };
}

/**
 * The algorithm of `node:crypto` for a `hash_type`, matched without case, dashes or underscores;
 * undefined for an unknown digest.
 */
export function findAlgorithm(hashType: string): string | undefined {
  const name = hashType.toLowerCase().replace(/[-_\s]/g, '');
  return DIGEST_ALGORITHMS.includes(name) && getHashes().includes(name) ? name : undefined;
}

/** Whether a missing digest is refused, and an unknown one accepted. */
interface DigestPolicy {
  readonly requireHash: boolean;
  readonly acceptUnknownHash: boolean;
}

/**
 * Why a bill with this digest has to be stored unverified; undefined for a known digest.
 *
 * @throws {MopError} `integrity` for a missing or unknown digest that `policy` refuses.
 */
export function unverifiedReason(
  digest: BillDigest | undefined,
  { requireHash, acceptUnknownHash }: DigestPolicy,
): string | undefined {
  if (digest === undefined) {
    const reason = 'the platform gave no digest for the bill';
    if (!requireHash) return reason;
    const hint = 'leave out --require-hash to store it unverified';
    throw new MopError('integrity', reason, { hint, transient: false });
  }
  if (findAlgorithm(digest.type) !== undefined) return undefined;
  const error = unknownDigest(digest);
  if (acceptUnknownHash) return error.message;
  throw error;
}

/**
 * The algorithm of `node:crypto` for the `hash_type` of a descriptor.
 *
 * @throws {MopError} `integrity` for an unknown digest: nothing can be verified.
 */
export function digestAlgorithm(hashType: string): string {
  const algorithm = findAlgorithm(hashType);
  if (algorithm !== undefined) return algorithm;
  throw unknownDigest({ type: hashType, value: '' });
}

function unknownDigest({ type, value }: BillDigest): MopError {
  const message =
    type === ''
      ? `the platform gave no hash_type, and no known digest has the length of its hash_value (${value.length} characters)`
      : `the platform names an unknown digest: ${JSON.stringify(type)}`;
  return new MopError('integrity', message, {
    hint: `known are ${DIGEST_ALGORITHMS.join(', ')}; --accept-unknown-hash stores the bill unverified`,
    transient: false,
  });
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
