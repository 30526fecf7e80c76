import { fstatSync, statSync, writeSync } from 'node:fs';
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

/**
 * An output stream of this process. Files and pipes are written without Node's stream, which takes
 * 2 ms to open.
 */
export class StandardStream implements OutputStream {
  readonly #name: keyof typeof DESCRIPTORS;
  readonly #mayBlock: () => boolean;
  #stream: WriteStream | undefined;

  /** @param mayBlock Whether a write may wait for a reader, so that signals are not handled. */
  constructor(name: keyof typeof DESCRIPTORS, mayBlock: () => boolean) {
    this.#name = name;
    this.#mayBlock = mayBlock;
    if (mayBeTerminal(DESCRIPTORS[name])) this.#open();
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
      while (!this.#stream && this.#mayBlock() && rest.length > 0) {
        rest = rest.subarray(writeSync(DESCRIPTORS[this.#name], rest));
      }
    } catch {
      // A full pipe that does not block, or an error: the stream waits, or reports it.
    }
    if (rest.length > 0) this.stream.write(rest, callback);
    else callback();
  }

  #open(): WriteStream {
    this.#stream = process[this.#name];
    // The callback of a write gets its error; without a listener it would end the process.
    this.#stream.on('error', () => {});
    return this.#stream;
  }
}

function mayBeTerminal(descriptor: number): boolean {
  const stats = fstatSync(descriptor);
  return stats.isCharacterDevice() && stats.rdev !== nullDevice();
}

function nullDevice(): number | undefined {
  return statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
}
