import { createHash, getHashes, type Hash } from 'node:crypto';
import { MopError } from '../../errors.ts';

/** The digest that mop computes and records when the platform gives no digest. */
export const OWN_DIGEST = 'SHA-256';

/** A digest of a bill's original content, as the platform wrote it. */
export interface BillDigest {
  /**
   * The algorithm. If the platform names none: the algorithms with this length, such as `SHA-256 or
   * SM3`, or an empty text.
   */
  readonly type: string;
  readonly value: string;
  /** Whether the platform named no algorithm. */
  readonly byLength?: boolean | undefined;
}

const LENGTHS: Readonly<Record<string, number>> = {
  MD5: 16,
  'SHA-1': 20,
  'SHA-224': 28,
  'SHA-256': 32,
  SM3: 32,
  'SHA-384': 48,
  'SHA-512': 64,
};

export const KNOWN_DIGESTS = `known digests: ${Object.keys(LENGTHS).join(', ')}`;

/** A digest; without a type, every algorithm with the length of the value is possible. */
export function billDigest(type: string | undefined, value: string): BillDigest {
  if (type !== undefined) return { type, value };
  return { type: namesByLength(value).join(' or '), value, byLength: true };
}

/** The possible algorithms of a digest; empty for an unknown digest. */
function candidates({ type, value, byLength }: BillDigest): string[] {
  return (byLength ? namesByLength(value) : [type]).filter(
    (name) => digestLength(name) !== undefined && getHashes().includes(algorithmOf(name)),
  );
}

function namesByLength(value: string): string[] {
  const fitting = Object.entries(LENGTHS).filter(([, bytes]) => readDigest(value, bytes));
  // Prefer the shortest: 64 hex digits are also valid base64 of 48 bytes.
  return fitting.filter(([, bytes]) => bytes === fitting[0]?.[1]).map(([name]) => name);
}

/** The algorithm of `node:crypto`: names are matched without case, dashes or underscores. */
function algorithmOf(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '');
}

/** The length of a digest in bytes, by its name; undefined for an unknown one. */
export function digestLength(name: string): number | undefined {
  return Object.entries(LENGTHS).find(([known]) => algorithmOf(known) === algorithmOf(name))?.[1];
}

export function isKnownDigest(digest: BillDigest): boolean {
  return candidates(digest).length > 0;
}

/** Digests of one content, by the names of their algorithms. */
export type ContentDigests = ReadonlyMap<string, Uint8Array>;

/** Hashes content with each possible algorithm of a digest, in one pass. */
export class ContentHash {
  readonly #hashes: ReadonlyMap<string, Hash>;

  constructor(digest: BillDigest) {
    this.#hashes = new Map(candidates(digest).map((name) => [name, createHash(algorithmOf(name))]));
  }

  update(chunk: Uint8Array): void {
    for (const hash of this.#hashes.values()) hash.update(chunk);
  }

  digests(): ContentDigests {
    return new Map([...this.#hashes].map(([name, hash]) => [name, hash.digest()]));
  }
}

/** The name of the algorithm by which content matches a digest; undefined when it does not. */
export function matchingType({ value }: BillDigest, actual: ContentDigests): string | undefined {
  return [...actual].find(([, bytes]) => digestMatches(value, bytes))?.[0];
}

/** The digest to verify a bill with, or the reason to store it unverified; throws `integrity`. */
export function usableDigest(
  digest: BillDigest | undefined,
  policy: { readonly requireHash: boolean; readonly acceptUnknownHash: boolean },
): { readonly digest?: BillDigest; readonly unverifiedReason?: string } {
  if (digest === undefined) {
    const reason = 'the platform gave no digest for the bill';
    if (!policy.requireHash) return { unverifiedReason: reason };
    const hint = 'to store it unverified, do not require a digest (--require-hash)';
    throw new MopError('integrity', reason, { hint, transient: false });
  }
  if (isKnownDigest(digest)) return { digest };
  const { type, value } = digest;
  const reason =
    type === ''
      ? `the platform gave no hash_type, and no known digest has the length of its hash_value (${value.length} characters)`
      : `the platform names an unknown digest: ${JSON.stringify(type)}`;
  if (policy.acceptUnknownHash) return { unverifiedReason: reason };
  throw new MopError('integrity', reason, {
    hint: `${KNOWN_DIGESTS}; to store it unverified, accept others (accept-unknown-hash)`,
    transient: false,
  });
}

/** The bytes of a digest in hex of any case or base64; undefined unless it has `length` bytes. */
export function readDigest(text: string, length: number): Uint8Array | undefined {
  const word = text.trim();
  if (/^[0-9a-f]+$/i.test(word) && word.length === length * 2) return Buffer.from(word, 'hex');
  if (!/^[A-Za-z0-9+/_-]+=*$/.test(word)) return undefined;
  const bytes = Buffer.from(word, 'base64');
  return bytes.length === length ? bytes : undefined;
}

function digestMatches(expected: string, actual: Uint8Array): boolean {
  const bytes = readDigest(expected, actual.length);
  return bytes !== undefined && Buffer.compare(bytes, actual) === 0;
}
