import { type ErrorCode, MopError } from '../../errors.ts';
import { BrokenPipe } from './output.ts';

/**
 * The failure of a command some of whose items failed: of the kind that all failures share, or
 * `mixed` (contract section 1). The items themselves have been reported.
 *
 * @param message What to say of them, given the first.
 * @returns Undefined when none failed.
 */
export function sharedFailure(
  errors: readonly MopError[],
  message: (first: MopError) => string,
): MopError | undefined {
  const [first] = errors;
  if (!first) return undefined;
  const shared = errors.every(({ code }) => code === first.code);
  const code: ErrorCode = shared ? first.code : 'mixed';
  return new MopError(code, message(first), { hint: first.details.hint });
}

/**
 * Waits for a report to be printed, then ends with the failure that it shows, if any.
 *
 * @throws {MopError} `failure`
 */
export async function printThenFail(
  printing: Promise<void>,
  failure: MopError | undefined,
): Promise<void> {
  try {
    await printing;
  } catch (error) {
    // The failure counts for more than a reader that went away.
    if (!failure || !(error instanceof BrokenPipe)) throw error;
  }
  if (failure) throw failure;
}
