// Defaults for points that the documents leave open, or mention once.

export const DEFAULT_TIME_ZONE = 'Asia/Shanghai';

/**
 * The zone for calculations. The zone of the platform has had a fixed offset since 1991. Loading
 * the data of a named zone takes 20 to 30 ms, a third of a short command.
 */
export function zoneOf(name: string): string {
  return name === DEFAULT_TIME_ZONE ? '+08:00' : name;
}

/** The time on T+1 at which bills are made, `HH:MM` (D1 4.1 rule 3). */
export const DEFAULT_READY_TIME = '10:00';

/** Hours after the ready time until a missing bill means that there were no trades. */
export const DEFAULT_LATE_HOURS = 12;

/** The header for the authorization of a download; D1 4.1 rule 6 does not name it. */
export const DEFAULT_AUTH_HEADER = 'Authorization';

/** Time-out without progress: while connecting, before the headers, between two chunks. */
export const DEFAULT_TIMEOUT_SECONDS = 30;

export const PROXY_PORT = 7801;

/** `HH:MM`. */
export const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** The path of the sandbox's GraphQL endpoint. D3 does not name one; this is the usual path. */
export const GRAPHQL_PATH = '/graphql';
