import { statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { MopError } from '../errors.ts';
import { fileError } from './file-error.ts';

/** Node's own `recursive` never returns if a file system, such as /proc, fails with ENOENT. */
export async function makeDirectory(path: string, mode = 0o777): Promise<void> {
  try {
    await createDirectory(path, mode);
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
    await makeDirectory(parent, mode);
    await createDirectory(path, mode).catch((again: NodeJS.ErrnoException) => {
      throw again.code === 'ENOENT' ? refused(path, again) : again;
    });
  }
}

function refused(path: string, cause: unknown): MopError {
  return new MopError('io', `cannot create ${path}, although its parent directory exists`, {
    hint: 'choose another directory, and check that the path is not a broken symbolic link',
    cause,
  });
}

async function createDirectory(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, mode);
  } catch (error) {
    // Another run may have created it in the meantime.
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST';
    if (!exists || !(await stat(path)).isDirectory()) throw error;
  }
}

export function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch (error) {
    throw fileError(error, `cannot examine ${path}`);
  }
}
