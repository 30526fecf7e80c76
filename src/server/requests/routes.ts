import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { isCrossSite } from '../cross-site.ts';
import { HEADERS, methodNotAllowed } from '../pages/headers.ts';
import { EventStreams } from './event-streams.ts';
import { MAX_EXCHANGES, type NumberedExchange, type RequestHistory } from './history.ts';
import { exchangeRow, type RequestExaminer, shownExchange } from './shown-exchange.ts';

export interface RequestDataOptions extends RequestExaminer {
  readonly history: RequestHistory;
  /** Ends the streams of events. */
  readonly closing: AbortSignal;
}

/**
 * The data of the live page of a server's last requests: the events, and single exchanges as JSON.
 * The routes need `incoming` and `outgoing` of Node, which @hono/node-server sets.
 */
export function requestRoutes(options: RequestDataOptions): Hono<{ Bindings: HttpBindings }> {
  const { history, closing } = options;
  const printRow = (exchange: NumberedExchange): string =>
    JSON.stringify(exchangeRow(exchange, options.hide));
  const streams = new EventStreams(history, printRow, closing);

  return new Hono<{ Bindings: HttpBindings }>()
    .use(async (c, next) => {
      if (!isCrossSite(c.env.incoming)) return next();
      return c.text('pages of other sites cannot read these requests', 403, HEADERS);
    })
    .get('/requests/events', (c) => {
      if (streams.isFull)
        return c.text('too many pages are open: close some of them', 503, HEADERS);
      if (c.req.method === 'HEAD') {
        return c.body(null, 200, { ...HEADERS, 'Content-Type': 'text/event-stream' });
      }
      const last = Number(c.req.header('last-event-id') ?? 0);
      // A higher id comes from an earlier server at this address.
      streams.start(c.env.outgoing, last <= (history.exchanges.at(-1)?.id ?? 0) ? last : 0);
      return RESPONSE_ALREADY_SENT;
    })
    .all('/requests/events', methodNotAllowed)
    .get('/requests/:id{[1-9][0-9]{0,14}}', async (c) => {
      const id = Number(c.req.param('id'));
      const exchange = history.find(id);
      if (exchange) {
        const shown = await shownExchange(exchange, options, c.req.raw.signal);
        return c.json(shown, 200, HEADERS);
      }
      const text = `request ${id} is not available: only the last ${MAX_EXCHANGES} are kept`;
      return c.text(text, 404, HEADERS);
    })
    .all('/requests/:id{[1-9][0-9]{0,14}}', methodNotAllowed);
}
