import type { AtomicFile } from '../../files/atomic-file.ts';
import { isGzip, withHead } from '../../http/chunks.ts';
import { redactValues } from '../../http/redact.ts';
import type { HttpResponse } from '../../http/response.ts';
import type { OperationClient } from '../operation-client.ts';
import { corrupt, counted, decoded, inflateError, tooLarge } from './byte-stages.ts';
import type { BillDescriptor } from './descriptor.ts';
import { type ContentDigests, ContentHash, OWN_DIGEST } from './digest.ts';
import { downloadSecrets, requestFile } from './download-request.ts';
import type { ResolvedOptions } from './fetch-options.ts';
import { storeGzip, storeInflated, storePlain } from './write-content.ts';

/** A complete download, not verified yet. */
export interface Received {
  /** The size of the stored file. */
  readonly bytes: number;
  /** Of the decompressed content. */
  readonly original: ContentDigests;
  /** Of the bytes before decompression, when they were asked for. */
  readonly compressed: ContentDigests | undefined;
  /** The beginning of the content, when gzip was requested and something else came. */
  readonly notGzip: string | undefined;
}

/**
 * Downloads a bill into `file`, decompressing and hashing on the fly (D1 4.1 rule 6).
 *
 * @param hashCompressed Also hash the compressed bytes, to explain a mismatch.
 * @throws {MopError} `integrity` for truncated, corrupt or too large content, `network`, `api` for
 *   a refused download, `io` when the disk fails.
 */
export async function downloadBill(
  client: OperationClient,
  descriptor: BillDescriptor,
  file: AtomicFile,
  options: ResolvedOptions,
  hashCompressed: boolean,
): Promise<Received> {
  const digest = descriptor.digest ?? { type: OWN_DIGEST, value: '' };
  const response = await requestFile(client, descriptor, options);
  try {
    const { head, all } = await withHead(await openBody(response, file, options));
    const inGzip = options.tar === 'gzip' && isGzip(head);
    const beginning = describeHead(head, downloadSecrets(descriptor, options));
    if (options.keepGzip && !inGzip) {
      throw corrupt(`the download is not a gzip file but ${beginning}`);
    }
    const original = new ContentHash(digest);
    const compressed = hashCompressed && inGzip ? new ContentHash(digest) : undefined;
    const storeStored = options.keepGzip ? storeGzip : storeInflated;
    const store = inGzip ? storeStored : storePlain;
    const bytes = await store(all, { file, original, compressed, maxBytes: options.maxBytes });
    return {
      bytes,
      original: original.digests(),
      compressed: compressed?.digests(),
      notGzip: options.tar === 'gzip' && !inGzip ? beginning : undefined,
    };
  } catch (error) {
    throw inflateError(error);
  } finally {
    response.discard();
  }
}

/** The decoded body, reporting its progress, once the disk has room for it. */
async function openBody(
  response: HttpResponse,
  file: AtomicFile,
  { tar, keepGzip, maxBytes, onEvent }: ResolvedOptions,
): Promise<AsyncIterable<Uint8Array>> {
  const length = response.header('content-length');
  const total = length === undefined ? undefined : Number(length);
  // The decompressed size is unknown; check Content-Length only when bytes are stored unchanged.
  const isStoredUnchanged = tar === 'stream' || keepGzip;
  if (isStoredUnchanged && total !== undefined && total > maxBytes) throw tooLarge(maxBytes);
  await file.reserve(total ?? 0);
  return decoded(
    counted(response.body, (received) => onEvent({ kind: 'progress', received, total })),
    response.header('content-encoding'),
  );
}

const MAX_SHOWN = 60;

/** The beginning of the content for a message; a server may repeat the secrets of the request. */
function describeHead(head: Buffer, secrets: readonly string[]): string {
  if (head.length === 0) return 'empty';
  const text = redactValues(head.toString('latin1'), secrets);
  return `starts with ${JSON.stringify(text.slice(0, MAX_SHOWN))}`;
}
