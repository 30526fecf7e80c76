/** Limits of D1 sections 2, 4 and 8 for client and sandbox. Lengths are in characters. */

export const MAX_API_KEY_LENGTH = 32;
export const MAX_SEQ_ID_LENGTH = 36;
export const NONCE_LENGTH = 10;
export const MAX_BILL_DATE_LENGTH = 32;
export const MAX_ENCRYPT_ID_LENGTH = 18;
export const SIGN_LENGTH = 32;
export const MAX_MESSAGE_LENGTH = 64;
export const MAX_HASH_TYPE_LENGTH = 32;
export const MAX_HASH_VALUE_LENGTH = 1024;
export const MAX_DOWNLOAD_URL_LENGTH = 2048;

/** Maximum difference between a request's timestamp and the server's clock (D1 4.1, rule 1). */
export const MAX_CLOCK_SKEW_SECONDS = 60;

/** The lifetime of a download link (D1 2.3). */
export const DOWNLOAD_LINK_SECONDS = 30;

/** The period whose bills can be requested (D1 4.1). */
export const BILL_WINDOW_MONTHS = 3;

/** The same period in days (reading `window=90d`). */
export const BILL_WINDOW_DAYS = 90;

/** Larger timestamps are milliseconds: in seconds, they would be after the year 5000. */
const FIRST_MILLISECONDS = 1e11;

/** A timestamp in seconds; header mode takes milliseconds too (D1 5.2). */
export function unixSeconds(timestamp: number): number {
  return isMilliseconds(timestamp) ? Math.floor(timestamp / 1000) : timestamp;
}

/** Digits of a timestamp: at most these in seconds (D1 2.1), and in milliseconds until 2286. */
export const MAX_TIMESTAMP_DIGITS = 11;
export const MILLISECONDS_DIGITS = 13;

export function isMilliseconds(timestamp: number): boolean {
  return timestamp >= FIRST_MILLISECONDS;
}
