import { setMaxListeners } from 'node:events';
import process from 'node:process';
import { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import { MopError } from '../errors.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '../protocol/defaults.ts';
import { credentialsIn, credentialsInText } from '../redaction/credentials.ts';
import { REDACTED, redactFields, SECRET_FIELDS } from '../redaction/redact.ts';
import { secretReplacer } from '../redaction/secrets.ts';
import { VERSION } from '../version.ts';
import { decodedBody } from './content-coding.ts';
import { headerPairs } from './headers.ts';
import { networkError } from './network-error.ts';
import { proxyAgent } from './proxy.ts';
import { type ProxySettings, proxyFor } from './proxy-for.ts';
import type { HttpRequest } from './request.ts';
import {
  DEFAULT_LIMIT,
  type HttpResponse,
  type HttpText,
  limitedBody,
  type ReadLimit,
  textResponse,
} from './response.ts';
import { isReadInParts, type Trace, traced, traceRequest, traceResponse } from './trace.ts';

export interface TransportOptions {
  /**
   * Time-out without progress: for the connection, for headers, and between chunks. Default 30.
   */
  readonly timeoutSeconds?: number | undefined;
  readonly proxy?: ProxySettings | undefined;
  /** PEM certificates to trust in addition to those of Node. */
  readonly ca?: string | undefined;
  /** Aborts every exchange, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Receives each line of each exchange, with secrets redacted. */
  readonly trace?: Trace | undefined;
}

/** A request of another program, with its final headers and body. */
export interface ForwardedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: HttpRequest['headers'];
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
  /** Aborts this exchange, which then throws the signal's reason. */
  readonly signal: AbortSignal;
  /** More values to redact from the trace of the answer: a body may be read while it is sent. */
  readonly secrets?: (() => readonly string[]) | undefined;
}

/** The answer to a forwarded request. */
export interface ForwardedAnswer {
  readonly status: number;
  readonly statusText: string;
  /** Alternating names and values, as received. */
  readonly headers: readonly string[];
  readonly body: AsyncIterable<Uint8Array>;
}

/** Reported like undici's time-out for headers, because it has the same code. */
class HeadersTimeout extends Error {
  readonly code = 'UND_ERR_HEADERS_TIMEOUT';
}

/**
 * HTTP/1.1 exchanges over one pool of connections. Close it when done.
 *
 * @example
 * ```ts
 * import {
 *   type HttpBody,
 *   type HttpRequest,
 *   type ProxySettings,
 *   type Sandbox,
 *   startSandbox,
 *   Transport,
 *   type TransportOptions,
 * } from 'mop-cli';
 *
 * const sandbox: Sandbox = await startSandbox();
 * const proxy: ProxySettings = { https: 'http://proxy.example:3128' };
 * const options: TransportOptions = { timeoutSeconds: 10, proxy };
 * const transport = new Transport(options);
 * const body: HttpBody | undefined = undefined;
 * const url = new URL('/api/health', sandbox.url);
 * const request: HttpRequest = { method: 'GET', url, headers: [], body };
 * const { status } = await transport.sendForText(request);
 * console.log(status);
 * // 200
 * await transport.close();
 * await sandbox.close();
 * ```
 */
export class Transport {
  readonly #direct: Dispatcher;
  readonly #proxySettings: ProxySettings;
  /** By address, opened on first use. */
  readonly #proxies = new Map<string, Dispatcher>();
  readonly #openProxy: (proxy: URL) => Dispatcher;
  readonly #timeoutSeconds: number;
  readonly #signal: AbortSignal | undefined;
  readonly #trace: Trace | undefined;
  #closed = false;

  constructor(options: TransportOptions = {}) {
    this.#timeoutSeconds = options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
    this.#signal = options.signal;
    this.#trace = options.trace;
    if (this.#signal) setMaxListeners(0, this.#signal);

    const { pool, connect } = connectionOptions(options);
    this.#direct = new Agent({ ...pool, connect });
    this.#proxySettings = options.proxy ?? {};
    this.#openProxy = (proxy) => proxyAgent({ proxy, pool, connect });
    // undici would reconnect after an abort. Node 20 ignores a signal aborted before the connection
    // is established, and the connection would keep the process alive.
    this.#signal?.addEventListener('abort', this.#abort, { once: true });
  }

  /**
   * Sends a request. Resolves when the headers of the response arrive, with any status.
   *
   * @throws {MopError} `network` for DNS, connection, TLS, proxy and time-outs.
   */
  async send(request: HttpRequest): Promise<HttpResponse> {
    const headers = [...request.headers, ...contentLength(request), ...defaultHeaders(request)];
    const trace = this.#traceFor(request.secrets);
    if (trace) traceRequest(trace, request, headers);
    const answer = await this.#exchange({ ...request, headers, body: bodyToSend(request) });
    const { status, content } = answer;
    const received = headerPairs(answer.headers).map(
      ([name, value]) => [name.toLowerCase(), value] as const,
    );
    if (trace) traceResponse(trace, answer, received);
    const values = (wanted: string) =>
      received.flatMap(([name, value]) => (name === wanted ? [value] : []));
    const codings = values('content-encoding').join(', ');
    const body = request.skipDecoding
      ? answer.body
      : decodedBody(answer.body, codings, status, request);
    const header = (name: string) => values(name)[0];
    return {
      status,
      header,
      body: trace && isReadInParts(header('content-type')) ? traced(body, trace) : body,
      discard: () => {
        content.on('error', () => {}).destroy();
      },
    };
  }

  /**
   * Sends a request unchanged. Resolves when the headers of the answer arrive.
   *
   * @throws {MopError} as {@link send}.
   */
  async forward(request: ForwardedRequest): Promise<ForwardedAnswer> {
    const { headers, body } = request;
    const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : undefined;
    // The answer may repeat the credentials of the client in any header.
    const secrets = [...credentialsIn(headers), ...credentialsInText(text ?? '', SECRET_FIELDS)];
    const trace = this.#traceFor(secrets);
    if (trace) traceRequest(trace, { ...request, body: text }, headers);
    // undici sends any iterable; its types allow fewer.
    const answer = await this.#exchange({ ...request, body: body as Readable });
    const answerTrace = this.#traceFor([...secrets, ...(request.secrets?.() ?? [])]);
    if (answerTrace) traceResponse(answerTrace, answer, headerPairs(answer.headers));
    return answer;
  }

  async #exchange(
    request: Pick<HttpRequest, 'url' | 'headers' | 'signal' | 'isStream'> & {
      readonly method: string;
      readonly body: string | Readable | null;
    },
  ) {
    const { url, method, body, headers, isStream } = request;
    const signals = [request.signal, this.#signal].filter((signal) => signal !== undefined);
    const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
    signal?.throwIfAborted();
    const proxy = proxyFor(url, this.#proxySettings);
    const route = { url, proxy, timeoutSeconds: this.#timeoutSeconds };
    const fail = (error: unknown): never => {
      if (signal?.aborted) throw signal.reason;
      if (this.#closed) throw closedError(error);
      throw networkError(error, route);
    };
    const answer = await (proxy ? this.#through(proxy) : this.#direct)
      .request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: method as Dispatcher.HttpMethod,
        headers: headers.flat(),
        body,
        signal: signal ?? null,
        responseHeaders: 'raw',
        onInfo: this.#interimLimit(),
        ...(isStream && { bodyTimeout: 0 }),
      })
      .catch(fail);
    return {
      status: answer.statusCode,
      statusText: answer.statusText,
      // undici's types ignore `responseHeaders: 'raw'`.
      headers: answer.headers as unknown as readonly string[],
      content: answer.body,
      body: withFailures(answer.body, fail),
    };
  }

  /**
   * One exchange with the body read as a whole.
   *
   * @param limit Default 16 MiB.
   * @throws {MopError} as {@link send} and {@link read}.
   */
  async sendForText(request: HttpRequest, limit?: ReadLimit): Promise<HttpText> {
    return this.read(request, await this.send(request), limit);
  }

  /**
   * Reads the body of a response into memory. For a status of 300 or more, only the start of a body
   * that exceeds the limit.
   *
   * @throws {MopError} `api` for a larger body, and the errors of reading it.
   */
  async read(
    request: HttpRequest,
    response: HttpResponse,
    limit: ReadLimit = DEFAULT_LIMIT,
  ): Promise<HttpText> {
    const chunks: Uint8Array[] = [];
    try {
      for await (const chunk of limitedBody(response, request, limit)) chunks.push(chunk);
    } finally {
      response.discard();
    }
    const answer = textResponse(response, Buffer.concat(chunks));
    const { length } = answer.text;
    if (this.#trace && length > MAX_TRACED_BODY) this.#trace(`< (${length} characters)`);
    else if (this.#trace) {
      // The answer may repeat its own credentials under other names.
      const secrets = [...(request.secrets ?? []), ...credentialsInText(answer.text)];
      this.#traceFor(secrets)?.(`< ${redactFields(answer.text)}`);
    }
    return answer;
  }

  /** Closes every connection immediately. Exchanges in progress fail, and are not retried. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#signal?.removeEventListener('abort', this.#abort);
    const dispatchers = [this.#direct, ...this.#proxies.values()];
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.destroy()));
  }

  readonly #abort = (): void => {
    void this.close();
  };

  #through(proxy: URL): Dispatcher {
    const open = this.#proxies.get(proxy.href) ?? this.#openProxy(proxy);
    this.#proxies.set(proxy.href, open);
    return open;
  }

  /** undici's own time-out starts again at each interim response (1xx). */
  #interimLimit(): () => void {
    // Loading `performance` takes 1.6 ms in Node 20.
    const started = process.uptime();
    return () => {
      if (process.uptime() - started > this.#timeoutSeconds) throw new HeadersTimeout();
    };
  }

  #traceFor(secrets: readonly string[] = []): Trace | undefined {
    const trace = this.#trace;
    if (!trace) return undefined;
    const clean = secretReplacer(secrets, REDACTED);
    return (line) => trace(clean(line));
  }
}

/** A longer body is traced by its length: a person does not read it, and redaction takes time. */
const MAX_TRACED_BODY = 16 * 1024 ** 2;

/** The chunks of a body. Its errors become those of {@link Transport.send}. */
async function* withFailures(
  body: AsyncIterable<Buffer>,
  fail: (error: unknown) => never,
): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    fail(error);
  }
}

/** Node's default. */
const MAX_HEADER_BYTES = 16 * 1024;

/** The options of undici for its pool and its connections. undici requires whole milliseconds. */
export function connectionOptions(options: TransportOptions) {
  const timeout = Math.ceil((options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000);
  const pool = {
    headersTimeout: timeout,
    bodyTimeout: timeout,
    maxHeaderSize: MAX_HEADER_BYTES,
    allowH2: false,
  };
  const connect = {
    timeout,
    // undici ignores a request's signal until the connection is established.
    ...(options.signal && { signal: options.signal }),
    ...trusting(options.ca),
  };
  return { pool, connect };
}

/** TLS options that trust PEM certificates in addition to those of Node. */
export function trusting(ca: string | undefined): { readonly ca?: string[] } {
  // Loading node:tls takes 2 ms at each start, and few commands need it.
  return ca ? { ca: [...process.getBuiltinModule('node:tls').rootCertificates, ca] } : {};
}

/** Never retried: another attempt would fail in the same way. */
function closedError(cause: unknown): MopError {
  const hint = 'keep the transport open until all exchanges have ended';
  return new MopError('network', 'the transport is closed', { hint, cause, transient: false });
}

function bodyToSend({ body }: HttpRequest): string | Readable | null {
  return typeof body === 'object'
    ? Readable.from(body.read(), { objectMode: false })
    : (body ?? null);
}

function contentLength({ body }: HttpRequest): HttpRequest['headers'] {
  return typeof body === 'object' ? [['Content-Length', String(body.length)]] : [];
}

/** A header of the request replaces the default of the same name. */
const DEFAULT_HEADERS = [
  ['User-Agent', `mop/${VERSION}`],
  // Without this header, a server may choose any encoding.
  ['Accept-Encoding', 'identity'],
] as const;

function defaultHeaders({ headers }: HttpRequest): HttpRequest['headers'] {
  const given = headers.map(([name]) => name.toLowerCase());
  return DEFAULT_HEADERS.filter(([name]) => !given.includes(name.toLowerCase()));
}
