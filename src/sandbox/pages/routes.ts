import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { DEBUGGER_ASSETS } from '../../server/debugger/assets.ts';
import { debuggerPage } from '../../server/debugger/page.ts';
import { HEADERS, methodNotAllowed } from '../../server/pages/headers.ts';
import { siteRoutes } from '../../server/pages/routes.ts';
import { REQUEST_ASSETS } from '../../server/requests/assets.ts';
import { requestsPage } from '../../server/requests/page.ts';
import { type RequestDataOptions, requestRoutes } from '../../server/requests/routes.ts';
import OPENAPI from '../detection/openapi.json' with { type: 'json' };
import { apiDocs, type Description } from './api-docs.ts';
import { ASSETS } from './assets.ts';
import { consolePage } from './console-page.ts';
import { detectionPage } from './detection-page.ts';
import { onepager } from './onepager.ts';
import { platformPage } from './platform-page.ts';

/**
 * The pages of the detection service (D2 section 4) and its OpenAPI description, and the pages for
 * developers of platform clients (contract section 7).
 *
 * @param billDate A day whose bill is ready, `YYYY-MM-DD`.
 * @param requests The data of the page of requests.
 */
export function pageRoutes(
  billDate: () => string,
  requests: RequestDataOptions,
): Hono<{ Bindings: HttpBindings }> {
  const data = requestRoutes(requests);
  const pages = {
    '/': detectionPage,
    '/console': consolePage,
    '/onepager': onepager,
    '/api-docs': (view) => apiDocs(view, OPENAPI as object as Description),
    '/platform': (view) => platformPage(view, billDate()),
    '/platform/debugger': (view) => debuggerPage(view),
    '/requests': (view) => requestsPage('sandbox', view),
  } satisfies Parameters<typeof siteRoutes>[1];
  const assets = { ...REQUEST_ASSETS, ...DEBUGGER_ASSETS, ...ASSETS };
  const site = siteRoutes('sandbox', pages, assets);
  return new Hono<{ Bindings: HttpBindings }>()
    .all('/requests/:id{events|[1-9][0-9]{0,14}}', (c) => data.fetch(c.req.raw, c.env))
    .get('/openapi.json', (c) => c.json(OPENAPI, 200, HEADERS))
    .all('/openapi.json', methodNotAllowed)
    .all('*', (c) => site.fetch(c.req.raw, c.env));
}
