import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeDirectory } from './directory.ts';
import { tooLittleSpace, usableSpace } from './disk-space.ts';
import { localError } from './file-error.ts';
import { setMode } from './file-mode.ts';
import { isMarkedRunning, processMark, processSpace } from './process-identity.ts';

const PREFIX = '.mop-part-';
/** A part of another machine's run is given up when nothing was written to it for so long. */
const ABANDONED_MS = 24 * 3_600_000;
/** The disk begins with so many bytes while the next ones are made, and the last sync is short. */
const WRITE_BACK_BYTES = 8 * 1024 ** 2;
/** After so many bytes the free space is looked at again: others write, too. */
const LOOK_BYTES = 64 * 1024 ** 2;

/** A file that is being written beside its target, under a name of this process. */
export class PartFile {
  readonly #path: string;
  readonly #handle: FileHandle;
  #writing = Promise.resolve();
  #writingBack = Promise.resolve();
  #isWritingBack = false;
  /** How many bytes the disk was not told to put in their place yet. */
  #unsynced = 0;
  /** For how many bytes the disk had room when it was last asked. */
  #room = 0;

  private constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  /**
   * Opens a new part file in `directory`, which is created as needed.
   *
   * @param mode The permissions that the file ends up with, whatever the umask; left out, those
   *   that any new file gets.
   * @throws {MopError} `io`
   */
  static async open(directory: string, mode?: number): Promise<PartFile> {
    const path = join(
      directory,
      `${PREFIX}${machine()}-${processMark()}-${randomUUID().slice(0, 8)}`,
    );
    try {
      await makeDirectory(directory);
      const part = new PartFile(path, await open(path, 'wx', mode));
      if (mode === undefined) return part;
      await setMode(part.#handle, mode).catch(async (error: unknown) => {
        await part.discard();
        throw error;
      });
      return part;
    } catch (error) {
      throw localError(error, `cannot write in ${directory}`);
    }
  }

  /**
   * Makes sure that so many bytes more fit on the disk, and that others have some space left.
   *
   * @throws {MopError} `io`
   */
  async reserve(bytes: number): Promise<void> {
    const directory = dirname(this.#path);
    const usable = await usableSpace(directory);
    if (bytes > usable) throw tooLittleSpace(directory, bytes, usable);
    this.#room = Math.min(usable, LOOK_BYTES);
  }

  /**
   * Writes behind: returns as soon as the chunk before is written, so that the caller goes on while
   * the disk works. A failure comes with the next chunk, or as the file is placed.
   *
   * @throws {MopError} `io`
   */
  async write(chunk: Uint8Array): Promise<void> {
    await this.#writing;
    this.#writing = this.#writeAll(chunk);
    this.#writing.catch(() => {});
  }

  async #writeAll(chunk: Uint8Array): Promise<void> {
    try {
      if (chunk.length > this.#room) await this.reserve(chunk.length);
      for (let offset = 0; offset < chunk.length; ) {
        offset += (await this.#handle.write(chunk, offset)).bytesWritten;
      }
      this.#room -= chunk.length;
      this.#unsynced += chunk.length;
      this.#writeBack();
    } catch (error) {
      throw localError(error, 'cannot store the file');
    }
  }

  /** A failure is kept for {@link place}: a system reports it once, and the last sync would pass. */
  #writeBack(): void {
    if (this.#isWritingBack || this.#unsynced < WRITE_BACK_BYTES) return;
    this.#isWritingBack = true;
    this.#unsynced = 0;
    this.#writingBack = this.#handle.datasync().then(() => {
      this.#isWritingBack = false;
    });
    this.#writingBack.catch(() => {});
  }

  /**
   * Moves the complete file to its place in one step: the target is old or new, never half.
   *
   * @throws {MopError} `io`
   */
  async place(target: string): Promise<void> {
    try {
      await this.#writing;
      await this.#writingBack;
      await this.#handle.sync();
      await this.#handle.close();
      await rename(this.#path, target);
      await syncDirectory(dirname(target));
    } catch (error) {
      throw localError(error, `cannot write ${target}`);
    }
  }

  /** Removes the file if it was not placed. */
  async discard(): Promise<void> {
    await this.#writing.catch(() => {});
    await this.#writingBack.catch(() => {});
    await this.#handle.close().catch(() => {});
    await rm(this.#path, { force: true }).catch(() => {});
  }
}

/** Removes the parts that killed runs left in `directory`, and no part that is being written. */
export async function sweepParts(directory: string, now: number): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names.filter((name) => name.startsWith(PREFIX))) {
    const path = join(directory, name);
    if (await isAbandoned(name, path, now)) await rm(path, { force: true }).catch(() => {});
  }
}

async function isAbandoned(name: string, path: string, now: number): Promise<boolean> {
  const [owner, writer = ''] = name.slice(PREFIX.length).split('-');
  if (owner === machine() && !isMarkedRunning(writer)) return true;
  const stats = await lstat(path).catch(() => undefined);
  return stats !== undefined && now - stats.mtimeMs > ABANDONED_MS;
}

/** Several machines may share a directory, and their process ids say nothing to each other. */
function machine(): string {
  return createHash('sha256').update(processSpace()).digest('hex').slice(0, 8);
}

/** Makes a rename survive a power cut; not every system lets a directory be synced. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}
