import type { RequestListener } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { siteRoutes } from '../server/pages/routes.ts';
import type { RequestDataOptions } from '../server/requests/routes.ts';

/** The pages of the proxy; `now` is in milliseconds since 1970. */
export function pageListener(requests: RequestDataOptions, now: () => number): RequestListener {
  const site = siteRoutes({ ...requests, name: 'proxy', now });
  return getRequestListener(site.fetch, { overrideGlobalObjects: false });
}
