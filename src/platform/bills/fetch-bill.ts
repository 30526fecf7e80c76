import { dirname } from 'node:path';
import { MopError, withDetails } from '../../errors.ts';
import { PartFile } from '../../files/atomic-file.ts';
import { withRetries } from '../../http/retry.ts';
import { checkDate, clockTime, readyAt } from '../../protocol/bill-calendar.ts';
import { DEFAULT_AUTH_HEADER } from '../../protocol/defaults.ts';
import { type BillType, DEFAULT_TAR, type TarType } from '../../protocol/operations.ts';
import type { OperationClient } from '../operation-client.ts';
import { absentBill, DEFAULT_SCHEDULE, tooEarly } from './absent-bill.ts';
import {
  type BillDescriptor,
  type BillDescriptorOptions,
  descriptorSecrets,
  requestDescriptor,
} from './descriptor.ts';
import { digestAlgorithm, digestMatches } from './digest.ts';
import { type Download, type DownloadOptions, downloadBill } from './download.ts';
import type { BillOwner } from './ledger.ts';
import { recordNoBill, recordStored } from './record-bill.ts';
import { hashStored, storedSize } from './stored-file.ts';

/** A bill to fetch, and where it goes. */
export interface BillJob {
  /** `YYYY-MM-DD` in the platform's time. */
  readonly date: string;
  readonly type: BillType;
  /** The path of the file. */
  readonly target: string;
}

export interface FetchBillOptions extends BillDescriptorOptions {
  /** Default gzip. */
  readonly tar?: TarType | undefined;
  /** Keep the file compressed. Only with `tar: 'gzip'`. */
  readonly keepGzip?: boolean | undefined;
  /** The header that carries the authorization of a download. Default `Authorization`. */
  readonly authHeader?: string | undefined;
  /** The most that the original content may have. Default 64 GiB. */
  readonly maxBytes?: number | undefined;
  /** Permissions of the stored file and the ledger. Default 0o600. */
  readonly fileMode?: number | undefined;
  /** Refuse a bill that comes without a digest. */
  readonly requireHash?: boolean | undefined;
  /** Replace a file that differs from the bill. */
  readonly overwrite?: boolean | undefined;
  /** How long to wait for a bill that is not there yet. Default 0. */
  readonly waitMs?: number | undefined;
  /** Whose bills these are, for the ledger beside the file. Default: no ledger is kept. */
  readonly ledger?: BillOwner | undefined;
  /** Ends the hashing of a file that is there already; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Told how it goes. */
  readonly onEvent?: ((event: BillEvent) => void) | undefined;
}

type Options = ReturnType<typeof withDefaults>;

/** The options of one attempt. */
type AttemptOptions = Options & Pick<DownloadOptions, 'hashCompressed'>;

function withDefaults(options: FetchBillOptions) {
  return {
    schedule: options.schedule ?? DEFAULT_SCHEDULE,
    tar: options.tar ?? DEFAULT_TAR,
    keepGzip: options.keepGzip ?? false,
    authHeader: options.authHeader ?? DEFAULT_AUTH_HEADER,
    noBillCodes: options.noBillCodes ?? [],
    maxBytes: options.maxBytes ?? 64 * 1024 ** 3,
    fileMode: options.fileMode ?? 0o600,
    requireHash: options.requireHash ?? false,
    overwrite: options.overwrite ?? false,
    force: options.force ?? false,
    waitMs: options.waitMs ?? 0,
    ledger: options.ledger,
    signal: options.signal,
    onEvent: options.onEvent ?? (() => {}),
  };
}

export type BillEvent =
  | { readonly kind: 'attempt'; readonly number: number }
  | { readonly kind: 'progress'; readonly received: number; readonly total: number | undefined }
  | { readonly kind: 'retry'; readonly error: MopError; readonly waitMs: number }
  /** `until` is what the platform's clock will show, such as `2026-11-20 10:00`. */
  | { readonly kind: 'wait'; readonly until: string };

/** A bill that is in its place. */
export interface StoredBill extends Download {
  /** `unchanged`: the file was there before, with the same content. */
  readonly status: 'downloaded' | 'unchanged';
  readonly path: string;
  readonly seqId: string;
}

/** How often a bill that is not there yet is asked for. */
const POLL_MS = 60_000;

/**
 * Fetches one bill: descriptor, download, verification and placement in one step, tried again
 * with a fresh descriptor when the download fails (D1 4.1, contract section 4).
 *
 * @returns Once the file is in its place, on the disk. A good file that was there before survives
 *   every failure.
 * @throws {MopError} `usage` for what is no date, `not-ready`, `no-bill`, `auth`, `api`, `network`,
 *   `integrity` or `io`.
 */
export async function fetchBill(
  client: OperationClient,
  job: BillJob,
  given: FetchBillOptions = {},
): Promise<StoredBill> {
  checkDate(job.date);
  const options = withDefaults(given);
  const { schedule, waitMs, force, onEvent } = options;
  const now = (): number => client.source.now();
  const deadline = now() + waitMs;
  const waitUntil = async (moment: number): Promise<void> => {
    onEvent({ kind: 'wait', until: clockTime(moment, schedule) });
    await client.sleep(moment - now());
  };

  // What the descriptors of all attempts gave that no message may show.
  const secrets: string[] = [];
  const ready = readyAt(job.date, schedule);
  if (now() < ready && !force) {
    if (ready > deadline) throw tooEarly(job, schedule);
    await waitUntil(ready);
  }
  for (;;) {
    const { seqId, bill } = await withRetries(
      (number) => {
        onEvent({ kind: 'attempt', number });
        // Every byte counts in a large bill, so the compressed ones are hashed once there is a reason.
        const hashCompressed = number > 1 || client.retries === 0;
        return fetchOnce(client, job, { ...options, hashCompressed }, secrets);
      },
      {
        retries: client.retries,
        sleep: client.sleep,
        onRetry: (error, waitMs) => onEvent({ kind: 'retry', error, waitMs }),
      },
    );
    if (bill) return bill;
    const absent = absentBill(job, schedule, now(), seqId);
    if (absent.code === 'no-bill') {
      await recordNoBill(job, options, seqId, now());
      throw absent;
    }
    const next = now() + POLL_MS;
    if (next > deadline) throw absent;
    await waitUntil(next);
  }
}

async function fetchOnce(
  client: OperationClient,
  job: BillJob,
  options: AttemptOptions,
  secrets: string[],
): Promise<{ seqId: string; bill: StoredBill | undefined }> {
  const { seqId, descriptor } = await requestDescriptor(
    client,
    { date: job.date, type: job.type, tar: options.tar },
    options.noBillCodes,
    secrets,
  );
  if (!descriptor) return { seqId, bill: undefined };
  secrets.push(...descriptorSecrets(descriptor));
  try {
    const stored = await storeBill(client, job, descriptor, options);
    const bill = { ...stored, path: job.target, seqId };
    await recordStored(job, options, bill, client.source.now());
    return { seqId, bill };
  } catch (error) {
    throw withDetails(error, { seqId });
  }
}

async function storeBill(
  client: OperationClient,
  { target }: BillJob,
  descriptor: BillDescriptor,
  options: AttemptOptions,
): Promise<Download & Pick<StoredBill, 'status'>> {
  const { digest } = descriptor;
  if (digest) {
    const existing = await existingBill(target, digest.type, digest.value, options);
    if (existing) {
      return { ...existing, hashType: digest.type, hashValue: digest.value, verified: true };
    }
  } else if (options.requireHash) {
    throw new MopError('integrity', 'the platform gave no digest for the bill', {
      hint: 'leave out --require-hash to store it unverified',
      transient: false,
    });
  }

  const part = await PartFile.open(dirname(target), options.fileMode);
  try {
    const download = await downloadBill(client.transport, descriptor, part, {
      ...options,
      now: () => client.source.now(),
      onProgress: (received, total) => options.onEvent({ kind: 'progress', received, total }),
    });
    // Another run may have been faster, and without a digest only the content can be compared.
    const { hashType, hashValue } = download;
    const existing = await existingBill(target, hashType, hashValue, options);
    if (existing) return { ...download, ...existing };
    await part.place(target);
    return { ...download, status: 'downloaded' };
  } finally {
    await part.discard();
  }
}

/**
 * The file that is at `target` already, when it has the bill's content; undefined when there is
 * none, or one that may be replaced.
 *
 * @throws {MopError} `io` when another content is there and must stay.
 */
async function existingBill(
  target: string,
  hashType: string,
  hashValue: string,
  { keepGzip, overwrite, signal }: Options,
): Promise<{ readonly status: 'unchanged'; readonly bytes: number } | undefined> {
  const bytes = await storedSize(target);
  if (bytes === undefined) return undefined;
  const actual = await hashStored(target, digestAlgorithm(hashType), keepGzip, signal);
  if (actual && digestMatches(hashValue, actual)) return { status: 'unchanged', bytes };
  if (overwrite) return undefined;
  throw new MopError('io', `${target} is there with another content and was kept`, {
    hint: 'compare the two, then run again with --overwrite to replace it',
  });
}
