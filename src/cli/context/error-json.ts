import { MopError } from '../../errors.ts';
import { EXIT_CODES } from '../exit-codes.ts';

/** An error as `--json` prints it. The keys are stable. */
export function errorObject(error: MopError): Record<string, unknown> {
  const { hint, platformCode, seqId, httpStatus } = error.details;
  return {
    code: error.code,
    message: error.message,
    hint: hint ?? null,
    exit_code: exitCodeOf(error),
    retryable: error.retryable,
    ...(platformCode !== undefined && { platform_code: platformCode }),
    ...(seqId !== undefined && { seq_id: seqId }),
    ...(httpStatus !== undefined && { http_status: httpStatus }),
  };
}

/** The exit code of a failure; for a skipped item, that of the failure that ended the run. */
export function exitCodeOf({ code, details: { cause } }: MopError): number {
  if (code !== 'skipped') return EXIT_CODES[code];
  return cause instanceof MopError ? exitCodeOf(cause) : EXIT_CODES.mixed;
}

/** The message of an error, with its {@link knownSeqId}. */
export function reasonOf(error: MopError): string {
  const seqId = knownSeqId(error);
  return seqId === undefined ? error.message : `${error.message} (seq_id ${seqId})`;
}

/**
 * The `seq_id` of a request that reached the platform, for a person; undefined for a failure of the
 * local disk.
 */
export function knownSeqId({ code, details: { seqId, sent } }: MopError): string | undefined {
  return sent === false || code === 'io' ? undefined : seqId;
}

/** Converts any thrown value to a reportable error. A bug gets the code `failure`. */
export function toMopError(thrown: unknown): MopError {
  if (thrown instanceof MopError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new MopError('failure', `unexpected: ${message}`, {
    hint: 'this is a bug in mop: report it with the output of the same command with --debug',
    cause: thrown,
  });
}

/** The stack lines of an error and of its causes. */
export function stackOf(thrown: unknown, label = ''): string[] {
  if (!(thrown instanceof Error)) return [label + String(thrown)];
  const { name, message, stack = '', cause } = thrown;
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  const below = cause === undefined ? [] : stackOf(cause, 'caused by: ');
  return [`${label}${name}: ${message}`, ...frames, ...below];
}
