import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a directory and those above it. Node's own `recursive` never returns where a file system
 * refuses with ENOENT although the parent is there, as /proc does.
 */
export async function makeDirectory(path: string, mode = 0o777): Promise<void> {
  try {
    await makeOne(path, mode);
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
    await makeDirectory(parent, mode);
    await makeOne(path, mode);
  }
}

async function makeOne(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, mode);
  } catch (error) {
    // Another run may have been faster.
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    if (!isThere || !(await stat(path)).isDirectory()) throw error;
  }
}
