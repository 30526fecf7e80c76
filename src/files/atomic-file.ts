import type { StatsFs } from 'node:fs';
import { type FileHandle, open, rename, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { MopError } from '../errors.ts';
import { sweepAbandoned, temporaryName } from './abandoned.ts';
import { makeDirectory } from './directory.ts';
import { fileError } from './file-error.ts';
import { formatBytes } from './format-bytes.ts';

const PREFIX = '.mop-part-';
/** Written bytes between two background syncs, which keep the final sync short. */
const WRITE_BACK_BYTES = 8 * 1024 ** 2;
/** Written bytes between two checks of the free space: other programs write too. */
const SPACE_CHECK_BYTES = 64 * 1024 ** 2;

/** A temporary file beside its target; the complete file replaces the target in one step. */
export class AtomicFile {
  readonly #path: string;
  readonly #handle: FileHandle;
  #writing = Promise.resolve();
  #writingBack = Promise.resolve();
  #isWritingBack = false;
  /** Bytes written since the last background sync started. */
  #unsynced = 0;
  /** The bytes left until the next check of the free space. */
  #room = 0;
  #isFinished = false;

  private constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  /**
   * Opens a file in `directory`, which is created as needed. `mode` applies regardless of the
   * umask.
   */
  static async open(directory: string, mode?: number): Promise<AtomicFile> {
    const path = join(directory, temporaryName(PREFIX));
    try {
      await makeDirectory(directory);
      const part = new AtomicFile(path, await open(path, 'wx', mode));
      if (mode === undefined) return part;
      await setMode(part.#handle, mode).catch(async (error: unknown) => {
        await part.discard();
        throw error;
      });
      return part;
    } catch (error) {
      throw fileError(error, `cannot write in ${directory}`);
    }
  }

  async setOwner({ uid, gid }: { readonly uid: number; readonly gid: number }): Promise<void> {
    const stats = await this.#handle.stat();
    if (stats.uid === uid && stats.gid === gid) return;
    await this.#handle.chown(uid, gid).catch((error: unknown) => {
      throw fileError(error, 'cannot keep the owner of the file');
    });
  }

  /** Checks the free space, of which a part stays free: {@link usableSpace}. */
  async checkSpace(bytes: number): Promise<void> {
    const directory = dirname(this.#path);
    const usable = await usableSpace(directory);
    if (bytes > usable) throw tooLittleSpace(directory, bytes, usable);
    this.#room = Math.min(usable, SPACE_CHECK_BYTES);
  }

  /** Starts to write. The next call, or {@link place}, throws the error of this write. */
  async write(chunk: Uint8Array): Promise<void> {
    await this.#writing;
    this.#writing = this.#writeAll(chunk);
    this.#writing.catch(() => {});
  }

  async #writeAll(chunk: Uint8Array): Promise<void> {
    try {
      if (chunk.length > this.#room) await this.checkSpace(chunk.length);
      for (let offset = 0; offset < chunk.length; ) {
        offset += (await this.#handle.write(chunk, offset)).bytesWritten;
      }
      this.#room -= chunk.length;
      this.#unsynced += chunk.length;
      this.#writeBack();
    } catch (error) {
      throw fileError(error, 'cannot store the file');
    }
  }

  /**
   * {@link place} throws the error of this sync: a system reports a failed write to one sync only.
   */
  #writeBack(): void {
    if (this.#isWritingBack || this.#unsynced < WRITE_BACK_BYTES) return;
    this.#isWritingBack = true;
    this.#unsynced = 0;
    this.#writingBack = this.#handle.datasync().then(() => {
      this.#isWritingBack = false;
    });
    this.#writingBack.catch(() => {});
  }

  /** Stores all bytes on the disk. Then {@link place} takes little time. */
  async finish(): Promise<void> {
    if (this.#isFinished) return;
    try {
      await this.#writing;
      await this.#writingBack;
      await this.#handle.sync();
      await this.#handle.close();
      this.#isFinished = true;
    } catch (error) {
      throw fileError(error, 'cannot store the file');
    }
  }

  /**
   * Replaces the target in one step. If `check`, just before the rename, throws, nothing changes.
   */
  async place(target: string, check?: () => Promise<void>): Promise<void> {
    try {
      await this.finish();
      await check?.();
      await rename(this.#path, target);
      await syncDirectory(dirname(target));
    } catch (error) {
      throw fileError(error, `cannot write ${target}`);
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

/** Removes the temporary files that killed runs left in `directory`. */
export async function sweepAtomicFiles(directory: string, now: number): Promise<void> {
  await sweepAbandoned(directory, PREFIX, now);
}

/** Makes a rename survive a power cut. Not every system can sync a directory. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

/**
 * Regardless of the umask. Node's permission model forbids the call, so it is made only if needed.
 */
export async function setMode(file: FileHandle, mode: number): Promise<void> {
  const { mode: given } = await file.stat();
  if ((given & 0o777) !== mode) await file.chmod(mode);
}

/** One hundredth of the disk stays free for other programs, up to this limit. */
const RESERVED_BYTES = 256 * 1024 ** 2;

type FileSystemFacts = Pick<StatsFs, 'bsize' | 'blocks' | 'bavail'>;

/** Bytes that may be written below `directory`; infinite if the system does not report it. */
export async function usableSpace(directory: string): Promise<number> {
  const facts = await statfs(directory).catch(() => undefined);
  return facts?.blocks ? usableBytes(facts) : Number.POSITIVE_INFINITY;
}

export function usableBytes({ bsize, blocks, bavail }: FileSystemFacts): number {
  return Math.max(0, bavail * bsize - Math.min((blocks * bsize) / 100, RESERVED_BYTES));
}

/** The error when `bytes` exceeds `usable`. */
function tooLittleSpace(directory: string, bytes: number, usable: number): MopError {
  const message = `not enough space in ${directory}: ${formatBytes(usable)} usable, at least ${formatBytes(bytes)} needed`;
  return new MopError('io', message, {
    hint: 'free some space or choose another directory, then run it again; no file was replaced',
  });
}
