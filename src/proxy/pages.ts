import type { RequestListener } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { platformDescription } from '../server/platform-description.ts';
import { type RequestPageOptions, requestRoutes } from '../server/requests/routes.ts';

/**
 * The pages of the proxy: its last requests, and the description of the platform's operations.
 *
 * @param now Milliseconds since 1970.
 */
export function pageListener(
  requests: Omit<RequestPageOptions, 'summary'>,
  now: () => number,
): RequestListener {
  const pages = new Hono<{ Bindings: HttpBindings }>()
    .route('/', requestRoutes({ ...requests, summary: 'The last requests to this proxy.' }))
    .route('/', platformDescription(now));
  return getRequestListener(pages.fetch, { overrideGlobalObjects: false });
}
