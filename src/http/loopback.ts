import { isIP } from 'node:net';

/** Whether a host is this machine's own: `localhost`, `127.0.0.0/8` or `[::1]`. */
export function isLoopback(hostname: string): boolean {
  const host = bareHost(hostname).toLowerCase();
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** A host without the brackets that a URL puts around an IPv6 address. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
