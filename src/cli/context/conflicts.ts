import { MopError } from '../../errors.ts';

/** Options that exclude each other. The default hint is to leave out one of the two. */
type Conflict = readonly [applies: unknown, message: string, hint?: string];

/** @throws {MopError} `usage` for the first conflict that applies. */
export function assertNoConflict(conflicts: readonly Conflict[]): void {
  const [, message, hint = 'leave out one of the two'] =
    conflicts.find(([applies]) => applies) ?? [];
  if (message !== undefined) throw new MopError('usage', message, { hint });
}
