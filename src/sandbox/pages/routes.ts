import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { HEADERS, methodNotAllowed } from '../../server/pages/headers.ts';
import { siteRoutes } from '../../server/pages/routes.ts';
import type { View } from '../../server/pages/view.ts';
import type { RequestDataOptions } from '../../server/requests/routes.ts';
import OPENAPI from '../detection/openapi.json' with { type: 'json' };
import { apiDocs, type Description } from './api-docs.ts';
import assets from './assets?assets';
import { consolePage } from './console-page.ts';
import { detectionPage } from './detection-page.ts';
import { onepager } from './onepager.ts';
import { platformPage } from './platform-page.ts';

/**
 * The pages of the sandbox (D2 section 4, contract section 7). `billDate` is a day whose bill is
 * ready.
 */
export function pageRoutes(
  requests: RequestDataOptions,
  now: () => number,
  billDate: () => string,
): Hono<{ Bindings: HttpBindings }> {
  const pages = {
    '/': detectionPage,
    '/console': consolePage,
    '/onepager': onepager,
    '/api-docs': (view: View) => apiDocs(view, OPENAPI as object as Description),
    '/platform': (view: View) => platformPage(view, billDate()),
  };
  return siteRoutes({ ...requests, name: 'sandbox', now, pages, assets })
    .get('/openapi.json', (c) => c.json(OPENAPI, 200, HEADERS))
    .all('/openapi.json', methodNotAllowed);
}
