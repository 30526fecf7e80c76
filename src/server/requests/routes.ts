import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { translatorOf } from '../../locale/load.ts';
import { isCrossSite } from '../cors.ts';
import { HEADERS, methodNotAllowed } from '../pages/headers.ts';
import { chooseLanguage, viewOf } from '../pages/view.ts';
import { MAX_EXCHANGES, type NumberedExchange, type RequestHistory } from './history.ts';
import { exchangeRow, type RequestExaminer, shownExchange } from './shown-exchange.ts';
import { translatedExchange } from './translated-exchange.ts';

export interface RequestDataOptions extends RequestExaminer {
  readonly history: RequestHistory;
  /** Ends the streams of events. */
  readonly closing: AbortSignal;
}

const ID = '/requests/:id{[1-9][0-9]{0,14}}';
const STREAM_HEADERS = { ...HEADERS, 'Content-Type': 'text/event-stream' };

/**
 * The events of the live page, and single exchanges as JSON. They need the bindings of
 * @hono/node-server.
 */
export function requestRoutes(options: RequestDataOptions): Hono<{ Bindings: HttpBindings }> {
  const { history } = options;
  const streams = new EventStreams(options);

  return new Hono<{ Bindings: HttpBindings }>()
    .use('/requests/:id{events|[1-9][0-9]{0,14}}', async (c, next) => {
      if (!isCrossSite(c.env.incoming)) return next();
      return c.text('pages of other sites cannot read these requests', 403, HEADERS);
    })
    .get('/requests/events', (c) => {
      if (streams.isFull) {
        return c.text('too many pages are open: close some of them', 503, HEADERS);
      }
      if (c.req.method === 'HEAD') return c.body(null, 200, STREAM_HEADERS);
      const last = Number(c.req.header('last-event-id') ?? 0);
      // A higher id comes from an earlier server at this address.
      streams.start(c.env.outgoing, last <= (history.exchanges.at(-1)?.id ?? 0) ? last : 0);
      return RESPONSE_ALREADY_SENT;
    })
    .all('/requests/events', methodNotAllowed)
    .get(ID, chooseLanguage, async (c) => {
      const id = Number(c.req.param('id'));
      const exchange = history.find(id);
      if (exchange) {
        const shown = await shownExchange(exchange, options, c.req.raw.signal);
        const translator = await translatorOf(viewOf(c).language);
        return c.json(translator ? translatedExchange(shown, translator) : shown, 200, HEADERS);
      }
      const text = `request ${id} is not available: only the last ${MAX_EXCHANGES} are kept`;
      return c.text(text, 404, HEADERS);
    })
    .all(ID, methodNotAllowed);
}

const MAX_STREAMS = 20;

/** Interval of comments, which keep a silent connection open. */
const HEARTBEAT_MS = 15_000;

/** A reader with more unread bytes is disconnected. It may reconnect. */
const MAX_UNREAD_BYTES = 1024 * 1024;

/** Streams of server-sent events: the kept exchanges, then each new one. */
class EventStreams {
  readonly #options: RequestDataOptions;
  /** Distinguishes this server from an earlier one at the same address. */
  readonly #server = randomUUID();
  readonly #open = new Set<ServerResponse>();

  constructor(options: RequestDataOptions) {
    this.#options = options;
    options.closing.addEventListener('abort', () => {
      for (const outgoing of this.#open) outgoing.end();
    });
  }

  get isFull(): boolean {
    return this.#open.size >= MAX_STREAMS;
  }

  /** @param after Sends only exchanges with a higher id. */
  start(outgoing: ServerResponse, after: number): void {
    const { history, closing, hide } = this.#options;
    outgoing.writeHead(200, STREAM_HEADERS);
    if (closing.aborted) {
      outgoing.end();
      return;
    }
    const write = (text: string): void => {
      outgoing.write(text);
      if (outgoing.writableLength > MAX_UNREAD_BYTES) outgoing.destroy();
    };
    const send = (exchange: NumberedExchange): void =>
      write(`id: ${exchange.id}\ndata: ${JSON.stringify(exchangeRow(exchange, hide))}\n\n`);
    const kept = history.exchanges.filter(({ id }) => id > after);
    write(`retry: 1000\nevent: server\ndata: ${this.#server}\n\n`);
    for (const exchange of kept) send(exchange);
    const unsubscribe = history.subscribe(send);
    const heartbeat = setInterval(() => write(':\n\n'), HEARTBEAT_MS);
    this.#open.add(outgoing);
    outgoing.once('close', () => {
      unsubscribe();
      clearInterval(heartbeat);
      this.#open.delete(outgoing);
    });
  }
}
