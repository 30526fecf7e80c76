import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../http/address.ts';
import { type AllowedOrigins, isAllowedPage } from './cors.ts';

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
