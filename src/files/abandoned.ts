import { createHash, randomUUID } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isStillRunning, processIdentity, processNamespace } from './process-identity.ts';

/** Whether a process of another machine runs is unknown: its files count as abandoned at this age. */
const ABANDONED_MS = 24 * 3_600_000;

/** A new name for a temporary file or directory of this process. */
export function temporaryName(prefix: string): string {
  return `${prefix}${namespaceId()}-${processIdentity()}-${randomUUID().slice(0, 8)}`;
}

/** Removes the files of killed runs in `directory`, recognised by their {@link temporaryName}. */
export async function sweepAbandoned(
  directory: string,
  prefix: string,
  now: number,
): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names.filter((name) => name.startsWith(prefix))) {
    const path = join(directory, name);
    const [namespace, process = ''] = name.slice(prefix.length).split('-');
    const isAbandoned =
      namespace === namespaceId() ? !isStillRunning(process) : await isOld(path, now);
    if (!isAbandoned) continue;
    await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

async function isOld(path: string, now: number): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats !== undefined && now - stats.mtimeMs > ABANDONED_MS;
}

/** A short id of the namespace of this process: machines that share a directory reuse process ids. */
function namespaceId(): string {
  return createHash('sha256').update(processNamespace()).digest('hex').slice(0, 8);
}
