import { CloseCode } from 'graphql-ws';
import type WebSocket from 'ws';
import { MopError } from '../errors.ts';
import { timeoutHint } from '../http/network-error.ts';
import type { SocketReader } from '../http/socket-reader.ts';

export interface Closed {
  readonly code: number;
  readonly reason: string;
  /** Whether {@link watchSilence} terminated the connection. */
  readonly isSilent: boolean;
}

/**
 * Terminates a connection if nothing, not even a pong, arrives within the time-out, or if the
 * server does not acknowledge the connection within it.
 */
export function watchSilence(socket: WebSocket, reader: SocketReader, timeoutSeconds: number) {
  let isAcknowledged = false;
  let heard = true;
  let isSilent = false;
  const hear = (): void => {
    heard = true;
  };
  socket.on('message', hear).on('pong', hear).on('ping', hear);
  const timer = setInterval(() => {
    // The socket is paused, so the server cannot send: its silence is not a time-out.
    if (reader.isBehind) return;
    if (!heard || !isAcknowledged) {
      isSilent = true;
      socket.terminate();
      return;
    }
    heard = false;
    socket.ping();
  }, timeoutSeconds * 1000);
  return {
    /** Call this when the server acknowledges the connection. */
    acknowledged: (): void => {
      isAcknowledged = true;
    },
    stop: () => clearInterval(timer),
    closed: new Promise<Closed>((resolve) => {
      socket.once('close', (code, reason) => resolve({ code, reason: String(reason), isSilent }));
    }),
  };
}

/** The hint for a connection that the server refuses. */
export const CREDENTIAL_HINT =
  'if the server requires a credential, send one: --connection-params JSON, or -H';

/** Close codes for a rejected client. */
const REFUSALS: readonly number[] = [
  CloseCode.BadRequest,
  CloseCode.Unauthorized,
  CloseCode.Forbidden,
  CloseCode.SubprotocolNotAcceptable,
  CloseCode.SubscriberAlreadyExists,
  CloseCode.TooManyInitialisationRequests,
];

/** The error for a connection that ended before its operation. */
export function closedError(
  { code, reason, isSilent }: Closed,
  { host }: URL,
  timeoutSeconds: number,
): MopError {
  if (isSilent) {
    return new MopError('network', `${host} was silent for ${timeoutSeconds} s (time-out)`, {
      hint: timeoutHint(timeoutSeconds),
    });
  }
  const why = reason === '' ? `${code}` : `${code}: ${reason}`;
  if (REFUSALS.includes(code)) {
    return new MopError('api', `${host} closed the connection (${why})`, {
      hint: CREDENTIAL_HINT,
    });
  }
  return new MopError('network', `${host} closed the connection before the end (${why})`, {
    hint: 'run it again; --verbose shows the exchange',
  });
}
