import type { FileHandle } from 'node:fs/promises';

/**
 * Regardless of the umask. Node's permission model forbids the call, so it is made only if needed.
 */
export async function setMode(file: FileHandle, mode: number): Promise<void> {
  const { mode: given } = await file.stat();
  if ((given & 0o777) !== mode) await file.chmod(mode);
}
