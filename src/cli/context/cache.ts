import { join } from 'node:path';
import { AtomicFile } from '../../files/atomic-file.ts';
import { makeDirectory } from '../../files/directory.ts';
import { fileError } from '../../files/file-error.ts';
import type { Io } from './io.ts';
import { userDirectory } from './user-directory.ts';

/** The cache directory: below `MOP_CONFIG_DIR` if that is set, otherwise the user's. */
export function cacheDirectory(io: Pick<Io, 'env'>): string {
  const { MOP_CONFIG_DIR: own } = io.env;
  return own ? join(own, 'cache') : userDirectory('cache', io);
}

/** Writes a cache file atomically, readable by the user only. */
export async function writeCacheFile(name: string, text: string, io: Io): Promise<void> {
  const directory = cacheDirectory(io);
  await makePrivate(directory);
  const part = await AtomicFile.open(directory, 0o600);
  try {
    await part.write(Buffer.from(text));
    await part.place(join(directory, name));
  } finally {
    await part.discard();
  }
}

/** The parent may be the configuration directory, which must stay private. */
async function makePrivate(directory: string): Promise<void> {
  try {
    await makeDirectory(directory, 0o700);
  } catch (error) {
    throw fileError(error, `cannot create ${directory}`);
  }
}
