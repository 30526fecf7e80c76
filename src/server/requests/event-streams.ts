import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { HEADERS } from '../pages/headers.ts';
import type { NumberedExchange, RequestHistory } from './history.ts';

/** The maximum number of simultaneous readers. */
const MAX_STREAMS = 20;

/** Interval of comments, which keep a silent connection open. */
const HEARTBEAT_MS = 15_000;

/** A reader with more unread bytes is disconnected. It may reconnect. */
const MAX_UNREAD_BYTES = 1024 * 1024;

/** Streams of server-sent events: the kept exchanges, then each new one. */
export class EventStreams {
  readonly #history: RequestHistory;
  readonly #print: (exchange: NumberedExchange) => string;
  readonly #closing: AbortSignal;
  /** Distinguishes this server from an earlier one at the same address. */
  readonly #server = randomUUID();
  readonly #open = new Set<ServerResponse>();

  /**
   * @param print The data of an event, in one line.
   * @param closing Ends all streams.
   */
  constructor(
    history: RequestHistory,
    print: (exchange: NumberedExchange) => string,
    closing: AbortSignal,
  ) {
    this.#history = history;
    this.#print = print;
    this.#closing = closing;
    closing.addEventListener('abort', () => {
      for (const outgoing of this.#open) outgoing.end();
    });
  }

  get isFull(): boolean {
    return this.#open.size >= MAX_STREAMS;
  }

  /** @param after Sends only exchanges with a higher id. */
  start(outgoing: ServerResponse, after: number): void {
    outgoing.writeHead(200, { ...HEADERS, 'Content-Type': 'text/event-stream' });
    if (this.#closing.aborted) {
      outgoing.end();
      return;
    }
    const write = (text: string): void => {
      outgoing.write(text);
      if (outgoing.writableLength > MAX_UNREAD_BYTES) outgoing.destroy();
    };
    const send = (exchange: NumberedExchange): void =>
      write(`id: ${exchange.id}\ndata: ${this.#print(exchange)}\n\n`);
    const kept = this.#history.exchanges.filter(({ id }) => id > after);
    write(`retry: 1000\nevent: server\ndata: ${this.#server}\n\n`);
    for (const exchange of kept) send(exchange);
    const unsubscribe = this.#history.subscribe(send);
    const heartbeat = setInterval(() => write(':\n\n'), HEARTBEAT_MS);
    this.#open.add(outgoing);
    outgoing.once('close', () => {
      unsubscribe();
      clearInterval(heartbeat);
      this.#open.delete(outgoing);
    });
  }
}
