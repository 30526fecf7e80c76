import { isMilliseconds, NONCE_LENGTH } from '../protocol/limits.ts';
import type { SignatureMode } from '../protocol/operations.ts';
import type { AllReadings } from '../protocol/readings.ts';

/** Faults of common fields, each in the words in which signing, verification and sandbox report it. */

const MILLISECONDS = 'the timestamp is in milliseconds; body mode takes seconds';

/** D1 2.1, under the reading types=strict. */
export const TIMESTAMP_TEXT =
  'the timestamp is a string; the documents call it an int (reading types=strict)';

/** Undefined where the length of a nonce is right, or the reading leaves it free (D1 2.1, 5.2). */
export function nonceWarning(
  nonce: string | undefined,
  mode: SignatureMode,
  reading: AllReadings['nonce'],
): string | undefined {
  const isLimited = reading === '10' || (reading === 'body-10' && mode === 'body');
  const length = nonce === undefined ? NONCE_LENGTH : [...nonce].length;
  return isLimited && length !== NONCE_LENGTH
    ? `the nonce has ${length} characters, not ${NONCE_LENGTH}`
    : undefined;
}

/** Undefined unless body mode would get milliseconds; header mode takes them (D1 2.1, 5.2). */
export function timestampWarning(
  timestamp: string | number | undefined,
  mode: SignatureMode,
): string | undefined {
  return mode === 'body' && isMilliseconds(Number(timestamp)) ? MILLISECONDS : undefined;
}
