import { MopError } from '../errors.ts';

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
  /** The counts of undici's socket. */
  socket?: { readonly bytesRead?: number };
}

/** The consequences of a failure for retries, and for other requests. */
interface Consequences {
  /** False when the request cannot have reached the server. */
  readonly sent?: false;
  /** False when another attempt would fail in the same way. */
  readonly transient?: false;
  /** Set when no connection was established: then other requests fail too. */
  readonly systematic?: 'connection';
}

type Failure = readonly [message: string, hint: string, consequences?: Consequences];

const UNSENT = { sent: false, systematic: 'connection' } as const;
const FINAL = { ...UNSENT, transient: false } as const;

const HTTP_1 =
  'enable HTTP/1.1 on the server, or put a reverse proxy in front of it that accepts HTTP/1.1';
const DNS = 'check the spelling of the address, and the DNS or VPN of this machine';
const RUNNING = 'check that the server runs, and the host and the port of the address';
const NETWORK = 'check the network of this machine';
const FILES = 'lower the concurrency, or raise the limit: ulimit -n';
const FIREWALL = 'a firewall may drop the packets; otherwise wait longer (--timeout)';
/** The hint for a time-out. */
export const LONGER = 'wait longer (--timeout), or try again';
const SCHEME = 'check the scheme and the port of the address: the port may speak https';
const SECURE = 'write the address with https:// or wss://';
const PERHAPS_SECURE =
  'if the port needs TLS, write the address with https:// or wss://; otherwise try again';
const BROKEN = 'the connection to {host} broke: {reason}';
const AGAIN =
  'try again; if it persists, check the proxies and load balancers on the path to the server';

/** The first that matches {@link kindOf} counts. `{name}` is a value of {@link valuesOf}. */
const FAILURES: readonly (readonly [kind: RegExp, ...Failure])[] = [
  [/^HTTP2$/, '{host} speaks only HTTP/2, and mop speaks HTTP/1.1', HTTP_1, FINAL],
  [/^SPEAKS_TLS$/, '{host} speaks TLS, but its address begins with {scheme}', SECURE, FINAL],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'cannot find the host {hostname} (DNS, {code})', DNS, UNSENT],
  [/^ECONNREFUSED$/, '{host} refused the connection', RUNNING, UNSENT],
  [/^E(?:HOST|NET)UNREACH$/, 'there is no route to {host} ({code})', NETWORK, UNSENT],
  [/^EADDRNOTAVAIL$/, 'there is no route to {host} ({code})', NETWORK, UNSENT],
  [/^E[MN]FILE$/, 'too many open files on this machine ({code})', FILES, { sent: false }],
  [
    /CONNECT_TIMEOUT$|^ETIMEDOUT$/,
    'no connection to {host} within {seconds} s (time-out)',
    FIREWALL,
    UNSENT,
  ],
  [/^UND_ERR_HEADERS_TIMEOUT$/, '{host} sent no answer within {seconds} s (time-out)', LONGER],
  [/^UND_ERR_BODY_TIMEOUT$/, '{host} stopped sending for {seconds} s (time-out)', LONGER],
  [/^NOT_HTTP$/, 'the connection to {host} broke: its answer is not HTTP/1.1', SCHEME],
  [/^NO_ANSWER$/, BROKEN, PERHAPS_SECURE],
  [/^NO_HANDSHAKE$/, BROKEN, AGAIN, UNSENT],
  // undici's error for bad arguments is a bug of the caller, not a network failure.
  [/^(?:\w+ )?(?:UND_ERR_(?!INVALID_ARG)|HPE_|E[A-Z]+$)/, BROKEN, AGAIN],
];

const CLOCK = 'check the clock of this machine; otherwise the server needs a new certificate';
const CA =
  'trust a private certificate authority with its PEM file (ca-file) or NODE_EXTRA_CA_CERTS';
const NAME = 'check the address: its host name must match the certificate';
const PLAIN =
  'check the scheme, the host and the port of the address: a server without TLS needs http:// or ws://';
const CLIENT =
  'the server may need another TLS version or a client certificate; openssl s_client shows its answer';

/** Failures of TLS: their kind, reason and hint. The first that matches counts. */
const TLS_FAILURES: readonly (readonly [kind: RegExp, reason: string, hint: string])[] = [
  [/^CERT_HAS_EXPIRED$/, 'the certificate has expired', CLOCK],
  [/^CERT_NOT_YET_VALID$/, 'the certificate is not valid yet', CLOCK],
  [/^(?:DEPTH_ZERO_)?SELF_SIGNED_CERT/, 'the certificate is self-signed', CA],
  [/^UNABLE_TO_(?:VERIFY|GET_ISSUER)/, 'the certificate authority is not trusted', CA],
  [/ALTNAME_INVALID$|^HOSTNAME_MISMATCH$/, 'the certificate is for another host', NAME],
  [/^NOT_TLS$/, 'the server does not speak TLS', PLAIN],
  [/^ERR_SSL|^(?:\w+ )?EPROTO/, '{reason} ({code})', CLIENT],
  [/^(?:ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|INVALID_CA|CRL_)/, '{reason} ({code})', CA],
];

/** A failure of the network as an error of code `network`. Returns any other error unchanged. */
export function networkError(thrown: unknown, route: Route): unknown {
  if (!(thrown instanceof Error) || thrown instanceof MopError) return thrown;
  const error = mostSpecific(thrown);
  const failure = proxyFailure(thrown, route) ?? failureOf(error, route);
  // It may contain credentials that the server repeats.
  delete error.data;
  delete error.rawPacket;
  if (!failure) return thrown;
  const [message, hint, { sent, transient, systematic } = {}] = failure;
  return new MopError('network', message, {
    hint,
    cause: thrown,
    sent,
    transient,
    systematic,
  });
}

function failureOf(error: SystemError, route: Route): Failure | undefined {
  const kind = kindOf(error, route);
  const values = valuesOf(error, route);
  const [, reason, hint = ''] = tlsFailure(kind) ?? [];
  if (reason !== undefined) {
    // An alert may refuse the client's certificate after the request was sent.
    const mayBeSent = /_ALERT|EPROTO/.test(kind);
    const consequences = mayBeSent ? { systematic: 'connection' as const } : UNSENT;
    return [filled(`TLS to {host} failed: ${reason}`, values), hint, consequences];
  }
  const failure = FAILURES.find(([known]) => known.test(kind));
  if (!failure) return undefined;
  const [, message, ...rest] = failure;
  return [filled(message, values), ...rest];
}

function tlsFailure(kind: string) {
  return TLS_FAILURES.find(([known]) => known.test(kind));
}

/** The start of a TLS record: an alert, or a handshake message. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: TLS is binary.
const TLS_RECORD = /^[\x15\x16]\x03/;

/** The first or last frame of an HTTP/2 connection (RFC 9113): SETTINGS or GOAWAY of stream 0. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the header of a frame is binary.
const HTTP2_FRAME = /^.{3}[\x04\x07].\0{4}/s;

/** The word for a failure in the tables above: a name, or the code of the error. */
function kindOf(error: SystemError, { url, proxy }: Route): string {
  const { code = '', syscall = '', name, message, rawPacket, socket } = error;
  const { data = rawPacket?.toString('latin1') ?? '', reason = message } = error;
  const isPlain = /^(?:http|ws):$/.test(url.protocol);
  if (TLS_RECORD.test(data) && isPlain) return 'SPEAKS_TLS';
  // The server may also refuse HTTP/1.1 in the TLS handshake (ALPN).
  if (HTTP2_FRAME.test(data) || code.endsWith('NO_APPLICATION_PROTOCOL')) return 'HTTP2';
  if (/wrong.version.number|packet.length.too.long/i.test(`${code} ${reason}`)) {
    return 'NOT_TLS';
  }
  // Some heads fail an assertion of undici.
  if (code === 'ERR_ASSERTION' || /^Response does not match|Expected HTTP\//.test(message)) {
    return 'NOT_HTTP';
  }
  // A server of TLS closes the connection at the first byte of HTTP.
  const isClosed = socket?.bytesRead === 0 || message === 'socket hang up';
  if (isPlain && !proxy && isClosed) return 'NO_ANSWER';
  // Node's words for the end of a connection in the handshake.
  if (message.includes('before secure TLS connection')) return 'NO_HANDSHAKE';
  // The same codes can end an established connection: then the request may have arrived.
  if (syscall === 'read' || syscall === 'write') return `${syscall} ${code}`;
  return code === '' && name === 'HTTPParserError' ? 'HPE_' : code;
}

function valuesOf({ code = '', reason, message }: SystemError, { url, timeoutSeconds }: Route) {
  return {
    code,
    reason: reason ?? (message.split('\n')[0] || code),
    host: url.host,
    hostname: url.hostname,
    scheme: `${url.protocol}//`,
    seconds: String(timeoutSeconds),
  };
}

function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for {${name}}`);
    return value;
  });
}

/** undici's message when a proxy refuses a tunnel. */
const ANSWER_OF_PROXY = /^Proxy (?:response|Authentication Required) \((\d{3})\)/;

const PROXY_REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its host is not found (DNS)',
  EAI_AGAIN: 'its host is not found (DNS)',
  ECONNREFUSED: 'it refused the connection',
  UND_ERR_CONNECT_TIMEOUT: 'it could not be reached in time (time-out)',
  UND_ERR_HEADERS_TIMEOUT: 'it opened no connection to the server in time (time-out)',
};

function proxyFailure(thrown: Error, route: Route): Failure | undefined {
  const { proxy } = route;
  if (!proxy || !(thrown instanceof ProxyFailure || ANSWER_OF_PROXY.test(thrown.message))) {
    return undefined;
  }
  const error = mostSpecific(thrown instanceof ProxyFailure ? thrown.cause : thrown);
  const status = ANSWER_OF_PROXY.exec(error.message)?.[1];
  const answer =
    status === '407' ? 'it rejected the credentials (HTTP 407)' : `it answered HTTP ${status}`;
  const [, tls] = tlsFailure(kindOf(error, route)) ?? [];
  const other = tls === undefined ? (PROXY_REASONS[error.code ?? ''] ?? '{reason}') : `TLS, ${tls}`;
  const reason = filled(status === undefined ? other : answer, valuesOf(error, route));
  const hint =
    'check the proxy (HTTPS_PROXY, HTTP_PROXY); NO_PROXY lists hosts to connect to directly';
  return [`the proxy ${proxy.host} failed: ${reason}`, hint, UNSENT];
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

const UNREACHABLE =
  /^(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|UND_ERR_(?:CONNECT|HEADERS)_TIMEOUT)$/;

const TIMEOUT = /^(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/;

/** The most specific error: a host with several addresses fails with one error for each. */
function mostSpecific(thrown: SystemError): SystemError {
  const { errors = [] } = thrown;
  return (
    errors.findLast(({ code }) => !/UNREACH$|^EADDRNOTAVAIL$/.test(code ?? '')) ??
    errors.at(-1) ??
    thrown
  );
}
