import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { sweepAbandoned, temporaryName } from './abandoned.ts';
import { fileError } from './file-error.ts';

const PREFIX = 'mop-temporary-';

/** A private file in the system's temporary directory. It disappears when the process ends. */
export class TemporaryFile {
  readonly #directory: string;
  readonly #file: FileHandle;
  readonly #content: string;
  #bytes = 0;

  private constructor(directory: string, file: FileHandle, content: string) {
    this.#directory = directory;
    this.#file = file;
    this.#content = content;
  }

  /** `content` describes the content in errors, such as `the form`. */
  static async open(content: string): Promise<TemporaryFile> {
    try {
      await sweepAbandoned(tmpdir(), PREFIX, Date.now());
      const directory = join(tmpdir(), temporaryName(PREFIX));
      await mkdir(directory, 0o700);
      const file = await open(join(directory, 'content'), 'wx+', 0o600);
      // An unlinked file disappears when the process ends, even after a crash. Windows refuses this:
      // there the next run removes it.
      await rm(directory, { recursive: true, force: true }).catch(() => {});
      return new TemporaryFile(directory, file, content);
    } catch (error) {
      throw fileError(error, `cannot store ${content} in ${tmpdir()} (TMPDIR)`);
    }
  }

  async append(chunk: Uint8Array): Promise<void> {
    try {
      await this.#file.appendFile(chunk);
      this.#bytes += chunk.length;
    } catch (error) {
      throw fileError(error, `cannot store ${this.#content} in ${tmpdir()} (TMPDIR)`);
    }
  }

  get bytes(): number {
    return this.#bytes;
  }

  stream(): Readable {
    return this.#file.createReadStream({ start: 0, autoClose: false });
  }

  async read(position: number, length: number): Promise<Buffer> {
    const part = Buffer.allocUnsafe(length);
    try {
      await this.#file.read(part, 0, length, position);
      return part;
    } catch (error) {
      throw fileError(error, `cannot read ${this.#content} in ${tmpdir()}`);
    }
  }

  async close(): Promise<void> {
    await this.#file.close();
    await rm(this.#directory, { recursive: true, force: true });
  }
}
