import { TemporaryFile } from '../files/temporary-file.ts';

/** Entries with the same hash are in the same partition, on both sides. */
export const PARTITIONS = 64;
const PARTITION_SHIFT = 26;
const SMALL_CHUNK = 4 * 1024;
const LARGE_CHUNK = 256 * 1024;
/** The numbers before the texts of an entry: its hash, its line, and its length in bytes. */
const HEAD_BYTES = 12;
/** The length of a text is stored in two bytes. */
export const MAX_TEXT_BYTES = 0xffff;

/** A chunk of entries in memory; `stored` in the temporary file. */
interface Chunk {
  bytes: Uint8Array | undefined;
  readonly length: number;
  stored: number;
}

/**
 * The rows of one side: a hash, a line and texts each, in flat bytes, partitioned by their hashes.
 * Above a limit of memory, full chunks move to a temporary file.
 */
export class EntryStore {
  readonly #chunks: Chunk[][] = Array.from({ length: PARTITIONS }, () => []);
  readonly #current: Uint8Array[] = Array.from({ length: PARTITIONS }, () => new Uint8Array());
  readonly #used = new Int32Array(PARTITIONS);
  readonly #maxBytes: number;
  #bytes = 0;
  #file: TemporaryFile | undefined;
  // The entry that is being written.
  #target: Uint8Array = new Uint8Array();
  #at = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Begins an entry of `texts` texts, which {@link add} adds. */
  begin(hash: number, line: number, textBytes: number, texts: number): void {
    const partition = hash >>> PARTITION_SHIFT;
    // Aligned, so that numbers can be read from any entry.
    const length = (HEAD_BYTES + textBytes + 2 * texts + 3) & ~3;
    let start = this.#used[partition] as number;
    let chunk = this.#current[partition] as Uint8Array;
    if (start + length > chunk.length) {
      chunk = this.#newChunk(partition, length);
      start = 0;
    }
    this.#used[partition] = start + length;
    writeNumber(chunk, start, hash);
    writeNumber(chunk, start + 4, line);
    writeNumber(chunk, start + 8, length);
    this.#target = chunk;
    this.#at = start + HEAD_BYTES;
  }

  add(bytes: Uint8Array, start: number, end: number): void {
    const target = this.#target;
    const length = end - start;
    let at = this.#at;
    target[at++] = length & 0xff;
    target[at++] = length >>> 8;
    for (let from = start; from < end; from++) target[at++] = bytes[from] as number;
    this.#at = at;
  }

  #newChunk(partition: number, entryBytes: number): Uint8Array {
    this.#keep(partition);
    const isFirst = this.#chunks[partition]?.length === 0;
    const chunk = new Uint8Array(Math.max(isFirst ? SMALL_CHUNK : LARGE_CHUNK, entryBytes));
    this.#bytes += chunk.length;
    this.#current[partition] = chunk;
    return chunk;
  }

  #keep(partition: number): void {
    const length = this.#used[partition] as number;
    if (length > 0) {
      this.#chunks[partition]?.push({ bytes: this.#current[partition], length, stored: -1 });
    }
    this.#used[partition] = 0;
  }

  /** Moves full chunks to the temporary file if they exceed the limit. */
  async limitMemory(): Promise<void> {
    if (this.#bytes < this.#maxBytes) return;
    this.#file ??= await TemporaryFile.open('rows to compare');
    for (const chunk of this.#chunks.flat()) {
      if (!chunk.bytes) continue;
      chunk.stored = this.#file.bytes;
      await this.#file.append(chunk.bytes.subarray(0, chunk.length));
      this.#bytes -= chunk.bytes.length;
      chunk.bytes = undefined;
    }
  }

  /** The entries of a partition, which are released from memory. */
  async take(partition: number): Promise<Entries> {
    this.#keep(partition);
    const chunks = this.#chunks[partition] ?? [];
    this.#chunks[partition] = [];
    this.#current[partition] = new Uint8Array();
    const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const { bytes: held, stored, length } of chunks) {
      const part = held?.subarray(0, length) ?? (await this.#file?.read(stored, length));
      if (part) bytes.set(part, at);
      at += length;
    }
    return new Entries(bytes);
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }
}

function writeNumber(bytes: Uint8Array, at: number, number: number): void {
  bytes[at] = number & 0xff;
  bytes[at + 1] = (number >>> 8) & 0xff;
  bytes[at + 2] = (number >>> 16) & 0xff;
  bytes[at + 3] = number >>> 24;
}

export class Entries {
  readonly bytes: Uint8Array;
  readonly offsets: Int32Array;
  readonly #numbers: Int32Array;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes;
    this.#numbers = new Int32Array(bytes.buffer);
    const offsets = new Int32Array(bytes.length / HEAD_BYTES);
    let count = 0;
    for (let at = 0; at < bytes.length; at += this.#numbers[(at >> 2) + 2] as number) {
      offsets[count++] = at;
    }
    this.offsets = offsets.subarray(0, count);
  }

  get length(): number {
    return this.offsets.length;
  }

  hash(index: number): number {
    return this.#numbers[(this.offsets[index] as number) >> 2] as number;
  }

  line(index: number): number {
    return (this.#numbers[((this.offsets[index] as number) >> 2) + 1] as number) >>> 0;
  }

  /** The offset of the first text of an entry: two bytes of length, then the text. */
  texts(index: number): number {
    return (this.offsets[index] as number) + HEAD_BYTES;
  }

  textsOf(index: number, count: number): Uint8Array[] {
    let at = this.texts(index);
    return Array.from({ length: count }, () => {
      const start = at + 2;
      at = start + textLength(this.bytes, at);
      return this.bytes.subarray(start, at);
    });
  }
}

export function textLength(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
}

export function areTextsEqual(
  a: Uint8Array,
  aStart: number,
  b: Uint8Array,
  bStart: number,
): boolean {
  const length = textLength(a, aStart) + 2;
  for (let at = 0; at < length; at++) if (a[aStart + at] !== b[bStart + at]) return false;
  return true;
}
