import { MopError } from '../errors.ts';
import { endpointFault, httpUrl } from '../http/address.ts';
import { checkHeaders, mediaType, withHeaders } from '../http/headers.ts';
import type { FormField } from '../http/multipart.ts';
import type { HttpRequest, TextRequest } from '../http/request.ts';
import { isOverloaded, limitedBody, type ReadLimit } from '../http/response.ts';
import { type Sleep, withRetries, withUncertainOutcome } from '../http/retry.ts';
import type { Transport } from '../http/transport.ts';
import { printJson } from '../json/print.ts';
import { member } from '../json/value.ts';
import { credentialsIn } from '../redaction/credentials.ts';
import { mergedResults, onlyResult, partsOfOne } from './incremental.ts';
import { type GraphqlRequest, getUrl, requestParameters } from './request.ts';
import { type GraphqlResponse, RESPONSE_LIMIT, readResponse, WEB_SOCKET_HINT } from './response.ts';
import { eventStream, multipartStream } from './result-stream.ts';
import type { Upload } from './upload.ts';

export interface GraphqlClientOptions {
  /** The full address of the endpoint. */
  readonly endpoint: string;
  readonly transport: Transport;
  /** Added to every request; each replaces a default header of the same name. */
  readonly headers?: HttpRequest['headers'] | undefined;
  /**
   * Attempts after the first. Default 4; by default a mutation is retried only when it cannot have
   * reached the server.
   */
  readonly retries?: number | undefined;
  readonly sleep?: Sleep | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

export interface SendOptions {
  /** Send the parameters in the URL, without a body. Not allowed with files. */
  readonly get?: boolean | undefined;
  /** Files to send with the operation, as a multipart form. */
  readonly uploads?: readonly Upload[] | undefined;
  /** The maximum size of the answer, and of all its parts together. Default 64 MiB. */
  readonly limit?: ReadLimit | undefined;
}

export interface PartsOptions extends SendOptions {
  /** Request the results as a stream of events. */
  readonly isStream?: boolean | undefined;
}

type RequestOptions = Omit<PartsOptions, 'uploads'>;

interface FormRequest extends Omit<HttpRequest, 'body'> {
  readonly form: readonly FormField[];
}

const ACCEPT = 'application/graphql-response+json, application/json;q=0.9';

/**
 * Apollo Server requires the version of the payloads; other servers choose the first they support.
 */
const INCREMENTAL_ACCEPT = [
  'multipart/mixed; incrementalSpec=v0.2',
  'multipart/mixed; deferSpec=20220824',
  'multipart/mixed;q=0.9',
  'text/event-stream;q=0.8',
  'application/graphql-response+json;q=0.7',
  'application/json;q=0.6',
].join(', ');

/** A directive of incremental delivery. A match in a comment or a string only widens Accept. */
const IS_INCREMENTAL = /@\s*(?:defer|stream)\b/;

/** Without this header, Apollo Server rejects requests that a page of another site could send. */
const PREFLIGHT = ['Apollo-Require-Preflight', 'true'] as const;

/**
 * Sends operations to an endpoint over HTTP (D3; GraphQL over HTTP, draft).
 *
 * @example
 * ```ts
 * import {
 *   GraphqlClient,
 *   type GraphqlClientOptions,
 *   type GraphqlRequest,
 *   type GraphqlResponse,
 *   type PartsOptions,
 *   printJson,
 *   type ResponseError,
 *   type SendOptions,
 *   startSandbox,
 *   Transport,
 *   type Upload,
 * } from 'mop-cli';
 *
 * const sandbox = await startSandbox();
 * const transport = new Transport();
 * const options: GraphqlClientOptions = { endpoint: `${sandbox.url}/graphql`, transport };
 * const client = new GraphqlClient(options);
 * const request: GraphqlRequest = { kind: 'query', query: '{ __typename }' };
 * const uploads: readonly Upload[] = [];
 * const sending: SendOptions & PartsOptions = { uploads };
 * const response: GraphqlResponse = await client.send(request, sending);
 * const errors: readonly ResponseError[] = response.errors;
 * console.log(printJson(response.json), errors.length);
 * // {"data":{"__typename":"Query"}} 0
 * await transport.close();
 * await sandbox.close();
 * ```
 */
export class GraphqlClient {
  readonly endpoint: URL;
  readonly #options: GraphqlClientOptions;
  readonly #secrets: readonly string[];

  /**
   * @throws {MopError} `config` for an invalid address; `usage` for an invalid header, and for a
   *   credential without https.
   */
  constructor(options: GraphqlClientOptions) {
    const fault = endpointFault(options.endpoint);
    if (fault) {
      throw new MopError('config', `the address of the GraphQL endpoint is not usable: ${fault}`, {
        hint: 'give the whole address of the endpoint (gql_url), such as https://HOST/graphql',
      });
    }
    this.endpoint = new URL(options.endpoint);
    this.#options = options;
    const { headers = [] } = options;
    checkHeaders(headers, this.endpoint);
    this.#secrets = credentialsIn(headers);
  }

  /**
   * Executes a query or a mutation. Parts of its result (`@defer`, `@stream`) are merged.
   *
   * @returns The response, errors included.
   * @throws {MopError} `network`, or `api` for an answer that is not a GraphQL response; `usage` and
   *   `io` for files that cannot be sent.
   */
  async send(request: GraphqlRequest, options: SendOptions = {}): Promise<GraphqlResponse> {
    const { retries, sleep } = this.#options;
    const http = await this.#requestOf(request, options);
    const attempt = (): Promise<GraphqlResponse> =>
      onlyResult(
        mergedResults(this.#exchange(request, http, options.limit ?? RESPONSE_LIMIT), http),
      );
    const isMutation = request.kind === 'mutation';
    return withRetries(attempt, {
      retries,
      sleep,
      unsentOnly: isMutation && retries === undefined,
    }).catch((error: unknown) => {
      throw isMutation ? withUncertainOutcome(error) : error;
    });
  }

  /**
   * Yields the results of an operation as they arrive, over a separate connection (GraphQL over
   * SSE, distinct connections). Parts of one result are merged. Does not retry.
   *
   * @throws {MopError} as {@link send}; `network` also when the stream ends before the operation
   *   completes.
   */
  async *events(
    request: GraphqlRequest,
    { get }: Pick<SendOptions, 'get'> = {},
  ): AsyncGenerator<GraphqlResponse> {
    const http = this.httpRequest(request, { get, isStream: true });
    const limit = request.kind === 'subscription' ? undefined : RESPONSE_LIMIT;
    yield* mergedResults(this.#exchange(request, http, limit), http);
  }

  /**
   * Yields the parts of the result of a query or a mutation (`@defer`, `@stream`) as they arrive. A
   * result that the server sends whole is one part. Does not retry.
   *
   * @throws {MopError} as {@link send}; `network` and `api` when parts are missing at the end.
   */
  async *parts(
    request: GraphqlRequest,
    options: PartsOptions = {},
  ): AsyncGenerator<GraphqlResponse> {
    const http = await this.#requestOf(request, options);
    yield* partsOfOne(this.#exchange(request, http, options.limit), http);
  }

  /** One exchange. The limit is that of the whole response; without it, of each part. */
  async *#exchange(
    { kind }: GraphqlRequest,
    http: HttpRequest,
    limit: ReadLimit | undefined,
  ): AsyncGenerator<GraphqlResponse> {
    const { transport, now = Date.now } = this.#options;
    const response = await transport.send(http);
    const { type } = mediaType(response.header('content-type'));
    // For an overloaded server, the status is reported instead of the body.
    const readStream = isOverloaded(response.status) ? undefined : STREAMS.get(type);
    if (readStream) {
      const hint = 'request less, or take each part as it arrives (--stream)';
      const body = limit ? limitedBody(response, http, { hint, ...limit }) : response.body;
      yield* readStream({ ...response, body }, http);
      return;
    }
    const text = await transport.read(http, response, limit ?? RESPONSE_LIMIT);
    const result = readResponse(text, http, now());
    yield kind === 'subscription' ? unstreamed(result, http) : result;
  }

  /** The request that {@link send}, {@link parts} or {@link events} sends; without files. */
  httpRequest(
    request: GraphqlRequest,
    { get = false, isStream = false }: RequestOptions = {},
  ): TextRequest {
    const url = httpUrl(this.endpoint);
    const json = IS_INCREMENTAL.test(request.query) ? INCREMENTAL_ACCEPT : ACCEPT;
    const accept = ['Accept', isStream ? 'text/event-stream' : json] as const;
    const defaults = [get ? PREFLIGHT : (['Content-Type', 'application/json'] as const), accept];
    return {
      method: get ? 'GET' : 'POST',
      url: get ? getUrl(url, request) : url,
      headers: withHeaders(defaults, this.#options.headers ?? []),
      secrets: this.#secrets,
      ...(isStream && { isStream }),
      ...(!get && { body: printJson(requestParameters(request)) }),
    };
  }

  /** The request that {@link send} sends with files. `form` has the fields of its body. */
  async formRequest(request: GraphqlRequest, uploads: readonly Upload[]): Promise<FormRequest> {
    const { uploadForm } = await loadUploads();
    const { body: _, ...bare } = this.httpRequest(request);
    // The transport adds the Content-Type of a form, with its boundary.
    const headers = bare.headers.filter(([name]) => !/^content-type$/i.test(name));
    return {
      ...bare,
      headers: withHeaders([PREFLIGHT], headers),
      form: uploadForm(request, uploads),
    };
  }

  async #requestOf(
    request: GraphqlRequest,
    { uploads, ...options }: PartsOptions,
  ): Promise<HttpRequest> {
    if (!uploads) return this.httpRequest(request, options);
    const { form, ...bare } = await this.formRequest(request, uploads);
    const { multipartForm } = await loadUploads();
    const { contentType, body } = await multipartForm(form);
    return { ...bare, headers: [...bare.headers, ['Content-Type', contentType]], body };
  }
}

/** The media types of extensions are a table of 40 KB. */
const loadUploads = () => import('./upload.ts');

const STREAMS: ReadonlyMap<string, typeof eventStream> = new Map([
  ['text/event-stream', eventStream],
  ['multipart/mixed', multipartStream],
]);

/**
 * A subscription without a stream. A server that runs it like a query answers null for each field.
 */
function unstreamed(result: GraphqlResponse, { url }: HttpRequest): GraphqlResponse {
  const { json, data, errors, hint = WEB_SOCKET_HINT } = result;
  if (errors.length > 0) {
    // An invalid document would be refused over a WebSocket too.
    const isDocumentValid =
      member(json, 'data') !== undefined ||
      errors.some(({ message }) => /not support/i.test(message));
    return isDocumentValid ? { ...result, hint } : result;
  }
  if (data?.kind === 'object' && data.members.some(({ value }) => value.kind !== 'null')) {
    return result;
  }
  throw new MopError('api', `${url.host} answered the subscription with null, not with a stream`, {
    hint,
  });
}
