import { basename, dirname } from 'node:path';
import { appendLedger } from './append-ledger.ts';
import type { Download } from './download.ts';
import {
  type BillOwner,
  isOwnedBy,
  isStored,
  type LedgerEntry,
  readLedger,
  type StoredEntry,
} from './ledger.ts';
import type { BillKey } from './selection.ts';

/** A bill with the path of its file, beside which the ledger is. */
interface PlacedBill extends BillKey {
  readonly target: string;
}

interface RecordOptions {
  /** Undefined: no ledger is kept. */
  readonly ledger: BillOwner | undefined;
  /** Permissions of a new ledger. */
  readonly fileMode: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Enters a bill that is in its place into the ledger.
 *
 * @param now Milliseconds since 1970.
 * @throws {MopError} `io`
 */
export async function recordStored(
  job: PlacedBill,
  options: RecordOptions,
  bill: Download & { readonly status: 'downloaded' | 'unchanged'; readonly seqId: string },
  now: number,
): Promise<void> {
  // A file that stayed is only new to a ledger that was lost, cut off by a kill, or not writable.
  if (bill.status === 'unchanged' && (await isRecorded(job, options, bill))) return;
  await record(job, options, {
    status: 'stored',
    file: basename(job.target),
    bytes: bill.bytes,
    hash_type: bill.hashType,
    hash_value: bill.hashValue,
    verified: bill.verified,
    seq_id: bill.seqId,
    time: new Date(now).toISOString(),
  });
}

/**
 * Enters into the ledger that there is no such bill, unless it says that there was one: that file
 * may be lost, and is to be missed.
 *
 * @param now Milliseconds since 1970.
 * @throws {MopError} `io`
 */
export async function recordNoBill(
  job: PlacedBill,
  options: RecordOptions,
  seqId: string,
  now: number,
): Promise<void> {
  if ((await storedEntries(job, options)).length > 0) return;
  await record(job, options, {
    status: 'no-bill',
    file: null,
    bytes: null,
    hash_type: null,
    hash_value: null,
    verified: false,
    seq_id: seqId,
    time: new Date(now).toISOString(),
  });
}

async function record(
  { date, type, target }: PlacedBill,
  { ledger, fileMode, signal }: RecordOptions,
  entry: Omit<LedgerEntry, 'date' | 'type' | 'profile' | 'environment'>,
): Promise<void> {
  if (!ledger) return;
  const line = { date, type, ...ledger, ...entry };
  await appendLedger(dirname(target), line, { mode: fileMode, signal });
}

/** Whether the newest line about the file says what is known of it now, or something better. */
async function isRecorded(
  job: PlacedBill,
  options: RecordOptions,
  { hashType, hashValue, verified }: Download,
): Promise<boolean> {
  if (!options.ledger) return true;
  const entries = await storedEntries(job, options);
  const newest = entries.findLast(({ file }) => file === basename(job.target));
  if (newest?.verified && !verified) return true;
  return (
    newest?.hash_type === hashType &&
    newest.hash_value === hashValue &&
    newest.verified === verified
  );
}

/** What the ledger says of a bill that was stored. */
async function storedEntries(
  { date, type, target }: PlacedBill,
  { ledger }: RecordOptions,
): Promise<StoredEntry[]> {
  if (!ledger) return [];
  const entries = (await readLedger(dirname(target))).filter(isStored);
  return entries.filter(
    (entry) => entry.date === date && entry.type === type && isOwnedBy(entry, ledger),
  );
}
