import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a directory and those above it. Node's own `recursive` never returns where a file system
 * refuses with ENOENT although the parent is there, as /proc does.
 */
export async function makeDirectory(path: string): Promise<void> {
  try {
    await makeOne(path);
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
    await makeDirectory(parent);
    await makeOne(path);
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    // Another run may have been faster.
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    if (!isThere || !(await stat(path)).isDirectory()) throw error;
  }
}
