import { setTimeout as sleepFor } from 'node:timers/promises';
import { type ErrorDetails, MopError, withDetails } from '../errors.ts';
import { isShutOut } from '../http/network-error.ts';
import { REDACTED, redactJson } from '../http/redact.ts';
import { withRetries } from '../http/retry.ts';
import {
  type HttpRequest,
  type HttpText,
  retryAfterMs,
  type Transport,
} from '../http/transport.ts';
import { ADDRESS_PREFIX, type SignatureMode } from '../protocol/operations.ts';
import { TIMESTAMP_INVALID } from '../protocol/result-codes.ts';
import { signBody } from '../signing/body-mode.ts';
import { signHeaders } from '../signing/header-mode.ts';
import { type Credentials, type FieldSource, freshFields } from '../signing/request-fields.ts';
import { addressFault, addressSetting } from './address.ts';
import { type Envelope, envelopeError, isSuccess, readEnvelope } from './envelope.ts';

export interface PlatformClientOptions {
  readonly credentials: Credentials;
  readonly transport: Transport;
  /** The address for body signatures, without `/open/v1` (D1 4.0). */
  readonly baseUrl?: string | undefined;
  /** The address for header signatures, without `/api/open` (D1 4.0). */
  readonly openBaseUrl?: string | undefined;
  /** The test environment admits listed addresses only (D1 4.1 rule 4); errors then say so. */
  readonly testEnvironment?: boolean | undefined;
  /** Attempts after the first. Default 4. */
  readonly retries?: number | undefined;
  /** Told what a person should know although the call goes on. */
  readonly onWarning?: ((message: string) => void) | undefined;
  readonly source?: FieldSource | undefined;
  readonly sleep?: ((ms: number) => Promise<unknown>) | undefined;
}

/** An operation to call: where, how signed, and the business fields as JSON text. */
export interface Operation {
  /** Below the address of the mode, such as `/trade/bill`. */
  readonly path: string;
  readonly mode: SignatureMode;
  readonly body: string;
}

/** A request ready to send, with the parts that errors and traces need. */
export interface SignedRequest extends HttpRequest {
  readonly sign: string;
  readonly seqId: string;
}

/** An envelope with the serial number of the request that it answers. */
export interface Answer extends Envelope {
  readonly seqId: string;
  /** Milliseconds that the platform asked to wait before the next attempt (`Retry-After`). */
  readonly retryAfterMs: number | undefined;
}

/** Calls operations of the platform (D1), signed afresh for each attempt. */
export class PlatformClient {
  readonly transport: Transport;
  readonly source: FieldSource;
  readonly sleep: (ms: number) => Promise<unknown>;
  readonly retries: number;
  readonly #options: PlatformClientOptions;
  /** Server time minus ours, in milliseconds, once a 1055 showed that they differ. */
  #clockOffset = 0;

  constructor(options: PlatformClientOptions) {
    this.#options = options;
    this.transport = options.transport;
    this.source = options.source ?? freshFields;
    this.sleep = options.sleep ?? sleepFor;
    this.retries = options.retries ?? 4;
  }

  /**
   * Calls an operation until it succeeds or retrying is no use (`CLI.md` section 4).
   *
   * @returns The envelope of a success (code 0, or 2303 "already issued").
   * @throws {MopError} `auth`, `api` or `network`; with `platformCode` where the platform gave one.
   */
  async call(operation: Operation): Promise<Answer> {
    return withRetries(
      async () => {
        const answer = await this.exchange(operation);
        if (!isSuccess(answer)) throw this.failure(answer);
        return answer;
      },
      { retries: this.retries, sleep: this.sleep },
    );
  }

  /**
   * One attempt, and a second one with the server's time when it finds the timestamp invalid.
   *
   * @returns The envelope whatever its code.
   * @throws {MopError} `network` when no answer came, `api` when it is not an envelope.
   */
  async exchange(operation: Operation): Promise<Answer> {
    const first = await this.#send(operation);
    if (first.answer.code !== TIMESTAMP_INVALID || first.serverTime === undefined) {
      return first.answer;
    }
    const offset = first.serverTime - this.source.now();
    const seconds = Math.round(Math.abs(offset) / 1000);
    this.#options.onWarning?.(
      `the clock of this machine is ${seconds} s ${offset > 0 ? 'behind' : 'ahead of'} the platform's; signing with the platform's time`,
    );
    this.#clockOffset = offset;
    return (await this.#send(operation)).answer;
  }

  /** The error for an answer that is not a success. */
  failure(answer: Answer): MopError {
    const { seqId, retryAfterMs } = answer;
    return envelopeError(answer, { seqId, retryAfterMs });
  }

  /**
   * The request that a call would send now.
   *
   * @throws {MopError} `usage` for a body that cannot be signed, `config` without an address.
   */
  sign({ path, mode, body }: Operation): SignedRequest {
    const { credentials } = this.#options;
    const url = this.#url(mode, path);
    const seqId = this.source.seqId();
    const source: FieldSource = {
      now: () => this.source.now() + this.#clockOffset,
      nonce: () => this.source.nonce(),
      seqId: () => seqId,
    };
    const content = ['Content-Type', 'application/json'] as const;
    const request = (
      headers: HttpRequest['headers'],
      body: string,
      sign: string,
    ): SignedRequest => ({ method: 'POST', url, headers, body, secrets: [sign], sign, seqId });
    if (mode === 'body') {
      const signed = signBody(body, credentials, { seqId }, source);
      return request([content], signed.body, signed.sign);
    }
    const signed = signHeaders(body, credentials, { seqId }, source);
    return request([content, ...Object.entries(signed.headers)], signed.body ?? '', signed.sign);
  }

  async #send(operation: Operation): Promise<{ answer: Answer; serverTime: number | undefined }> {
    const request = this.sign(operation);
    try {
      const response = await this.transport.sendForText(request);
      const envelope = this.#readAnswer(response, request);
      const date = Date.parse(response.header('date') ?? '');
      return {
        answer: {
          ...envelope,
          // A platform that echoes the signature must not make it appear in an error.
          message: envelope.message.replaceAll(request.sign, REDACTED),
          seqId: request.seqId,
          retryAfterMs: retryAfterMs(response.header('retry-after'), this.source.now()),
        },
        serverTime: Number.isNaN(date) ? undefined : date,
      };
    } catch (error) {
      throw this.#explained(error, request);
    }
  }

  #readAnswer({ status, header, text }: HttpText, request: SignedRequest): Envelope {
    const details: ErrorDetails = { httpStatus: status, seqId: request.seqId };
    const overloaded = status >= 500 || status === 429;
    const envelope = status < 300 ? readEnvelope(text) : lenientEnvelope(text);
    // A result code says more than the status it came with.
    if (envelope && !(overloaded && isSuccess(envelope))) return envelope;
    if (overloaded) {
      throw new MopError('network', `${request.url.host} answered HTTP ${status}`, {
        ...details,
        hint: 'the platform is overloaded or down; try again later',
        retryAfterMs: retryAfterMs(header('retry-after'), this.source.now()),
      });
    }
    const type = header('content-type') ?? 'no content type';
    throw new MopError(
      'api',
      `${request.url.host} answered HTTP ${status} (${type}) with something that is not an envelope: ${startOf(text, request.sign)}`,
      {
        ...details,
        hint: 'is the configured address the platform’s? mop config list shows it; --verbose shows the answer',
      },
    );
  }

  #explained(error: unknown, { seqId }: SignedRequest): unknown {
    const blocked =
      error instanceof MopError && (isShutOut(error) || error.details.httpStatus === 403);
    const hint =
      'the test environment admits listed IP addresses only: is the address of this machine on the list?';
    return withDetails(error, {
      seqId,
      ...(blocked && this.#options.testEnvironment && { hint }),
    });
  }

  #url(mode: SignatureMode, path: string): URL {
    const address = mode === 'body' ? this.#options.baseUrl : this.#options.openBaseUrl;
    const setting = addressSetting(mode, this.#options.testEnvironment ?? false);
    if (address === undefined) {
      throw new MopError('config', `no address of the platform: ${setting} is not set`, {
        hint: `set it: mop config set ${setting} https://HOST (or try --env sandbox)`,
      });
    }
    const fault = addressFault(address);
    if (fault) {
      throw new MopError('config', `the configured ${setting} is not usable: ${fault}`, {
        hint: `set it: mop config set ${setting} https://HOST`,
      });
    }
    const separator = path.startsWith('/') ? '' : '/';
    const { origin, pathname } = new URL(address);
    return new URL(origin + pathname.replace(/\/+$/, '') + ADDRESS_PREFIX[mode] + separator + path);
  }
}

/** With a status that says it failed, a broken envelope is no news: a gateway may have answered. */
function lenientEnvelope(text: string): Envelope | undefined {
  try {
    return readEnvelope(text);
  } catch {
    return undefined;
  }
}

function startOf(text: string, sign: string): string {
  if (text.trim() === '') return 'an empty body';
  const start = redactJson(text).replaceAll(sign, REDACTED).replace(/\s+/g, ' ').trim();
  return JSON.stringify(start.length > 80 ? `${start.slice(0, 80)}…` : start);
}
