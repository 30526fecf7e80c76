import { fstatSync, type Stats, statSync, writeSync } from 'node:fs';
import type { WriteStream } from 'node:tty';

/** Standard output or standard error, as commands use it. */
export interface OutputStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  /** Bytes that are not written yet. */
  readonly writableLength: number;
  /** Calls back when the data is written, or with the error. */
  write(data: string | Uint8Array, callback?: (error?: Error | null) => void): unknown;
  /** The stream of Node, for a library that draws or asks. */
  readonly stream: NodeJS.WritableStream;
}

const DESCRIPTORS = { stdout: 1, stderr: 2 } as const;

/** A pipe takes the first bytes without waiting for its reader: signals are not handled meanwhile. */
const PIPE_BYTES = 4096;

/**
 * An output stream of this process. A file, and the first lines for a pipe, are written without
 * Node's stream, which takes 2 ms to open.
 */
export class StandardStream implements OutputStream {
  readonly #name: keyof typeof DESCRIPTORS;
  #stream: WriteStream | undefined;
  /** Bytes that can be written without the stream. */
  #room: number;

  constructor(name: keyof typeof DESCRIPTORS) {
    this.#name = name;
    const stats = fstatSync(DESCRIPTORS[name]);
    this.#room = stats.isFile() || isNullDevice(stats) ? Number.POSITIVE_INFINITY : PIPE_BYTES;
    if (stats.isCharacterDevice() && !isNullDevice(stats)) this.#open();
  }

  get isTTY(): boolean | undefined {
    return this.#stream?.isTTY;
  }

  get columns(): number | undefined {
    return this.#stream?.columns;
  }

  get writableLength(): number {
    return this.#stream?.writableLength ?? 0;
  }

  get stream(): WriteStream {
    return this.#stream ?? this.#open();
  }

  write(data: string | Uint8Array, callback: (error?: Error | null) => void = () => {}): void {
    let rest = typeof data === 'string' ? Buffer.from(data) : data;
    try {
      while (!this.#stream && rest.length > 0 && rest.length <= this.#room) {
        const written = writeSync(DESCRIPTORS[this.#name], rest);
        this.#room -= written;
        rest = rest.subarray(written);
      }
    } catch {
      // A full pipe that does not block, or an error: the stream waits, or reports it.
    }
    // Behind what the stream still holds, if it is open.
    if (rest.length > 0 || this.#stream) this.stream.write(rest, callback);
    else callback();
  }

  #open(): WriteStream {
    this.#stream = process[this.#name];
    // The callback of a write gets its error; without a listener it would end the process.
    this.#stream.on('error', () => {});
    return this.#stream;
  }
}

function isNullDevice({ rdev }: Stats): boolean {
  return rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
}
