import type { AtomicFile } from '../../files/atomic-file.ts';
import { isGzip, withHead } from '../../http/chunks.ts';
import { redactValues } from '../../http/redact.ts';
import type { HttpResponse } from '../../http/response.ts';
import type { OperationClient } from '../operation-client.ts';
import { corrupt, counted, decoded, inflateError, tooLarge } from './byte-stages.ts';
import type { BillDescriptor } from './descriptor.ts';
import { type BillDigest, type ContentDigests, ContentHash, OWN_DIGEST } from './digest.ts';
import { downloadSecrets, requestFile } from './download-request.ts';
import type { DownloadResources } from './download-slots.ts';
import type { ResolvedOptions } from './fetch-options.ts';
import type { ThreadHash } from './thread-hash.ts';
import { storeGzip, storeInflated, storePlain } from './write-content.ts';

export type DownloadOptions = ResolvedOptions & DownloadResources;

/** A complete download, not verified yet. */
export interface Received {
  /** The size of the stored file. */
  readonly bytes: number;
  /** The digests of the decompressed content. */
  readonly original: ContentDigests;
  /** The digests of the bytes before decompression, if requested. */
  readonly compressed: ContentDigests | undefined;
  /** For a message: the start of the content, if gzip was requested but not received. */
  readonly insteadOfGzip: string | undefined;
}

/**
 * Downloads a bill into `file`, decompressing and hashing on the fly (D1 4.1 rule 6).
 *
 * @param hashCompressed Also hash the bytes before decompression: the platform's digest may be theirs.
 * @throws {MopError} `integrity` for truncated, corrupt or too large content, `network`, `api` for
 *   a refused download, `io` when the disk fails.
 */
export async function downloadBill(
  client: OperationClient,
  descriptor: BillDescriptor,
  file: AtomicFile,
  options: DownloadOptions,
  hashCompressed: boolean,
): Promise<Received> {
  const digest = descriptor.digest ?? { type: OWN_DIGEST, value: '' };
  const response = await requestFile(client, descriptor, options);
  let original: ContentHash | ThreadHash | undefined;
  try {
    const { head, all } = await withHead(await openBody(response, file, options));
    const isCompressed = options.tar === 'gzip' && isGzip(head);
    const beginning = describeHead(head, downloadSecrets(descriptor, options));
    if (options.keepGzip && !isCompressed) {
      throw corrupt(`the download is not a gzip file but ${beginning}`);
    }
    original = await contentHash(digest, response, options);
    const compressed = hashCompressed && isCompressed ? new ContentHash(digest) : undefined;
    const storeContent = options.keepGzip ? storeGzip : storeInflated;
    const store = isCompressed ? storeContent : storePlain;
    const { maxBytes, chunkBytes } = options;
    const bytes = await store(all, { file, original, compressed, maxBytes, chunkBytes });
    return {
      bytes,
      original: await original.digests(),
      compressed: compressed?.digests(),
      insteadOfGzip: options.tar === 'gzip' && !isCompressed ? beginning : undefined,
    };
  } catch (error) {
    throw inflateError(error);
  } finally {
    response.discard();
    if (original && 'close' in original) await original.close();
  }
}

/** Reserves disk space, and returns the decoded body, which reports its progress. */
async function openBody(
  response: HttpResponse,
  file: AtomicFile,
  { tar, keepGzip, maxBytes, chunkBytes, onEvent }: DownloadOptions,
): Promise<AsyncIterable<Uint8Array>> {
  const total = lengthOf(response);
  // The decompressed size is unknown; check Content-Length only when bytes are stored unchanged.
  const isStoredUnchanged = tar === 'stream' || keepGzip;
  if (isStoredUnchanged && total !== undefined && total > maxBytes) throw tooLarge(maxBytes);
  await file.checkSpace(total ?? 0);
  return decoded(
    counted(response.body, (received) => onEvent({ kind: 'progress', received, total })),
    response.header('content-encoding'),
    chunkBytes,
  );
}

function lengthOf(response: HttpResponse): number | undefined {
  const length = response.header('content-length');
  return length === undefined ? undefined : Number(length);
}

/** A thread takes 30 ms to start. Hashing a compressed bill of this size takes as long. */
const MIN_THREAD_BYTES = 8 * 1024 ** 2;

/** Hashes a large bill in a second thread, unless other bills keep the processor busy. */
async function contentHash(
  digest: BillDigest,
  response: HttpResponse,
  { isAlone }: DownloadResources,
): Promise<ContentHash | ThreadHash> {
  if (!isAlone || (lengthOf(response) ?? 0) < MIN_THREAD_BYTES) return new ContentHash(digest);
  const { ThreadHash } = await import('./thread-hash.ts');
  try {
    return new ThreadHash(digest);
  } catch {
    return new ContentHash(digest);
  }
}

const MAX_SHOWN = 60;

/**
 * The start of the content for a message, without secrets: a server may repeat the secrets of the request.
 */
function describeHead(head: Buffer, secrets: readonly string[]): string {
  if (head.length === 0) return 'empty';
  const text = redactValues(head.toString('latin1'), secrets);
  return `starts with ${JSON.stringify(text.slice(0, MAX_SHOWN))}`;
}
