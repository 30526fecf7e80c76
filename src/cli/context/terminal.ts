import type { Io } from './io.ts';
import type { OutputStream } from './standard-stream.ts';
import { plainStyles } from './style.ts';
import { visibleText } from './visible-text.ts';

/** The same process, with outputs that never send control characters from outside to a terminal. */
export function withSafeTerminals(io: Io): Io {
  // Inherit, do not copy: copying reads `stdin`, and that opens standard input.
  return Object.create(io, {
    stdout: { value: new Terminal(io.stdout) },
    stderr: { value: new Terminal(io.stderr) },
  });
}

/**
 * An output stream. On a terminal, control characters and invisible characters of any text are
 * printed visibly, such as `<U+001B>`; only the styles of mop reach it. Elsewhere bytes and texts
 * are written unchanged.
 */
class Terminal implements OutputStream {
  readonly #stream: OutputStream;
  /** Keeps the start of a character that continues in the next chunk. A byte order mark is shown. */
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  constructor(stream: OutputStream) {
    this.#stream = stream;
  }

  get isTTY(): boolean | undefined {
    return this.#stream.isTTY;
  }

  get columns(): number | undefined {
    return this.#stream.columns;
  }

  get writableLength(): number {
    return this.#stream.writableLength;
  }

  get stream(): NodeJS.WritableStream {
    return this.#stream.stream;
  }

  write(data: string | Uint8Array, callback?: (error?: Error | null) => void): void {
    this.#stream.write(this.isTTY ? this.#visible(data) : unkeyed(data), callback);
  }

  #visible(data: string | Uint8Array): string {
    return typeof data === 'string'
      ? terminalText(this.#decoder.decode() + data)
      : visibleText(this.#decoder.decode(data, { stream: true }));
  }
}

/** A text for a terminal, for libraries that draw or prompt on its stream themselves. */
export function terminalText(text: string): string {
  return plainStyles(text, visibleText);
}

function unkeyed(data: string | Uint8Array): string | Uint8Array {
  return typeof data === 'string' ? plainStyles(data) : data;
}
