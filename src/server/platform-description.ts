import { Hono } from 'hono';
import { newestReadyDay } from '../protocol/bill-calendar.ts';
import { DEFAULT_READY_TIME, DEFAULT_TIME_ZONE } from '../protocol/defaults.ts';
import { HEADERS, methodNotAllowed } from './pages/headers.ts';

const PATH = '/platform/openapi.json';

/** The default schedule of the platform, for the newest bill in the examples. */
const SCHEDULE = { timeZone: DEFAULT_TIME_ZONE, readyTime: DEFAULT_READY_TIME, lateHours: 0 };

/**
 * Serves the OpenAPI description of the platform (contract section 7).
 *
 * @param now Milliseconds since 1970; the examples ask for the newest bill.
 */
export function platformDescription(now: () => number): Hono {
  return new Hono()
    .get(PATH, async (c) => {
      const { platformOpenApi } = await import('../platform/openapi/document.ts');
      const server = new URL(c.req.url).origin;
      const billDate = newestReadyDay(SCHEDULE, now());
      return c.json(platformOpenApi({ server, billDate }), 200, HEADERS);
    })
    .all(PATH, methodNotAllowed);
}
