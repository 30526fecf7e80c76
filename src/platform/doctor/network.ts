import { MopError } from '../../errors.ts';
import { ProxyFailure } from '../../http/proxy.ts';
import type { ProxySettings } from '../../http/proxy-for.ts';
import { proxyFor } from '../../http/proxy-for.ts';
import { examineTls, type TlsFindings } from './certificate.ts';
import { examineClock, type Reply, readReply } from './clock.ts';
import { type Finding, failed, ok, skipped, together } from './finding.ts';
import { examineName } from './name.ts';
import { type NetworkOptions, networkFailure } from './step.ts';

/** The checks of the way to the platform, in the order of the way. */
export const NETWORK_CHECKS = ['dns', 'proxy', 'tls', 'reachable', 'clock'] as const;
export type NetworkFindings = { readonly [name in (typeof NETWORK_CHECKS)[number]]: Finding };

/** Every check of the network skipped, for one reason. */
export function noNetwork(reason: string): NetworkFindings {
  const why = skipped(reason);
  return { dns: why, proxy: why, tls: why, reachable: why, clock: why };
}

/**
 * Goes the way to an address step by step; what lies beyond a step that failed is skipped.
 *
 * @param url Where a GET does no harm.
 */
export async function examineWay(url: URL, options: NetworkOptions): Promise<NetworkFindings> {
  const proxy = proxyFor(url, options.proxy);
  return proxy ? throughProxy(url, proxy, options) : directly(url, options);
}

/** The findings on several ways as one. */
export function mergeWays([first, ...others]: readonly [
  NetworkFindings,
  ...NetworkFindings[],
]): NetworkFindings {
  const merged = (name: keyof NetworkFindings): Finding =>
    together([first[name], ...others.map((way) => way[name])]);
  return {
    dns: merged('dns'),
    proxy: merged('proxy'),
    tls: merged('tls'),
    reachable: merged('reachable'),
    clock: merged('clock'),
  };
}

async function directly(url: URL, options: NetworkOptions): Promise<NetworkFindings> {
  const proxy = skipped(whyWithout(url, options.proxy));
  const dns = await examineName(url, options);
  if (dns.state === 'failed') return { ...noNetwork('the host is not found'), dns, proxy };

  const { tls, unreachable }: TlsFindings = isPlain(url)
    ? { tls: PLAIN }
    : await examineTls(url, options);
  if (tls.state === 'failed') return { ...noNetwork('TLS failed'), dns, proxy, tls };
  return { dns, proxy, tls, ...examineReply(unreachable ?? (await ask(url, options)), url) };
}

function whyWithout(url: URL, { http, https }: ProxySettings): string {
  if (!(isPlain(url) ? http : https)) return 'none is set';
  return proxyFor(url, { http, https })
    ? `NO_PROXY lets ${url.hostname} go without`
    : 'plain http stays on this machine';
}

async function throughProxy(
  url: URL,
  { host }: URL,
  options: NetworkOptions,
): Promise<NetworkFindings> {
  const dns = skipped(`the proxy looks up ${url.hostname}`);
  const reply = await ask(url, options);
  const failure = reply instanceof MopError ? reply : undefined;
  if (failure?.details.cause instanceof ProxyFailure) {
    return { ...noNetwork('the proxy failed'), dns, proxy: failed(failure) };
  }
  const proxy = ok(`${host} leads to ${url.host}`);
  if (isPlain(url)) return { dns, proxy, tls: PLAIN, ...examineReply(reply, url) };
  // There was a tunnel, and nothing was sent through it: the handshake in it failed.
  if (failure?.details.sent === false) {
    return { ...noNetwork('TLS failed'), dns, proxy, tls: failed(failure) };
  }
  const tls = failure
    ? skipped('there was no answer')
    : ok(`the certificate of ${url.hostname} is trusted`);
  return { dns, proxy, tls, ...examineReply(reply, url) };
}

const PLAIN = skipped('plain http, which stays on this machine');

function isPlain({ protocol }: URL): boolean {
  return protocol === 'http:';
}

/** What the host says to a GET, whatever that is, or why it says nothing. */
async function ask(url: URL, options: NetworkOptions): Promise<Reply | MopError> {
  const asked = options.now();
  try {
    const response = await options.transport.send({ method: 'GET', url, headers: [] });
    response.discard();
    return readReply(response, asked, options.now());
  } catch (error) {
    return networkFailure(error, options);
  }
}

function examineReply(
  reply: Reply | MopError,
  { host }: URL,
): Pick<NetworkFindings, 'reachable' | 'clock'> {
  if (reply instanceof MopError) {
    return { reachable: failed(reply), clock: skipped('there was no answer') };
  }
  return { reachable: examineStatus(reply, host), clock: examineClock(reply) };
}

/** What a gateway says when there is no platform behind it. */
const NOBODY_THERE: readonly number[] = [502, 503, 504];

function examineStatus({ status, milliseconds }: Reply, host: string): Finding {
  if (!NOBODY_THERE.includes(status)) return ok(`${host} answered in ${milliseconds} ms`);
  return failed(
    new MopError('network', `${host} answered HTTP ${status}`, {
      hint: 'the platform is overloaded or down; try again later',
      httpStatus: status,
    }),
  );
}
