import { isLoopback } from '../http/loopback.ts';
import type { SignatureMode } from '../protocol/operations.ts';

/** Whether what travels to `url` is safe from readers on the way: https, or this machine. */
export function isPrivateTransport(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

/** The setting that holds the address for a mode, in the test environment or another (D1 4.0). */
export function addressSetting(mode: SignatureMode, test: boolean) {
  return `${mode === 'header' ? 'open_' : ''}${test ? 'test_' : ''}base_url` as const;
}

/**
 * What is wrong with a configured address of the platform (D1 4.0), or undefined when it is
 * usable. It may carry a path prefix, but not the part that the documents fix.
 */
export function addressFault(address: string): string | undefined {
  if (!URL.canParse(address)) return 'it is not a URL';
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'it is not an https address';
  if (!isPrivateTransport(url)) return 'plain http is accepted for this machine only; use https';
  if (url.username || url.password) return 'it carries a user or password';
  if (url.search || url.hash) return 'it has a query or fragment';
  if (/\/open\/v1(?:\/|$)|\/api\/(?:open|detect)(?:\/|$)/.test(url.pathname)) {
    return `leave out ${url.pathname}: mop adds the part that the documents fix`;
  }
  return undefined;
}
