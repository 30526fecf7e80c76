/** The published credentials of `mop sandbox`, valid only there. */
export const SANDBOX_CREDENTIALS = { apiKey: 'sandbox', secret: 'sandbox-secret' } as const;

export const SANDBOX_PORT = 7800;

/** The default number of orders in a bill of the type `all`. */
export const SANDBOX_ROWS = 200;

/** Bills are ready at the end of the day, so that a first command works at any time. */
export const SANDBOX_READY_TIME = '00:00';
