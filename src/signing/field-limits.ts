import { describe, type JsonValue } from '../json/value.ts';
import { isMilliseconds, MILLISECONDS_DIGITS, NONCE_LENGTH } from '../protocol/limits.ts';
import { isCommonField, type SignatureMode } from '../protocol/operations.ts';
import type { AllReadings } from '../protocol/readings.ts';

/** Faults of common fields, each in the words in which signing, verification and sandbox report it. */

const MILLISECONDS = 'the timestamp is in milliseconds; body mode takes seconds';

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

/** Undefined unless body mode would get milliseconds; header mode takes them (D1 2.1, 5.2, 8). */
export function timestampWarning(
  timestamp: string | number | undefined,
  mode: SignatureMode,
): string | undefined {
  const text = String(timestamp ?? '');
  if (/^\d+$/.test(text) && text.length > MILLISECONDS_DIGITS) {
    return `the timestamp has ${text.length} digits; seconds have 10, milliseconds ${MILLISECONDS_DIGITS}`;
  }
  return mode === 'body' && isMilliseconds(Number(text)) ? MILLISECONDS : undefined;
}

/** The common fields of a body that do not have the type of D1 2.1 (reading `types=strict`). */
export function typeWarnings(
  fields: readonly { readonly name: string; readonly value: JsonValue }[],
  reading: AllReadings['types'],
): string[] {
  if (reading === 'lenient') return [];
  return fields.flatMap(({ name, value }) => {
    if (!isCommonField(name) || value.kind === 'null') return [];
    const given = value.kind === 'number' ? value.text : describe(value);
    const wanted = name === 'timestamp' ? 'an int' : 'a string';
    const isRight = name === 'timestamp' ? /^-?\d+$/.test(given) : value.kind === 'string';
    return isRight ? [] : [`${name} is ${given}, not ${wanted} (reading types=strict)`];
  });
}
