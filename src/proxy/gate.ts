import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { bareHost, isLoopback } from '../http/loopback.ts';

export interface GateOptions {
  /** Origins whose pages may use the proxy. */
  readonly allowedOrigins: ReadonlySet<string>;
  /** Whether programs may reach the proxy by any host name. */
  readonly allowRemote: boolean;
}

/**
 * The reason to refuse a request: its page has an origin that is not allowed, or uses DNS rebinding.
 * Such a page would act with the credentials of the operator. Undefined when the request may pass.
 */
export function gateFault(
  { headers, method }: IncomingMessage,
  { allowedOrigins, allowRemote }: GateOptions,
): string | undefined {
  const { origin, host = '', 'sec-fetch-site': site = 'none' } = headers;
  if (origin !== undefined) {
    return allowedOrigins.has(origin) ? undefined : `pages of ${origin} cannot use this proxy`;
  }
  if (site !== 'none' && site !== 'same-origin') {
    return 'pages of other sites cannot use this proxy';
  }
  // Browsers send Origin with each POST: a POST without it comes from a program.
  if (allowRemote && method === 'POST') return undefined;
  const name = hostName(host);
  const isOwn = name !== undefined && (isLoopback(name) || (allowRemote && isIP(name) !== 0));
  return isOwn ? undefined : `this proxy does not accept the host name ${JSON.stringify(host)}`;
}

export const GATE_HINT =
  'start mop proxy with --allow-origin ORIGIN for pages, or with --allow-remote for programs on other machines';

function hostName(host: string): string | undefined {
  return URL.canParse(`http://${host}`) ? bareHost(new URL(`http://${host}`).hostname) : undefined;
}

/** The headers that let a page of an allowed origin read the answer (CORS). */
export function corsHeaders({ headers: { origin } }: IncomingMessage): readonly string[] {
  if (origin === undefined) return [];
  return [
    ...['Access-Control-Allow-Origin', origin],
    ...['Access-Control-Expose-Headers', '*'],
    ...['Vary', 'Origin'],
  ];
}

/** The headers of the answer to a preflight request (CORS). */
export function preflightHeaders(incoming: IncomingMessage): string[] {
  const { headers } = incoming;
  return [
    ...corsHeaders(incoming),
    ...['Access-Control-Allow-Methods', 'POST'],
    ...['Access-Control-Allow-Headers', headers['access-control-request-headers'] ?? '*'],
    ...(headers['access-control-request-private-network'] === 'true'
      ? ['Access-Control-Allow-Private-Network', 'true']
      : []),
    ...['Access-Control-Max-Age', '600'],
  ];
}

/** Whether a request is a CORS preflight. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}
