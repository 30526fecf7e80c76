import { isStopped, MopError } from '../../../errors.ts';
import { counted } from '../../../files/counts.ts';

/** The output before an error. */
interface Printed {
  /** Lines of the output. */
  readonly count: number;
  /** The name of one line, such as `page`. */
  readonly unit: string;
  /** More about the lines, such as `1,200 items`. */
  readonly detail?: string | undefined;
  /** The hint after a signal. */
  readonly stopHint?: string | undefined;
  /** How to get the rest, after any error. */
  readonly resumeHint?: string | undefined;
}

/** Adds the amount of output before an error to its message. */
export function withPrintedAmount(error: unknown, printed: Printed): unknown {
  const { count, unit, detail, stopHint, resumeHint } = printed;
  if (!(error instanceof MopError) || count === 0) return error;
  const lines = counted(count, unit);
  const amount = detail === undefined ? lines : `${lines} (${detail})`;
  const message = `${error.message}; the output is incomplete: ${amount} printed`;
  const own = (isStopped(error) ? stopHint : undefined) ?? error.details.hint;
  const hints = [own, resumeHint].filter((hint) => hint !== undefined);
  const hint = hints.join('; ') || undefined;
  return new MopError(error.code, message, { ...error.details, hint });
}
