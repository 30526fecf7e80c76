import { type Context, Hono } from 'hono';
import { chooseLanguage } from '../choose-language.ts';
import { OPENAPI } from '../detection/openapi.ts';
import type { SandboxEnv } from '../exchange.ts';
import { apiDocs } from './api-docs.ts';
import { ASSETS } from './assets.ts';
import { consolePage } from './console-page.ts';
import { detectionPage } from './detection-page.ts';
import { layout, type Page, type PagePath } from './layout.ts';
import { onepager } from './onepager.ts';
import { type View, viewOf } from './page-view.ts';

const PAGES: Readonly<Record<PagePath, (view: View) => Page>> = {
  '/': detectionPage,
  '/console': consolePage,
  '/onepager': onepager,
  '/api-docs': (view) => apiDocs(view, OPENAPI),
};

const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};

const PAGE_HEADERS = {
  ...HEADERS,
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    // Forms are sent by scripts: without them a text does not end up in an address.
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'Permissions-Policy': 'microphone=(self), camera=(), geolocation=()',
  Vary: 'Accept-Language',
};

/** The pages of the detection service (D2 section 4), their assets and the OpenAPI description. */
export function pageRoutes(): Hono<SandboxEnv> {
  const routes = new Hono<SandboxEnv>();
  for (const [path, render] of Object.entries(PAGES)) {
    routes.get(path, chooseLanguage, (c) => {
      const view = viewOf(c);
      const headers = { ...PAGE_HEADERS, 'Content-Language': view.language };
      return c.html(layout(view, render(view)), 200, headers);
    });
    routes.all(path, methodNotAllowed);
  }
  return routes
    .notFound((c) => c.text('not found', 404))
    .onError((error) => {
      // The sandbox answers for bugs, and logs them.
      throw error;
    })
    .get('/openapi.json', (c) => c.json(OPENAPI, 200, HEADERS))
    .all('/openapi.json', methodNotAllowed)
    .get('/assets/:name', (c) => {
      const asset = ASSETS.get(c.req.param('name'));
      if (!asset) return c.notFound();
      return c.body(asset.text, 200, { ...HEADERS, 'Content-Type': asset.type });
    })
    .all('/assets/:name', (c) =>
      ASSETS.has(c.req.param('name')) ? methodNotAllowed(c) : c.notFound(),
    );
}

function methodNotAllowed(c: Context<SandboxEnv>): Response {
  const allowed = 'GET, HEAD';
  const words = `${c.req.method} is not allowed here, but ${allowed}`;
  return c.text(words, 405, { ...HEADERS, Allow: allowed });
}
