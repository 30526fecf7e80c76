import { createHash, type Hash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { MopError } from '../../errors.ts';
import { type HttpResponse, retryAfterMs, type Transport } from '../../http/transport.ts';
import type { TarType } from '../../protocol/operations.ts';
import { isPrivateTransport } from '../address.ts';
import { brokenContract } from '../envelope.ts';
import type { BillDescriptor } from './descriptor.ts';
import { digestAlgorithm, digestMatches, OWN_DIGEST } from './digest.ts';
import type { PartFile } from './part-file.ts';

export interface DownloadOptions {
  readonly tar: TarType;
  /** Store the gzip file as it came, instead of the original. */
  readonly keepGzip: boolean;
  /** Hash the compressed bytes as well, to say after a mismatch whether those would have matched. */
  readonly hashCompressed: boolean;
  /** The header that carries the descriptor's authorization. */
  readonly authHeader: string;
  /** The most that the original content may have. */
  readonly maxBytes: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told how many bytes have come of how many, as far as the server says. */
  readonly onProgress?: ((received: number, total: number | undefined) => void) | undefined;
}

export interface Download {
  /** The size of the stored file. */
  readonly bytes: number;
  readonly hashType: string;
  /** As the platform gave it; our own, in hex, when it gave none. */
  readonly hashValue: string;
  /** Whether the content was held against a digest of the platform. */
  readonly verified: boolean;
}

const MAX_REDIRECTS = 5;
/** With zlib's default of 16 KiB inflating runs at half the speed. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Downloads a bill into `file`, decompressing and hashing on the way (D1 4.1 rule 6).
 *
 * @returns Only when all of it came and, where the platform gave a digest, matched.
 * @throws {MopError} `integrity` for what is cut, corrupt or does not match, `network`, `api` for
 *   a refused download, `io` when the disk fails.
 */
export async function downloadBill(
  transport: Transport,
  descriptor: BillDescriptor,
  file: PartFile,
  options: DownloadOptions,
): Promise<Download> {
  const algorithm = digestAlgorithm(descriptor.digest?.type ?? OWN_DIGEST);
  const response = await requestFile(transport, descriptor, options);
  try {
    const received = await receive(response, file, algorithm, options);
    return check(descriptor, received);
  } finally {
    response.discard();
  }
}

interface Received {
  readonly bytes: number;
  readonly original: Buffer;
  /** The digest of the bytes before decompression, when it was asked for. */
  readonly compressed: Buffer | undefined;
  /** The first bytes of the content, for messages. */
  readonly head: Buffer;
  readonly wasGzip: boolean;
  readonly expectedGzip: boolean;
}

function check({ digest }: BillDescriptor, received: Received): Download {
  const { bytes, original, compressed, head, wasGzip, expectedGzip } = received;
  const plain = expectedGzip && !wasGzip ? `; it is not gzip but starts with ${show(head)}` : '';
  if (digest === undefined) {
    if (plain) throw corrupt(`the download is not a bill${plain}`);
    return { bytes, hashType: OWN_DIGEST, hashValue: original.toString('hex'), verified: false };
  }
  if (digestMatches(digest.value, original)) {
    return { bytes, hashType: digest.type, hashValue: digest.value, verified: true };
  }
  const mismatch = `the bill does not match its ${digest.type} digest`;
  if (compressed && digestMatches(digest.value, compressed)) {
    throw new MopError('integrity', `${mismatch}, but its compressed bytes do`, {
      hint: 'the platform hashed the gzip file instead of the original: report it to the platform',
    });
  }
  throw corrupt(`${mismatch}${plain}`);
}

function corrupt(message: string, cause?: unknown): MopError {
  return new MopError('integrity', message, {
    hint: 'nothing was replaced; try again, and report it to the platform if it stays',
    cause,
  });
}

/** Asks for the file, following redirects without taking the authorization to strangers. */
async function requestFile(
  transport: Transport,
  { downloadUrl, authorization }: BillDescriptor,
  { authHeader, now }: DownloadOptions,
): Promise<HttpResponse> {
  let url = downloadUrl;
  for (let redirects = 0; ; redirects++) {
    const headers: [string, string][] = [['Accept-Encoding', 'identity']];
    if (authorization !== undefined && url.origin === downloadUrl.origin) {
      headers.push([authHeader, authorization]);
    }
    const secrets = [authorization ?? '', url.search, downloadUrl.search];
    const response = await transport.send({ method: 'GET', url, headers, secrets });
    const { status } = response;
    if (status === 200) return response;
    response.discard();

    const location = response.header('location');
    if (status >= 300 && status < 400 && location !== undefined) {
      if (redirects === MAX_REDIRECTS) {
        throw brokenContract('the download', `redirects more than ${MAX_REDIRECTS} times`);
      }
      url = redirectTarget(location, url);
      continue;
    }
    throw refusedDownload(status, url, retryAfterMs(response.header('retry-after'), now()));
  }
}

function redirectTarget(location: string, from: URL): URL {
  const target = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (target && isPrivateTransport(target)) return target;
  throw brokenContract('the download', 'redirects to what is neither https nor on this machine');
}

function refusedDownload(status: number, url: URL, retryAfter: number | undefined): MopError {
  const message = `${url.host} answered the download with HTTP ${status}`;
  if (status >= 500 || status === 429) {
    return new MopError('network', message, {
      hint: 'the server is overloaded or down; try again later',
      httpStatus: status,
      retryAfterMs: retryAfter,
    });
  }
  return new MopError('api', message, {
    hint: 'the link is valid for 30 seconds; is the clock right, and bill_auth_header the header that the platform wants?',
    httpStatus: status,
    // A fresh descriptor brings a fresh link.
    transient: true,
  });
}

async function receive(
  response: HttpResponse,
  file: PartFile,
  algorithm: string,
  { tar, keepGzip, hashCompressed, maxBytes, onProgress }: DownloadOptions,
): Promise<Received> {
  const total = Number(response.header('content-length') ?? Number.NaN);
  const arriving = decoded(
    counted(response.body, (bytes) => onProgress?.(bytes, Number.isNaN(total) ? undefined : total)),
    response.header('content-encoding'),
  );
  const { head, all } = await withHead(arriving);
  const expectedGzip = tar === 'gzip';
  const wasGzip = expectedGzip && head[0] === 0x1f && head[1] === 0x8b;
  if (keepGzip && !wasGzip) {
    throw corrupt(`the download is not a gzip file; it starts with ${show(head)}`);
  }

  const original = createHash(algorithm);
  const compressed = hashCompressed && wasGzip ? createHash(algorithm) : undefined;
  let bytes = 0;
  const store = async (chunk: Buffer, hash?: Hash): Promise<void> => {
    await file.write(chunk);
    hash?.update(chunk);
    bytes += chunk.length;
  };

  try {
    if (wasGzip) {
      const taps = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
        for await (const chunk of source) {
          if (keepGzip) await store(chunk, compressed);
          else compressed?.update(chunk);
          yield chunk;
        }
      };
      await pipeline(all, taps, createGunzip({ chunkSize: CHUNK_BYTES }), async (source) => {
        for await (const chunk of limited(source as AsyncIterable<Buffer>, maxBytes)) {
          if (keepGzip) original.update(chunk);
          else await store(chunk, original);
        }
      });
    } else {
      for await (const chunk of limited(all, maxBytes)) await store(chunk, original);
    }
  } catch (error) {
    throw inflateError(error);
  }
  return {
    bytes,
    original: original.digest(),
    compressed: compressed?.digest(),
    head,
    wasGzip,
    expectedGzip,
  };
}

async function* counted(
  source: AsyncIterable<Buffer>,
  onBytes: (total: number) => void,
): AsyncGenerator<Buffer> {
  let total = 0;
  for await (const chunk of source) {
    total += chunk.length;
    onBytes(total);
    yield chunk;
  }
}

async function* limited(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let total = 0;
  for await (const chunk of source) {
    total += chunk.length;
    if (total > maxBytes) {
      throw new MopError('integrity', `the bill is larger than ${maxBytes} bytes`, {
        hint: 'raise --max-bytes if a bill can be that large',
        transient: false,
      });
    }
    yield chunk;
  }
}

/** What the server compressed for the way, apart from the gzip that the bill may be itself. */
function decoded(
  source: AsyncIterable<Buffer>,
  contentEncoding: string | undefined,
): AsyncIterable<Buffer> {
  const coding = contentEncoding?.trim().toLowerCase() ?? '';
  const options = { chunkSize: CHUNK_BYTES };
  switch (coding) {
    case '':
    case 'identity':
      return source;
    case 'gzip':
    case 'x-gzip':
      return through(source, createGunzip(options));
    case 'deflate':
      return through(source, createInflate(options));
    case 'br':
      return through(source, createBrotliDecompress(options));
    default:
      throw brokenContract(
        'Content-Encoding',
        `is ${JSON.stringify(coding)}, which was not asked for`,
      );
  }
}

async function* through(
  source: AsyncIterable<Buffer>,
  transform: NodeJS.ReadWriteStream,
): AsyncGenerator<Buffer> {
  const feeding = pipeline(source, transform);
  // The reading below meets the same failure; here it must only not go unhandled.
  feeding.catch(() => {});
  for await (const chunk of transform) yield chunk as Buffer;
  await feeding;
}

/** The first bytes of a stream, and the stream with those bytes still in it. */
async function withHead(
  source: AsyncIterable<Buffer>,
): Promise<{ head: Buffer; all: AsyncIterable<Buffer> }> {
  const iterator = source[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  let ended = false;
  try {
    while (head.length < 2 && !ended) {
      const next = await iterator.next();
      if (next.done) ended = true;
      else head = Buffer.concat([head, next.value]);
    }
  } catch (error) {
    throw inflateError(error);
  }
  const all = (async function* (): AsyncGenerator<Buffer> {
    if (head.length > 0) yield head;
    yield* { [Symbol.asyncIterator]: () => iterator };
  })();
  return { head: head.subarray(0, 60), all };
}

/** What zlib says of a stream, in the words of a person. */
function inflateError(error: unknown): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'Z_BUF_ERROR':
      return corrupt('the download is truncated: the compressed data ends too early', error);
    case 'Z_DATA_ERROR':
      return corrupt('the download is corrupt: the compressed data is not valid', error);
    default:
      return error;
  }
}

function show(head: Buffer): string {
  return head.length === 0 ? 'nothing' : JSON.stringify(head.toString('latin1'));
}
