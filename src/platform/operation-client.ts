import { MopError, withDetails } from '../errors.ts';
import { isUnreachable } from '../http/network-error.ts';
import type { HttpRequest } from '../http/request.ts';
import type { ReadLimit } from '../http/response.ts';
import {
  DEFAULT_RETRIES,
  type RetryPolicy,
  type Sleep,
  sleepFor,
  withRetries,
  withUncertainOutcome,
} from '../http/retry.ts';
import type { Transport } from '../http/transport.ts';
import { printJson } from '../json/print.ts';
import type { SignatureMode } from '../protocol/operations.ts';
import { ALREADY_ISSUED, TIMESTAMP_INVALID } from '../protocol/result-codes.ts';
import { redactFields, redactValues } from '../redaction/redact.ts';
import { type Credentials, type FieldSource, freshFields } from '../signing/request-fields.ts';
import {
  addressNeed,
  addressSetting,
  missingAddress,
  operationUrl,
  platformAddressFault,
  UNREACHABLE_HINT,
} from './address.ts';
import { type Answer, readAnswer } from './answer.ts';
import { envelopeError, errorCode, isSuccess } from './envelope.ts';
import { type Operation, type OperationMode, operationMode, operationPath } from './operation.ts';
import { type SignedRequest, signedRequest } from './signed-request.ts';

export interface PlatformClientOptions {
  readonly credentials: Credentials;
  readonly transport: Transport;
  /** The address for body signatures, without `/open/v1` (D1 4.0). */
  readonly baseUrl?: string | undefined;
  /** The address for header signatures, without `/api/open` (D1 4.0). */
  readonly openBaseUrl?: string | undefined;
  /**
   * The mode of operations that do not set their own. Default `documented`: the mode of D1 section 4, or `body`
   * for an operation that is not listed there.
   */
  readonly mode?: OperationMode | undefined;
  /** The hint for a missing or invalid address of a mode. */
  readonly addressHint?: ((mode: SignatureMode) => string) | undefined;
  /**
   * Whether the platform is the test environment. The hint for an unreachable host, or for HTTP 403,
   * then mentions that it admits only listed IP addresses (D1 4.1 rule 4). Default false.
   */
  readonly testEnvironment?: boolean | undefined;
  /** Attempts after the first. Default 4. */
  readonly retries?: number | undefined;
  /** Receives warnings; the call continues. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** Receives the notice that the same call succeeded earlier (code 2303). */
  readonly onNotice?: ((message: string) => void) | undefined;
  /**
   * Receives each call whose key, signature or timestamp was refused. The call waits for the promise.
   * Its value is the hint of the error; if undefined, the hint depends on the result code only.
   */
  readonly onRefusal?: ((exchange: Exchange) => Promise<string | undefined>) | undefined;
  /** Receives the failure before each wait for another attempt. */
  readonly onRetry?: RetryPolicy['onRetry'];
  readonly source?: FieldSource | undefined;
  readonly sleep?: Sleep | undefined;
}

/** A signed request. The body of a form is a stream. */
type SentRequest = Omit<SignedRequest, 'body'> & HttpRequest;

export interface Exchange {
  readonly request: SignedRequest;
  readonly answer: Answer;
  /** Milliseconds since 1970, by the clock of this machine. */
  readonly sentAt: number;
  /** Milliseconds since 1970, from the `Date` of the response. */
  readonly serverTime: number | undefined;
}

/** The maximum number of different warnings: a batch may have one for every line. */
const MAX_WARNINGS = 20;

/**
 * Calls operations of the platform (D1), signed afresh for each attempt; see `PlatformClient`, whose
 * `@example` shows the methods.
 */
export class OperationClient {
  readonly transport: Transport;
  readonly source: FieldSource;
  readonly sleep: Sleep;
  readonly retries: number;
  readonly #options: PlatformClientOptions;
  /** Server time minus local time, in milliseconds; measured after a 1055. */
  #clockOffset = 0;
  readonly #warnings = new Set<string>();

  constructor(options: PlatformClientOptions) {
    this.#options = options;
    this.transport = options.transport;
    this.source = options.source ?? freshFields;
    this.sleep = options.sleep ?? sleepFor;
    this.retries = options.retries ?? DEFAULT_RETRIES;
  }

  /**
   * Calls an operation, with retries (contract section 4).
   *
   * @param limit The maximum size of the answer. Default 16 MiB.
   * @returns The envelope of a success (code 0, or 2303 "already issued").
   * @throws {MopError} `auth`, `api` or `network`; with `platformCode` and `envelope` if the platform
   *   returned an envelope. `usage` and `config` as {@link sign}.
   */
  async call(operation: Operation, limit?: ReadLimit): Promise<Answer> {
    const { repeatable = false } = operation;
    const succeed = async (): Promise<Answer> => {
      const answer = await this.exchange(operation, limit);
      if (isSuccess(answer)) return answer;
      throw this.failure(answer);
    };
    const answer = await this.retry(succeed, { unsentOnly: !repeatable }).catch((error) => {
      throw repeatable ? error : withUncertainOutcome(error);
    });
    if (answer.code === ALREADY_ISSUED) {
      this.#options.onNotice?.(
        `the platform answered ${ALREADY_ISSUED}: this call already succeeded before`,
      );
    }
    return answer;
  }

  /**
   * Repeats `attempt` until it succeeds or a retry cannot help (contract section 4).
   *
   * @param attempt Receives the number of the attempt, from 1.
   */
  async retry<T>(
    attempt: (number: number) => Promise<T>,
    options: Pick<RetryPolicy, 'unsentOnly' | 'onRetry' | 'signal'> = {},
  ): Promise<T> {
    const { retries, sleep } = this;
    const { onRetry } = this.#options;
    return withRetries(attempt, { retries, sleep, onRetry, ...options });
  }

  /**
   * One attempt; after result code 1055, a second one with the server's time.
   *
   * @returns The envelope, with any result code.
   * @throws {MopError} `network` without an answer, and for HTTP 429 and 5xx without an envelope; `api`
   *   for any other answer without an envelope; `usage` and `config` as {@link sign}.
   */
  async exchange(operation: Operation, limit?: ReadLimit): Promise<Answer> {
    let exchange = await this.#send(operation, limit);
    const { request, serverTime } = exchange;
    // The caller's own timestamp would be sent unchanged again.
    const canCorrect = request.isTimestampGenerated && serverTime !== undefined;
    if (exchange.answer.code === TIMESTAMP_INVALID && canCorrect) {
      this.#adoptTime(serverTime);
      exchange = await this.#send(operation, limit);
    }
    const { answer } = exchange;
    if (errorCode(answer.code) !== 'auth') return answer;
    return { ...answer, hint: await this.#options.onRefusal?.(exchange) };
  }

  /** Reports each warning once, and at most 20 different ones. */
  warnOnce(message: string): void {
    if (this.#warnings.has(message) || this.#warnings.size === MAX_WARNINGS) return;
    this.#warnings.add(message);
    this.#options.onWarning?.(message);
  }

  failure(answer: Answer): MopError {
    const { seqId, retryAfterMs, json, hint, refusedStatus } = answer;
    return envelopeError(answer, {
      httpStatus: refusedStatus,
      seqId,
      retryAfterMs,
      hint,
      envelope: redactValues(redactFields(printJson(json)), [this.#options.credentials.secret]),
    });
  }

  /**
   * Signs the request of a call without sending it.
   *
   * @throws {MopError} `usage` for a path or body that cannot be sent, `config` without an address.
   */
  sign(operation: Operation): SignedRequest {
    const path = operationPath(operation.path);
    const mode = operationMode(operation, this.#options.mode);
    const url = operationUrl(this.#address(mode), mode, path);
    const { credentials } = this.#options;
    const { source } = this;
    const request = signedRequest(operation, mode, url, credentials, source, this.#clockOffset);
    for (const warning of request.warnings) this.warnOnce(warning);
    return request;
  }

  /** Signs with the server's time from now on. Warns about each new difference. */
  #adoptTime(serverTime: number): void {
    const before = this.#clockOffset;
    this.#clockOffset = serverTime - this.source.now();
    const isNewDifference = before === 0 || Math.abs(this.#clockOffset - before) > 1000;
    if (isNewDifference) this.#options.onWarning?.(skewWarning(this.#clockOffset));
  }

  async #send(operation: Operation, limit?: ReadLimit): Promise<Exchange> {
    const sentAt = this.source.now();
    const request = this.sign(operation);
    try {
      const http = await withForm(request);
      const response = await this.transport.sendForText(http, limit);
      const date = Date.parse(response.header('date') ?? '');
      const answer = readAnswer(response, request, this.source.now());
      return { request, sentAt, answer, serverTime: Number.isNaN(date) ? undefined : date };
    } catch (error) {
      if (!(error instanceof MopError)) throw error;
      const { sent, httpStatus } = error.details;
      const isBlocked = isUnreachable(error) || httpStatus === 403;
      throw withDetails(error, {
        seqId: sent === false ? undefined : request.seqId,
        ...(isBlocked && this.#options.testEnvironment && { hint: UNREACHABLE_HINT }),
      });
    }
  }

  #address(mode: SignatureMode): string {
    const { mode: preferred = 'documented', testEnvironment = false, addressHint } = this.#options;
    const option = mode === 'body' ? 'baseUrl' : 'openBaseUrl';
    const address = this.#options[option];
    const setting = addressSetting(mode, testEnvironment);
    const hint =
      addressHint?.(mode) ??
      'give the client a usable baseUrl and openBaseUrl, such as https://HOST';
    if (address === undefined) {
      throw missingAddress(setting, addressNeed(mode, preferred), hint);
    }
    const fault = platformAddressFault(address);
    if (fault === undefined) return address;
    throw new MopError('config', `the configured ${setting} is not usable: ${fault}`, { hint });
  }
}

/** The request with its form as a stream, which reads the files when it is sent. */
async function withForm(request: SignedRequest): Promise<SentRequest> {
  if (request.form === undefined) return request;
  const { multipartForm } = await import('../http/multipart-body.ts');
  const { contentType, body } = await multipartForm(request.form);
  return { ...request, headers: [['Content-Type', contentType], ...request.headers], body };
}

function skewWarning(offsetMs: number): string {
  const seconds = Math.round(Math.abs(offsetMs) / 1000);
  const skew =
    seconds === 0
      ? 'the platform refuses the timestamp although the clocks agree'
      : `the clock of this machine is ${seconds} s ${offsetMs > 0 ? 'behind' : 'ahead of'} the platform's`;
  return `${skew}; signing with the platform's time`;
}
