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
export const FIND_MISTAKE_IN_FILE =
  'to find the mistake, save the request and run: mop sign verify @request.json';

export const CHECK_AND_RETRY = 'Check parameters, retry';
const COUPON_CLAIM = 'Applies to the coupon-claim operation';
const CEILING = 'The card cannot be issued to this user at the current time';

type Row = readonly [code: number, meaning: string, action?: string, retry?: Retry];

/** The table of D1 section 7, in its order. */
const ROWS: readonly Row[] = [
  [SUCCESS, 'Success', '-', 'no'],
  [SERVICE_ERROR, 'Service error', 'Retry the call', 'as-is'],
  [PARAMETER_ERROR, 'Parameter error'],
  [AUTHENTICATION_ERROR, 'Authentication error'],
  [API_KEY_INVALID, 'api_key invalid'],
  [MOBILE_NUMBER_INVALID, 'Mobile number invalid'],
  [1005, 'ID card number invalid'],
  [1006, 'Gender invalid'],
  [1007, 'Plate number invalid'],
  [1008, 'Registration date invalid'],
  [1009, 'Issue date invalid'],
  [1010, 'Usage nature invalid'],
  [VEHICLE_TYPE_INVALID, 'Vehicle type invalid'],
  [1012, 'First-issue date invalid'],
  [1013, 'Validity start date invalid'],
  [1014, 'Validity end date invalid'],
  [1015, 'Goods price invalid'],
  [1016, 'Order fee invalid'],
  [1050, 'Page number invalid'],
  [1051, 'Page size invalid'],
  [TIME_RANGE_INVALID, 'Time range invalid'],
  [1053, 'Fused vehicle model invalid'],
  [1054, 'Vehicle information service abnormal'],
  [TIMESTAMP_INVALID, 'Timestamp invalid'],
  [1056, 'Number of fused vehicle model entries invalid'],
  [ILLEGAL_OPERATION, 'Illegal operation'],
  [2001, 'Batch does not exist'],
  [2002, 'Batch not started'],
  [2003, 'Batch already ended'],
  [2004, 'Coupon-claim record does not exist'],
  [2005, "User's coupon count reached the cap", COUPON_CLAIM, 'no'],
  [2006, 'Batch has no stock', COUPON_CLAIM, 'no'],
  [2301, 'Savings-card validity exceeds the ceiling', CEILING, 'no'],
  [2302, 'No savings-card stock', 'Purchase by top-up, retry'],
  [ALREADY_ISSUED, 'Already issued successfully', 'No retry needed', 'no'],
];

/**
 * @example
 * ```ts
 * import { RESULT_CODES } from 'mop-cli';
 *
 * console.log(RESULT_CODES.filter(({ retry }) => retry === 'as-is').map(({ code }) => code));
 * // [ -1 ]
 * ```
 */
export const RESULT_CODES: readonly ResultCode[] = ROWS.map(
  ([code, meaning, action = CHECK_AND_RETRY, retry = 'after-fix']) => {
    return { code, meaning, action, retry };
  },
);

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
