import { type ErrorCode, MopError } from '../errors.ts';

/**
 * The failure of a command some of whose items failed: of the kind that all failures share, or
 * `mixed` (`CLI.md` section 1). The items themselves have been reported.
 */
export function sharedFailure(
  [first, ...rest]: readonly [MopError, ...MopError[]],
  message: string,
): MopError {
  const shared = rest.every(({ code }) => code === first.code);
  const code: ErrorCode = shared ? first.code : 'mixed';
  return new MopError(code, message, { hint: first.details.hint });
}
