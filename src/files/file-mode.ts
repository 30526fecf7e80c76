import type { FileHandle } from 'node:fs/promises';

/**
 * Sets the permissions of a file, regardless of the umask. Skips the call when they are already
 * set: Node's permission model forbids it.
 */
export async function setMode(file: FileHandle, mode: number): Promise<void> {
  const { mode: given } = await file.stat();
  if ((given & 0o777) !== mode) await file.chmod(mode);
}
