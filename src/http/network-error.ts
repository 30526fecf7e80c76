import { MopError } from '../errors.ts';

/** Where a connection was meant to go: what an error is told apart by. */
export interface Route {
  readonly url: URL;
  /** Proxies in force; one of them may be what failed. */
  readonly proxies: readonly URL[];
  readonly timeoutSeconds: number;
}

interface SystemError extends Error {
  code?: string;
  hostname?: string;
  address?: string;
  port?: number;
  errors?: SystemError[];
}

/**
 * Says what failed between here and the server: DNS, a refused connection, TLS, the proxy or a
 * time-out, as an error of code `network`. What is not a network failure is returned as it is.
 */
export function networkError(thrown: unknown, route: Route): unknown {
  if (!(thrown instanceof Error) || thrown instanceof MopError) return thrown;
  // A host with several addresses fails with one error for each.
  const error = (thrown as SystemError).errors?.[0] ?? (thrown as SystemError);
  const code = error.code ?? (thrown as SystemError).code ?? '';
  const host = route.url.host;
  const fail = (message: string, hint: string, sent?: false): MopError =>
    new MopError('network', message, { hint, cause: thrown, sent });

  const proxy = failedProxy(error, route.proxies);
  if (proxy) {
    const why = PROXY_REASONS[code] ?? error.message;
    return fail(
      `the proxy ${proxy.host} failed: ${why}`,
      'check --proxy, HTTPS_PROXY and HTTP_PROXY; NO_PROXY lists hosts that go without',
      false,
    );
  }

  const timeout = `${route.timeoutSeconds} s`;
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return fail(
        `cannot find the host ${route.url.hostname} (DNS, ${code})`,
        'check the spelling of the configured address, and the DNS or VPN of this machine',
        false,
      );
    case 'ECONNREFUSED':
      return fail(
        `${host} refused the connection`,
        'is the server running, and the port right? mop config list shows the address in force',
        false,
      );
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
      return fail(
        `there is no route to ${host} (${code})`,
        'check the network of this machine',
        false,
      );
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return fail(
        `no connection to ${host} within ${timeout} (time-out)`,
        'a firewall may drop the packets; --timeout sets the limit',
        false,
      );
    case 'UND_ERR_HEADERS_TIMEOUT':
      return fail(
        `${host} sent no answer within ${timeout} (time-out)`,
        '--timeout sets the limit',
      );
    case 'UND_ERR_BODY_TIMEOUT':
      return fail(`${host} stopped sending for ${timeout} (time-out)`, '--timeout sets the limit');
  }
  if (TLS_CODES.test(code)) {
    return fail(`TLS to ${host} failed: ${tlsReason(code, error)}`, tlsHint(code), false);
  }
  if (/^(?:UND_ERR|HPE_|E[A-Z]+$)/.test(code)) {
    return fail(
      `the connection to ${host} broke: ${error.message || code}`,
      'try again; if it stays, look between here and the server (proxy, load balancer)',
    );
  }
  return thrown;
}

const PROXY_REASONS: Record<string, string | undefined> = {
  ENOTFOUND: 'its host is not found (DNS)',
  EAI_AGAIN: 'its host is not found (DNS)',
  ECONNREFUSED: 'it refused the connection',
  UND_ERR_CONNECT_TIMEOUT: 'it could not be reached in time',
  UND_ERR_PRX_TLS: 'its TLS certificate is not valid',
};

function failedProxy(error: SystemError, proxies: readonly URL[]): URL | undefined {
  if (/^Proxy response|^Proxy Authentication/.test(error.message)) return proxies[0];
  if (error.code === 'UND_ERR_PRX_TLS') return proxies[0];
  return proxies.find(
    ({ hostname, port, host }) =>
      error.hostname === hostname ||
      (error.address === hostname && String(error.port) === port) ||
      (error.code === 'UND_ERR_CONNECT_TIMEOUT' && error.message.includes(host)),
  );
}

const TLS_CODES =
  /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|CRL_)/;

function tlsReason(code: string, error: SystemError): string {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return 'the certificate has expired';
    case 'CERT_NOT_YET_VALID':
      return 'the certificate is not valid yet';
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return 'the certificate is self-signed';
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_GET_ISSUER_CERT':
      return 'the certificate comes from an authority that is not trusted here';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return 'the certificate is for another host';
    default:
      return `${error.message.split('\n')[0]} (${code})`;
  }
}

function tlsHint(code: string): string {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return 'check the clock of this machine; otherwise the server needs a new certificate';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return 'check the configured address: the name must be the one in the certificate';
    case 'EPROTO':
      return 'does the server speak TLS on that port?';
    default:
      return 'with an authority of your own: --ca-file FILE (PEM), or NODE_EXTRA_CA_CERTS';
  }
}
