import type { ServerResponse } from 'node:http';
import { MopError } from '../errors.ts';
import { isTimeout } from '../http/network-error.ts';

/** The HTTP status for a request that was refused or got no answer. */
export function statusOf(error: MopError): number {
  const { code, details } = error;
  if (code === 'usage') return details.httpStatus ?? 400;
  if (code === 'network' && isTimeout(error)) return 504;
  if (code === 'io') return 507;
  return code === 'network' || code === 'config' ? 502 : 500;
}

/**
 * Answers with `{"error":{"code","message","hint"}}` (contract section 7), or closes the connection
 * when the answer has already started.
 */
export function answerError(
  outgoing: ServerResponse,
  status: number,
  { code, message, details }: Pick<MopError, 'code' | 'message' | 'details'>,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (outgoing.headersSent) {
    // Only a broken connection shows the client that the answer is incomplete.
    outgoing.destroy();
    return;
  }
  const body = JSON.stringify({ error: { code, message, hint: details.hint ?? null } });
  // A failed writeHead keeps the platform's reason phrase.
  outgoing.statusMessage = '';
  outgoing.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  });
  outgoing.end(body);
}

/** Any thrown value as an error to answer with. The answer shows no detail of a bug. */
export function toMopError(thrown: unknown): MopError {
  if (thrown instanceof MopError) return thrown;
  return new MopError('failure', 'the proxy failed: this is a bug in mop', {
    hint: 'start mop proxy with --log, send the request again, and report the printed error',
    cause: thrown,
  });
}
