import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../http/address.ts';

/** Origins whose pages may use a server; `*` means all, and `null` pages without an origin. */
export type AllowedOrigins = ReadonlySet<string>;

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

export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

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
 * Whether a page of another site sent the request, also by DNS rebinding. It must not spend the
 * tokens of the model.
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
