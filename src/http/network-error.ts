import { MopError, own, quoted } from '../errors.ts';
import { isLoopback } from './loopback.ts';
import type { AddressSource } from './request.ts';

/** A failure of the connection to the proxy, not beyond it. */
export class ProxyFailure extends Error {
  override readonly cause: Error;

  constructor(cause: Error) {
    super(cause.message);
    this.name = 'ProxyFailure';
    this.cause = cause;
  }
}

/** The destination of a connection, for classifying and describing its failure. */
export interface Route {
  readonly url: URL;
  /** The proxy for this address, which may have failed. */
  readonly proxy: URL | undefined;
  readonly timeoutSeconds: number;
  readonly addressFrom?: AddressSource | undefined;
}

interface SystemError extends Error {
  code?: string;
  syscall?: string;
  /** The text of OpenSSL, without its file names and line numbers. */
  reason?: string;
  errors?: SystemError[];
  /** The start of an answer that undici could not parse. */
  data?: string;
  /** The same, in errors of Node's client. */
  rawPacket?: Buffer;
}

/** The parts of a network error. */
interface Failure {
  readonly message: string;
  readonly hint: string;
  /** False when the request cannot have reached the server. */
  readonly sent?: false;
  /** False when another attempt would fail in the same way. */
  readonly transient?: false;
  /** Set when no connection was established: then other requests fail too. */
  readonly systematic?: 'connection';
}

/**
 * Describes a failure of DNS, the connection, TLS, the proxy or a time-out as an error of code
 * `network`. Returns any other error unchanged.
 */
export function networkError(thrown: unknown, route: Route): unknown {
  if (!(thrown instanceof Error) || thrown instanceof MopError) return thrown;
  const error = mostSpecific(thrown);
  const isHttp2 = speaksHttp2Only(error);
  // It may contain credentials that the server repeats.
  delete error.data;
  delete error.rawPacket;
  const failure =
    proxyFailure(thrown, route) ??
    (isHttp2 ? http2Only(route) : undefined) ??
    connectFailure(error, route) ??
    timeout(error, route) ??
    tlsFailure(error, route) ??
    brokenConnection(error, route);
  if (!failure) return thrown;
  const { message, hint, sent, transient, systematic } = failure;
  return new MopError('network', message, { hint, cause: thrown, sent, transient, systematic });
}

function proxyFailure(thrown: Error, { proxy }: Route): Failure | undefined {
  if (!proxy || !(thrown instanceof ProxyFailure || ANSWER_OF_PROXY.test(thrown.message))) {
    return undefined;
  }
  return unsent(
    `the proxy ${proxy.host} failed: ${proxyReason(thrown)}`,
    'check --proxy, HTTPS_PROXY and HTTP_PROXY; NO_PROXY lists hosts to connect to directly',
  );
}

/**
 * Whether a server refuses HTTP/1.1 in the TLS handshake (ALPN), or answers with the first or last
 * frame of an HTTP/2 connection (RFC 9113): SETTINGS or GOAWAY of stream 0.
 */
function speaksHttp2Only({
  code,
  rawPacket,
  data = rawPacket?.toString('latin1') ?? '',
}: SystemError): boolean {
  return code === 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL' || HTTP2_FRAME.test(data);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the header of a frame is binary.
const HTTP2_FRAME = /^.{3}[\x04\x07].\0{4}/s;

function http2Only({ url }: Route): Failure {
  return {
    message: `${url.host} speaks only HTTP/2, and mop speaks HTTP/1.1`,
    hint: 'enable HTTP/1.1 on the server, or put a reverse proxy in front of it that accepts HTTP/1.1',
    transient: false,
    systematic: 'connection',
  };
}

/** A connection that was never established: nothing was sent. */
function connectFailure({ code = '', syscall }: SystemError, route: Route): Failure | undefined {
  // The same codes can end an established connection: then the request may have arrived.
  if (syscall === 'read' || syscall === 'write') return undefined;
  const { host, hostname } = route.url;
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return unsent(
        `cannot find the host ${hostname} (DNS, ${code})`,
        `check the spelling of the ${addressOf(route)}, and the DNS or VPN of this machine`,
      );
    case 'ECONNREFUSED':
      return unsent(
        `${host} refused the connection`,
        `is the server running, and is the port correct? ${sourceOf(route)}`,
      );
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
      return unsent(`there is no route to ${host} (${code})`, 'check the network of this machine');
    case 'EMFILE':
    case 'ENFILE':
      return {
        message: `too many open files on this machine (${code})`,
        hint: 'lower --concurrency, or raise the limit: ulimit -n',
        sent: false,
      };
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return unsent(
        `no connection to ${host} within ${route.timeoutSeconds} s (time-out)`,
        `a firewall may drop the packets; ${timeoutHint(route.timeoutSeconds)}`,
      );
    default:
      return undefined;
  }
}

/** A server that was silent for too long on an established connection. */
function timeout({ code }: SystemError, { url, timeoutSeconds }: Route): Failure | undefined {
  const isBody = code === 'UND_ERR_BODY_TIMEOUT';
  if (!isBody && code !== 'UND_ERR_HEADERS_TIMEOUT') return undefined;
  const subject = isBody ? 'stopped sending for' : 'sent no answer within';
  return {
    message: `${url.host} ${subject} ${timeoutSeconds} s (time-out)`,
    hint: timeoutHint(timeoutSeconds),
  };
}

function tlsFailure(error: SystemError, route: Route): Failure | undefined {
  const { code = '' } = error;
  if (!TLS_CODES.test(code)) return undefined;
  const message = `TLS to ${route.url.host} failed: ${tlsReason(code, error)}`;
  const hint = tlsHint(code, route);
  // An alert may refuse the client's certificate after the request was sent.
  return /_ALERT|^EPROTO/.test(code)
    ? { message, hint, systematic: 'connection' }
    : unsent(message, hint);
}

function brokenConnection(error: SystemError, route: Route): Failure | undefined {
  const { url } = route;
  const { code = '', name, message } = error;
  if (isNotHttp(error)) {
    return {
      message: `the connection to ${url.host} broke: its answer is not HTTP/1.1`,
      hint: quoted`check the scheme and the port of the ${own(addressOf(route))}: the port may speak https`,
    };
  }
  if (!BROKEN.test(code) && name !== 'HTTPParserError') return undefined;
  const failure = {
    message: `the connection to ${url.host} broke: ${message || code}`,
    hint: 'try again; if it persists, check the proxies and load balancers on the path to the server',
  };
  // Node's words for the end of a connection in the handshake.
  return /before secure TLS connection/.test(message)
    ? unsent(failure.message, failure.hint)
    : failure;
}

function unsent(message: string, hint: string): Failure {
  return { message, hint, sent: false, systematic: 'connection' };
}

/** The hint for a time-out after this many seconds. */
export function timeoutHint(seconds: number): string {
  return `to wait longer, add --timeout ${seconds * 2}`;
}

/** The name of the address, in hints. */
function addressOf({ addressFrom }: Route): string {
  if (addressFrom === 'link') return 'link from the platform';
  return addressFrom === 'endpoint' ? 'endpoint' : 'configured address';
}

/** The source of the address, in hints. */
function sourceOf({ addressFrom }: Route): string {
  if (addressFrom === 'link') return 'the address comes from a link of the platform';
  return addressFrom === 'endpoint'
    ? 'the address comes from --endpoint, MOP_GQL_URL or gql_url'
    : 'mop config list shows the address';
}

/** Whether the host refused the connection or did not respond, as behind a firewall. */
export function isUnreachable({ details: { cause } }: MopError): boolean {
  return cause instanceof Error && UNREACHABLE.test(mostSpecific(cause).code ?? '');
}

/** Whether the error is a time-out, including one of the proxy. */
export function isTimeout({ details: { cause } }: MopError): boolean {
  if (!(cause instanceof Error)) return false;
  return [cause, cause.cause].some(
    (error) => error instanceof Error && TIMEOUT.test(mostSpecific(error).code ?? ''),
  );
}

/** The hint for an unreachable test environment of the platform (D1 4.1 rule 4). */
export const UNREACHABLE_HINT =
  'the test environment admits listed IP addresses only: is the address of this machine on the list?';

const UNREACHABLE =
  /^(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|UND_ERR_(?:CONNECT|HEADERS)_TIMEOUT)$/;

const TIMEOUT = /^(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/;

/** Whether undici could not parse the head of an answer; some heads fail one of its assertions. */
function isNotHttp({ code, message }: SystemError): boolean {
  return code === 'ERR_ASSERTION' || message.startsWith('Response does not match the HTTP');
}

/** undici's error for bad arguments is a bug of the caller, not a network failure. */
const BROKEN = /^(?:UND_ERR_(?!INVALID_ARG)|HPE_|E[A-Z]+$)/;

/** The most specific error: a host with several addresses fails with one error for each. */
function mostSpecific(thrown: SystemError): SystemError {
  const { errors = [] } = thrown;
  return (
    errors.findLast(({ code }) => !/UNREACH$|^EADDRNOTAVAIL$/.test(code ?? '')) ??
    errors.at(-1) ??
    thrown
  );
}

/** undici's message when a proxy refuses a tunnel. */
const ANSWER_OF_PROXY = /^Proxy (?:response|Authentication Required) \((\d{3})\)/;

const PROXY_REASONS: Record<string, string | undefined> = {
  ENOTFOUND: 'its host is not found (DNS)',
  EAI_AGAIN: 'its host is not found (DNS)',
  ECONNREFUSED: 'it refused the connection',
  UND_ERR_CONNECT_TIMEOUT: 'it could not be reached in time (time-out)',
  UND_ERR_HEADERS_TIMEOUT: 'it opened no connection to the server in time (time-out)',
};

function proxyReason(thrown: Error): string {
  const error = mostSpecific(thrown instanceof ProxyFailure ? thrown.cause : thrown);
  const status = ANSWER_OF_PROXY.exec(error.message)?.[1];
  if (status === '407') return 'it rejected the credentials (HTTP 407)';
  if (status !== undefined) return `it answered HTTP ${status}`;
  const code = error.code ?? '';
  if (TLS_CODES.test(code)) return `TLS, ${tlsReason(code, error)}`;
  return PROXY_REASONS[code] ?? (error.message || code);
}

const TLS_CODES =
  /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|CRL_)/;

const NOT_TLS = 'the server does not speak TLS';
const UNTRUSTED = 'the certificate authority is not trusted';

const TLS_REASONS: Record<string, string | undefined> = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
  HOSTNAME_MISMATCH: 'the certificate is for another host',
  ERR_SSL_WRONG_VERSION_NUMBER: NOT_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NOT_TLS,
};

function tlsReason(code: string, { reason, message }: SystemError): string {
  return TLS_REASONS[code] ?? `${reason ?? message.split('\n')[0]} (${code})`;
}

function tlsHint(code: string, route: Route): string {
  const address = addressOf(route);
  if (/^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/.test(code)) {
    return 'check the clock of this machine; otherwise the server needs a new certificate';
  }
  if (/ALTNAME_INVALID$|^HOSTNAME_MISMATCH$/.test(code)) {
    return quoted`check the ${own(address)}: its host name must match the certificate`;
  }
  if (TLS_REASONS[code] === NOT_TLS) {
    return isLoopback(route.url.hostname)
      ? quoted`check the scheme and the port of the ${own(address)}: a server without TLS needs http://`
      : quoted`check the host and the port of the ${own(address)}: this server does not use TLS`;
  }
  return /^(?:ERR_SSL|EPROTO)/.test(code)
    ? quoted`the server may need another TLS version or a client certificate; try: openssl s_client -connect ${`${route.url.hostname}:${route.url.port || 443}`}`
    : 'trust a private certificate authority with --ca-file FILE (PEM) or NODE_EXTRA_CA_CERTS';
}
