import { crc32, createInflateRaw, type ZlibOptions } from 'node:zlib';

const HEADER_BYTES = 10;
const TRAILER_BYTES = 8;
const DEFLATE = 8;
/** The optional parts of a header (RFC 1952 2.3.1). */
const FLAGS = { headerChecksum: 0x02, extra: 0x04, name: 0x08, comment: 0x10 };

/**
 * Decompresses a gzip file of one or more members (RFC 1952). Unlike `createGunzip`, it keeps the
 * end of the content when other bytes follow. `onTrailing` receives their number, unless all are
 * zero. Throws errors like those of zlib: `Z_DATA_ERROR` and `Z_BUF_ERROR`.
 */
export async function* gunzip(
  source: AsyncIterable<Uint8Array>,
  options: ZlibOptions = {},
  onTrailing: (bytes: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  const input = new Input(source);
  try {
    await skipHeader(input);
    do {
      let checksum = 0;
      let size = 0;
      for await (const chunk of inflateRaw(input, options)) {
        checksum = crc32(chunk, checksum);
        size += chunk.length;
        yield chunk;
      }
      const trailer = await input.take(TRAILER_BYTES);
      const isIntact =
        trailer.readUInt32LE(0) === checksum && trailer.readUInt32LE(4) === size % 2 ** 32;
      if (!isIntact) throw zlibError('Z_DATA_ERROR', 'incorrect data check');
    } while (await skipNextHeader(input));
    const trailing = await input.drop();
    if (trailing > 0) onTrailing(trailing);
  } finally {
    await input.close();
  }
}

/** Skips the header of another member. Returns false, and skips nothing, before any other bytes. */
async function skipNextHeader(input: Input): Promise<boolean> {
  const [first, second, method] = await input.peek(3);
  const isMember = first === 0x1f && second === 0x8b && method === DEFLATE;
  if (isMember) await skipHeader(input);
  return isMember;
}

async function skipHeader(input: Input): Promise<void> {
  const header = await input.take(HEADER_BYTES);
  const [first, second, method, flags = 0] = header;
  if (first !== 0x1f || second !== 0x8b || method !== DEFLATE) {
    throw zlibError('Z_DATA_ERROR', 'incorrect header check');
  }
  if (flags & FLAGS.extra) {
    const length = (await input.take(2)).readUInt16LE();
    await input.take(length);
  }
  for (const text of [FLAGS.name, FLAGS.comment]) {
    if (flags & text) await input.skipText();
  }
  if (flags & FLAGS.headerChecksum) await input.take(2);
}

/** Inflates one member, and leaves the bytes after it in `input`. */
async function* inflateRaw(input: Input, options: ZlibOptions): AsyncGenerator<Uint8Array> {
  const inflate = createInflateRaw(options);
  const feed = async (): Promise<void> => {
    for (;;) {
      const chunk = await input.next();
      if (chunk === undefined) return void inflate.end();
      const before = inflate.bytesWritten;
      await new Promise<void>((resolve, reject) => {
        inflate.write(chunk, (error) => (error ? reject(error) : resolve()));
      });
      const used = inflate.bytesWritten - before;
      if (used < chunk.length) return input.putBack(chunk.subarray(used));
    }
  };
  const feeding = feed();
  feeding.catch((error) => inflate.destroy(error));
  try {
    yield* inflate;
    await feeding;
  } finally {
    inflate.destroy();
  }
}

/** The unread bytes of a stream. */
class Input {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  /** The next bytes, as many as are at hand; undefined at the end. */
  async next(): Promise<Buffer | undefined> {
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    if (rest.length > 0) return rest;
    const { done, value } = await this.#chunks.next();
    return done ? undefined : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }

  putBack(bytes: Buffer): void {
    this.#rest = bytes;
  }

  /** Up to `length` bytes, which remain unread. */
  async peek(length: number): Promise<Buffer> {
    let bytes = this.#rest;
    while (bytes.length < length) {
      this.#rest = Buffer.alloc(0);
      const more = await this.next();
      if (more === undefined) break;
      bytes = Buffer.concat([bytes, more]);
    }
    this.#rest = bytes;
    return bytes.subarray(0, length);
  }

  /** @throws {Error} `Z_BUF_ERROR` if fewer bytes are left. */
  async take(length: number): Promise<Buffer> {
    const bytes = await this.peek(length);
    if (bytes.length < length) throw zlibError('Z_BUF_ERROR', 'unexpected end of file');
    this.#rest = this.#rest.subarray(length);
    return bytes;
  }

  /** Skips a text that a zero byte ends. */
  async skipText(): Promise<void> {
    for (;;) {
      const bytes = await this.next();
      if (bytes === undefined) throw zlibError('Z_BUF_ERROR', 'unexpected end of file');
      const end = bytes.indexOf(0);
      if (end >= 0) return this.putBack(bytes.subarray(end + 1));
    }
  }

  /** Reads the rest. Returns its length; 0 if all of its bytes are zero. */
  async drop(): Promise<number> {
    let length = 0;
    let isPadding = true;
    for (let bytes = await this.next(); bytes; bytes = await this.next()) {
      length += bytes.length;
      isPadding &&= bytes.every((byte) => byte === 0);
    }
    return isPadding ? 0 : length;
  }

  /** Closes the stream, as leaving a loop over it does. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}

function zlibError(code: 'Z_BUF_ERROR' | 'Z_DATA_ERROR', message: string): Error {
  return Object.assign(new Error(message), { code });
}
