import { rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { MopError } from '../../errors.ts';
import { AtomicFile } from '../../files/atomic-file.ts';
import type { OperationClient } from '../operation-client.ts';
import { type Download, verifyDownload } from './bill-content.ts';
import { UNIQUE_NAME } from './bill-key.ts';
import type { BillDescriptor } from './descriptor.ts';
import type { BillDigest } from './digest.ts';
import type { BillJob, ResolvedOptions } from './fetch-options.ts';
import {
  type BillOwner,
  isAbout,
  isOwnedBy,
  isStored,
  type LedgerEntry,
  type StoredEntry,
} from './ledger.ts';
import { type FileVersion, fileVersion, matchStored, pathsOf } from './stored-file.ts';
import { assertWritableLedger, changeLedger } from './write-ledger.ts';

/** A bill that is stored on the disk. */
export interface PlacedBill extends Download {
  /** `unchanged`: the file existed before, with the same content. */
  readonly status: 'downloaded' | 'unchanged';
  readonly path: string;
}

/** Keeps the stored bill if its digest matches; otherwise downloads, verifies and places it. */
export async function storeBill(
  client: OperationClient,
  job: BillJob,
  descriptor: BillDescriptor,
  options: ResolvedOptions,
  hashCompressed: boolean,
): Promise<PlacedBill> {
  const { digest, seqId } = descriptor;
  const expected = (digest: BillDigest, verified: boolean): Expected => ({
    ...{ digest, verified, seqId },
    now: client.source.now(),
  });
  const kept = digest && (await settle(job, expected(digest, true), options));
  if (kept) return kept;
  const directory = dirname(job.target);
  await assertWritableLedger(directory);
  const part = await AtomicFile.open(directory, options.fileMode);
  try {
    // Loaded on demand: in most runs of a daily job, all bills are already stored.
    const { downloadBill } = await import('./download.ts');
    const received = await downloadBill(client, descriptor, part, options, hashCompressed);
    const download = verifyDownload(digest, received, options.acceptAnyContent);
    // Syncing takes long: do it before the lock is taken.
    await part.finish();
    const { hashType: type, hashValue: value, verified } = download;
    const fresh = { download, place: () => part.place(job.target) };
    return (await settle(job, expected({ type, value }, verified), options, fresh)) as PlacedBill;
  } finally {
    await part.discard();
  }
}

/** The content that a bill must have, and the request that says so. */
interface Expected {
  readonly digest: BillDigest;
  /** Whether the digest is from the platform. */
  readonly verified: boolean;
  readonly seqId: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A verified download, and the step that moves it to its target. */
interface Fresh {
  readonly download: Download;
  readonly place: () => Promise<void>;
}

/** A file at the target of a bill. */
interface ExistingFile extends FileVersion {
  readonly path: string;
  /** The algorithm by which its content matches; undefined for other content. */
  readonly hashType: string | undefined;
}

/**
 * Keeps the file with the expected content; otherwise places a download. Hashing takes too long for
 * the lock: under it, the bill is recorded and placed only if file and line are still the same.
 */
async function settle(
  job: BillJob,
  expected: Expected,
  options: ResolvedOptions,
  fresh?: Fresh,
): Promise<PlacedBill | undefined> {
  for (;;) {
    const lines = await linesAbout(job, options);
    const existing = await findExisting(job.target, expected.digest, options, lines.length > 0);
    const kept = existing && keptBill(existing, expected, fresh);
    if (existing && !kept) assertReplaceable(existing, expected, options, lines.at(-1));
    if (kept && (await isRecorded(job, kept, options, lines.at(-1)))) return kept;
    const bill = kept ?? (fresh && { ...fresh.download, status: 'downloaded', path: job.target });
    if (!bill) return undefined;
    const isSettled = await changeLedger(dirname(job.target), {
      entry: entryOf(job, bill, expected, options),
      isCurrent: async () =>
        (await findVersion(job.target, existing)) === existing?.version &&
        (!existing || (await linesAbout(job, options)).at(-1) === lines.at(-1)),
      place: kept || !fresh ? undefined : () => replace(job.target, existing, fresh),
      mode: options.fileMode,
      signal: options.signal,
    });
    if (isSettled) return bill;
  }
}

/** The current version of a file; undefined if another run has placed a file at the target. */
async function findVersion(
  target: string,
  existing: ExistingFile | undefined,
): Promise<string | undefined> {
  const atTarget = await fileVersion(target);
  if (!existing || existing.path === target) return atTarget?.version;
  return atTarget ? undefined : (await fileVersion(existing.path))?.version;
}

/** Places a download, and removes the compressed bill that it replaces. */
async function replace(
  target: string,
  existing: ExistingFile | undefined,
  { place }: Fresh,
): Promise<void> {
  await place();
  if (existing && existing.path !== target) await rm(existing.path, { force: true });
}

/** The file at the target, or the recorded bill that was compressed to `.gz` afterwards. */
async function findExisting(
  target: string,
  digest: BillDigest,
  { keepGzip, signal }: ResolvedOptions,
  isRecorded: boolean,
): Promise<ExistingFile | undefined> {
  for (const path of pathsOf(target)) {
    const isTarget = path === target;
    const file = await fileVersion(path).catch((error: unknown) => {
      if (isTarget) throw error;
      return undefined;
    });
    if (!file) continue;
    const hashType = await matchStored(path, digest, keepGzip || !isTarget, signal);
    if (isTarget || isRecorded || hashType !== undefined) return { path, ...file, hashType };
  }
  return undefined;
}

function keptBill(
  { path, bytes, hashType }: ExistingFile,
  { digest, verified }: Expected,
  fresh: Fresh | undefined,
): PlacedBill | undefined {
  if (hashType === undefined) return undefined;
  const trailingBytes = fresh?.download.trailingBytes ?? 0;
  const content = { hashType, hashValue: digest.value, verified, trailingBytes };
  return { status: 'unchanged', path, bytes, ...content };
}

/** The lines of the ledger about the file of a bill, plain or compressed; the newest one is last. */
async function linesAbout(
  { target }: BillJob,
  { ledger: owner, ledgers }: ResolvedOptions,
): Promise<StoredEntry[]> {
  if (!owner) return [];
  const names = pathsOf(target).map((path) => basename(path));
  const stored = (await ledgers.read(dirname(target))).entries().filter(isStored);
  return stored.filter(({ file }) => names.includes(file));
}

/** @throws {MopError} `io` when a file with other content must stay. */
function assertReplaceable(
  { path }: ExistingFile,
  { verified }: Expected,
  { overwrite, acceptUnverified, ledger: owner }: ResolvedOptions,
  recorded: StoredEntry | undefined,
): void {
  const kept = `${path} exists with other content and was kept`;
  if (!overwrite) {
    const isOther = owner && recorded && !isOwnedBy(recorded, owner);
    throw isOther
      ? new MopError('io', `${kept}: it is a bill of ${otherOwner(recorded, owner)}`, {
          hint: `choose another directory with -o, or --all-profiles, or --name '${UNIQUE_NAME}'`,
        })
      : new MopError('io', kept, {
          hint: 'to replace the file, run the command again with --overwrite; to keep it, choose another directory with -o',
        });
  }
  if (verified || !recorded?.verified || acceptUnverified) return;
  throw new MopError('io', `${kept}: it was verified, and the new bill has no digest to verify`, {
    hint: 'to replace it all the same, add --accept-unverified',
  });
}

function otherOwner(recorded: LedgerEntry, owner: BillOwner): string {
  return recorded.profile === owner.profile
    ? `environment ${recorded.environment}`
    : `profile ${recorded.profile}`;
}

/** Whether the newest line records this digest, or a verified one of the same content. */
async function isRecorded(
  job: BillJob,
  { path, hashType, hashValue, verified }: PlacedBill,
  { ledger: owner, keepGzip, signal }: ResolvedOptions,
  newest: StoredEntry | undefined,
): Promise<boolean> {
  if (!owner) return true;
  if (!newest || !isAbout(newest, owner, job)) return false;
  const recorded = { type: newest.hash_type, value: newest.hash_value };
  if (newest.verified && !verified) {
    // A kill before the line leaves the line of another content.
    const isCompressed = keepGzip || path !== job.target;
    return (await matchStored(path, recorded, isCompressed, signal)) !== undefined;
  }
  return recorded.type === hashType && recorded.value === hashValue && newest.verified === verified;
}

/** The line of the ledger about a bill; undefined where no ledger is kept. */
function entryOf(
  { date, type }: BillJob,
  { path, bytes, hashType, hashValue, verified }: PlacedBill,
  { seqId, now }: Expected,
  { ledger: owner }: ResolvedOptions,
): LedgerEntry | undefined {
  return (
    owner && {
      ...{ date, type, ...owner },
      status: 'stored',
      file: basename(path),
      bytes,
      hash_type: hashType,
      hash_value: hashValue,
      verified,
      seq_id: seqId,
      time: new Date(now).toISOString(),
    }
  );
}

/** Records once that a bill does not exist, unless it was stored: a lost file counts as missing. */
export async function recordNoBill(
  job: BillJob,
  { ledger: owner, ledgers, fileMode: mode, signal }: ResolvedOptions,
  seqId: string,
  now: number,
): Promise<void> {
  const directory = dirname(job.target);
  if (!owner) return;
  const entries = (await ledgers.read(directory)).entries();
  if (entries.some((entry) => isAbout(entry, owner, job))) return;
  const entry: LedgerEntry = {
    ...{ date: job.date, type: job.type, ...owner },
    ...{ status: 'no-bill', file: null, bytes: null, hash_type: null, hash_value: null },
    verified: false,
    seq_id: seqId,
    time: new Date(now).toISOString(),
  };
  await changeLedger(directory, { entry, mode, signal });
}
