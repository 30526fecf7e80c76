import { dirname } from 'node:path';
import { MopError, withDetails } from '../../errors.ts';
import { AtomicFile } from '../../files/atomic-file.ts';
import { checkDate } from '../../protocol/bill-calendar.ts';
import type { OperationClient } from '../operation-client.ts';
import { absentBill } from './absent-bill.ts';
import { type BillDescriptor, descriptorSecrets, requestDescriptor } from './descriptor.ts';
import { downloadBill } from './download.ts';
import { findUnchanged } from './existing-bill.ts';
import {
  type BillJob,
  type FetchBillOptions,
  type ResolvedOptions,
  resolveOptions,
} from './fetch-options.ts';
import { recordNoBill, recordStored } from './record-bill.ts';
import { type Download, verifyDownload } from './verify-download.ts';
import { waitForNextPoll, waitUntilReady } from './wait-for-bill.ts';

/** A bill that is stored on the disk. */
export interface StoredBill extends Download {
  /** `unchanged`: the file existed before, with the same content. */
  readonly status: 'downloaded' | 'unchanged';
  readonly path: string;
  readonly seqId: string;
}

/** A bill in its place, before the ledger records it. */
type PlacedBill = Omit<StoredBill, 'path' | 'seqId'>;

/**
 * Fetches one bill: descriptor, download, verification, placement and ledger (D1 4.1,
 * contract section 4). Every retry asks for a fresh descriptor, because a link expires after 30
 * seconds.
 *
 * @returns Once the file is in its place, on the disk. An existing good file survives every failure.
 * @throws {MopError} `usage` for an invalid date, `not-ready`, `no-bill`, `auth`, `api`, `network`,
 *   `integrity` or `io`.
 */
export async function fetchBill(
  client: OperationClient,
  job: BillJob,
  given: FetchBillOptions = {},
): Promise<StoredBill> {
  checkDate(job.date);
  const now = (): number => client.source.now();
  const options = resolveOptions(given, now());
  // Of the descriptors of all attempts: a later answer may repeat an earlier link.
  const secrets: string[] = [];

  await waitUntilReady(client, job, options);
  for (;;) {
    const { seqId, bill } = await client.retry(
      (number) => attempt(client, job, options, number, secrets),
      { onRetry: (error, waitMs) => options.onEvent({ kind: 'retry', error, waitMs }) },
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
  const { seqId, descriptor } = await requestDescriptor(
    client,
    request,
    options.noBillCodes,
    secrets,
  );
  if (!descriptor) return { seqId, bill: undefined };
  secrets.push(...descriptorSecrets(descriptor));
  // Hashing the compressed bytes only explains a mismatch, so the first of several attempts skips it.
  const hashCompressed = number > 1 || client.retries === 0;
  try {
    const placed =
      (await compareExisting(job.target, descriptor, options)) ??
      (await downloadAndPlace(client, job.target, descriptor, options, hashCompressed));
    const bill = { ...placed, path: job.target, seqId };
    await recordStored(job, options, bill, client.source.now());
    return { seqId, bill };
  } catch (error) {
    throw withDetails(error, { seqId });
  }
}

/** The existing file when the digest shows that it is the bill already. */
async function compareExisting(
  target: string,
  { digest }: BillDescriptor,
  options: ResolvedOptions,
): Promise<PlacedBill | undefined> {
  if (digest) {
    const bytes = await findUnchanged(target, digest, options);
    if (bytes === undefined) return undefined;
    const { type: hashType, value: hashValue } = digest;
    return { status: 'unchanged', bytes, hashType, hashValue, verified: true };
  }
  if (!options.requireHash) return undefined;
  throw new MopError('integrity', 'the platform gave no digest for the bill', {
    hint: 'leave out --require-hash to store it unverified',
    transient: false,
  });
}

async function downloadAndPlace(
  client: OperationClient,
  target: string,
  descriptor: BillDescriptor,
  options: ResolvedOptions,
  hashCompressed: boolean,
): Promise<PlacedBill> {
  const part = await AtomicFile.open(dirname(target), options.fileMode);
  try {
    const received = await downloadBill(client, descriptor, part, options, hashCompressed);
    const download = verifyDownload(descriptor, received);
    // Another run may have placed it meanwhile; without a digest only the content can be compared.
    const { hashType: type, hashValue: value } = download;
    const bytes = await findUnchanged(target, { type, value }, options);
    if (bytes !== undefined) return { ...download, bytes, status: 'unchanged' };
    await part.place(target);
    return { ...download, status: 'downloaded' };
  } finally {
    await part.discard();
  }
}
