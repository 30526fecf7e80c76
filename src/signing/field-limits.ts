import { isMilliseconds, NONCE_LENGTH } from '../protocol/limits.ts';
import type { SignatureMode } from '../protocol/operations.ts';
import type { Readings } from '../protocol/readings.ts';

/** Faults of common fields, each in the words in which signing, verification and sandbox report it. */

export const MILLISECONDS = 'the timestamp is in milliseconds; body mode takes seconds';

/** D1 2.1, under the reading types=strict. */
export const TIMESTAMP_TEXT =
  'the timestamp is a string; the documents call it an int (reading types=strict)';

/** Undefined when the length of a nonce is right. */
export function wrongNonce(nonce: string): string | undefined {
  const length = [...nonce].length;
  return length === NONCE_LENGTH
    ? undefined
    : `the nonce has ${length} characters, not ${NONCE_LENGTH}`;
}

/** {@link wrongNonce} where the reading limits the length in this mode (D1 2.1, 5.2). */
export function nonceWarning(
  nonce: string | undefined,
  mode: SignatureMode,
  reading: Readings['nonce'] = 'body-10',
): string | undefined {
  const isLimited = reading === '10' || (reading === 'body-10' && mode === 'body');
  return isLimited && nonce !== undefined ? wrongNonce(nonce) : undefined;
}

/** Undefined unless body mode would get milliseconds; header mode takes them (D1 2.1, 5.2). */
export function timestampWarning(
  timestamp: string | undefined,
  mode: SignatureMode,
): string | undefined {
  return mode === 'body' && isMilliseconds(Number(timestamp)) ? MILLISECONDS : undefined;
}
