import type { FileHandle } from 'node:fs/promises';

/**
 * Gives a file its permissions, whatever the umask. Where they are right they are not set: Node's
 * permission model does not allow that.
 */
export async function setMode(file: FileHandle, mode: number): Promise<void> {
  const { mode: given } = await file.stat();
  if ((given & 0o777) !== mode) await file.chmod(mode);
}
