import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { trimTrailingSlash } from 'hono/trailing-slash';
import { platformOpenApi } from '../../platform/openapi/document.ts';
import { DEFAULT_SCHEDULE, newestReadyDay } from '../../protocol/bill-calendar.ts';
import { DEBUGGER_ASSETS, debuggerPage } from '../debugger/page.ts';
import REQUEST_ASSETS from '../requests/assets?assets';
import { requestsPage } from '../requests/page.ts';
import { type RequestDataOptions, requestRoutes } from '../requests/routes.ts';
import SHARED_ASSETS from './assets?assets';
import { framed, notFoundPage, type Page, type SiteName } from './frame.ts';
import { HEADERS, methodNotAllowed, PAGE_HEADERS } from './headers.ts';
import { chooseLanguage, type View, viewOf } from './view.ts';

export interface Site extends RequestDataOptions {
  readonly name: SiteName;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly pages?: Readonly<Record<string, (view: View) => Page | Promise<Page>>>;
  readonly assets?: Readonly<Record<string, string>>;
}

/**
 * The pages of a server with their assets and data (contract section 7). A browser gets a page for
 * any other address; a program gets the text `not found`.
 */
export function siteRoutes(site: Site): Hono<{ Bindings: HttpBindings }> {
  const { name, now, pages = {}, assets = {} } = site;
  const render = {
    ...pages,
    '/platform/debugger': (view: View) => debuggerPage(view),
    '/requests': (view: View) => requestsPage(name, view),
  };
  const routes = new Hono<{ Bindings: HttpBindings }>()
    .route('/', requestRoutes(site))
    .get('/platform/openapi.json', (c) => {
      const server = new URL(c.req.url).origin;
      const billDate = newestReadyDay(DEFAULT_SCHEDULE, now());
      return c.json(platformOpenApi({ server, billDate }), 200, HEADERS);
    })
    .all('/platform/openapi.json', methodNotAllowed)
    .use(chooseLanguage)
    .use(trimTrailingSlash());
  const headersOf = (view: View, page: Page) => ({
    ...PAGE_HEADERS,
    ...page.headers,
    'Content-Language': view.language,
    Vary: 'Accept-Language',
  });
  for (const [path, pageOf] of Object.entries(render)) {
    routes
      .get(path, async (c) => {
        const view = viewOf(c);
        const page = await pageOf(view);
        return c.html(framed(name, view, page), 200, headersOf(view, page));
      })
      .all(path, methodNotAllowed);
  }
  return routes
    .route('/', assetRoutes({ ...SHARED_ASSETS, ...REQUEST_ASSETS, ...DEBUGGER_ASSETS, ...assets }))
    .notFound((c) => {
      if (c.req.method !== 'GET' || !c.req.header('accept')?.includes('text/html')) {
        return c.text('not found', 404);
      }
      const view = viewOf(c);
      const page = notFoundPage(name, view);
      return c.html(framed(name, view, page), 404, headersOf(view, page));
    })
    .onError((error) => {
      // The server logs bugs and answers for them.
      throw error;
    });
}

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** A worker has the policy of its script: it may not connect to any server. */
const ISOLATED = { 'Content-Security-Policy': "default-src 'none'" };

function assetRoutes(texts: Readonly<Record<string, string>>): Hono {
  const assets = new Map(Object.entries(texts));
  return new Hono()
    .get('/assets/:name', (c) => {
      const name = c.req.param('name');
      const text = assets.get(name);
      if (text === undefined) return c.notFound();
      const type = TYPES[name.replace(/.*\./, '')] ?? 'text/plain';
      return c.body(text, 200, { ...HEADERS, ...ISOLATED, 'Content-Type': type });
    })
    .all('/assets/:name', (c) =>
      assets.has(c.req.param('name')) ? methodNotAllowed(c) : c.notFound(),
    );
}
