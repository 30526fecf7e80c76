import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect, type PeerCertificate } from 'node:tls';
import { MopError, withDetails } from '../../errors.ts';
import { aborted, MAX_TIMER_MS } from '../../http/abort.ts';
import { bareHost } from '../../http/address.ts';
import { isUnreachable, networkError, ProxyFailure } from '../../http/network-error.ts';
import { type ProxySettings, proxyFor } from '../../http/proxy-for.ts';
import { type HttpResponse, overloadedHint } from '../../http/response.ts';
import { type Transport, trusting } from '../../http/transport.ts';
import { MAX_CLOCK_SKEW_SECONDS } from '../../protocol/limits.ts';
import { UNREACHABLE_HINT } from '../address.ts';
import { type Finding, failed, ok, reportable, skipped, warning, worstOf } from './finding.ts';

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
      hint: overloadedHint('platform'),
      httpStatus: status,
    }),
  );
}

export interface Reply {
  readonly status: number;
  /** From the request to the head of the answer. */
  readonly milliseconds: number;
  /** Our clock minus the server's; undefined when the answer has no `Date`. */
  readonly aheadSeconds: number | undefined;
}

export function readReply(
  { status, header }: Pick<HttpResponse, 'status' | 'header'>,
  asked: number,
  answered: number,
): Reply {
  const date = Date.parse(header('date') ?? '');
  // The server read its clock between the two times.
  const ours = (asked + answered) / 2;
  return {
    status,
    milliseconds: Math.round(answered - asked),
    aheadSeconds: Number.isNaN(date) ? undefined : Math.round((ours - date) / 1000),
  };
}

/** A clock that is off by this much may exceed the limit within weeks. */
const WARNING_SECONDS = 10;

/** The check `clock`: timestamps may be off by one minute at most (D1 4.1 rule 1). */
export function examineClock({ aheadSeconds }: Pick<Reply, 'aheadSeconds'>): Finding {
  if (aheadSeconds === undefined) return skipped('the answer has no Date to compare with');
  const seconds = Math.abs(aheadSeconds);
  if (seconds <= 1) return ok("it agrees with the platform's");
  const detail = `this machine is ${seconds} s ${aheadSeconds > 0 ? 'ahead of' : 'behind'} the platform`;
  const fix = 'set the clock of this machine, preferably with NTP';
  if (seconds > MAX_CLOCK_SKEW_SECONDS) {
    return failed(
      new MopError('auth', `${detail}, which accepts ${MAX_CLOCK_SKEW_SECONDS} s`, { hint: fix }),
    );
  }
  return seconds > WARNING_SECONDS ? warning(detail, fix) : ok(detail);
}

export interface NetworkOptions {
  readonly transport: Transport;
  /** The options of the transport, for steps that do not use the transport. */
  readonly proxy: ProxySettings;
  readonly ca: string | undefined;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
  /** The test environment admits listed addresses only (D1 4.1 rule 4); hints mention it. */
  readonly testEnvironment: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** One step on the route without a proxy, within the time-out; throws `network`. */
export async function step<T>(
  url: URL,
  { timeoutSeconds, signal }: Pick<NetworkOptions, 'timeoutSeconds' | 'signal'>,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(Math.min(Math.ceil(timeoutSeconds * 1000), MAX_TIMER_MS));
  const limit = AbortSignal.any([signal, timeout]);
  try {
    return await Promise.race([run(limit), aborted(limit)]);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const timedOut = Object.assign(new Error('time-out'), { code: 'ETIMEDOUT' });
    const cause = timeout.aborted ? timedOut : error;
    throw networkError(cause, { url, proxy: undefined, timeoutSeconds });
  }
}

export function networkFailure(
  error: unknown,
  { testEnvironment }: Pick<NetworkOptions, 'testEnvironment'>,
): MopError {
  const failure = reportable(error);
  const hinted = testEnvironment && isUnreachable(failure);
  return hinted ? reportable(withDetails(failure, { hint: UNREACHABLE_HINT })) : failure;
}

/** The check `dns`: whether the resolver of this machine finds the host. */
async function examineName(url: URL, options: NetworkOptions): Promise<Finding> {
  const host = bareHost(url.hostname);
  if (isIP(host)) return skipped(`${host} is an IP address`);
  try {
    const found = await step(url, options, () => lookup(host, { all: true }));
    return ok(`${host} is ${found.map(({ address }) => address).join(', ')}`);
  } catch (error) {
    return failed(networkFailure(error, options));
  }
}

/**
 * A handshake without a proxy. Returns the error when there was no connection to speak TLS over.
 */
async function examineTls(url: URL, options: NetworkOptions): Promise<Finding | MopError> {
  const { ca, now } = options;
  const host = bareHost(url.hostname);
  let connected = false;
  try {
    const certificate = await step(url, options, async (signal) => {
      const socket = connect({
        host,
        port: Number(url.port || 443),
        // SNI does not allow an IP address; the certificate is still checked against it.
        servername: isIP(host) ? '' : host,
        ALPNProtocols: ['http/1.1'],
        ...trusting(ca),
      });
      socket.once('connect', () => {
        connected = true;
      });
      try {
        await once(socket, 'secureConnect', { signal });
        return socket.getPeerCertificate();
      } finally {
        socket.on('error', () => {}).destroy();
      }
    });
    return examineCertificate(certificate, now());
  } catch (error) {
    const failure = networkFailure(error, options);
    return connected ? failed(failure) : failure;
  }
}

const DAY_MS = 86_400_000;
/** Automatic renewals happen earlier than this. */
const FEW_DAYS = 14;

function examineCertificate(certificate: PeerCertificate, now: number): Finding {
  const { subject, subjectaltname, issuer, valid_to } = certificate;
  const end = Date.parse(valid_to);
  const day = new Date(end).toISOString().slice(0, 10);
  const subjectName = subject?.CN ?? subjectaltname ?? 'no name';
  const issuerName = [issuer?.O, issuer?.CN].filter(Boolean).join(' ') || 'no name';
  const detail = `the certificate of ${subjectName}, issued by ${issuerName}, is valid until ${day}`;
  const daysLeft = Math.floor((end - now) / DAY_MS);
  return daysLeft < FEW_DAYS
    ? warning(
        `${detail} (days left: ${daysLeft})`,
        'ask the operator of the server to renew it in time',
      )
    : ok(detail);
}
