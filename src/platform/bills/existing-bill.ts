import { basename, dirname } from 'node:path';
import { MopError } from '../../errors.ts';
import { UNIQUE_NAME } from './bill-key.ts';
import type { BillDescriptor } from './descriptor.ts';
import type { BillDigest } from './digest.ts';
import type { ResolvedOptions } from './fetch-options.ts';
import { isOwnedBy } from './ledger.ts';
import { matchStored, storedSize } from './stored-file.ts';
import type { PlacedBill } from './verify-download.ts';

/**
 * Compares the file at `target` with a bill.
 *
 * @returns The size and the algorithm of the digest when the file has the bill's content; undefined
 *   when the file is missing, or differs and `overwrite` is set.
 * @throws {MopError} `io` when a file with other content must stay.
 * @throws The signal's reason.
 */
export async function findUnchanged(
  target: string,
  digest: BillDigest,
  options: ResolvedOptions,
): Promise<{ readonly bytes: number; readonly hashType: string } | undefined> {
  const { keepGzip, overwrite, signal } = options;
  const bytes = await storedSize(target);
  if (bytes === undefined) return undefined;
  const hashType = await matchStored(target, digest, keepGzip, signal);
  if (hashType !== undefined) return { bytes, hashType };
  if (overwrite) return undefined;
  const kept = `${target} exists with other content and was kept`;
  const other = await otherOwner(target, options);
  throw other
    ? new MopError('io', `${kept}: it is a bill of ${other}`, {
        hint: `choose another directory with -o, or --all-profiles, or --name '${UNIQUE_NAME}'`,
      })
    : new MopError('io', kept, {
        hint: 'to replace the file, run the command again with --overwrite; to keep it, choose another directory with -o',
      });
}

/** The profile or environment of a file that the ledger records as the bill of another owner. */
async function otherOwner(
  target: string,
  { ledger: owner, ledgers }: ResolvedOptions,
): Promise<string | undefined> {
  if (!owner) return undefined;
  const entry = (await ledgers.read(dirname(target))).newestOfFile(basename(target));
  if (!entry || isOwnedBy(entry, owner)) return undefined;
  return entry.profile === owner.profile
    ? `environment ${entry.environment}`
    : `profile ${entry.profile}`;
}

/**
 * The existing file, if it matches the digest of the descriptor.
 *
 * @throws {MopError} Same as {@link findUnchanged}.
 */
export async function compareExisting(
  target: string,
  { digest }: BillDescriptor,
  options: ResolvedOptions,
): Promise<PlacedBill | undefined> {
  if (digest === undefined) return undefined;
  const found = await findUnchanged(target, digest, options);
  return found && { ...found, status: 'unchanged', hashValue: digest.value, verified: true };
}
