import { MopError } from '../errors.ts';
import { addressFault, trimmedAddress } from '../http/address.ts';
import { checkHeaders, withHeaders } from '../http/headers.ts';
import type { HttpRequest, TextRequest } from '../http/request.ts';
import type { HttpText } from '../http/response.ts';
import { type RetryPolicy, withRetries } from '../http/retry.ts';
import type { Transport } from '../http/transport.ts';
import { jsonObject } from '../json/parse.ts';
import { type JsonValue, member } from '../json/value.ts';
import { DETECT_PATH, HEALTH_PATH } from '../protocol/detection.ts';
import { credentialsIn } from '../redaction/credentials.ts';
import { assertSucceeded, readAnswer } from './answer.ts';
import { checkText } from './check-text.ts';
import { type Health, readHealth } from './health.ts';
import { type Detection, readDetection } from './result.ts';

export interface DetectionClientOptions {
  /** The address of the service, without `/api/detect`; it may carry a path prefix. */
  readonly baseUrl: string;
  readonly transport: Pick<Transport, 'sendForText'>;
  /** Headers for every request. Each replaces a header of the client with the same name. */
  readonly headers?: HttpRequest['headers'] | undefined;
  /** Attempts after the first. Default 4. */
  readonly retries?: number | undefined;
  readonly sleep?: RetryPolicy['sleep'];
  /** Receives the failure before each wait for another attempt. */
  readonly onRetry?: RetryPolicy['onRetry'];
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** Changes each answer before it is read, for example to remove secrets. */
  readonly clean?: ((answer: JsonValue) => JsonValue) | undefined;
}

/**
 * Asks a service for emotional risks in texts (D2).
 *
 * @example
 * ```ts
 * import {
 *   type Detection,
 *   DetectionClient,
 *   type DetectionClientOptions,
 *   type Health,
 *   type RuleHit,
 *   startSandbox,
 *   Transport,
 * } from 'mop-cli';
 *
 * const sandbox = await startSandbox();
 * const transport = new Transport();
 * const options: DetectionClientOptions = { baseUrl: sandbox.url, transport };
 * const client = new DetectionClient(options);
 * const health: Health = await client.health();
 * const detection: Detection = await client.detect('You only need me.');
 * const [hit]: readonly RuleHit[] = detection.results;
 * console.log(health.status, detection.overallRisk, hit?.ruleId);
 * // ok high dependency.only-me
 * await transport.close();
 * await sandbox.close();
 * ```
 */
export class DetectionClient {
  readonly #options: DetectionClientOptions;
  readonly #secrets: readonly string[];

  /**
   * @throws {MopError} `config` for an unusable address; `usage` for a header that cannot be sent,
   *   and for a credential in a header without https, except to this machine.
   */
  constructor(options: DetectionClientOptions) {
    const { baseUrl, headers = [] } = options;
    const fault = addressFault(baseUrl);
    if (fault) {
      throw new MopError('config', `the address of the detection service is not usable: ${fault}`, {
        hint: 'set it: mop config set detect_url https://HOST',
      });
    }
    checkHeaders(headers, new URL(baseUrl));
    this.#options = options;
    this.#secrets = credentialsIn(headers);
  }

  /**
   * The findings of the service in a text (D2 2.2). Network failures are retried: a repeated
   * detection is harmless.
   *
   * @throws {MopError} `usage` for an invalid text, see {@link checkText}; `network`,
   *   `auth`, or `api`.
   */
  async detect(text: string): Promise<Detection> {
    const { transport } = this.#options;
    const request = this.detectRequest(text);
    return withRetries(async () => {
      const json = this.#read(await transport.sendForText(request), request);
      assertSucceeded(json, request);
      return readDetection(json);
    }, this.#options);
  }

  /**
   * The health of the service (D2 2.3). A report of bad health along with HTTP 5xx is not retried.
   *
   * @throws {MopError} `network`, `auth`, or `api`.
   */
  async health(): Promise<Health> {
    const { transport, clean = same } = this.#options;
    const request = this.healthRequest();
    return withRetries(async () => {
      const response = await transport.sendForText(request);
      const { status } = response;
      const reported = status >= 500 ? jsonObject(response.text) : undefined;
      const isHealth = reported && member(reported, 'status')?.kind === 'string';
      return readHealth(isHealth ? clean(reported) : this.#read(response, request), status);
    }, this.#options);
  }

  /**
   * The request that {@link detect} sends.
   *
   * @throws {MopError} `usage`
   */
  detectRequest(text: string): TextRequest {
    checkText(text);
    const request = this.#request('POST', DETECT_PATH, [['Content-Type', 'application/json']]);
    return { ...request, body: JSON.stringify({ text }) };
  }

  healthRequest(): TextRequest {
    return this.#request('GET', HEALTH_PATH);
  }

  #read(response: HttpText, request: HttpRequest): JsonValue {
    const { now = Date.now, clean = same } = this.#options;
    return clean(readAnswer(response, request, now()));
  }

  #request(
    method: HttpRequest['method'],
    path: string,
    contentHeaders: HttpRequest['headers'] = [],
  ): Omit<TextRequest, 'body'> {
    const { baseUrl, headers = [] } = this.#options;
    return {
      method,
      url: new URL(trimmedAddress(baseUrl) + path),
      headers: withHeaders([...contentHeaders, ['Accept', 'application/json']], headers),
      secrets: this.#secrets,
    };
  }
}

const same = (answer: JsonValue): JsonValue => answer;
