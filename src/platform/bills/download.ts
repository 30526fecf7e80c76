import { createHash, type Hash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { MopError } from '../../errors.ts';
import type { PartFile } from '../../files/atomic-file.ts';
import { redactValues } from '../../http/redact.ts';
import type { HttpResponse } from '../../http/response.ts';
import type { Transport } from '../../http/transport.ts';
import type { TarType } from '../../protocol/operations.ts';
import {
  corrupt,
  counted,
  decoded,
  gathered,
  INFLATING,
  inflateError,
  limited,
  tooLarge,
  withHead,
} from './byte-stages.ts';
import { type BillDescriptor, descriptorSecrets } from './descriptor.ts';
import { digestAlgorithm, digestMatches, OWN_DIGEST } from './digest.ts';
import { requestFile } from './download-request.ts';

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
    const received = await receive(response, file, algorithm, descriptor, options);
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
  /** How the content begins, for messages. */
  readonly beginning: string;
  readonly wasGzip: boolean;
  readonly expectedGzip: boolean;
}

function check({ digest }: BillDescriptor, received: Received): Download {
  const { bytes, original, compressed, beginning, wasGzip, expectedGzip } = received;
  const plain = expectedGzip && !wasGzip ? `; it is not gzip but ${beginning}` : '';
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

async function receive(
  response: HttpResponse,
  file: PartFile,
  algorithm: string,
  descriptor: BillDescriptor,
  { tar, keepGzip, hashCompressed, maxBytes, onProgress }: DownloadOptions,
): Promise<Received> {
  const length = response.header('content-length');
  const total = length === undefined ? undefined : Number(length);
  // What it is when it is decompressed nobody knows yet; less it is not.
  const isStoredAsItComes = tar === 'stream' || keepGzip;
  if (isStoredAsItComes && total !== undefined && total > maxBytes) throw tooLarge(maxBytes);
  await file.reserve(total ?? 0);
  const arriving = decoded(
    counted(response.body, (bytes) => onProgress?.(bytes, total)),
    response.header('content-encoding'),
  );
  const { head, all } = await withHead(arriving);
  const beginning = show(head, descriptor);
  const expectedGzip = tar === 'gzip';
  const wasGzip = expectedGzip && head[0] === 0x1f && head[1] === 0x8b;
  if (keepGzip && !wasGzip) {
    throw corrupt(`the download is not a gzip file but ${beginning}`);
  }

  const original = createHash(algorithm);
  const compressed = hashCompressed && wasGzip ? createHash(algorithm) : undefined;
  let bytes = 0;
  const store = async (chunk: Uint8Array, hash?: Hash): Promise<void> => {
    await file.write(chunk);
    hash?.update(chunk);
    bytes += chunk.length;
  };

  try {
    if (wasGzip) {
      const taps = async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
        // What is stored is bounded, be it that nothing comes out of it.
        for await (const chunk of keepGzip ? limited(source, maxBytes) : source) {
          if (keepGzip) await store(chunk, compressed);
          else compressed?.update(chunk);
          yield chunk;
        }
      };
      await pipeline(gathered(all), taps, createGunzip(INFLATING), async (source) => {
        for await (const chunk of limited(source as AsyncIterable<Uint8Array>, maxBytes)) {
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
    beginning,
    wasGzip,
    expectedGzip,
  };
}

const MAX_SHOWN = 60;

/** A server may repeat what it was asked with. */
function show(head: Buffer, descriptor: BillDescriptor): string {
  if (head.length === 0) return 'empty';
  const text = redactValues(head.toString('latin1'), descriptorSecrets(descriptor));
  return `starts with ${JSON.stringify(text.slice(0, MAX_SHOWN))}`;
}
