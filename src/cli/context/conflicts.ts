import { MopError } from '../../errors.ts';

/** Options that do not go together. The default hint is to leave one of the two out. */
export type Conflict = readonly [applies: unknown, message: string, hint?: string];

/** @throws {MopError} `usage` for the first conflict that applies. */
export function assertNoConflict(conflicts: readonly Conflict[]): void {
  const [, message, hint = 'leave out one of the two'] =
    conflicts.find(([applies]) => applies) ?? [];
  if (message !== undefined) throw new MopError('usage', message, { hint });
}
