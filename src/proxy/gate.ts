import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { bareHost, isLoopback } from '../http/address.ts';
import { type AllowedOrigins, isAllowedPage } from '../server/cors.ts';

export interface GateOptions {
  /** Origins whose pages may use the proxy. */
  readonly allowedOrigins: AllowedOrigins;
  /** Whether programs may reach the proxy by any host name. */
  readonly allowRemote: boolean;
}

/**
 * The reason to refuse a request: its page has an origin that is not allowed, or uses DNS rebinding.
 * Such a page would act with the credentials of the operator. Undefined when the request may pass.
 */
export function gateFault(
  incoming: IncomingMessage,
  { allowedOrigins, allowRemote }: GateOptions,
): string | undefined {
  const { origin, host = '', 'sec-fetch-site': site = 'none' } = incoming.headers;
  if (isAllowedPage(incoming, allowedOrigins)) return undefined;
  // The pages of this proxy have its own origin.
  if (origin !== undefined && origin !== `http://${host}`) {
    return `pages of ${origin} cannot use this proxy`;
  }
  if (site !== 'none' && site !== 'same-origin') {
    return 'pages of other sites cannot use this proxy';
  }
  // Browsers send Origin with each POST: a POST without it comes from a program.
  if (allowRemote && incoming.method === 'POST' && origin === undefined) return undefined;
  const name = hostName(host);
  const isOwn = name !== undefined && (isLoopback(name) || (allowRemote && isIP(name) !== 0));
  return isOwn ? undefined : `this proxy does not accept the host name ${JSON.stringify(host)}`;
}

export const GATE_HINT =
  'start mop proxy with --allow-origin ORIGIN for pages, or with --allow-remote for programs on other machines';

function hostName(host: string): string | undefined {
  return URL.canParse(`http://${host}`) ? bareHost(new URL(`http://${host}`).hostname) : undefined;
}
