import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../http/loopback.ts';

/** Origins whose pages may use a server; `*` means all, and `null` pages without an origin. */
export type AllowedOrigins = ReadonlySet<string>;

/** Whether a page of an allowed origin sent the request. */
export function isAllowedPage(
  { headers: { origin } }: Pick<IncomingMessage, 'headers'>,
  allowed: AllowedOrigins,
): boolean {
  return origin !== undefined && (allowed.has(origin) || allowed.has('*'));
}

/** The headers that let a page of an allowed origin read the answer (CORS). */
export function corsHeaders({ headers: { origin } }: IncomingMessage): Record<string, string> {
  if (origin === undefined) return {};
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': '*',
    Vary: 'Origin',
  };
}

/** Whether a request is a CORS preflight. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** The headers of the answer to a preflight request of an allowed origin (CORS). */
export function preflightHeaders(incoming: IncomingMessage): Record<string, string> {
  const { headers } = incoming;
  const isToPrivate = headers['access-control-request-private-network'] === 'true';
  return {
    ...corsHeaders(incoming),
    // Another method is answered with the reason, which the page can read.
    'Access-Control-Allow-Methods': headers['access-control-request-method'] ?? '',
    'Access-Control-Allow-Headers': headers['access-control-request-headers'] ?? '*',
    ...(isToPrivate && { 'Access-Control-Allow-Private-Network': 'true' }),
    'Access-Control-Max-Age': '600',
  };
}

/**
 * Whether a page of another site sent the request, from its own address or by DNS rebinding. Such a
 * page must neither spend the tokens of the model nor read the answer, unless its origin is allowed.
 */
export function isCrossSite(incoming: IncomingMessage, allowed?: AllowedOrigins): boolean {
  const { headers, method, socket } = incoming;
  const { origin, host } = headers;
  if (allowed && isAllowedPage(incoming, allowed)) return false;
  if (headers['sec-fetch-site'] === 'cross-site') return true;
  // Browsers omit Origin only when a page reads from its own site, which an attacker's site seems to
  // be after DNS rebinding. Without Origin, another method than GET is not from a page.
  if (origin === undefined && method !== 'GET') return false;
  if (!URL.canParse(`http://${host}`)) return true;
  const own = new URL(`http://${host}`);
  if (isLoopback(socket.localAddress ?? '') && !isLoopback(own.hostname)) return true;
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== own.host);
}
