import { withoutEnd } from '../any-length.ts';
import { quoted } from '../errors.ts';

/** Whether requests to `url` are unreadable on the network: TLS or loopback. */
export function isPrivateTransport({ protocol, hostname }: URL): boolean {
  return (
    /^(?:https|wss):$/.test(protocol) || (/^(?:http|ws):$/.test(protocol) && isLoopback(hostname))
  );
}

/** Whether a file may be requested from `url`: http or https, and a private transport. */
export function isPrivateHttp(url: URL): boolean {
  return /^https?:$/.test(url.protocol) && isPrivateTransport(url);
}

/** The shell of Windows and files for environments keep quotation marks. */
const QUOTATION_MARKS = /^["'`“”‘’]|["'`“”‘’]$/g;

/** The path prefixes that the documents define (D1 4.0, D2). */
const DOCUMENTED_PATH = /\/open\/v1(?:\/|$)|\/api\/(?:open|detect)(?:\/|$)/;

/**
 * The fault of an address, which may have a path prefix, but no documented one (contract section
 * 2).
 */
export function addressFault(address: string): string | undefined {
  const fault = urlFault(address);
  if (fault !== undefined) return fault;
  const url = new URL(address);
  if (!/^https?:$/.test(url.protocol)) return 'it is not an http or https address';
  if (url.search || url.hash) return 'it has a query or fragment';
  if (DOCUMENTED_PATH.test(url.pathname)) {
    return quoted`remove ${url.pathname}; mop adds this path`;
  }
  return undefined;
}

/** Guesses the intended address: adds a scheme, and removes a documented prefix with its rest. */
export function correctedAddress(text: string): string {
  const address = withScheme(text.trim().replace(QUOTATION_MARKS, '').trim());
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  const end = url.pathname.search(DOCUMENTED_PATH);
  if (end !== -1) {
    url.pathname = url.pathname.slice(0, end);
    url.search = '';
    url.hash = '';
  }
  return withoutEnd(url.href, '/');
}

function withScheme(text: string): string {
  if (text === '' || /^(?:[a-z][a-z\d+.-]*:\/\/|https?:)/i.test(text)) return text;
  const plain = `http://${text.replace(/^\/+/, '')}`;
  const isThisMachine = URL.canParse(plain) && isLoopback(new URL(plain).hostname);
  return isThisMachine ? plain : plain.replace('http:', 'https:');
}

/** A ws or wss address as http or https; any other address is unchanged. */
export function httpUrl(url: URL): URL {
  return new URL(url.href.replace(/^ws/, 'http'));
}

/** An http or https address as ws or wss; any other address is unchanged. */
export function socketUrl(url: URL): URL {
  return new URL(url.href.replace(/^http/, 'ws'));
}

/** The fault of the address of a GraphQL endpoint, or undefined when it is valid. */
export function endpointFault(address: string): string | undefined {
  const fault = urlFault(address);
  if (fault !== undefined) return fault;
  const { protocol, hash } = new URL(address);
  if (!/^(?:https?|wss?):$/.test(protocol)) return 'it is not an http, https, ws or wss address';
  return hash ? 'it has a fragment' : undefined;
}

/** The fault of any address of a server. */
function urlFault(address: string): string | undefined {
  if (address.search(QUOTATION_MARKS) >= 0) return 'it has quotation marks around it';
  if (!URL.canParse(address)) return 'it is not a URL';
  if (/\s/.test(address.trim())) return 'it contains white space';
  const { username, password } = new URL(address);
  return username || password ? 'it contains a user or password' : undefined;
}

/** The origin and the path of a valid address, without trailing slashes: ready to append a path. */
export function trimmedAddress(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + withoutEnd(pathname, '/');
}

/** Decodes a part of an address; returns it unchanged if a percent sign is invalid. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // For example a bare percent sign in a password.
    return text;
  }
}

/** `isIP` of node:net would load the whole network stack, 1 ms, with every command. */
const LOOPBACK_V4 = /^127(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/;

/** Whether a host is a loopback address: `localhost`, `127.0.0.0/8` or `[::1]`. */
export function isLoopback(hostname: string): boolean {
  const host = bareHost(hostname).toLowerCase();
  return host === 'localhost' || host === '::1' || LOOPBACK_V4.test(host);
}

/** A host without the brackets that a URL puts around an IPv6 address. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
