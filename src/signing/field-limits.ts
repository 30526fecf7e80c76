import { describe, type JsonValue } from '../json/value.ts';
import {
  isMilliseconds,
  MAX_SEQ_ID_LENGTH,
  MILLISECONDS_DIGITS,
  NONCE_LENGTH,
} from '../protocol/limits.ts';
import {
  COMMON_FIELDS,
  HEADER_OF_FIELD,
  isCommonField,
  PROTOCOL_VERSION,
  SIGN_HEADERS,
  type SignatureMode,
} from '../protocol/operations.ts';
import type { AllReadings } from '../protocol/readings.ts';
import type { Entry } from './canonical.ts';
import { sameName } from './header-mode.ts';
import type { Credentials } from './request-fields.ts';

// Signing, verification and the sandbox report these faults with the same text.

/** Undefined if the nonce has the right length, or the reading does not limit it (D1 2.1, 5.2). */
export function nonceWarning(
  nonce: string | undefined,
  mode: SignatureMode,
  reading: AllReadings['nonce'],
): string | undefined {
  const isLimited = reading === '10' || (reading === 'body-10' && mode === 'body');
  const length = nonce === undefined ? NONCE_LENGTH : [...nonce].length;
  return isLimited && length !== NONCE_LENGTH
    ? `the nonce has ${length} character${length === 1 ? '' : 's'}, not ${NONCE_LENGTH}`
    : undefined;
}

/** Warns about milliseconds in body mode, and too many digits in either mode (D1 2.1, 5.2, 8). */
export function timestampWarning(
  timestamp: string | number | undefined,
  mode: SignatureMode,
): string | undefined {
  const text = String(timestamp ?? '');
  if (/^\d+$/.test(text) && text.length > MILLISECONDS_DIGITS) {
    return `the timestamp has ${text.length} digits; seconds have 10, milliseconds ${MILLISECONDS_DIGITS}`;
  }
  if (mode === 'header' || !isMilliseconds(Number(text))) return undefined;
  return 'the timestamp is in milliseconds; body mode takes seconds';
}

/** Warns about common fields of a body without the type of D1 2.1 (reading `types=strict`). */
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

export function limitWarnings(
  mode: SignatureMode,
  entries: readonly Entry[],
  { apiKey }: Credentials,
  readings: AllReadings,
): string[] {
  const find = (wanted: string): string | undefined =>
    entries.find(({ name, source }) => source !== 'business' && sameName(name, wanted))?.value;
  const [key = apiKey, seqId = '', timestamp, nonce] = COMMON_FIELDS.map((field) =>
    find(mode === 'body' ? field : HEADER_OF_FIELD[field]),
  );
  const version = find(SIGN_HEADERS.version) ?? PROTOCOL_VERSION.header;
  const faults: readonly (false | string | undefined)[] = [
    nonceWarning(nonce, mode, readings.nonce),
    seqId.length > MAX_SEQ_ID_LENGTH &&
      `the serial number has ${seqId.length} characters; the platform accepts at most ${MAX_SEQ_ID_LENGTH}`,
    timestampWarning(timestamp, mode),
    version !== PROTOCOL_VERSION.header &&
      `${SIGN_HEADERS.version} is ${version}; the platform accepts only ${PROTOCOL_VERSION.header}`,
    key !== apiKey && `the request's api_key is ${key}, but the secret belongs to ${apiKey}`,
  ];
  return faults.filter((fault) => typeof fault === 'string');
}
