import { append } from '../../any-length.ts';
import { withDetails } from '../../errors.ts';
import { checkDate } from '../../protocol/bill-calendar.ts';
import type { OperationClient } from '../operation-client.ts';
import { requestDescriptor } from './descriptor.ts';
import { usableDigest } from './digest.ts';
import { checkDownloadHeaders } from './download-headers.ts';
import { downloadSecrets } from './download-request.ts';
import {
  type BillJob,
  type FetchBillOptions,
  type ResolvedOptions,
  resolveOptions,
} from './fetch-options.ts';
import type { Ledgers } from './read-ledger.ts';
import { absentBill, waitForNextPoll, waitUntilReady } from './readiness.ts';
import { type PlacedBill, recordNoBill, storeBill } from './store.ts';

/** A bill that is stored on the disk. */
export interface StoredBill extends PlacedBill {
  readonly seqId: string;
  /** The reason why the content is not verified; undefined when it is verified. */
  readonly unverifiedReason: string | undefined;
}

/**
 * Fetches one bill (D1 4.1). Each attempt requests a descriptor: a link expires after 30 seconds.
 */
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
