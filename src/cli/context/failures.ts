import { type ErrorCode, MopError } from '../../errors.ts';
import { BrokenPipe } from './output.ts';

/**
 * The failure of a command over several items: with the code that all failures share, or `mixed`
 * (contract section 1). The items themselves are reported before.
 *
 * @param message Returns the message, given a failure that needs a person, if any; its hint is
 *   printed.
 * @returns Undefined when all items succeeded.
 */
export function sharedFailure(
  errors: readonly MopError[],
  message: (example: MopError) => string,
): MopError | undefined {
  const example = errors.find(({ retryable }) => !retryable) ?? errors[0];
  if (!example) return undefined;
  const shared = errors.every(({ code }) => code === example.code);
  const code: ErrorCode = shared ? example.code : 'mixed';
  return new MopError(code, message(example), { hint: example.details.hint });
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
