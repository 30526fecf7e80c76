import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { kill, pid } from 'node:process';
import { localError } from '../local-error.ts';

const PREFIX = '.mop-part-';
/** A part of another machine's run is given up when nothing was written to it for so long. */
const ABANDONED_MS = 24 * 3_600_000;

/** A file that is being written beside its target, under a name of this process. */
export interface PartFile {
  readonly path: string;
  readonly handle: FileHandle;
}

/**
 * Opens a new part file in `directory`, which is created as needed.
 *
 * @param mode The permissions that the file ends up with, whatever the umask.
 * @throws {MopError} `io`
 */
export async function openPart(directory: string, mode: number): Promise<PartFile> {
  const path = join(directory, `${PREFIX}${machine()}-${pid}-${randomUUID().slice(0, 8)}`);
  try {
    await mkdir(directory, { recursive: true });
    const handle = await open(path, 'wx+', 0o600);
    await handle.chmod(mode);
    return { path, handle };
  } catch (error) {
    throw localError(error, `cannot write in ${directory}`);
  }
}

/** Moves a complete part to its place in one step, so that the target is old or new, never half. */
export async function placePart(part: PartFile, target: string): Promise<void> {
  try {
    await part.handle.sync();
    await part.handle.close();
    await rename(part.path, target);
    await syncDirectory(dirname(target));
  } catch (error) {
    throw localError(error, `cannot write ${target}`);
  }
}

/** Removes a part that was not placed; harmless after {@link placePart}. */
export async function discardPart(part: PartFile): Promise<void> {
  await part.handle.close().catch(() => {});
  await rm(part.path, { force: true }).catch(() => {});
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
  const [owner, writer] = name.slice(PREFIX.length).split('-');
  if (owner === machine() && !isRunning(Number(writer))) return true;
  const stats = await lstat(path).catch(() => undefined);
  return stats !== undefined && now - stats.mtimeMs > ABANDONED_MS;
}

function isRunning(process: number): boolean {
  try {
    kill(process, 0);
    return true;
  } catch (error) {
    // Not permitted to signal it: it runs, as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Several machines may share a directory, and their process ids say nothing to each other. */
function machine(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
}

/** Makes a rename survive a power cut; not every system lets a directory be synced. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}
