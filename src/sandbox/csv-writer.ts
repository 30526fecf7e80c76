const ZERO = 0x30;
const COMMA = 0x2c;
const POINT = 0x2e;
const COLON = 0x3a;
/** Extra space for the line that fills a chunk. */
const LINE_BYTES = 1024;

/**
 * Collects the lines of a bill as bytes. A bill may have half a gigabyte, and joining the lines as
 * text before encoding takes twice as long.
 */
export class CsvWriter {
  readonly #chunkBytes: number;
  #bytes: Buffer;
  #length = 0;

  /** @param chunkBytes The size from which a chunk {@link isFull}. */
  constructor(chunkBytes: number) {
    this.#chunkBytes = chunkBytes;
    this.#bytes = Buffer.allocUnsafe(chunkBytes + LINE_BYTES);
  }

  get isFull(): boolean {
    return this.#length >= this.#chunkBytes;
  }

  /** Writes bytes unchanged. */
  text(piece: Uint8Array): void {
    const bytes = this.#bytes;
    let offset = this.#length;
    for (const byte of piece) bytes[offset++] = byte;
    this.#length = offset;
  }

  /** A whole number of 0 … 2^31 - 1, padded with zeros to `width` digits. */
  digits(value: number, width: number): void {
    const start = this.#length;
    this.#length = start + width;
    let rest = value;
    for (let offset = start + width - 1; offset >= start; offset--) {
      const quotient = (rest / 10) | 0;
      this.#bytes[offset] = ZERO + rest - quotient * 10;
      rest = quotient;
    }
  }

  /** A comma and a number of hundredths, such as cents, with two decimals. */
  decimalField(hundredths: number): void {
    const whole = (hundredths / 100) | 0;
    let width = 1;
    for (let limit = 10; whole >= limit; limit *= 10) width++;
    this.#bytes[this.#length++] = COMMA;
    this.digits(whole, width);
    this.#bytes[this.#length++] = POINT;
    this.digits(hundredths - whole * 100, 2);
  }

  /** A second of the day as `HH:MM:SS`. */
  time(secondOfDay: number): void {
    const minuteOfDay = (secondOfDay / 60) | 0;
    const hour = (minuteOfDay / 60) | 0;
    this.digits(hour, 2);
    this.#bytes[this.#length++] = COLON;
    this.digits(minuteOfDay - hour * 60, 2);
    this.#bytes[this.#length++] = COLON;
    this.digits(secondOfDay - minuteOfDay * 60, 2);
  }

  /** The bytes written since the last call; the caller owns the buffer. */
  take(): Buffer {
    const chunk = this.#bytes.subarray(0, this.#length);
    this.#bytes = Buffer.allocUnsafe(this.#chunkBytes + LINE_BYTES);
    this.#length = 0;
    return chunk;
  }
}
