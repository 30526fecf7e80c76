import { rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { append } from '../../any-length.ts';
import { MopError, withDetails } from '../../errors.ts';
import { AtomicFile } from '../../files/atomic-file.ts';
import { checkDate } from '../../protocol/bill-calendar.ts';
import type { OperationClient } from '../operation-client.ts';
import type { Download } from './bill-content.ts';
import { type BillDescriptor, requestDescriptor } from './descriptor.ts';
import { type BillDigest, usableDigest } from './digest.ts';
import { checkDownloadHeaders } from './download-headers.ts';
import { downloadSecrets } from './download-request.ts';
import {
  type BillJob,
  type FetchBillOptions,
  type ResolvedOptions,
  resolveOptions,
} from './fetch-options.ts';
import { isAbout, isOwnedBy, isStored, type LedgerEntry, type StoredEntry } from './ledger.ts';
import type { Ledgers } from './read-ledger.ts';
import { absentBill, waitForNextPoll, waitUntilReady } from './readiness.ts';
import { type FileVersion, fileVersion, matchStored, pathsOf } from './stored-file.ts';
import { assertWritableLedger, changeLedger } from './write-ledger.ts';

interface PlacedBill extends Download {
  /** `unchanged`: the file existed before, with the same content. */
  readonly status: 'downloaded' | 'unchanged';
  readonly path: string;
}

/** A bill that is stored on the disk. */
export interface StoredBill extends PlacedBill {
  readonly seqId: string;
  /** The reason why the content is not verified; undefined when it is verified. */
  readonly unverifiedReason: string | undefined;
}

/** Fetches one bill (D1 4.1). Each attempt requests a descriptor: a link expires after 30 seconds. */
export async function fetchBill(
  client: OperationClient,
  job: BillJob,
  given: FetchBillOptions = {},
  ledgers?: Ledgers,
): Promise<StoredBill> {
  checkDate(job.date);
  const now = (): number => client.source.now();
  const options = resolveOptions(given, now(), ledgers);
  checkDownloadHeaders(options);
  // The secrets of all attempts: a later answer may repeat an earlier link.
  const secrets: string[] = [];

  await waitUntilReady(client, job, options);
  for (;;) {
    const { seqId, bill } = await client.retry(
      (number) => attempt(client, job, options, number, secrets),
      {
        onRetry: (error, waitMs) => options.onEvent({ kind: 'retry', error, waitMs }),
        signal: options.waitSignal,
      },
    );
    if (bill) return bill;
    const absent = absentBill(job, options.schedule, now(), seqId);
    if (absent.code === 'no-bill') {
      await recordNoBill(job, options, seqId, now());
      throw absent;
    }
    await waitForNextPoll(absent, client, options);
  }
}

async function attempt(
  client: OperationClient,
  job: BillJob,
  options: ResolvedOptions,
  number: number,
  secrets: string[],
): Promise<{ readonly seqId: string; readonly bill: StoredBill | undefined }> {
  options.onEvent({ kind: 'attempt', number });
  const request = { date: job.date, type: job.type, tar: options.tar };
  const { seqId, descriptor } = await requestDescriptor(client, request, options, secrets);
  if (!descriptor) return { seqId, bill: undefined };
  append(secrets, downloadSecrets(descriptor, options));
  // Hashing the compressed bytes only explains a mismatch: the first of several attempts skips it.
  const hashCompressed = number > 1 || client.retries === 0;
  try {
    const { digest, unverifiedReason } = usableDigest(descriptor.digest, options);
    const checked = { ...descriptor, digest };
    const placed = await storeBill(client, job, checked, options, hashCompressed);
    return { seqId, bill: { ...placed, seqId, unverifiedReason } };
  } catch (error) {
    throw withDetails(error, { seqId });
  }
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
  const wanted = (digest: BillDigest, verified: boolean): Wanted => {
    return { job, options, digest, verified, seqId, now: client.source.now() };
  };
  const kept = digest && (await settle(wanted(digest, true)));
  if (kept) return kept;
  const directory = dirname(job.target);
  await assertWritableLedger(directory);
  const part = await AtomicFile.open(directory, options.fileMode);
  try {
    // Loaded on demand: in most runs of a daily job, all bills are already stored.
    const { downloadBill } = await import('./download.ts');
    const download = await downloadBill(client, descriptor, part, options, hashCompressed);
    // Syncing takes long: do it before the lock is taken.
    await part.finish();
    const { hashType: type, hashValue: value, verified } = download;
    const fresh = { download, place: () => part.place(job.target) };
    return (await settle(wanted({ type, value }, verified), fresh)) as PlacedBill;
  } finally {
    await part.discard();
  }
}

/** The content that a bill must have, and the request that says so. */
interface Wanted {
  readonly job: BillJob;
  readonly options: ResolvedOptions;
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
 * Keeps the file with the expected content; otherwise places a download, if there is one. Hashing
 * takes too long for the lock: under it, the bill is recorded and placed only if the file and its
 * line are still the same; otherwise all is done again.
 */
async function settle(wanted: Wanted, fresh?: Fresh): Promise<PlacedBill | undefined> {
  const { job, options, digest, verified } = wanted;
  for (;;) {
    const newest = await newestLine(job, options);
    const existing = await findExisting(wanted, newest !== undefined);
    let bill: PlacedBill | undefined;
    if (existing?.hashType !== undefined) {
      const { path, bytes, hashType } = existing;
      const trailingBytes = fresh?.download.trailingBytes ?? 0;
      const content = { hashType, hashValue: digest.value, verified, trailingBytes };
      bill = { status: 'unchanged', path, bytes, ...content };
      if (await isRecorded(bill, wanted, newest)) return bill;
    } else {
      if (existing) assertReplaceable(existing, wanted, newest);
      if (!fresh) return undefined;
      bill = { ...fresh.download, status: 'downloaded', path: job.target };
    }
    const isKept = bill.status === 'unchanged';
    const isSettled = await changeLedger(dirname(job.target), {
      entry: options.ledger && entryOf(bill, wanted),
      isCurrent: async () =>
        (await findVersion(job.target, existing)) === existing?.version &&
        (!existing || (await newestLine(job, options)) === newest),
      place: isKept || !fresh ? undefined : () => replace(job.target, existing, fresh),
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
  { job: { target }, digest, options: { keepGzip, signal } }: Wanted,
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

/** The newest line of the ledger about the file of a bill, plain or compressed. */
async function newestLine(
  { target }: BillJob,
  { ledger: owner, ledgers }: ResolvedOptions,
): Promise<StoredEntry | undefined> {
  if (!owner) return undefined;
  const names = pathsOf(target).map((path) => basename(path));
  const stored = (await ledgers.read(dirname(target))).entries().filter(isStored);
  return stored.findLast(({ file }) => names.includes(file));
}

function assertReplaceable(
  { path }: ExistingFile,
  { verified, options: { overwrite, acceptUnverified, ledger: owner } }: Wanted,
  recorded: StoredEntry | undefined,
): void {
  const kept = `${path} exists with other content and was kept`;
  if (!overwrite) {
    const isOther = owner && recorded && !isOwnedBy(recorded, owner);
    const whose = isOther
      ? `: it is a bill of profile ${recorded.profile} in environment ${recorded.environment}`
      : '';
    throw new MopError('io', kept + whose, {
      hint: 'to replace it, fetch with --overwrite; to keep both, choose another directory or file name',
    });
  }
  if (verified || !recorded?.verified || acceptUnverified) return;
  throw new MopError('io', `${kept}: it was verified, and the new bill has no digest to verify`, {
    hint: 'to replace it all the same, accept unverified bills (--accept-unverified)',
  });
}

/** Whether the newest line records this digest, or a verified one of the same content. */
async function isRecorded(
  { path, hashType, hashValue, verified }: PlacedBill,
  { job, options: { ledger: owner, keepGzip, signal } }: Wanted,
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

/** The line of the ledger about a bill, or about a day without one. */
function entryOf(
  bill: PlacedBill | undefined,
  { job: { date, type }, options, seqId, now }: Pick<Wanted, 'job' | 'options' | 'seqId' | 'now'>,
): LedgerEntry {
  const { profile = '', environment = '' } = options.ledger ?? {};
  return {
    ...{ date, type, profile, environment },
    status: bill ? 'stored' : 'no-bill',
    file: bill ? basename(bill.path) : null,
    bytes: bill?.bytes ?? null,
    hash_type: bill?.hashType ?? null,
    hash_value: bill?.hashValue ?? null,
    verified: bill?.verified ?? false,
    seq_id: seqId,
    time: new Date(now).toISOString(),
  };
}

/** Records once that a bill does not exist, unless it was stored: a lost file counts as missing. */
async function recordNoBill(
  job: BillJob,
  options: ResolvedOptions,
  seqId: string,
  now: number,
): Promise<void> {
  const { ledger: owner, ledgers, fileMode: mode, signal } = options;
  if (!owner) return;
  const directory = dirname(job.target);
  const entries = (await ledgers.read(directory)).entries();
  if (entries.some((entry) => isAbout(entry, owner, job))) return;
  await changeLedger(directory, {
    entry: entryOf(undefined, { job, options, seqId, now }),
    mode,
    signal,
  });
}
