import { setTimeout as sleepFor } from 'node:timers/promises';
import { MopError } from '../errors.ts';
import { endpointFault, httpUrl } from '../http/address.ts';
import { checkHeaders, credentialsIn, withHeaders } from '../http/headers.ts';
import { withRetries } from '../http/retry.ts';
import type { HttpBody, HttpRequest, Transport } from '../http/transport.ts';
import { printJson } from '../signing/json.ts';
import { eventStream } from './event-stream.ts';
import { type GraphqlRequest, getUrl, requestParameters } from './request.ts';
import { type GraphqlResponse, readResponse } from './response.ts';
import { type Upload, uploadForm } from './upload.ts';

export interface GraphqlClientOptions {
  /** The endpoint itself. */
  readonly endpoint: string;
  readonly transport: Transport;
  /** Sent with every request, besides what it needs, or instead of it. */
  readonly headers?: HttpRequest['headers'] | undefined;
  /**
   * Attempts after the first. Left out, 4; and a mutation is then repeated only when nothing of it
   * can have reached the server, for it changes things.
   */
  readonly retries?: number | undefined;
  readonly sleep?: ((ms: number) => Promise<unknown>) | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

/** How a request is wrapped. */
export interface SendOptions {
  /** The parameters stand in the address, and there is no body. */
  readonly get?: boolean | undefined;
  /** Files to send along, as a multipart form. */
  readonly uploads?: readonly Upload[] | undefined;
}

/** What {@link GraphqlClient.httpRequest} gives: all that is sent, but for the form of an upload. */
export interface GraphqlHttpRequest extends HttpRequest {
  readonly body?: string | undefined;
}

const ACCEPT = 'application/graphql-response+json, application/json;q=0.9';

/** A result may be a whole table. */
const MAX_RESPONSE_MIB = 64;

/** Sends operations to an endpoint over HTTP (D3; GraphQL over HTTP, draft). */
export class GraphqlClient {
  readonly endpoint: URL;
  readonly #options: GraphqlClientOptions;
  readonly #secrets: readonly string[];

  /**
   * @throws {MopError} `config` for an unusable address, `usage` for a header that cannot be sent,
   *   or not so: one that looks like a credential needs https.
   */
  constructor(options: GraphqlClientOptions) {
    const fault = endpointFault(options.endpoint);
    if (fault) {
      throw new MopError('config', `the address of the GraphQL endpoint is not usable: ${fault}`, {
        hint: 'set it: mop config set gql_url https://HOST/graphql, or give --endpoint URL',
      });
    }
    this.endpoint = new URL(options.endpoint);
    this.#options = options;
    const { headers = [] } = options;
    checkHeaders(headers, this.endpoint);
    this.#secrets = credentialsIn(headers);
  }

  /**
   * Carries out a query or a mutation.
   *
   * @returns What the server answered, errors included.
   * @throws {MopError} `network`, or `api` for an answer that is no response of GraphQL; `usage`
   *   and `io` for files that cannot be sent.
   */
  async send(request: GraphqlRequest, options: SendOptions = {}): Promise<GraphqlResponse> {
    const { transport, retries, sleep = sleepFor, now = Date.now } = this.#options;
    const http = await this.#sendable(request, options);
    const attempt = async (): Promise<GraphqlResponse> =>
      readResponse(await transport.sendForText(http, MAX_RESPONSE_MIB), http, now());
    const unsentOnly = request.kind === 'mutation' && retries === undefined;
    return withRetries(attempt, { retries: retries ?? 4, sleep, unsentOnly });
  }

  /**
   * The results of an operation as the server sends them, over a connection of its own
   * (GraphQL over SSE, distinct connections). Nothing is tried again.
   *
   * @throws {MopError} as {@link send}; `network` also when the stream ends before its operation.
   */
  async *events(
    request: GraphqlRequest,
    options: Pick<SendOptions, 'get'> = {},
  ): AsyncGenerator<GraphqlResponse> {
    const { transport, now = Date.now } = this.#options;
    const http = { ...this.streamRequest(request, options), isStream: true };
    const response = await transport.send(http);
    if (/^text\/event-stream\b/i.test(response.header('content-type') ?? '')) {
      yield* eventStream(response, http);
    } else {
      const text = await transport.readText(http, response, MAX_RESPONSE_MIB);
      yield readResponse(text, http, now());
    }
  }

  /** The request that {@link send} sends; without the form of an upload. */
  httpRequest(request: GraphqlRequest, { get }: SendOptions = {}): GraphqlHttpRequest {
    return this.#request(request, ACCEPT, get);
  }

  /** The request that {@link events} sends. */
  streamRequest(
    request: GraphqlRequest,
    { get }: Pick<SendOptions, 'get'> = {},
  ): GraphqlHttpRequest {
    return this.#request(request, 'text/event-stream', get);
  }

  #request(request: GraphqlRequest, accept: string, get = false): GraphqlHttpRequest {
    const { headers = [] } = this.#options;
    const url = httpUrl(this.endpoint);
    const own: HttpRequest['headers'] = get
      ? [['Accept', accept]]
      : [
          ['Content-Type', 'application/json'],
          ['Accept', accept],
        ];
    return {
      method: get ? 'GET' : 'POST',
      url: get ? getUrl(url, request) : url,
      headers: withHeaders(own, headers),
      secrets: this.#secrets,
      ...(!get && { body: printJson(requestParameters(request)) }),
    };
  }

  async #sendable(request: GraphqlRequest, options: SendOptions): Promise<HttpRequest> {
    const http = this.httpRequest(request, options);
    const { uploads = [] } = options;
    if (uploads.length === 0) return http;
    const { multipartForm } = await import('../multipart-form.ts');
    const form = await multipartForm(uploadForm(request, uploads));
    const type: HttpRequest['headers'] = [['Content-Type', form.contentType]];
    const body: HttpBody = form.body;
    return { ...http, headers: withHeaders(http.headers, type), body };
  }
}
