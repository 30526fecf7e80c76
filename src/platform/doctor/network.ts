import { MopError } from '../../errors.ts';
import { ProxyFailure } from '../../http/network-error.ts';
import { type ProxySettings, proxyFor } from '../../http/proxy-for.ts';
import { overloadedHint } from '../../http/response.ts';
import { examineClock, type Reply, readReply } from './clock.ts';
import { type Finding, failed, ok, reportable, skipped, worstOf } from './finding.ts';
import { examineName, examineTls, type NetworkOptions, networkFailure } from './steps.ts';

/** The checks of the route to the platform, in their order. */
export const NETWORK_CHECKS = ['dns', 'proxy', 'tls', 'reachable', 'clock'] as const;
type NetworkCheck = (typeof NETWORK_CHECKS)[number];
export type NetworkFindings = Readonly<Record<NetworkCheck, Finding>>;

/** Examines the route to an address, where a GET is harmless, up to the step that fails. */
export async function examineRoute(url: URL, options: NetworkOptions): Promise<NetworkFindings> {
  let proxy: URL | undefined;
  try {
    proxy = proxyFor(url, options.proxy);
  } catch (error) {
    return withRestSkipped({ proxy: failed(reportable(error)) }, 'the proxy cannot be used');
  }
  return proxy ? throughProxy(url, proxy, options) : directly(url, options);
}

export function mergeRoutes([first, ...others]: readonly [
  NetworkFindings,
  ...NetworkFindings[],
]): NetworkFindings {
  return findings((name) => worstOf([first[name], ...others.map((route) => route[name])]));
}

/** Adds skipped findings for the steps after a failed one. */
function withRestSkipped(found: Partial<NetworkFindings>, why: string): NetworkFindings {
  return findings((name) => found[name] ?? skipped(why));
}

function findings(findingOf: (name: NetworkCheck) => Finding): NetworkFindings {
  return Object.fromEntries(
    NETWORK_CHECKS.map((name) => [name, findingOf(name)]),
  ) as NetworkFindings;
}

async function directly(url: URL, options: NetworkOptions): Promise<NetworkFindings> {
  const proxy = skipped(reasonWithoutProxy(url, options.proxy));
  const dns = await examineName(url, options);
  if (dns.state === 'failed') return withRestSkipped({ dns, proxy }, 'the host is not found');
  const tls = isPlain(url) ? PLAIN : await examineTls(url, options);
  if (tls instanceof MopError) {
    const without = skipped('there is no connection');
    return { dns, proxy, tls: without, ...examineReply(tls, url) };
  }
  if (tls.state === 'failed') return withRestSkipped({ dns, proxy, tls }, 'TLS failed');
  return { dns, proxy, tls, ...examineReply(await ask(url, options), url) };
}

function reasonWithoutProxy(url: URL, { http, https, except }: ProxySettings): string {
  if (!(isPlain(url) ? http : https)) return 'no proxy is set';
  // The proxy applies to every address that is not exempt, loopback included.
  const loopback = 'http://127.0.0.1';
  return proxyFor(url, { http: loopback, https: loopback, except })
    ? 'plain http stays on this machine'
    : `NO_PROXY exempts ${url.hostname}`;
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
    return withRestSkipped({ dns, proxy: failed(failure) }, 'the proxy failed');
  }
  const proxy = ok(`${host} forwards to ${url.host}`);
  if (isPlain(url)) return { dns, proxy, tls: PLAIN, ...examineReply(reply, url) };
  // The tunnel was opened, but the handshake in it failed: nothing was sent.
  if (failure?.details.sent === false) {
    return withRestSkipped({ dns, proxy, tls: failed(failure) }, 'TLS failed');
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

/** Any answer of the host to a GET, or the failure of the request. */
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

/** The statuses of a gateway without a platform behind it. */
const GATEWAY_FAILURES: readonly number[] = [502, 503, 504];

function examineStatus({ status, milliseconds }: Reply, host: string): Finding {
  if (!GATEWAY_FAILURES.includes(status)) return ok(`${host} answered in ${milliseconds} ms`);
  return failed(
    new MopError('network', `${host} answered HTTP ${status}`, {
      hint: overloadedHint('platform', status),
      httpStatus: status,
    }),
  );
}
