import { MopError } from '../../errors.ts';
import type { BillDescriptor } from './descriptor.ts';
import { type BillDigest, digestAlgorithm, digestMatches } from './digest.ts';
import type { ResolvedOptions } from './fetch-options.ts';
import { hashStored, storedSize } from './stored-file.ts';
import type { PlacedBill } from './verify-download.ts';

/**
 * Compares the file at `target` with a bill.
 *
 * @returns Its size when it has the bill's content; undefined when there is no file, or one that
 *   `overwrite` permits to replace.
 * @throws {MopError} `io` when a file with other content must stay; `integrity` for an unknown
 *   digest.
 * @throws The signal's reason.
 */
export async function findUnchanged(
  target: string,
  digest: BillDigest,
  { keepGzip, overwrite, signal }: ResolvedOptions,
): Promise<number | undefined> {
  const bytes = await storedSize(target);
  if (bytes === undefined) return undefined;
  const actual = await hashStored(target, digestAlgorithm(digest.type), keepGzip, signal);
  if (actual && digestMatches(digest.value, actual)) return bytes;
  if (overwrite) return undefined;
  throw new MopError('io', `${target} is there with another content and was kept`, {
    hint: 'compare the two, then run again with --overwrite to replace it',
  });
}

/**
 * The existing file when the digest of the descriptor shows that it is the bill already.
 *
 * @throws {MopError} As {@link findUnchanged}.
 */
export async function compareExisting(
  target: string,
  { digest }: BillDescriptor,
  options: ResolvedOptions,
): Promise<PlacedBill | undefined> {
  if (digest === undefined) return undefined;
  const bytes = await findUnchanged(target, digest, options);
  if (bytes === undefined) return undefined;
  const { type: hashType, value: hashValue } = digest;
  return { status: 'unchanged', bytes, hashType, hashValue, verified: true };
}
