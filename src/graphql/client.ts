import { MopError } from '../errors.ts';
import { endpointFault, httpUrl } from '../http/address.ts';
import { checkHeaders, credentialsIn, withHeaders } from '../http/headers.ts';
import type { FormField } from '../http/multipart.ts';
import type { HttpRequest, TextRequest } from '../http/request.ts';
import type { ReadLimit } from '../http/response.ts';
import { withRetries, withUncertainOutcome } from '../http/retry.ts';
import type { Reading, Transport } from '../http/transport.ts';
import { printJson } from '../json/print.ts';
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

export interface SendOptions {
  /** The parameters stand in the address, and there is no body; not with files. */
  readonly get?: boolean | undefined;
  /** Files to send along, as a multipart form. */
  readonly uploads?: readonly Upload[] | undefined;
  /** How the answer is read. Up to 64 MiB are held in memory by default. */
  readonly reading?: Reading<GraphqlResponse> | undefined;
}

interface RequestOptions extends Pick<SendOptions, 'get'> {
  /** The results are to come as a stream of events. */
  readonly isStream?: boolean | undefined;
}

interface FormRequest extends Omit<HttpRequest, 'body'> {
  readonly form: readonly FormField[];
}

const ACCEPT = 'application/graphql-response+json, application/json;q=0.9';

/** A result may be a whole table. */
export const RESPONSE_LIMIT: ReadLimit = { maxBytes: 64 * 1024 ** 2 };

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
  async send(
    request: GraphqlRequest,
    { get, uploads, reading }: SendOptions = {},
  ): Promise<GraphqlResponse> {
    const { transport, retries, sleep, now = Date.now } = this.#options;
    const http = uploads
      ? await this.#withForm(request, uploads)
      : this.httpRequest(request, { get });
    const attempt = async (): Promise<GraphqlResponse> =>
      transport.read(
        http,
        await transport.send(http),
        { limit: RESPONSE_LIMIT, ...reading },
        (text) => readResponse(text, http, now()),
      );
    const changesThings = request.kind === 'mutation';
    return withRetries(attempt, {
      retries,
      sleep,
      unsentOnly: changesThings && retries === undefined,
    }).catch((error: unknown) => {
      throw changesThings ? withUncertainOutcome(error) : error;
    });
  }

  /**
   * The results of an operation as the server sends them, over a connection of its own
   * (GraphQL over SSE, distinct connections). Nothing is tried again.
   *
   * @throws {MopError} as {@link send}; `network` also when the stream ends before its operation.
   */
  async *events(
    request: GraphqlRequest,
    { get }: Pick<SendOptions, 'get'> = {},
  ): AsyncGenerator<GraphqlResponse> {
    const { transport, now = Date.now } = this.#options;
    const http = this.httpRequest(request, { get, isStream: true });
    const response = await transport.send(http);
    if (/^text\/event-stream\b/i.test(response.header('content-type') ?? '')) {
      yield* eventStream(response, http);
    } else {
      const text = await transport.readText(http, response, RESPONSE_LIMIT);
      yield readResponse(text, http, now());
    }
  }

  /** The request that {@link send} sends, or {@link events}; without files. */
  httpRequest(
    request: GraphqlRequest,
    { get = false, isStream = false }: RequestOptions = {},
  ): TextRequest {
    const url = httpUrl(this.endpoint);
    const accept = ['Accept', isStream ? 'text/event-stream' : ACCEPT] as const;
    const own = get ? [accept] : [['Content-Type', 'application/json'] as const, accept];
    return {
      method: get ? 'GET' : 'POST',
      url: get ? getUrl(url, request) : url,
      headers: withHeaders(own, this.#options.headers ?? []),
      secrets: this.#secrets,
      ...(isStream && { isStream }),
      ...(!get && { body: printJson(requestParameters(request)) }),
    };
  }

  /** The request that {@link send} sends with files: the fields of its form stand by themselves. */
  formRequest(request: GraphqlRequest, uploads: readonly Upload[]): FormRequest {
    const { body: _, ...bare } = this.httpRequest(request);
    // The type of a form has a boundary, which whoever sends it makes.
    const headers = bare.headers.filter(([name]) => !/^content-type$/i.test(name));
    return { ...bare, headers, form: uploadForm(request, uploads) };
  }

  async #withForm(request: GraphqlRequest, uploads: readonly Upload[]): Promise<HttpRequest> {
    const { form, ...bare } = this.formRequest(request, uploads);
    const { multipartForm } = await import('../http/multipart-body.ts');
    const { contentType, body } = await multipartForm(form);
    return { ...bare, headers: [...bare.headers, ['Content-Type', contentType]], body };
  }
}
