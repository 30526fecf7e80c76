import { isIP } from 'node:net';
import { bareHost, isLoopback } from './address.ts';
import { proxyUrl } from './proxy.ts';

export interface ProxySettings {
  /** The proxies for http and for https addresses. */
  readonly http?: string | undefined;
  readonly https?: string | undefined;
  /** Hosts to connect to directly, comma-separated, as in NO_PROXY. */
  readonly except?: string | undefined;
}

/** The proxy for an exchange with `url`; undefined for a direct connection. */
export function proxyFor(url: URL, settings: ProxySettings): URL | undefined {
  const plain = url.protocol === 'http:';
  const text = plain ? settings.http : settings.https;
  if (!text || isExempt(url, settings.except ?? '')) return undefined;
  const proxy = proxyUrl(text);
  // Plain http to this machine bypasses the proxy of another machine, which could read it and
  // cannot reach this machine.
  const bypassesProxy = plain && isLoopback(url.hostname) && !isLoopback(proxy.hostname);
  return bypassesProxy ? undefined : proxy;
}

/** Whether NO_PROXY names the host or a domain above it, for any port or for this one. */
function isExempt({ hostname, protocol, port }: URL, except: string): boolean {
  if (except === '*') return true;
  const host = bareHost(hostname);
  const ownPort = port || (protocol === 'https:' ? '443' : '80');
  const entries = except.toLowerCase().split(/[,\s]+/);
  return entries.filter(Boolean).some((entry) => {
    // The last group of an IPv6 address is not a port.
    const [, name = entry, only] = (isIP(entry) === 0 && /^(.+):(\d+)$/.exec(entry)) || [];
    const domain = bareHost(name.replace(/^\*?\./, ''));
    const matches = host === domain || host.endsWith(`.${domain}`);
    return matches && (only === undefined || only === ownPort);
  });
}
