import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileError } from '../files/file-error.ts';

/** Bytes in a private temporary file: a body that must be read to its end before it is sent. */
export class Spool {
  readonly #directory: string;
  readonly #file: FileHandle;
  #bytes = 0;

  private constructor(directory: string, file: FileHandle) {
    this.#directory = directory;
    this.#file = file;
  }

  /** @throws {MopError} `io` when the file cannot be made. */
  static async open(): Promise<Spool> {
    try {
      const directory = await mkdtemp(join(tmpdir(), 'mop-proxy-'));
      const file = await open(join(directory, 'body'), 'wx+', 0o600);
      // An unlinked file disappears when the process ends, even after a crash. Windows refuses this.
      await rm(directory, { recursive: true, force: true }).catch(() => {});
      return new Spool(directory, file);
    } catch (error) {
      throw fileError(error, 'cannot store the form');
    }
  }

  /** @throws {MopError} `io` when the disk is full. */
  async write(chunk: Uint8Array): Promise<void> {
    try {
      await this.#file.appendFile(chunk);
      this.#bytes += chunk.length;
    } catch (error) {
      throw fileError(error, 'cannot store the form');
    }
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The bytes from the start. */
  read(): Readable {
    return this.#file.createReadStream({ start: 0, autoClose: false });
  }

  async close(): Promise<void> {
    await this.#file.close();
    await rm(this.#directory, { recursive: true, force: true });
  }
}
