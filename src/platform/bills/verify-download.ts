import { MopError, withDetails } from '../../errors.ts';
import { corrupt } from './byte-stages.ts';
import type { BillDescriptor } from './descriptor.ts';
import { matchingType, OWN_DIGEST } from './digest.ts';
import type { Received } from './download.ts';

export interface Download {
  /** The size of the stored file. */
  readonly bytes: number;
  readonly hashType: string;
  /** The platform's digest unchanged, or the digest of mop in hex when the platform gave none. */
  readonly hashValue: string;
  /** Whether the content matched a digest of the platform. */
  readonly verified: boolean;
}

/** A stored bill. */
export interface PlacedBill extends Download {
  /** `unchanged`: the file existed before, with the same content. */
  readonly status: 'downloaded' | 'unchanged';
}

/**
 * Compares a download with the digest of its descriptor (D1 4.1 rule 6).
 *
 * @throws {MopError} `integrity` for a mismatch, and without a digest for content that is not gzip
 *   although gzip was requested.
 */
export function verifyDownload({ digest }: BillDescriptor, received: Received): Download {
  const { bytes, original, compressed, insteadOfGzip } = received;
  const notGzipNote = insteadOfGzip === undefined ? '' : `; it is not gzip but ${insteadOfGzip}`;
  if (digest === undefined) {
    if (insteadOfGzip !== undefined) throw corrupt(`the download is not a bill${notGzipNote}`);
    const hashValue = Buffer.from(original.get(OWN_DIGEST) ?? []).toString('hex');
    return { bytes, hashType: OWN_DIGEST, hashValue, verified: false };
  }
  const hashType = matchingType(digest, original);
  if (hashType !== undefined) return { bytes, hashType, hashValue: digest.value, verified: true };
  const mismatch = `the bill does not match its ${digest.type} digest`;
  if (compressed && matchingType(digest, compressed) !== undefined) {
    throw new MopError('integrity', `${mismatch}, but its compressed bytes do`, {
      hint: 'the platform hashed the gzip file instead of the original: report it to the platform',
    });
  }
  const error = corrupt(`${mismatch}${notGzipNote}`);
  const hint = `the platform gave no hash_type: ${digest.type} has the length of hash_value`;
  throw digest.byLength ? withDetails(error, { hint }) : error;
}
