import type { RequestListener } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { DEBUGGER_ASSETS } from '../server/debugger/assets.ts';
import { debuggerPage } from '../server/debugger/page.ts';
import { siteRoutes } from '../server/pages/routes.ts';
import { platformDescription } from '../server/platform-description.ts';
import { REQUEST_ASSETS } from '../server/requests/assets.ts';
import { requestsPage } from '../server/requests/page.ts';
import { type RequestDataOptions, requestRoutes } from '../server/requests/routes.ts';

/**
 * The pages of the proxy: its last requests, and the description of the platform's operations.
 *
 * @param now Milliseconds since 1970.
 */
export function pageListener(requests: RequestDataOptions, now: () => number): RequestListener {
  const data = requestRoutes(requests);
  const pages = siteRoutes(
    'proxy',
    {
      '/requests': (view) => requestsPage('proxy', view),
      '/platform/debugger': (view) => debuggerPage(view),
    },
    { ...REQUEST_ASSETS, ...DEBUGGER_ASSETS },
  );
  const site = new Hono<{ Bindings: HttpBindings }>()
    .all('/requests/:id{events|[1-9][0-9]{0,14}}', (c) => data.fetch(c.req.raw, c.env))
    .route('/', platformDescription(now))
    .all('*', (c) => pages.fetch(c.req.raw, c.env));
  return getRequestListener(site.fetch, { overrideGlobalObjects: false });
}
