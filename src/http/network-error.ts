import { MopError } from '../errors.ts';

/** What failed between here and the proxy, as opposed to beyond it. */
export class ProxyFailure extends Error {
  override readonly cause: Error;

  constructor(cause: Error) {
    super(cause.message);
    this.name = 'ProxyFailure';
    this.cause = cause;
  }
}

/** Where a connection was meant to go: what an error is told apart by. */
export interface Route {
  readonly url: URL;
  /** The proxy for addresses like this one; it may be what failed. */
  readonly proxy: URL | undefined;
  readonly timeoutSeconds: number;
  /** The address came with an answer, and not from the configuration. */
  readonly isLink?: boolean | undefined;
}

interface SystemError extends Error {
  code?: string;
  syscall?: string;
  /** What OpenSSL calls it, without its file names and line numbers. */
  reason?: string;
  errors?: SystemError[];
}

/**
 * Says what failed between here and the server: DNS, a refused connection, TLS, the proxy or a
 * time-out, as an error of code `network`. What is not a network failure is returned as it is.
 */
export function networkError(thrown: unknown, route: Route): unknown {
  if (!(thrown instanceof Error) || thrown instanceof MopError) return thrown;
  const error = decisive(thrown);
  const code = error.code ?? '';
  const { host } = route.url;
  const address = route.isLink ? 'link that the platform gave' : 'configured address';
  // The bytes of the answer, with all that a server may repeat.
  if ('data' in error) delete error.data;
  const fail = (message: string, hint: string, sent?: false): MopError =>
    new MopError('network', message, { hint, cause: thrown, sent });

  if (route.proxy && (thrown instanceof ProxyFailure || ANSWER_OF_PROXY.test(thrown.message))) {
    return fail(
      `the proxy ${route.proxy.host} failed: ${proxyReason(thrown)}`,
      'check --proxy, HTTPS_PROXY and HTTP_PROXY; NO_PROXY lists hosts that go without',
      false,
    );
  }

  const timeout = `${route.timeoutSeconds} s`;
  // The same codes can end a connection that stood: then the request may have arrived.
  switch (/^(?:read|write)$/.test(error.syscall ?? '') ? '' : code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return fail(
        `cannot find the host ${route.url.hostname} (DNS, ${code})`,
        `check the spelling of the ${address}, and the DNS or VPN of this machine`,
        false,
      );
    case 'ECONNREFUSED':
      return fail(
        `${host} refused the connection`,
        route.isLink
          ? `is the server running? its address stands in the ${address}`
          : 'is the server running, and the port right? mop config list shows the address in force',
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
    case 'EMFILE':
    case 'ENFILE':
      return fail(
        `too many open files on this machine (${code})`,
        'lower --concurrency, or raise the limit: ulimit -n',
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
    // Only a certificate is refused for certain before anything is sent.
    const sent = /^(?:ERR_SSL|EPROTO)/.test(code) ? undefined : false;
    return fail(`TLS to ${host} failed: ${tlsReason(code, error)}`, tlsHint(code, address), sent);
  }
  if (isNoHttp(error)) {
    return fail(
      `the connection to ${host} broke: what it answers is not HTTP/1.1`,
      'does that port speak https, or another protocol?',
    );
  }
  if (BROKEN.test(code) || error.name === 'HTTPParserError') {
    return fail(
      `the connection to ${host} broke: ${error.message || code}`,
      'try again; if it stays, look between here and the server (proxy, load balancer)',
    );
  }
  return thrown;
}

/** Whether the host turned a connection away or kept silent, as one behind a firewall does. */
export function isShutOut({ details: { cause } }: MopError): boolean {
  return cause instanceof Error && SHUT_OUT.test(decisive(cause).code ?? '');
}

/** Whether it took too long, also on the way to the proxy. */
export function isTimeout({ details: { cause } }: MopError): boolean {
  if (!(cause instanceof Error)) return false;
  return [cause, cause.cause].some(
    (error) => error instanceof Error && TIMEOUT.test(decisive(error).code ?? ''),
  );
}

/** What to do when the platform's test environment does that (D1 4.1 rule 4). */
export const SHUT_OUT_HINT =
  'the test environment admits listed IP addresses only: is the address of this machine on the list?';

const SHUT_OUT =
  /^(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|UND_ERR_(?:CONNECT|HEADERS)_TIMEOUT)$/;

const TIMEOUT = /^(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/;

/** How undici says that it cannot read the head of an answer; some of it makes it stumble. */
function isNoHttp({ code, message }: SystemError): boolean {
  return code === 'ERR_ASSERTION' || message.startsWith('Response does not match the HTTP');
}

/** Bad arguments are a bug of the caller, whatever undici calls them. */
const BROKEN = /^(?:UND_ERR_(?!INVALID_ARG)|HPE_|E[A-Z]+$)/;

/** A host with several addresses fails with one error for each, the address tried last included. */
function decisive(thrown: SystemError): SystemError {
  const { errors = [] } = thrown;
  return (
    errors.findLast(({ code }) => !/UNREACH$|^EADDRNOTAVAIL$/.test(code ?? '')) ??
    errors.at(-1) ??
    thrown
  );
}

/** How undici says that a proxy answered with something else than a way through. */
const ANSWER_OF_PROXY = /^Proxy (?:response|Authentication Required) \((\d{3})\)/;

const PROXY_REASONS: Record<string, string | undefined> = {
  ENOTFOUND: 'its host is not found (DNS)',
  EAI_AGAIN: 'its host is not found (DNS)',
  ECONNREFUSED: 'it refused the connection',
  UND_ERR_CONNECT_TIMEOUT: 'it could not be reached in time (time-out)',
  UND_ERR_HEADERS_TIMEOUT: 'it opened no connection to the server in time (time-out)',
};

function proxyReason(thrown: Error): string {
  const error = decisive(thrown instanceof ProxyFailure ? thrown.cause : thrown);
  const status = ANSWER_OF_PROXY.exec(error.message)?.[1];
  if (status === '407') return 'it wants other credentials (HTTP 407)';
  if (status !== undefined) return `it answered HTTP ${status}`;
  const code = error.code ?? '';
  if (TLS_CODES.test(code)) return `TLS, ${tlsReason(code, error)}`;
  return PROXY_REASONS[code] ?? (error.message || code);
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
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return 'what answers there is not TLS';
    default:
      return `${error.reason ?? error.message.split('\n')[0]} (${code})`;
  }
}

function tlsHint(code: string, address: string): string {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return 'check the clock of this machine; otherwise the server needs a new certificate';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return `check the ${address}: the name must be the one in the certificate`;
  }
  return /^(?:ERR_SSL|EPROTO)/.test(code)
    ? 'does the server speak TLS on that port, in a current version?'
    : 'with an authority of your own: --ca-file FILE (PEM), or NODE_EXTRA_CA_CERTS';
}
