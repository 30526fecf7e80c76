import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { MopError } from '../../errors.ts';
import type { AtomicFile } from '../../files/atomic-file.ts';
import { CHUNK_BYTES, inflating, isGzip, withHead } from '../../files/chunks.ts';
import { gunzip } from '../../files/gunzip.ts';
import { decodingFault, through } from '../../http/content-coding.ts';
import type { HttpResponse } from '../../http/response.ts';
import { platformViolation } from '../envelope.ts';
import type { OperationClient } from '../operation-client.ts';
import {
  assertContent,
  type Beginning,
  corrupt,
  type Download,
  describeBeginning,
  type Received,
  showsKind,
  verifyDownload,
} from './bill-content.ts';
import type { BillDescriptor } from './descriptor.ts';
import { type BillDigest, ContentHash, OWN_DIGEST } from './digest.ts';
import { downloadSecrets, requestFile } from './download-request.ts';
import type { ResolvedOptions } from './fetch-options.ts';
import type { ThreadHash } from './thread-hash.ts';

type Bytes = AsyncIterable<Uint8Array>;

/** The downloads of this process that are in flight. */
let inFlight = 0;

/** The digests that receive the bytes, and the memory. */
interface Means {
  /** Hashes the decompressed content. */
  readonly hash: ContentHash | ThreadHash;
  /** Hashes the bytes before decompression. */
  readonly compressed: ContentHash | undefined;
  /** Several chunks are buffered: the first download takes 12 MiB, each further one 3 MiB. */
  readonly chunkBytes: number;
}

/** Headers and empty blocks of compressed data, which yield no content. */
const OVERHEAD_BYTES = 64 * 1024;

/** Downloads a bill into `file`, decompressing and hashing on the fly (D1 4.1 rule 6). */
export async function downloadBill(
  client: OperationClient,
  descriptor: BillDescriptor,
  file: AtomicFile,
  options: ResolvedOptions,
  hashCompressed: boolean,
): Promise<Download> {
  const digest = descriptor.digest ?? { type: OWN_DIGEST, value: '' };
  const response = await requestFile(client, descriptor, options);
  const isAlone = inFlight++ === 0;
  const compressed = hashCompressed ? new ContentHash(digest) : undefined;
  const chunkBytes = isAlone ? CHUNK_BYTES : CHUNK_BYTES / 2;
  let hash: ContentHash | ThreadHash | undefined;
  try {
    hash = await contentHash(digest, isAlone ? lengthOf(response) : 0);
    const means = { hash, compressed, chunkBytes };
    const received = await receive(response, descriptor, file, means, options);
    return verifyDownload(descriptor.digest, received, options.acceptAnyContent);
  } catch (error) {
    throw inflateError(error);
  } finally {
    inFlight--;
    response.discard();
    if (hash && 'close' in hash) await hash.close();
  }
}

async function receive(
  response: HttpResponse,
  descriptor: BillDescriptor,
  file: AtomicFile,
  { hash, compressed, chunkBytes }: Means,
  options: ResolvedOptions,
): Promise<Received> {
  const { tar, keepGzip, maxBytes, onEvent } = options;
  const size = { content: 0, stored: 0, received: 0, trailing: 0 };
  const total = lengthOf(response);
  // The decompressed size is unknown; check Content-Length only when bytes are stored unchanged.
  const isStoredUnchanged = tar === 'stream' || keepGzip;
  if (isStoredUnchanged && total !== undefined && total > maxBytes) throw tooLarge(maxBytes);
  await file.checkSpace(total ?? 0);
  const store = async (chunk: Uint8Array): Promise<void> => {
    size.stored += chunk.length;
    if (size.stored > maxBytes) throw tooLarge(maxBytes);
    await file.write(chunk);
  };
  const arrived = passing(response.body, (chunk) => {
    size.received += chunk.length;
    onEvent({ kind: 'progress', received: size.received, total });
    // Compressed data without content could be endless.
    if (size.received > size.content + maxBytes + OVERHEAD_BYTES) throw tooLarge(maxBytes);
  });
  const body = await withHead(decoded(arrived, response.header('content-encoding'), chunkBytes));
  const isCompressed = tar === 'gzip' && isGzip(body.head);
  const describe = (head: Buffer): Beginning => {
    const secrets = downloadSecrets(descriptor, options);
    const lacksGzip = tar === 'gzip' && !isCompressed;
    return describeBeginning(head, response.header('content-type'), secrets, lacksGzip);
  };
  if (keepGzip && !isCompressed) {
    throw corrupt(`the download is not a gzip file; ${describe(body.head).description}`);
  }
  const inflated = (): Bytes => {
    const gzip = passing(gathered(body.all, 2 * chunkBytes), async (chunk) => {
      compressed?.update(chunk);
      if (keepGzip) await store(chunk);
    });
    return gunzip(gzip, inflating(chunkBytes), (bytes) => {
      size.trailing = bytes;
    });
  };
  const content = await withHead(isCompressed ? inflated() : body.all, showsKind);
  const beginning = describe(content.head);
  // A page without end must not be read to its end.
  if (!descriptor.digest && !options.acceptAnyContent) assertContent(beginning, 0);
  for await (const chunk of content.all) {
    size.content += chunk.length;
    if (size.content > maxBytes) throw tooLarge(maxBytes);
    if (!keepGzip) await store(chunk);
    await hash.update(chunk);
  }
  return {
    bytes: size.stored,
    original: await hash.digests(),
    compressed: isCompressed ? compressed?.digests() : undefined,
    beginning,
    trailingBytes: size.trailing,
  };
}

/** Decodes the Content-Encoding of a body. The bill itself may still be a gzip file. */
function decoded(body: Bytes, contentEncoding: string | undefined, chunkBytes: number): Bytes {
  const coding = contentEncoding?.trim().toLowerCase() ?? '';
  switch (coding) {
    case '':
    case 'identity':
      return body;
    case 'gzip':
    case 'x-gzip':
      return through(body, createGunzip(inflating(chunkBytes)));
    case 'deflate':
      return through(body, createInflate(inflating(chunkBytes)));
    case 'br':
      return through(body, createBrotliDecompress(inflating(chunkBytes)));
    default:
      throw platformViolation(
        'Content-Encoding',
        `is ${JSON.stringify(coding)}, which was not requested`,
      );
  }
}

/** Calls `onChunk` before each chunk is passed on. */
async function* passing(
  source: Bytes,
  onChunk: (chunk: Uint8Array) => Promise<void> | void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    await onChunk(chunk);
    yield chunk;
  }
}

/**
 * zlib switches threads for each chunk: with the small ones of the network, a third of the time.
 */
async function* gathered(source: Bytes, bytes: number): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source) {
    pieces.push(chunk);
    length += chunk.length;
    if (length < bytes) continue;
    yield Buffer.concat(pieces, length);
    pieces = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(pieces, length);
}

function tooLarge(maxBytes: number): MopError {
  return new MopError('integrity', `the bill is larger than ${maxBytes} bytes`, {
    hint: 'raise the limit (--max-bytes) if a bill can be that large',
    transient: false,
  });
}

/** Turns an error of zlib into a readable one. Returns any other error unchanged. */
function inflateError(error: unknown): unknown {
  const fault = decodingFault(error);
  return fault === undefined ? error : corrupt(FAULTS[fault], error);
}

const FAULTS = {
  truncated: 'the download is truncated: the compressed data ends too early',
  invalid: 'the download is corrupt: the compressed data is not valid',
};

function lengthOf(response: HttpResponse): number | undefined {
  const length = response.header('content-length');
  return length === undefined ? undefined : Number(length);
}

/** A thread takes 30 ms to start. Hashing a compressed bill of this size takes as long. */
const MIN_THREAD_BYTES = 8 * 1024 ** 2;

/** Hashes a large bill in a second thread, if the system can start one. */
async function contentHash(digest: BillDigest, bytes = 0): Promise<ContentHash | ThreadHash> {
  if (bytes < MIN_THREAD_BYTES) return new ContentHash(digest);
  const { ThreadHash } = await import('./thread-hash.ts');
  try {
    return new ThreadHash(digest);
  } catch {
    return new ContentHash(digest);
  }
}
