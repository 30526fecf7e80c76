/** With zlib's default of 16 KiB, decompression is half as fast (`npm run bench -- bill`). */
export const CHUNK_BYTES = 512 * 1024;

/**
 * zlib works in another thread while this one hashes: buffers on both sides keep either from
 * waiting.
 */
export function inflating(chunkBytes = CHUNK_BYTES): { chunkSize: number; highWaterMark: number } {
  return {
    chunkSize: chunkBytes,
    highWaterMark: chunkBytes < CHUNK_BYTES ? chunkBytes : 4 * CHUNK_BYTES,
  };
}

/** Chunks that were already read from an iterator, and then its remaining chunks. */
export async function* resumed<T extends object>(
  start: T[],
  rest: AsyncIterator<T>,
): AsyncGenerator<T> {
  // Releases each chunk once it is read.
  for (let chunk = start.shift(); chunk; chunk = start.shift()) yield chunk;
  yield* { [Symbol.asyncIterator]: () => rest };
}

const HEAD_BYTES = 4096;

/** The first bytes of a stream, by default 2, and a stream that still contains them. */
export async function withHead(
  source: AsyncIterable<Uint8Array>,
  isEnough: number | ((head: Buffer) => boolean) = 2,
): Promise<{ head: Buffer; all: AsyncIterable<Uint8Array> }> {
  const iterator = source[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  let ended = false;
  const suffices =
    typeof isEnough === 'number' ? (bytes: Buffer) => bytes.length >= isEnough : isEnough;
  while (!suffices(head) && !ended) {
    const next = await iterator.next();
    if (next.done) ended = true;
    else head = Buffer.concat([head, next.value]);
  }
  const all = resumed(head.length > 0 ? [head] : [], iterator);
  return { head: head.subarray(0, HEAD_BYTES), all };
}

/** Whether content that begins with these bytes is a gzip file (RFC 1952 2.3.1). */
export function isGzip([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b;
}
