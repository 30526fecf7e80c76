const MIN_CAPACITY = 16 * 1024;

/**
 * Bytes that arrive in pieces, copied: a list of small pieces would take a hundred times their
 * size.
 */
export class ByteQueue {
  #bytes = Buffer.alloc(0);
  #start = 0;
  #end = 0;

  get length(): number {
    return this.#end - this.#start;
  }

  append(piece: Uint8Array): void {
    if (this.#end + piece.length > this.#bytes.length) this.#grow(this.length + piece.length);
    this.#bytes.set(piece, this.#end);
    this.#end += piece.length;
  }

  /** The offset of `wanted` at `from` or later; -1 if it has not arrived. */
  indexOf(wanted: Uint8Array, from = 0): number {
    return this.#bytes.subarray(this.#start, this.#end).indexOf(wanted, from);
  }

  /** Whether the bytes begin with an ASCII text. */
  startsWith(text: string): boolean {
    const end = Math.min(this.#end, this.#start + text.length);
    return this.#bytes.toString('latin1', this.#start, end) === text;
  }

  /** Removes and returns the first bytes; default: all. The result stays valid. */
  take(length = this.length): Buffer {
    const taken = this.#bytes.subarray(this.#start, this.#start + length);
    this.#start += length;
    return taken;
  }

  /** Always allocates: bytes that were taken may still be in use. */
  #grow(needed: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(MIN_CAPACITY, 2 * needed));
    this.#bytes.copy(grown, 0, this.#start, this.#end);
    this.#bytes = grown;
    this.#end = this.length;
    this.#start = 0;
  }
}
