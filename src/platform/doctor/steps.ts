import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect, type PeerCertificate } from 'node:tls';
import { type MopError, withDetails } from '../../errors.ts';
import { aborted, MAX_TIMER_MS } from '../../http/abort.ts';
import { bareHost } from '../../http/loopback.ts';
import { isUnreachable, networkError } from '../../http/network-error.ts';
import type { ProxySettings } from '../../http/proxy-for.ts';
import { type Transport, trusting } from '../../http/transport.ts';
import { UNREACHABLE_HINT } from '../address.ts';
import { type Finding, failed, ok, reportable, skipped, warning } from './finding.ts';

/** Options of the network checks. */
export interface NetworkOptions {
  readonly transport: Transport;
  /** The options of the transport, for steps that do not use the transport. */
  readonly proxy: ProxySettings;
  readonly ca: string | undefined;
  /** For each step. */
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

/** A failure of the network as a check reports it. */
export function networkFailure(
  error: unknown,
  { testEnvironment }: Pick<NetworkOptions, 'testEnvironment'>,
): MopError {
  const failure = reportable(error);
  const hinted = testEnvironment && isUnreachable(failure);
  return hinted ? reportable(withDetails(failure, { hint: UNREACHABLE_HINT })) : failure;
}

/** The check `dns`: whether the resolver of this machine finds the host. */
export async function examineName(url: URL, options: NetworkOptions): Promise<Finding> {
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
export async function examineTls(url: URL, options: NetworkOptions): Promise<Finding | MopError> {
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
