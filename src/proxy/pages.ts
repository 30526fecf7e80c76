import type { RequestListener } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { platformDescription } from '../server/platform-description.ts';

/**
 * The pages of the proxy besides the platform: the description of the operations.
 *
 * @param now Milliseconds since 1970.
 */
export function pageListener(now: () => number): RequestListener {
  const pages = platformDescription(now);
  return getRequestListener(pages.fetch, { overrideGlobalObjects: false });
}
