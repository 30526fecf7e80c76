import { existsSync } from 'node:fs';
import { MopError, own, quoted } from '../errors.ts';

const REASONS: Record<string, readonly [reason: string, hint: string] | undefined> = {
  ENOSPC: ['the disk is full', 'free some space and run it again; no file was replaced'],
  EDQUOT: ['the disk quota is used up', 'free some space and run it again; no file was replaced'],
  EACCES: [
    'permission denied',
    'check the owner and the permissions of the file and its directory',
  ],
  EPERM: [
    'the operation is not permitted',
    'check the owner and the attributes of the file; on Windows, close programs that use it',
  ],
  EBUSY: ['another program uses the file', 'close that program and run it again'],
  ERR_ACCESS_DENIED: [
    "Node's permission model forbids it",
    'check --allow-fs-write and --allow-fs-read, or choose another directory',
  ],
  EROFS: ['the file system is read-only', 'choose another directory'],
  ENOENT: ['there is no such file or directory', 'check the path, and that its directory exists'],
  EEXIST: ['a file or directory with this name exists', 'choose another path'],
  ENOTDIR: ['a part of the path is not a directory', 'choose another directory'],
  EISDIR: ['it is a directory', 'choose another name'],
  ELOOP: ['it is a symbolic link', 'remove it, or choose another directory'],
  ENAMETOOLONG: ['the name is too long', 'choose a shorter one'],
};

/** A failure of the local disk as an error of code `io`. Returns any other error unchanged. */
export function fileError(error: unknown, subject: string): unknown {
  if (error instanceof MopError || !(error instanceof Error)) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  const isSystemError = syscall !== undefined || code === 'ERR_ACCESS_DENIED';
  if (code === undefined || !isSystemError) return error;
  const [, hint = 'check the disk'] = REASONS[code] ?? [];
  return new MopError('io', `${subject}: ${failureReason(error)}`, { hint, cause: error });
}

/** The hint for a missing file whose name is given with an `@`, as texts of a command are. */
export function withoutAtHint(path: string): string | undefined {
  if (!path.startsWith('@')) return undefined;
  const name = path.slice(1);
  return quoted`leave out the @${own(existsSync(name) ? '' : ', and check the path')}: ${name}`;
}

/** Why a call of the file system failed: a clause for a message. */
export function failureReason(error: unknown): string {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return REASONS[code]?.[0] ?? `${syscall} failed with ${code}`;
}
