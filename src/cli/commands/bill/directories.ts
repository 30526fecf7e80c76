import { join } from 'node:path';
import { MopError } from '../../../errors.ts';
import { isDirectory } from '../../../files/directory.ts';

/** The directory of a profile's bills; with `--all-profiles` each has a folder of its name. */
export function profileDirectory(root: string, profile: string, allProfiles = false): string {
  return allProfiles ? join(root, profile) : root;
}

/** @throws {MopError} `usage` unless a directory is at `path`. */
export function assertDirectory(path: string): void {
  if (isDirectory(path)) return;
  throw new MopError('usage', `there is no directory ${path}`, {
    hint: 'name the directory that mop bill fetch writes to',
  });
}
