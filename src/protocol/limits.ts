/** Field lengths and times of D1 sections 2, 4.1 and 8, used by the client and the sandbox alike. */

export const MAX_API_KEY_LENGTH = 32;
export const MAX_SEQ_ID_LENGTH = 36;
export const NONCE_LENGTH = 10;

/** How far a request's timestamp may be from the server's clock (D1 4.1, rule 1). */
export const MAX_CLOCK_SKEW_SECONDS = 60;

/** How long a download link is valid (D1 2.3). */
export const DOWNLOAD_LINK_SECONDS = 30;

/** How far back a bill can be asked for (D1 4.1). */
export const BILL_WINDOW_MONTHS = 3;
