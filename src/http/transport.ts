import { setMaxListeners } from 'node:events';
import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { Agent, type Dispatcher } from 'undici';
import { MopError } from '../errors.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '../protocol/defaults.ts';
import { VERSION } from '../version.ts';
import { networkError } from './network-error.ts';
import { proxyAgent } from './proxy.ts';
import { type ProxySettings, proxyFor } from './proxy-for.ts';
import { redactHeader, redactJson, redactUrl, redactValues } from './redact.ts';
import type { HttpRequest } from './request.ts';
import { type HttpResponse, type HttpText, textResponse } from './response.ts';

export interface TransportOptions {
  /** Without progress: connecting, waiting for headers, between two chunks. Default 30. */
  readonly timeoutSeconds?: number | undefined;
  readonly proxy?: ProxySettings | undefined;
  /** PEM certificates trusted besides the usual ones. */
  readonly ca?: string | undefined;
  /** Ends every exchange; its reason is what is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Gets each line of each exchange, secrets taken out. */
  readonly trace?: Trace | undefined;
}

type Trace = (line: string) => void;

/** An answer that is read as a whole may not be larger: an envelope is small. */
const MAX_TEXT_MIB = 16;

/** As undici has it. */
class HeadersTimeout extends Error {
  readonly code = 'UND_ERR_HEADERS_TIMEOUT';
}

/** HTTP/1.1 exchanges over one pool of connections. Close it when done. */
export class Transport {
  readonly #direct: Dispatcher;
  readonly #proxySettings: ProxySettings;
  /** By their address, made when they are first needed. */
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
    // undici would connect again after what was aborted. Node 20 forgets a signal that is aborted
    // before it connects, and the connection would keep the process alive.
    this.#signal?.addEventListener('abort', this.#abort, { once: true });
  }

  /**
   * One exchange, up to the response's headers. No status is an error here.
   *
   * @throws {MopError} `network` for DNS, connection, TLS, proxy and time-outs.
   */
  async send(request: HttpRequest): Promise<HttpResponse> {
    const signal = this.#signalFor(request);
    signal?.throwIfAborted();
    const { url, method } = request;
    const headers = [...request.headers, ...contentLength(request), ...ownHeaders(request)];
    const trace = this.#traceFor(request);
    if (trace) traceRequest(trace, request, headers);
    const proxy = proxyFor(url, this.#proxySettings);
    const dispatcher = proxy ? this.#through(proxy) : this.#direct;
    const { isLink } = request;
    const route = { url, proxy, timeoutSeconds: this.#timeoutSeconds, isLink };
    const fail = (error: unknown): never => {
      if (signal?.aborted) throw signal.reason;
      if (this.#closed) throw closedError(error);
      throw networkError(error, route);
    };
    const started = performance.now();
    const response = await dispatcher
      .request({
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers: headers.flat(),
        body: bodyToSend(request),
        signal: signal ?? null,
        // Each interim response has undici wait anew for the one that counts.
        onInfo: () => {
          if (performance.now() - started > this.#timeoutSeconds * 1000) throw new HeadersTimeout();
        },
        ...(request.isStream && { bodyTimeout: 0 }),
      })
      .catch(fail);
    if (trace) traceResponse(trace, response);
    const header = (name: string): string | undefined => {
      const value = response.headers[name];
      return Array.isArray(value) ? value[0] : value;
    };
    return {
      status: response.statusCode,
      header,
      body: read(response.body, fail, request.isStream ? trace : undefined),
      discard: () => {
        response.body.on('error', () => {}).destroy();
      },
    };
  }

  /**
   * One exchange with the answer read as a whole, as UTF-8.
   *
   * @throws {MopError} as {@link send}, and `api` for an answer with more MiB than that.
   */
  async sendForText(request: HttpRequest, maxMib = MAX_TEXT_MIB): Promise<HttpText> {
    return this.readText(request, await this.send(request), maxMib);
  }

  /**
   * The rest of an exchange, read as a whole.
   *
   * @throws {MopError} as {@link sendForText}
   */
  async readText(
    request: HttpRequest,
    { status, header, body, discard }: HttpResponse,
    maxMib = MAX_TEXT_MIB,
  ): Promise<HttpText> {
    const coding = header('content-encoding')?.trim().toLowerCase() || 'identity';
    // What failed is told by its status, however unreadable the page about it is.
    if (coding !== 'identity' && status < 300) {
      discard();
      const said = redactValues(coding, request.secrets ?? []);
      throw new MopError(
        'api',
        `${request.url.host} answered with the Content-Encoding ${JSON.stringify(said)}, which was not asked for`,
        { hint: 'what stands in front of the server compresses unasked', httpStatus: status },
      );
    }
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > maxMib * 1024 * 1024) {
        throw new MopError('api', `${request.url.host} answered with more than ${maxMib} MiB`, {
          hint: 'is that the right address? mop config list shows it',
          httpStatus: status,
        });
      }
      chunks.push(chunk);
    }
    const answer = textResponse({ status, header }, Buffer.concat(chunks));
    this.#traceFor(request)?.(`< ${redactJson(answer.text)}`);
    return answer;
  }

  /** Ends every connection at once. What is under way fails for good. */
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

  #signalFor({ signal }: HttpRequest): AbortSignal | undefined {
    return signal && this.#signal
      ? AbortSignal.any([signal, this.#signal])
      : (signal ?? this.#signal);
  }

  #traceFor({ secrets = [] }: HttpRequest): Trace | undefined {
    const trace = this.#trace;
    return trace && ((line) => trace(redactValues(line, secrets)));
  }
}

/** A stream without line ends is not kept for a trace. */
const MAX_TRACED_LINE = 1024 * 1024;

async function* read(
  body: AsyncIterable<Buffer>,
  fail: (error: unknown) => never,
  trace: Trace | undefined,
): AsyncGenerator<Buffer> {
  // By lines: what is to be taken out may come in two pieces.
  const decoder = new TextDecoder();
  let rest = '';
  const show = (text: string): void => {
    if (text !== '') trace?.(`< ${redactJson(text)}`);
  };
  try {
    for await (const chunk of body) {
      if (trace) {
        const text = rest + decoder.decode(chunk, { stream: true });
        const end = text.length > MAX_TRACED_LINE ? text.length : text.lastIndexOf('\n') + 1;
        show(text.slice(0, end));
        rest = text.slice(end);
      }
      yield chunk;
    }
    show(rest);
  } catch (error) {
    fail(error);
  }
}

/** What the options are to the connections of undici, which wants whole milliseconds. */
export function connectionOptions(options: TransportOptions) {
  const timeout = Math.ceil((options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000);
  const pool = { headersTimeout: timeout, bodyTimeout: timeout, allowH2: false };
  const connect = {
    timeout,
    // undici does not look at a request's signal before there is a connection.
    ...(options.signal && { signal: options.signal }),
    ...trusting(options.ca),
  };
  return { pool, connect };
}

/** What makes a TLS connection trust PEM certificates besides the usual ones. */
export function trusting(ca: string | undefined): { readonly ca?: string[] } {
  return ca ? { ca: [...rootCertificates, ca] } : {};
}

/** Another attempt would end the same way. */
function closedError(cause: unknown): MopError {
  const hint = 'it was closed while this was under way, or before';
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

/** What goes with every request, unless it says otherwise. */
const OWN_HEADERS = [
  ['User-Agent', `mop/${VERSION}`],
  // Without it a server may choose any.
  ['Accept-Encoding', 'identity'],
] as const;

function ownHeaders({ headers }: HttpRequest): HttpRequest['headers'] {
  const given = headers.map(([name]) => name.toLowerCase());
  return OWN_HEADERS.filter(([name]) => !given.includes(name.toLowerCase()));
}

function traceRequest(trace: Trace, request: HttpRequest, headers: HttpRequest['headers']): void {
  trace(`> ${request.method} ${redactUrl(request.url.href)}`);
  for (const [name, value] of headers) trace(`> ${name}: ${redactHeader(name, value)}`);
  const { body } = request;
  if (typeof body === 'object') trace(`> (${body.length} bytes)`);
  else if (body !== undefined) trace(`> ${redactJson(body)}`);
}

function traceResponse(trace: Trace, { statusCode, headers }: Dispatcher.ResponseData): void {
  trace(`< ${statusCode} ${STATUS_CODES[statusCode] ?? ''}`.trimEnd());
  for (const [name, value] of Object.entries(headers)) {
    for (const each of [value ?? []].flat()) trace(`< ${name}: ${redactHeader(name, each)}`);
  }
}
