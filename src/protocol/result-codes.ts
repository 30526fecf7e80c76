import ROWS from './result-codes.json' with { type: 'json' };
import HINTS from './result-hints.json' with { type: 'json' };

/** Whether a call that got this code is worth repeating: as it was, after a change, or not. */
type Retry = 'as-is' | 'after-fix' | 'no';

export interface ResultCode {
  readonly code: number;
  readonly meaning: string;
  /** The action of the provider, from the document. */
  readonly action: string;
  readonly retry: Retry;
}

export const SUCCESS = 0;
export const SERVICE_ERROR = -1;
export const PARAMETER_ERROR = 1001;
export const AUTHENTICATION_ERROR = 1002;
export const API_KEY_INVALID = 1003;
export const MOBILE_NUMBER_INVALID = 1004;
export const VEHICLE_TYPE_INVALID = 1011;
export const TIME_RANGE_INVALID = 1052;
export const TIMESTAMP_INVALID = 1055;
export const ILLEGAL_OPERATION = 2000;
export const ALREADY_ISSUED = 2303;

/** The hint for a call of mop that was refused with 1002 and stored. */
export const FIND_MISTAKE = 'to find the mistake, run: mop sign verify --last';

/** {@link FIND_MISTAKE} for a request of another program. */
export const FIND_MISTAKE_IN_FILE = HINTS['1002'];

/**
 * The table of D1 section 7, in its order.
 *
 * @example
 * ```ts
 * import { RESULT_CODES } from 'mop-cli';
 *
 * console.log(RESULT_CODES.filter(({ retry }) => retry === 'as-is').map(({ code }) => code));
 * // [ -1 ]
 * ```
 */
export const RESULT_CODES = ROWS as readonly ResultCode[];

/**
 * The row of D1 section 7 for `code`, or undefined for a code that the document does not list.
 *
 * @example
 * ```ts
 * import { findResultCode, type ResultCode } from 'mop-cli';
 *
 * const row: ResultCode | undefined = findResultCode(1055);
 * console.log(row?.meaning, row?.retry);
 * // Timestamp invalid after-fix
 * ```
 */
export function findResultCode(code: number): ResultCode | undefined {
  return RESULT_CODES.find((row) => row.code === code);
}

/** The hint for a code, or for its action; by default the action. */
export function resultHint({ code, action }: ResultCode): string {
  const hints: Readonly<Record<string, string | undefined>> = HINTS;
  return hints[code] ?? hints[action] ?? action;
}
