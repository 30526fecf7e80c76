import { MopError, quoted } from '../errors.ts';
import FAULTS from './reasons.json' with { type: 'json' };

const REASONS = new Map(Object.entries(FAULTS));

/** A failure of the local disk as an error of code `io`. Returns any other error unchanged. */
export function fileError(error: unknown, subject: string): unknown {
  if (error instanceof MopError || !(error instanceof Error)) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  const isSystemError = syscall !== undefined || code === 'ERR_ACCESS_DENIED';
  if (code === undefined || !isSystemError) return error;
  const [, hint = 'check the disk'] = REASONS.get(code) ?? [];
  return new MopError('io', `${subject}: ${failureReason(error)}`, { hint, cause: error });
}

/** The hint for a missing file whose name is given with an `@`, as texts of a command are. */
export function withoutAtHint(path: string): string | undefined {
  if (!path.startsWith('@')) return undefined;
  return quoted`leave out the @, and check the path: ${path.slice(1)}`;
}

/** Why a call of the file system failed: a clause for a message. */
export function failureReason(error: unknown): string {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return REASONS.get(code)?.[0] ?? `${syscall} failed with ${code}`;
}
