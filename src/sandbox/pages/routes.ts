import { Hono } from 'hono';
import { assetRoutes } from '../../server/pages/assets.ts';
import { HEADERS, methodNotAllowed, PAGE_HEADERS } from '../../server/pages/headers.ts';
import { chooseLanguage } from '../choose-language.ts';
import { OPENAPI } from '../detection/openapi.ts';
import type { SandboxEnv } from '../exchange.ts';
import { apiDocs } from './api-docs.ts';
import { ASSETS } from './assets.ts';
import { consolePage } from './console-page.ts';
import { detectionPage } from './detection-page.ts';
import { layout, type Page, type PagePath } from './layout.ts';
import { onepager } from './onepager.ts';
import { siteOrigin, type View, viewOf } from './page-view.ts';
import { platformPage } from './platform-page.ts';

const PAGES: Readonly<Record<PagePath, (view: View) => Page>> = {
  '/': detectionPage,
  '/console': consolePage,
  '/onepager': onepager,
  '/api-docs': (view) => apiDocs(view, OPENAPI),
};

const PAGES_HEADERS = {
  ...PAGE_HEADERS,
  'Permissions-Policy': 'microphone=(self), camera=(), geolocation=()',
  Vary: 'Accept-Language',
};

/**
 * The pages of the detection service (D2 section 4), their assets and the OpenAPI description, and
 * the start page of the platform.
 *
 * @param billDate A day whose bill is ready, `YYYY-MM-DD`.
 */
export function pageRoutes(billDate: () => string): Hono<SandboxEnv> {
  const routes = new Hono<SandboxEnv>();
  for (const [path, render] of Object.entries(PAGES)) {
    routes.get(path, chooseLanguage, (c) => {
      const view = viewOf(c);
      const headers = { ...PAGES_HEADERS, 'Content-Language': view.language };
      return c.html(layout(view, render(view)), 200, headers);
    });
    routes.all(path, methodNotAllowed);
  }
  return routes
    .notFound((c) => c.text('not found', 404))
    .onError((error) => {
      // The sandbox logs bugs and answers for them.
      throw error;
    })
    .get('/platform', (c) => {
      const page = platformPage({ origin: siteOrigin(c), billDate: billDate() });
      return c.html(page, 200, PAGE_HEADERS);
    })
    .all('/platform', methodNotAllowed)
    .get('/openapi.json', (c) => c.json(OPENAPI, 200, HEADERS))
    .all('/openapi.json', methodNotAllowed)
    .route('/', assetRoutes('/assets', ASSETS));
}
