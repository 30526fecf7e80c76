import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { MopError } from '../../errors.ts';
import { inflating } from '../../http/chunks.ts';
import { decodingFault, through } from '../../http/content-coding.ts';
import { platformViolation } from '../envelope.ts';

/** Passes the stream through; calls `onBytes` with the number of bytes so far. */
export async function* counted(
  source: AsyncIterable<Uint8Array>,
  onBytes: (total: number) => void,
): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const chunk of source) {
    total += chunk.length;
    onBytes(total);
    yield chunk;
  }
}

/**
 * Passes the stream through in chunks of at least `bytes`. zlib switches threads for each chunk: with
 * the small chunks of the network, that takes a third of the time.
 */
export async function* gathered(
  source: AsyncIterable<Uint8Array>,
  bytes: number,
): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source) {
    pieces.push(chunk);
    length += chunk.length;
    if (length < bytes) continue;
    yield joined(pieces, length);
    pieces = [];
    length = 0;
  }
  if (length > 0) yield joined(pieces, length);
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = pieces;
  return only && pieces.length === 1 ? only : Buffer.concat(pieces, length);
}

/** Passes the stream through; fails once it exceeds `maxBytes`. */
export function limited(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  return counted(source, (total) => {
    if (total > maxBytes) throw tooLarge(maxBytes);
  });
}

export function tooLarge(maxBytes: number): MopError {
  return new MopError('integrity', `the bill is larger than ${maxBytes} bytes`, {
    hint: 'raise --max-bytes if a bill can be that large',
    transient: false,
  });
}

/** Decodes the Content-Encoding of a body. The bill itself may still be a gzip file. */
export function decoded(
  source: AsyncIterable<Uint8Array>,
  contentEncoding: string | undefined,
  chunkBytes: number,
): AsyncIterable<Uint8Array> {
  const coding = contentEncoding?.trim().toLowerCase() ?? '';
  switch (coding) {
    case '':
    case 'identity':
      return source;
    case 'gzip':
    case 'x-gzip':
      return through(source, createGunzip(inflating(chunkBytes)));
    case 'deflate':
      return through(source, createInflate(inflating(chunkBytes)));
    case 'br':
      return through(source, createBrotliDecompress(inflating(chunkBytes)));
    default:
      throw platformViolation(
        'Content-Encoding',
        `is ${JSON.stringify(coding)}, which was not requested`,
      );
  }
}

/** Turns an error of zlib into a readable one. Returns any other error unchanged. */
export function inflateError(error: unknown): unknown {
  const fault = decodingFault(error);
  if (fault === undefined) return error;
  return corrupt(
    fault === 'truncated'
      ? 'the download is truncated: the compressed data ends too early'
      : 'the download is corrupt: the compressed data is not valid',
    error,
  );
}

export function corrupt(message: string, cause?: unknown): MopError {
  return new MopError('integrity', message, {
    hint: 'no file was replaced; try again, and report it to the platform if it persists',
    cause,
  });
}
