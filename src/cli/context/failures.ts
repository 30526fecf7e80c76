import { type ErrorCode, MopError } from '../../errors.ts';
import { BrokenPipe } from './output.ts';

/**
 * The failure of a command that processes several items. Its code is that of all failures, or
 * `mixed` (contract section 1). The caller reports the items first.
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

/** A count of failures, with the message of one: `1 of 2 lines failed: …`. */
export function withExample(summary: string, failures: number, message: string): string {
  return `${summary}${failures > 1 ? ', for example' : ''}: ${message}`;
}

/** Waits until a report is printed, then throws the failure, if any. */
export async function printThenFail(
  printing: Promise<void>,
  failure: MopError | undefined,
): Promise<void> {
  try {
    await printing;
  } catch (error) {
    // Report the failure even when the reader has closed the pipe.
    if (!failure || !(error instanceof BrokenPipe)) throw error;
  }
  if (failure) throw failure;
}
