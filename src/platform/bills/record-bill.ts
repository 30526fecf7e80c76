import { basename, dirname } from 'node:path';
import { appendLedger } from './append-ledger.ts';
import type { BillJob, ResolvedOptions } from './fetch-options.ts';
import type { LedgerEntry } from './ledger.ts';
import type { Download } from './verify-download.ts';

/**
 * Records a stored bill in the ledger beside its file.
 *
 * @param now Milliseconds since 1970.
 * @throws {MopError} `io`
 */
export async function recordStored(
  job: BillJob,
  options: ResolvedOptions,
  bill: Download & { readonly status: 'downloaded' | 'unchanged'; readonly seqId: string },
  now: number,
): Promise<void> {
  // An unchanged file is unrecorded only if the ledger was lost, cut by a kill, or not writable.
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
 * Records in the ledger, once, that a bill does not exist. Skipped when the ledger records the bill
 * as stored: a lost file must still count as missing.
 *
 * @param now Milliseconds since 1970.
 * @throws {MopError} `io`
 */
export async function recordNoBill(
  job: BillJob,
  options: ResolvedOptions,
  seqId: string,
  now: number,
): Promise<void> {
  if (await isInLedger(job, options)) return;
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
  { date, type, target }: BillJob,
  { ledger, fileMode, signal }: ResolvedOptions,
  entry: Omit<LedgerEntry, 'date' | 'type' | 'profile' | 'environment'>,
): Promise<void> {
  if (!ledger) return;
  const line = { date, type, ...ledger, ...entry };
  await appendLedger(dirname(target), line, { mode: fileMode, signal });
}

/** Whether the newest line about the file records this digest, or a verified one. */
async function isRecorded(
  job: BillJob,
  { ledger: owner, ledgers }: ResolvedOptions,
  { hashType, hashValue, verified }: Download,
): Promise<boolean> {
  if (!owner) return true;
  const ledger = await ledgers.read(dirname(job.target));
  const newest = ledger.newest(owner, job, basename(job.target));
  if (newest?.verified && !verified) return true;
  return (
    newest?.hash_type === hashType &&
    newest.hash_value === hashValue &&
    newest.verified === verified
  );
}

/** Whether the ledger records the bill, as stored or as nonexistent. */
async function isInLedger(
  job: BillJob,
  { ledger: owner, ledgers }: ResolvedOptions,
): Promise<boolean> {
  if (!owner) return true;
  const ledger = await ledgers.read(dirname(job.target));
  return ledger.newest(owner, job, null)?.status === 'no-bill' || ledger.wasStored(owner, job);
}
