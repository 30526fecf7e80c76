import type { FormField } from '../../http/multipart.ts';
import type { Header } from '../../signing/header-mode.ts';
import type { ReceivedRequest } from '../../signing/received-request.ts';
import type { LogEntry } from '../log-entry.ts';

/** A request with its answer, as the page of requests keeps it in memory. It may contain secrets. */
export interface Exchange extends LogEntry {
  /** The request as checked or signed; undefined when it was not read or is larger than 64 KiB. */
  readonly request?: ReceivedRequest | undefined;
  readonly answer?: KeptAnswer | undefined;
}

export interface KeptAnswer {
  readonly headers: readonly Header[];
  /** At most the first 64 KiB; undefined when it is compressed or not text. */
  readonly body: string | undefined;
  readonly isTruncated: boolean;
}

export interface NumberedExchange extends Exchange {
  readonly id: number;
}

/** The number of exchanges that are kept. */
export const MAX_EXCHANGES = 200;

/** The largest body that is kept, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024;

export class RequestHistory {
  readonly #exchanges: NumberedExchange[] = [];
  readonly #listeners = new Set<(exchange: NumberedExchange) => void>();
  #count = 0;

  /** Drops a request body above the limit, and cuts an answer body to it. */
  add(exchange: Exchange): void {
    this.#count++;
    const { request, answer } = exchange;
    const numbered = {
      id: this.#count,
      ...exchange,
      request: request && isSmall(request) ? request : undefined,
      answer: answer && cut(answer),
    };
    this.#exchanges.push(numbered);
    if (this.#exchanges.length > MAX_EXCHANGES) this.#exchanges.shift();
    for (const listener of this.#listeners) listener(numbered);
  }

  /** Oldest first. */
  get exchanges(): readonly NumberedExchange[] {
    return this.#exchanges;
  }

  find(id: number): NumberedExchange | undefined {
    return this.#exchanges.find((exchange) => exchange.id === id);
  }

  /** Calls the listener for each new exchange until the returned function is called. */
  subscribe(listener: (exchange: NumberedExchange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

function isSmall({ body }: ReceivedRequest): boolean {
  const texts = typeof body === 'string' ? [body] : body.map((field) => textOf(field));
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) <= MAX_BODY_BYTES;
}

function textOf(field: FormField): string {
  return 'file' in field ? field.name + field.file : field.name + field.value;
}

function cut(answer: KeptAnswer): KeptAnswer {
  const { body } = answer;
  if (body === undefined || Buffer.byteLength(body) <= MAX_BODY_BYTES) return answer;
  return {
    ...answer,
    body: Buffer.from(body).subarray(0, MAX_BODY_BYTES).toString(),
    isTruncated: true,
  };
}
