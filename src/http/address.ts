import { isLoopback } from './loopback.ts';

/** Whether nobody on the network can read a request to `url`: TLS, or this machine. */
export function isPrivateTransport({ protocol, hostname }: URL): boolean {
  return (
    /^(?:https|wss):$/.test(protocol) || (/^(?:http|ws):$/.test(protocol) && isLoopback(hostname))
  );
}

/** Whether a file may be requested from `url`: http or https, and a private transport. */
export function isPrivateHttp(url: URL): boolean {
  return /^https?:$/.test(url.protocol) && isPrivateTransport(url);
}

/**
 * The fault of a configured address of a service, or undefined when it is usable. The address may
 * have a path prefix, but not the part that the documents fix (contract section 2).
 */
export function addressFault(address: string): string | undefined {
  if (!URL.canParse(address)) return 'it is not a URL';
  const url = new URL(address);
  if (!/^https?:$/.test(url.protocol)) return 'it is not an http or https address';
  if (url.username || url.password) return 'it carries a user or password';
  if (url.search || url.hash) return 'it has a query or fragment';
  if (/\/open\/v1(?:\/|$)|\/api\/(?:open|detect)(?:\/|$)/.test(url.pathname)) {
    return `leave out ${url.pathname}: mop adds the part that the documents fix`;
  }
  return undefined;
}

/** A ws or wss address as http or https; any other address is unchanged. */
export function httpUrl(url: URL): URL {
  return new URL(url.href.replace(/^ws/, 'http'));
}

/** An http or https address as ws or wss; any other address is unchanged. */
export function socketUrl(url: URL): URL {
  return new URL(url.href.replace(/^http/, 'ws'));
}

/** The fault of the address of a GraphQL endpoint, or undefined when it is usable. */
export function endpointFault(address: string): string | undefined {
  if (!URL.canParse(address)) return 'it is not a URL';
  const { protocol, username, password, hash } = new URL(address);
  if (!/^(?:https?|wss?):$/.test(protocol)) return 'it is not an http, https, ws or wss address';
  if (username || password) return 'it carries a user or password';
  return hash ? 'it has a fragment' : undefined;
}

/** A usable address without a slash at its end, so that a path can be appended. */
export function trimmedAddress(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/+$/, '');
}

/** A part of an address, decoded where its percent signs are valid. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A bare percent sign in a password.
    return text;
  }
}
