import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect, type PeerCertificate, rootCertificates } from 'node:tls';
import type { MopError } from '../../errors.ts';
import { type Finding, failed, ok, skipped, warning } from './finding.ts';
import { type NetworkOptions, networkFailure, step } from './step.ts';

const DAY_MS = 86_400_000;
/** A certificate that is renewed by itself is renewed before that. */
const FEW_DAYS = 14;

export interface TlsFindings {
  readonly tls: Finding;
  /** Why there was no connection to speak TLS over. */
  readonly unreachable?: MopError;
}

/** The check `tls`: a handshake without a proxy, with the certificates that the transport trusts. */
export async function examineTls(url: URL, options: NetworkOptions): Promise<TlsFindings> {
  const { ca, now } = options;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  let connected = false;
  try {
    const certificate = await step(url, options, async (signal) => {
      const socket = connect({
        host,
        port: Number(url.port || 443),
        // An address is no name to ask for, but the certificate is still checked against it.
        servername: isIP(host) ? '' : host,
        ALPNProtocols: ['http/1.1'],
        ...(ca && { ca: [...rootCertificates, ca] }),
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
    return { tls: examineCertificate(certificate, now()) };
  } catch (error) {
    const failure = networkFailure(error, options);
    if (connected) return { tls: failed(failure) };
    return { tls: skipped('there is no connection to speak it over'), unreachable: failure };
  }
}

function examineCertificate(certificate: PeerCertificate, now: number): Finding {
  const { subject, subjectaltname, issuer, valid_to } = certificate;
  const end = Date.parse(valid_to);
  const day = new Date(end).toISOString().slice(0, 10);
  const whose = subject?.CN ?? subjectaltname ?? 'no name';
  const by = [issuer?.O, issuer?.CN].filter(Boolean).join(' ') || 'no name';
  const detail = `the certificate of ${whose}, issued by ${by}, is valid until ${day}`;
  const daysLeft = Math.floor((end - now) / DAY_MS);
  return daysLeft < FEW_DAYS
    ? warning(
        `${detail} (days left: ${daysLeft})`,
        'whoever runs the server should renew it in time',
      )
    : ok(detail);
}
