import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { AtomicFile } from '../../files/atomic-file.ts';
import { inflating } from '../../http/chunks.ts';
import { gathered, limited } from './byte-stages.ts';
import type { ContentHash } from './digest.ts';
import type { ThreadHash } from './thread-hash.ts';

type Bytes = AsyncIterable<Uint8Array>;

/** The file and the digests that receive the bytes of a download. */
interface Sink {
  readonly file: AtomicFile;
  /** Hashes the decompressed content. */
  readonly original: ContentHash | ThreadHash;
  /** Hashes the bytes before decompression. */
  readonly compressed: ContentHash | undefined;
  /** Maximum size of the decompressed content, and of the file. */
  readonly maxBytes: number;
  /** The size of each buffer, in bytes. */
  readonly chunkBytes: number;
}

/** Stores uncompressed content. Returns the size of the file. */
export async function storePlain(content: Bytes, sink: Sink): Promise<number> {
  const { file, original, maxBytes } = sink;
  let bytes = 0;
  for await (const chunk of limited(content, maxBytes)) {
    await file.write(chunk);
    await original.update(chunk);
    bytes += chunk.length;
  }
  return bytes;
}

/** Stores the decompressed content of a gzip file. Returns its size. */
export async function storeInflated(gzip: Bytes, sink: Sink): Promise<number> {
  let bytes = 0;
  await pipeline(
    gathered(gzip, 2 * sink.chunkBytes),
    async function* (source: Bytes) {
      for await (const chunk of source) {
        sink.compressed?.update(chunk);
        yield chunk;
      }
    },
    createGunzip(inflating(sink.chunkBytes)),
    async (content) => {
      bytes = await storePlain(content as Bytes, sink);
    },
  );
  return bytes;
}

/** Stores a gzip file unchanged, decompressing it only for its digest. Returns the file's size. */
export async function storeGzip(gzip: Bytes, sink: Sink): Promise<number> {
  const { file, original, compressed, maxBytes } = sink;
  let bytes = 0;
  await pipeline(
    gathered(gzip, 2 * sink.chunkBytes),
    async function* (source: Bytes) {
      // Limit the file too: a large gzip file may have little content.
      for await (const chunk of limited(source, maxBytes)) {
        await file.write(chunk);
        compressed?.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    createGunzip(inflating(sink.chunkBytes)),
    async (content) => {
      for await (const chunk of limited(content as Bytes, maxBytes)) await original.update(chunk);
    },
  );
  return bytes;
}
